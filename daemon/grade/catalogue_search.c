/* A saved table is read as the columns of each shape, and its fingerprint looked for. Where its columns
 * have other names, those mutants are made again whose columns hold the same values, and compared as
 * grading compares. */
#include <errno.h>

#include "daemon/grade/catalogue.h"
#include "parser/arena.h"
#include "parser/limits.h"

struct searching {
	struct arena *arena;
	struct catalogue *catalogue;
	size_t query;
	const struct table *saved;
	bool updates; /* of the saved table */
	bool missing; /* it is right, but for columns that are not there */
	struct matches matches;
	size_t room;
	bool nomem;
};

/* What the saved table is under a shape: those of the shape's columns that it has by their names. */
struct reading {
	bool done, readable;
	size_t *of; /* which of the shape's */
	size_t count;
	struct fingerprint print; /* of them */
};

static void add_match(struct searching *s, const struct match *match)
{
	if (arena_grow(s->arena, &s->matches.items, s->matches.count, &s->room,
		    sizeof(*s->matches.items)))
		s->nomem = true;
	else
		s->matches.items[s->matches.count++] = *match;
}

static int read_shape(struct searching *s, const struct shape *shape, struct reading *ret)
{
	size_t *of = arena_array(s->arena, shape->column_count + 1, sizeof(*of)), count = 0;
	struct column *columns = arena_array(s->arena, shape->column_count + 1, sizeof(*columns));
	struct reading reading = {.done = true, .of = of};
	struct table table;

	if (!of || !columns)
		return -ENOMEM;
	for (size_t i = 0; i < shape->column_count; i++) {
		if (table_column(s->saved, shape->columns[i].name) == s->saved->column_count)
			continue;
		columns[count] = shape->columns[i];
		of[count++] = i;
	}
	reading.count = count;
	reading.readable = table_read_as(s->arena, s->saved, columns, count, &table, &s->nomem);
	if (reading.readable && fingerprint_of(s->arena, &table, &reading.print))
		return -ENOMEM;
	*ret = reading;
	return 0;
}

static bool is_exact(const struct comparison *c, size_t columns)
{
	return c->map.named && c->map.in_order && c->map.extra == 0 && c->map.found == columns;
}

/* Rows that are the same in a column or two say little. */
static bool is_enough(const struct comparison *c, size_t columns)
{
	return c->equal &&
	       (c->map.found == columns || c->map.found > 2 || (c->map.found == 2 && columns == 3));
}

/* A mistake that leaves a column out is none where the column is there. */
static bool has_missing(
	const struct searching *s, const struct mistake *mistake, const struct shape *shape)
{
	const struct table *asked = mutator_table(s->catalogue->mutator, s->query);

	for (size_t i = 0; i < asked->column_count; i++) {
		struct text name = asked->columns[i].name;
		bool mine = table_column(s->saved, name) < s->saved->column_count;

		for (size_t k = 0; mine && k < shape->column_count; k++)
			mine = !text_eq(shape->columns[k].name, name);
		if (mine)
			return true;
	}
	for (size_t i = 0; i < mistake->cause_count; i++) {
		const struct cause *cause = &mistake->causes[i];

		if (text_eq(text_of(cause->id), TEXT("column-missing")) &&
			table_column(s->saved, cause->param.name) < s->saved->column_count)
			return true;
	}
	return false;
}

/* Made again, since its columns have to be compared under other names. */
static int compare_again(struct searching *s, const struct catalogued *item)
{
	struct arena scratch;
	struct mutant mutant;
	struct comparison c = {0};
	int err;

	arena_init(&scratch, LIMIT_SESSION_BYTES);
	catalogue_begin(s->catalogue, item->query, item->which);
	err = mutator_again(s->catalogue->mutator, &scratch, item->entry, item->index, &mutant);
	if (err == 0)
		err = compare_tables(s->arena, &mutant.table, s->saved, 1, &c);
	if (err == 0 && is_enough(&c, mutant.table.column_count)) {
		struct match match = {.item = item,
			.exact = is_exact(&c, mutant.table.column_count),
			.map = c.map};

		add_match(s, &match);
	}
	arena_finish(&scratch);
	return err;
}

/* Is there hope? All columns by their names: it is as good as sure. Some: those that are there hold the
 * mutant's values. */
static bool may_be(const struct reading *reading, const struct catalogued *item, size_t columns)
{
	if (!reading->readable || reading->print.rows != item->print.rows)
		return false;
	if (reading->count == columns)
		return fingerprint_equal(&reading->print, &item->print);
	for (size_t i = 0; i < reading->count; i++)
		if (reading->print.columns[i] != item->print.columns[reading->of[i]])
			return false;
	return true;
}

static int search_item(struct searching *s, const struct catalogued *item, struct reading *readings)
{
	const struct shape *shape = &s->catalogue->shapes[item->shape];
	struct reading *reading = &readings[item->shape];

	if (item->query != s->query || item->refused || item->unknown ||
		shape->form != s->saved->form || item->updates != s->updates)
		return 0;
	if (!reading->done && read_shape(s, shape, reading))
		return -ENOMEM;
	if (!may_be(reading, item, shape->column_count) || has_missing(s, &item->mistake, shape))
		return 0;
	return compare_again(s, item);
}

static bool is_far(const struct match *match)
{
	return match->item->mistake.far;
}

static bool is_inexact(const struct match *match)
{
	return !match->exact;
}

/* Drops the matches of a kind where there are others. */
static void prefer(struct matches *matches, bool (*worse)(const struct match *match))
{
	size_t better = 0, kept = 0;

	for (size_t i = 0; i < matches->count; i++)
		better += !worse(&matches->items[i]);
	for (size_t i = 0; i < matches->count; i++)
		if (better == 0 || !worse(&matches->items[i]))
			matches->items[kept++] = matches->items[i];
	matches->count = kept;
}

static int gives(
	struct arena *arena, const struct table *asked, const struct table *saved, bool *ret)
{
	struct comparison c = {0};
	int err = compare_tables(arena, asked, saved, 1, &c);

	*ret = err == 0 && saved->form == asked->form &&
	       table_is_corrected(saved) == table_is_corrected(asked) &&
	       is_enough(&c, asked->column_count);
	return err;
}

int catalogue_gives(struct arena *arena, const struct catalogue *catalogue,
	const struct table *saved, bool *ret)
{
	int err = 0;

	*ret = false;
	for (size_t i = 0; i < mutator_count(catalogue->mutator) && err == 0 && !*ret; i++)
		err = gives(arena, mutator_table(catalogue->mutator, i), saved, ret);
	return err;
}

/* Right, or the answer to another query of the same reference? */
static int search_references(struct searching *s)
{
	size_t count = mutator_count(s->catalogue->mutator);
	const struct mutator *mutator = s->catalogue->mutator;
	const struct table *asked = mutator_table(mutator, s->query);
	int err = gives(s->arena, asked, s->saved, &s->matches.right);

	for (size_t i = 0; i < asked->column_count; i++)
		s->missing = s->missing || table_column(s->saved, asked->columns[i].name) ==
						   s->saved->column_count;

	for (size_t i = 0; err == 0 && !s->matches.right && i < count; i++) {
		bool equal = false;

		if (i != s->query)
			err = gives(s->arena, mutator_table(mutator, i), s->saved, &equal);
		if (!equal)
			continue;
		s->matches.other_query = true;
		s->matches.other = i;
	}
	return err;
}

int catalogue_search(struct arena *arena, struct catalogue *catalogue, size_t query,
	const struct table *saved, struct matches *ret)
{
	struct searching s = {.arena = arena,
		.catalogue = catalogue,
		.query = query,
		.saved = saved,
		.updates = table_is_corrected(saved)};
	struct reading *readings =
		arena_array(arena, catalogue->shape_count + 1, sizeof(*readings));
	int err = readings ? search_references(&s) : -ENOMEM;

	for (size_t i = 0; i < catalogue->count && err == 0; i++)
		if ((!s.matches.right || s.missing) && saved->row_count > 0)
			err = search_item(&s, &catalogue->items[i], readings);
	if (err < 0 || s.nomem)
		return -ENOMEM;
	prefer(&s.matches, is_inexact);
	if (s.matches.right && s.matches.count && !s.matches.items[0].exact)
		s.matches.count = 0;
	prefer(&s.matches, is_far);
	s.matches.exact = s.matches.count > 0 && s.matches.items[0].exact;
	*ret = s.matches;
	return 0;
}

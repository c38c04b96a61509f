/* A saved table is read as the columns of each shape, and its fingerprint looked for. Where its
 * columns have other names, those mutants are made again whose columns hold the same values, and
 * compared as grading compares. */
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
	struct reading **readings; /* an entry a shape; NULL: not read yet */
	size_t reading_count, reading_room;
	/* Of the mutant that is judged: */
	size_t shape, rows;
};

static void add_match(struct searching *s, const struct match *match)
{
	if (arena_grow(s->arena, &s->matches.items, s->matches.count, &s->room,
		    sizeof(*s->matches.items)))
		s->nomem = true;
	else
		s->matches.items[s->matches.count++] = *match;
}

/* The reading of a shape; NULL: no memory. */
static const struct reading *read_shape(struct searching *s, size_t shape)
{
	size_t count = s->catalogue->shape_count;

	while (s->reading_count < count) {
		if (arena_grow(s->arena, &s->readings, s->reading_count, &s->reading_room,
			    sizeof(*s->readings)))
			return NULL;
		s->readings[s->reading_count++] = NULL;
	}
	if (s->readings[shape])
		return s->readings[shape];
	s->readings[shape] = ARENA_NEW(s->arena, struct reading);
	if (!s->readings[shape] ||
		reading_of(s->arena, &s->catalogue->shapes[shape], s->saved, s->readings[shape]))
		return NULL;
	return s->readings[shape];
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
	catalogue_begin(s->catalogue, item->query, item->which, NULL);
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

static int search_item(struct searching *s, const struct catalogued *item)
{
	const struct shape *shape = &s->catalogue->shapes[item->shape];
	const struct reading *reading;

	if (item->query != s->query || item->refused || item->unknown || item->ended ||
		shape->form != s->saved->form || item->updates != s->updates)
		return 0;
	reading = read_shape(s, item->shape);
	if (!reading)
		return -ENOMEM;
	if (!reading_may_be(reading, &item->print) || has_missing(s, &item->mistake, shape))
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

/* Can a mistake be named? */
static bool is_searched(const struct searching *s)
{
	return s->saved->row_count > 0 && (!s->matches.right || s->missing);
}

/* ---- what gives the same rows ---- */

static bool is_ordered(const struct sql_type *type)
{
	return (type->kind >= SQL_TINYINT && type->kind <= SQL_BIGINT) ||
	       type->kind == SQL_TIMESTAMP || type->kind == SQL_TIMESTAMP_LTZ;
}

/* Are all values of the column in the first rows below those behind, where both have one? */
static bool divides(const struct table *table, size_t column, size_t first)
{
	int64_t most = INT64_MIN;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct value *cell = &table->rows[i].cells[column];

		if (cell->null || (i >= first && cell->i <= most))
			return false;
		if (i < first && cell->i > most)
			most = cell->i;
	}
	return true;
}

/* Where a LIMIT leaves these rows: may a condition on one of their columns leave them, too? */
static bool may_be_condition(const struct table *asked, size_t rows)
{
	for (size_t i = 0; i < asked->column_count; i++)
		if (is_ordered(&asked->columns[i].type) && divides(asked, i, rows))
			return true;
	return false;
}

static bool all_are(const struct matches *matches, const char *id)
{
	for (size_t i = 0; i < matches->count; i++)
		if (!text_eq(text_of(matches->items[i].item->mistake.causes[0].id), text_of(id)))
			return false;
	return matches->count > 0;
}

static void find_likes(struct searching *s)
{
	const struct table *asked = mutator_table(s->catalogue->mutator, s->query);
	size_t rows = s->saved->row_count;

	s->matches.condition =
		!s->updates && all_are(&s->matches, "limit") && may_be_condition(asked, rows);
	s->matches.data = rows == 1 && asked->row_count > 1 && all_are(&s->matches, "where-extra");
}

/* Among the mutants made so far. */
static int search(struct searching *s)
{
	struct catalogue *catalogue = s->catalogue;
	int err = 0;

	s->matches.count = 0;
	for (size_t i = 0; i < catalogue->count && err == 0; i++)
		err = search_item(s, &catalogue->items[i]);
	if (err < 0 || s->nomem)
		return -ENOMEM;
	prefer(&s->matches, is_inexact);
	if (s->matches.right && s->matches.count && !s->matches.items[0].exact)
		s->matches.count = 0;
	prefer(&s->matches, is_far);
	s->matches.exact = s->matches.count > 0 && s->matches.items[0].exact;
	find_likes(s);
	return 0;
}

static struct searching searching_for(
	struct arena *arena, struct catalogue *catalogue, size_t query, const struct table *saved)
{
	return (struct searching){.arena = arena,
		.catalogue = catalogue,
		.query = query,
		.saved = saved,
		.updates = table_is_corrected(saved)};
}

int catalogue_search(struct arena *arena, struct catalogue *catalogue, size_t query,
	const struct table *saved, struct matches *ret)
{
	struct searching s = searching_for(arena, catalogue, query, saved);
	int err = search_references(&s);

	if (err == 0 && is_searched(&s))
		err = search(&s);

	if (err == 0)
		*ret = s.matches;
	return err;
}

/* ---- making only what may be the saved table ---- */

/* No memory: it is told by the search. */
static bool judge_begin(void *ctx, const struct table *table)
{
	struct searching *s = ctx;
	const struct reading *reading;

	s->rows = 0;
	if (table->form != s->saved->form)
		return false;
	if (catalogue_shape(s->catalogue, table, &s->shape) ||
		!(reading = read_shape(s, s->shape))) {
		s->nomem = true;
		return false;
	}
	return reading->readable;
}

/* Rows of a table that is corrected may be taken back: nothing is known before its end. */
static bool judge_row(void *ctx, enum row_op op, const struct value *cells)
{
	struct searching *s = ctx;

	if (s->updates)
		return true;
	return op == OP_INSERT && ++s->rows <= s->saved->row_count &&
	       reading_may_have(s->readings[s->shape], &s->catalogue->shapes[s->shape], cells);
}

/* Is the saved table surely not made of some of the reference's rows? Then it would have to have
 * at least its number of them; as above, where none is taken back. */
static int is_no_part(struct searching *s, const struct table *asked, bool *ret)
{
	const struct reading *reading;
	size_t shape, found = 0;

	*ret = false;
	if (s->updates)
		return 0;
	if (catalogue_shape(s->catalogue, asked, &shape) || !(reading = read_shape(s, shape)))
		return -ENOMEM;
	for (size_t i = 0; reading->readable && i < asked->row_count; i++)
		found += reading_may_have(
			reading, &s->catalogue->shapes[shape], asked->rows[i].cells);
	*ret = found < s->saved->row_count;
	return 0;
}

int catalogue_find(struct arena *arena, struct catalogue *catalogue, size_t query,
	const struct table *saved, int64_t steps, struct matches *ret)
{
	const struct table *asked = mutator_table(catalogue->mutator, query);
	enum mutants most = saved->form == asked->form ? MUTANTS_FAR : MUTANTS_SWITCHED;
	struct searching s = searching_for(arena, catalogue, query, saved);
	struct mutant_judge judge = {judge_begin, judge_row, &s, false};
	int err = search_references(&s);

	if (err == 0 && is_searched(&s))
		err = is_no_part(&s, asked, &judge.no_part);
	catalogue_restart(catalogue, query, &judge);
	for (int which = MUTANTS_NEAR; err == 0 && is_searched(&s) && which <= (int)most; which++) {
		err = catalogue_make(catalogue, (enum mutants)which, &steps);
		if (err == 0)
			err = search(&s);
		s.matches.cut = s.matches.count == 0 && !catalogue->made[which];
		if (s.matches.right || s.matches.count || s.matches.cut)
			break;
	}
	catalogue->judge = NULL;
	if (err == 0)
		*ret = s.matches;
	return err;
}

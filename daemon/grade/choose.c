/* Choosing tables. A table fits where it has the asked columns by name and the asked kind (streaming
 * or batch). Peeks and markers of the learner's fit nothing and are ignored; where too few fit, those
 * that come near are taken, so that it can be said what is wrong with them. */
#include "daemon/grade/choose.h"

#include <errno.h>

#include "daemon/grade/compare.h"
#include "parser/arena.h"

struct candidates {
	const struct result **items;
	size_t count;
};

struct choosing {
	struct arena *arena;
	const struct table *const *asked;
	size_t count;
	struct candidates all; /* results of queries, in file order */
	bool many_runs;	       /* the file holds more than one run: the last one counts */
	bool nomem;
};

static size_t names_found(const struct table *asked, const struct table *saved)
{
	size_t found = 0;

	for (size_t i = 0; i < asked->column_count; i++)
		for (size_t k = 0; k < saved->column_count; k++)
			if (text_ieq(asked->columns[i].name, saved->columns[k].name)) {
				found++;
				break;
			}
	return found;
}

static bool has_columns(const struct table *asked, const struct table *saved)
{
	for (size_t i = 0; i < asked->column_count; i++)
		if (table_column(saved, asked->columns[i].name) == saved->column_count)
			return false;
	return true;
}

static bool equals(struct choosing *c, const struct table *asked, const struct table *saved)
{
	struct comparison comparison = {0};

	if (compare_tables(c->arena, asked, saved, 1, &comparison))
		c->nomem = true;
	return comparison.equal && comparison.map.found == asked->column_count;
}

static bool fits(const struct table *asked, const struct result *result)
{
	if (asked->form != result->table.form)
		return false;
	if (!result->framed)
		return result->table.column_count == asked->column_count;
	return has_columns(asked, &result->table);
}

static bool near(struct choosing *c, const struct table *asked, const struct result *result)
{
	return 2 * names_found(asked, &result->table) >= asked->column_count ||
	       equals(c, asked, &result->table);
}

static bool is_candidate(struct choosing *c, const struct result *result, bool near_ones)
{
	for (size_t i = 0; i < c->count; i++)
		if (fits(c->asked[i], result) || (near_ones && near(c, c->asked[i], result)))
			return true;
	return false;
}

static struct candidates filter(struct choosing *c, bool near_ones)
{
	struct candidates out = {
		.items = arena_array(c->arena, c->all.count + 1, sizeof(*out.items))};

	if (!out.items)
		c->nomem = true;
	for (size_t i = 0; out.items && i < c->all.count; i++)
		if (is_candidate(c, c->all.items[i], near_ones))
			out.items[out.count++] = c->all.items[i];
	return out;
}

/* Each table once; equal ones are told by their printed cells. */
static struct candidates distinct(struct choosing *c, const struct candidates *from)
{
	struct candidates out = {
		.items = arena_array(c->arena, from->count + 1, sizeof(*out.items))};

	if (!out.items)
		c->nomem = true;
	for (size_t i = 0; out.items && i < from->count; i++) {
		bool seen = false;

		for (size_t k = 0; !seen && k < out.count; k++)
			if (tables_equal(
				    c->arena, &out.items[k]->table, &from->items[i]->table, &seen))
				c->nomem = true;
		if (!seen)
			out.items[out.count++] = from->items[i];
	}
	return out;
}

/* Are the asked tables among these, in their order? */
static bool holds_answer(struct choosing *c, const struct candidates *from)
{
	size_t next = 0;

	for (size_t i = 0; i < from->count && next < c->count; i++)
		if (equals(c, c->asked[next], &from->items[i]->table))
			next++;
	return next == c->count;
}

/* Puts fewer tables than asked at their places: where one equals an asked table, there. */
static void place(struct choosing *c, const struct candidates *from, struct choice *choice)
{
	size_t next = 0;

	for (size_t i = 0; i < from->count && next < c->count; i++) {
		size_t last = c->count - (from->count - i), at = next;

		while (at <= last && !equals(c, c->asked[at], &from->items[i]->table))
			at++;
		if (at > last)
			at = next;
		choice->tables[at] = from->items[i];
		next = at + 1;
	}
	choice->found = from->count;
}

static bool is_chosen(const struct choice *choice, size_t count, const struct result *result)
{
	for (size_t i = 0; i < count; i++)
		if (choice->tables[i] == result)
			return true;
	return false;
}

/* Is each chosen table one of the asked ones, and some not at its place? */
static bool is_swapped(struct choosing *c, const struct choice *choice)
{
	bool *used = arena_array(c->arena, c->count, sizeof(*used));
	bool moved = false;

	for (size_t i = 0; used && i < c->count; i++) {
		size_t at = 0;

		if (!choice->tables[i])
			return false;
		while (at < c->count &&
			(used[at] || !equals(c, c->asked[at], &choice->tables[i]->table)))
			at++;
		if (at == c->count)
			return false;
		used[at] = true;
		moved = moved || at != i;
	}
	return moved;
}

/* A run that was saved as well: the asked columns, but not among the chosen. */
static bool has_extra(struct choosing *c, const struct choice *choice)
{
	for (size_t i = 0; i < c->all.count; i++)
		for (size_t k = 0; k < c->count; k++)
			if (!is_chosen(choice, c->count, c->all.items[i]) &&
				has_columns(c->asked[k], &c->all.items[i]->table))
				return true;
	return false;
}

static struct candidates last(const struct candidates *from, size_t count)
{
	return (struct candidates){from->items + (from->count - count), count};
}

static void choose(struct choosing *c, struct choice *choice)
{
	struct candidates fitting = filter(c, false), once, last_run;

	if (fitting.count < c->count) {
		struct candidates near_ones = filter(c, true);

		fitting = near_ones.count > c->count ? last(&near_ones, c->count) : near_ones;
	}
	if (fitting.count > c->count) {
		once = distinct(c, &fitting);
		choice->repeated = once.count == c->count;
		last_run = last(&fitting, c->count);
		if (!choice->repeated && holds_answer(c, &once) &&
			!(c->many_runs && holds_answer(c, &last_run)))
			choice->ambiguous = once.count;
		fitting = choice->repeated ? once : last_run;
	}
	place(c, &fitting, choice);
	choice->swapped = c->count > 1 && is_swapped(c, choice);
	choice->extra = !choice->repeated && !choice->ambiguous && has_extra(c, choice);
}

int choose_tables(struct arena *arena, const struct transcript *transcript,
	const struct table *const *asked, size_t count, struct choice *ret)
{
	struct choosing c = {.arena = arena,
		.asked = asked,
		.count = count,
		.many_runs = (transcript->remarks & REMARK_SESSIONS) != 0};
	struct choice choice = {.tables = arena_array(arena, count + 1, sizeof(*choice.tables))};

	c.all.items = arena_array(arena, transcript->count + 1, sizeof(*c.all.items));
	if (!choice.tables || !c.all.items)
		return -ENOMEM;
	for (size_t i = 0; i < transcript->count; i++)
		if (transcript->results[i].kind == RESULT_TABLE &&
			transcript->results[i].table.form != TABLE_CATALOG)
			c.all.items[c.all.count++] = &transcript->results[i];
	choose(&c, &choice);
	if (c.nomem)
		return -ENOMEM;
	*ret = choice;
	return 0;
}

/* Choosing tables. A table fits where it has the asked columns by name and the asked kind
 * (streaming or batch). Peeks and markers of the learner's fit nothing and are ignored; where too
 * few fit, those that come near are taken, so that it can be said what is wrong with them. */
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

	if (!tables_may_be_equal(asked, saved))
		return false;
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

/* Equal, or it would be but for one column that is not there. */
static bool nearly_equals(struct choosing *c, const struct table *asked, const struct table *saved)
{
	struct comparison comparison = {0};

	if (!tables_may_be_equal(asked, saved))
		return false;
	if (compare_tables(c->arena, asked, saved, 1, &comparison))
		c->nomem = true;
	return comparison.equal && asked->column_count > 2 &&
	       comparison.map.found + 1 >= asked->column_count;
}

static bool near(struct choosing *c, const struct table *asked, const struct result *result)
{
	return 2 * names_found(asked, &result->table) >= asked->column_count ||
	       equals(c, asked, &result->table) || nearly_equals(c, asked, &result->table);
}

static bool is_candidate(struct choosing *c, const struct result *result, bool near_ones)
{
	for (size_t i = 0; i < c->count; i++)
		if (fits(c->asked[i], result) || (near_ones && near(c, c->asked[i], result)) ||
			(c->asked[i]->form == result->table.form &&
				equals(c, c->asked[i], &result->table)))
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

static bool same_columns(const struct table *a, const struct table *b)
{
	bool same = a->column_count == b->column_count;

	for (size_t i = 0; same && i < a->column_count; i++)
		same = text_eq(a->columns[i].name, b->columns[i].name);
	return same;
}

/* Is this the answer in another attempt: its columns, other rows? */
static bool is_rival(
	struct choosing *c, const struct candidates *answer, const struct result *result)
{
	for (size_t i = 0; i < answer->count; i++) {
		bool equal = true;

		if (!same_columns(&answer->items[i]->table, &result->table))
			continue;
		if (tables_equal(c->arena, &answer->items[i]->table, &result->table, &equal))
			c->nomem = true;
		if (!equal)
			return true;
	}
	return false;
}

/* The asked tables among these, in their order, where nothing else could be meant. A table with
 * other columns is a look at something else. */
static bool pick_answer(struct choosing *c, const struct candidates *from, struct candidates *ret)
{
	struct candidates answer = {
		.items = arena_array(c->arena, c->count + 1, sizeof(*answer.items))};

	if (!answer.items) {
		c->nomem = true;
		return false;
	}
	for (size_t i = 0; i < from->count && answer.count < c->count; i++)
		if (equals(c, c->asked[answer.count], &from->items[i]->table))
			answer.items[answer.count++] = from->items[i];
	if (answer.count < c->count)
		return false;
	for (size_t i = 0, next = 0; i < from->count; i++) {
		if (next < answer.count && from->items[i] == answer.items[next])
			next++;
		else if (is_rival(c, &answer, from->items[i]))
			return false;
	}
	*ret = answer;
	return true;
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

/* What was saved as well and has the asked columns, but is not among the chosen. */
static void find_extra(struct choosing *c, struct choice *choice)
{
	struct candidates chosen = {choice->tables, c->count};

	if (choice->found < c->count)
		chosen.count = 0;
	for (size_t i = 0; i < c->all.count; i++) {
		bool has = false;

		if (is_chosen(choice, c->count, c->all.items[i]))
			continue;
		for (size_t k = 0; k < c->count; k++)
			has = has || has_columns(c->asked[k], &c->all.items[i]->table);
		choice->other = choice->other || has;
		choice->extra = choice->extra || is_rival(c, &chosen, c->all.items[i]);
	}
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

		if (!pick_answer(c, &near_ones, &fitting))
			fitting =
				near_ones.count > c->count ? last(&near_ones, c->count) : near_ones;
	}
	if (fitting.count > c->count) {
		once = distinct(c, &fitting);
		choice->repeated = once.count == c->count;
		last_run = last(&fitting, c->count);
		if (choice->repeated) {
			fitting = once;
		} else if (!pick_answer(c, &once, &fitting)) {
			fitting = last_run;
			if (holds_answer(c, &once) && !(c->many_runs && holds_answer(c, &last_run)))
				choice->ambiguous = once.count;
		}
	}
	place(c, &fitting, choice);
	choice->swapped = c->count > 1 && is_swapped(c, choice);
	if (!choice->repeated && !choice->ambiguous)
		find_extra(c, choice);
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

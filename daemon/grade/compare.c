/* Comparing tables: which saved column stands for which asked one, whether the rows are the same,
 * and where they are not. What is left over on both sides is paired by the columns that name a
 * row, so that evidence can tell a wrong value from a missing row. */
#include "daemon/grade/compare.h"

#include <errno.h>

#include "daemon/grade/assign.h"
#include "daemon/grade/lines.h"
#include "parser/arena.h"

int map_columns(struct arena *arena, const struct table *asked, const struct table *saved,
	struct column_map *ret)
{
	struct column_map map = {.named = true, .in_order = true};
	bool *used = arena_array(arena, saved->column_count + 1, sizeof(*used));
	size_t next = 0, last = 0;

	map.of = arena_array(arena, asked->column_count + 1, sizeof(*map.of));
	if (!used || !map.of)
		return -ENOMEM;
	for (size_t i = 0; i < asked->column_count; i++) {
		map.of[i] = table_column(saved, asked->columns[i].name);
		if (map.of[i] < saved->column_count)
			used[map.of[i]] = true;
	}
	for (size_t i = 0; i < asked->column_count; i++) {
		if (map.of[i] == saved->column_count) {
			map.named = false;
			while (next < saved->column_count && used[next])
				next++;
			map.of[i] = next < saved->column_count ? next : NO_COLUMN;
		}
		if (map.of[i] == NO_COLUMN)
			continue;
		used[map.of[i]] = true;
		map.in_order = map.in_order && (map.found == 0 || map.of[i] > last);
		last = map.of[i];
		map.found++;
	}
	map.extra = saved->column_count - map.found;
	*ret = map;
	return 0;
}

/* Could a cell that was cut to "..." be the start of the asked value? */
static bool cell_may_be(struct arena *arena, const struct sql_type *type, const struct value *asked,
	const struct value *saved)
{
	struct value read;
	struct text printed, head;

	if (saved->null || asked->null)
		return saved->null && asked->null;
	if (value_parse(saved->s, type, &read) == 0 && value_cmp(type, &read, asked) == 0)
		return true;
	if (!text_ends(saved->s, TEXT("...")))
		return false;
	printed = value_print(arena, type, asked);
	head = text_slice(saved->s, 0, saved->s.len - 3);
	return printed.ptr && text_starts(printed, head);
}

static bool row_may_be(struct arena *arena, const struct table *saved, const size_t *of,
	const struct line *asked, const struct line *line)
{
	for (size_t i = 0; i < asked->columns; i++) {
		if (of[i] == NO_COLUMN || saved->columns[of[i]].type.kind != SQL_ANY ||
			!cell_may_be(arena, &asked->asked->columns[i].type, &asked->cells[i],
				&line->source->cells[of[i]]))
			return false;
	}
	return true;
}

/* Does each row that is left over on one side stand for one on the other, but for cut cells? */
static bool all_may_be(struct arena *arena, const struct table *saved, const size_t *of,
	const struct lines *asked, const struct lines *lines)
{
	bool *used = arena_array(arena, lines->count + 1, sizeof(*used));

	if (!used || asked->count != lines->count || lines->count > EVIDENCE_LIMIT * 50)
		return false;
	for (size_t i = 0; i < asked->count; i++) {
		size_t k = 0;

		while (k < lines->count && (used[k] || !row_may_be(arena, saved, of,
							       &asked->items[i], &lines->items[k])))
			k++;
		if (k == lines->count)
			return false;
		used[k] = true;
	}
	return true;
}

/* How many leading columns name a row of this table. */
static size_t key_columns(struct lines *rows, size_t columns)
{
	for (size_t key = 1; key < columns; key++) {
		bool unique = true;

		for (size_t i = 1; unique && i < rows->count; i++)
			unique = lines_compare(&rows->items[i - 1], &rows->items[i], key) != 0;
		if (unique)
			return key;
	}
	return columns;
}

/* What evidence is collected of. */
struct pairing {
	struct arena *arena;
	struct comparison *comparison;
	const struct table *asked, *saved;
	int table;
};

/* Does it stand somewhere in the saved table? */
static bool is_saved(const struct table *saved, struct text printed)
{
	for (size_t i = 0; i < saved->row_count; i++)
		for (size_t c = 0; c < saved->column_count; c++)
			if (saved->columns[c].type.kind == SQL_ANY &&
				text_eq(saved->rows[i].cells[c].s, printed))
				return true;
	return false;
}

static bool is_time(const struct table *asked)
{
	return asked->columns[0].type.kind == SQL_TIMESTAMP ||
	       asked->columns[0].type.kind == SQL_TIMESTAMP_LTZ;
}

/* The first cell of a saved row, as it was saved. */
static struct text saved_cell(const struct pairing *p, const struct line *line)
{
	size_t column = p->comparison->map.of[0];
	const struct value *cell = &line->source->cells[column];

	if (p->saved->columns[column].type.kind == SQL_ANY && !cell->null)
		return cell->s;
	return value_print(p->arena, &line->asked->columns[0].type, &line->cells[0]);
}

/* What names a row; empty: it is not to be named. One that is missing is named by its window
 * only, and only where that time was saved, as another row's start or end: else its name would be
 * an answer. */
static int row_name(
	const struct pairing *p, enum evidence_kind kind, const struct line *line, struct text *ret)
{
	const struct table *asked = line->asked;
	bool missing = kind == EVIDENCE_MISSING;

	*ret = TEXT("");
	if (asked->column_count == 0 || p->comparison->map.of[0] == NO_COLUMN ||
		(missing && (!is_time(asked) || line->cells[0].null)))
		return 0;
	*ret = missing ? value_print(p->arena, &asked->columns[0].type, &line->cells[0])
		       : saved_cell(p, line);
	if (missing && ret->ptr && !is_saved(p->saved, *ret))
		*ret = TEXT("");
	return ret->ptr ? 0 : -ENOMEM;
}

/* The column that a name is of, as the saved table calls it; a window's start needs none. */
static struct text key_name(const struct pairing *p, const struct evidence *evidence)
{
	size_t column = evidence->window_start.len ? p->comparison->map.of[0] : NO_COLUMN;

	return column == NO_COLUMN || is_time(p->asked) ? TEXT("") : p->saved->columns[column].name;
}

/* Without a name one row is as the other. */
static bool is_told(const struct comparison *c, const struct evidence *evidence)
{
	for (size_t i = 0; !evidence->window_start.len && i < c->evidence_count; i++)
		if (c->evidence[i].kind == evidence->kind && !c->evidence[i].window_start.len &&
			text_eq(c->evidence[i].column, evidence->column))
			return true;
	return false;
}

static int add_evidence(
	const struct pairing *p, enum evidence_kind kind, const struct line *line, size_t column)
{
	struct comparison *c = p->comparison;
	struct evidence evidence = {.kind = kind, .table = p->table};

	if (c->evidence_count == EVIDENCE_LIMIT)
		return 0;
	if (!c->evidence)
		c->evidence = arena_array(p->arena, EVIDENCE_LIMIT, sizeof(*c->evidence));
	if (!c->evidence || row_name(p, kind, line, &evidence.window_start))
		return -ENOMEM;
	if (column < line->asked->column_count)
		evidence.column = line->asked->columns[column].name;
	evidence.key = key_name(p, &evidence);
	evidence.rows = kind == EVIDENCE_MISSING && evidence.window_start.len == 0;
	if (!is_told(c, &evidence))
		c->evidence[c->evidence_count++] = evidence;
	return 0;
}

static int value_evidence(
	const struct pairing *p, const struct line *asked, const struct line *saved)
{
	int err = 0;

	for (size_t i = 0; !err && i < asked->columns; i++)
		if (p->comparison->map.of[i] != NO_COLUMN &&
			value_cmp(
				&asked->asked->columns[i].type, &asked->cells[i], &saved->cells[i]))
			err = add_evidence(p, EVIDENCE_VALUE, saved, i);
	return err;
}

/* Both sides are sorted; rows with the same key are one row whose values differ. */
static int pair_leftovers(
	const struct pairing *p, size_t key, const struct lines *asked, const struct lines *saved)
{
	size_t i = 0, k = 0;
	int err = 0;

	while (!err && (i < asked->count || k < saved->count)) {
		int order = i == asked->count ? 1
			    : k == saved->count || saved->items[k].unreadable
				    ? -1
				    : lines_compare(&asked->items[i], &saved->items[k], key);

		if (order == 0)
			err = value_evidence(p, &asked->items[i++], &saved->items[k++]);
		else if (order < 0)
			err = add_evidence(p, EVIDENCE_MISSING, &asked->items[i++], NO_COLUMN);
		else
			err = add_evidence(p, EVIDENCE_EXTRA, &saved->items[k++], NO_COLUMN);
	}
	return err;
}

static size_t *identity(struct arena *arena, const struct table *table)
{
	size_t *of = arena_array(arena, table->column_count + 1, sizeof(*of));

	for (size_t i = 0; of && i < table->column_count; i++)
		of[i] = i;
	return of;
}

/* The rows of both sides under the map. Columns that are not there are left out on both. */
static int fold_both(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, struct lines *want, struct lines *have)
{
	size_t *same = identity(arena, asked);

	for (size_t i = 0; same && i < asked->column_count; i++)
		if (of[i] == NO_COLUMN)
			same[i] = NO_COLUMN;
	if (!same || lines_fold(arena, asked, asked, same, want) ||
		lines_fold(arena, asked, saved, of, have))
		return -ENOMEM;
	return 0;
}

int rows_equal(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, bool *ret)
{
	struct lines want, have;

	*ret = false;
	if (!tables_may_be_equal(asked, saved))
		return 0;
	if (fold_both(arena, asked, saved, of, &want, &have))
		return -ENOMEM;
	lines_cancel(&want, &have);
	*ret = want.count == 0 && have.count == 0;
	return 0;
}

/* Compares under c->map, with evidence of what differs. */
static int compare_mapped(struct arena *arena, const struct table *asked, const struct table *saved,
	int number, struct comparison *c)
{
	struct lines want, have;
	size_t key;

	if (fold_both(arena, asked, saved, c->map.of, &want, &have))
		return -ENOMEM;
	key = key_columns(&want, asked->column_count);
	lines_cancel(&want, &have);
	c->differing = want.count > have.count ? want.count : have.count;
	c->equal = c->differing == 0;
	if (c->equal)
		return 0;
	c->cut = all_may_be(arena, saved, c->map.of, &want, &have);
	return pair_leftovers(&(struct pairing){arena, c, asked, saved, number}, key, &want, &have);
}

/* The rows differ under the columns' names: they may be the same under other ones. */
static int compare_assigned(struct arena *arena, const struct table *asked,
	const struct table *saved, struct comparison *c)
{
	if (assign_columns(arena, asked, saved, c->corrected, &c->map, &c->equal))
		return -ENOMEM;
	if (c->equal)
		c->evidence_count = 0;
	return 0;
}

bool table_is_corrected(const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].op != OP_INSERT)
			return true;
	return false;
}

bool tables_may_be_equal(const struct table *asked, const struct table *saved)
{
	return asked->row_count == saved->row_count || table_is_corrected(asked) ||
	       table_is_corrected(saved);
}

int compare_tables(struct arena *arena, const struct table *asked, const struct table *saved,
	int number, struct comparison *ret)
{
	struct comparison c = {0};

	for (size_t i = 0; i < saved->row_count; i++)
		c.corrected = c.corrected || saved->rows[i].op != OP_INSERT;
	if (map_columns(arena, asked, saved, &c.map) ||
		compare_mapped(arena, asked, saved, number, &c))
		return -ENOMEM;
	if (!c.equal && !c.cut && compare_assigned(arena, asked, saved, &c))
		return -ENOMEM;
	*ret = c;
	return 0;
}

int rows_in_order(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, bool *ret)
{
	struct lines want, have;

	if (fold_both(arena, asked, saved, of, &want, &have))
		return -ENOMEM;
	lines_by_place(&want);
	lines_by_place(&have);
	*ret = want.count == have.count;
	for (size_t i = 0; *ret && i < want.count; i++)
		*ret = lines_compare(&want.items[i], &have.items[i], asked->column_count) == 0;
	return 0;
}

int tables_equal(struct arena *arena, const struct table *a, const struct table *b, bool *ret)
{
	size_t *of;

	*ret = false;
	if (a->column_count != b->column_count)
		return 0;
	for (size_t i = 0; i < a->column_count; i++)
		if (!text_eq(a->columns[i].name, b->columns[i].name))
			return 0;
	of = identity(arena, a);
	return of ? rows_equal(arena, a, b, of, ret) : -ENOMEM;
}

/* Effects that cannot be computed, since the learner's part is outside of the simulator: the saved
 * table is held against the one that all other differences make. Where that is what was saved,
 * nothing is left to explain; else what the part could have done must be there to see. */
#include <errno.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/effect.h"
#include "parser/arena.h"

/* Where a column of the asked query stands in both tables. */
struct place {
	size_t without, saved;
};

/* False: it is not in both. */
static bool find_place(const struct differing *d, size_t item, const struct table *without,
	const struct column_map *map, struct place *ret)
{
	size_t at = table_column(without, d->asked->items[item].name);

	if (at == without->column_count || map->of[at] == NO_COLUMN)
		return false;
	*ret = (struct place){at, map->of[at]};
	return true;
}

/* False: it is no number. */
static bool read_count(const struct sql_type *type, const struct value *cell, int64_t *ret)
{
	const struct sql_type bigint = {.kind = SQL_BIGINT};
	struct value count = *cell;

	if (cell->null || (type->kind != SQL_ANY && type->kind != SQL_BIGINT) ||
		(type->kind == SQL_ANY && value_parse(cell->s, &bigint, &count)))
		return false;
	*ret = count.i;
	return true;
}

/* The sum of a column of counts over the rows that stay. False: it is none. */
static bool sum_counts(const struct table *table, size_t column, int64_t *ret)
{
	int64_t sum = 0, count;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];
		bool gone = row->op == OP_UPDATE_BEFORE || row->op == OP_DELETE;

		if (!read_count(&table->columns[column].type, &row->cells[column], &count) ||
			(gone ? __builtin_sub_overflow(sum, count, &sum)
			      : __builtin_add_overflow(sum, count, &sum)))
			return false;
	}
	*ret = sum;
	return true;
}

static bool is_count(const struct sql_expr *expr)
{
	return expr && expr->kind == EXPR_CALL && !expr->over && !expr->distinct &&
	       text_eq(expr->name, TEXT("COUNT"));
}

/* Is less counted in the saved table? Also true where that is not known. */
static bool counts_less(const struct differing *d, size_t item, const struct table *without,
	const struct column_map *map)
{
	struct place place;
	int64_t before, saved;

	return !find_place(d, item, without, map, &place) ||
	       !sum_counts(without, place.without, &before) ||
	       !sum_counts(d->saved, place.saved, &saved) || saved < before;
}

/* Rows that are held back are not counted; single ones, and groups, are not there. In a ranking
 * others come up in their place. */
static bool holds_back(const struct differing *d, const struct diagnosis *cause,
	const struct table *without, const struct column_map *map)
{
	if (d->asked->rank.function.len || d->mine->rank.function.len || d->mine->limited)
		return true;
	if (!d->asked->aggregated || text_eq(cause->param, TEXT("HAVING")))
		return d->saved->row_count < without->row_count;
	for (size_t i = 0; i < d->asked->item_count; i++)
		if (is_count(term_bare(d->asked->items[i].expr)))
			return counts_less(d, i, without, map);
	return true;
}

/* Has the saved table other values in the column? */
static bool has_other_values(
	struct differing *d, size_t item, const struct table *without, const struct column_map *map)
{
	struct table column = {.form = without->form,
		.column_count = 1,
		.row_count = without->row_count,
		.rows = arena_array(d->arena, without->row_count + 1, sizeof(*column.rows))};
	struct place place;
	bool equal = false;

	if (!find_place(d, item, without, map, &place))
		return true;
	column.columns = &without->columns[place.without];
	for (size_t i = 0; column.rows && i < column.row_count; i++) {
		column.rows[i] = without->rows[i];
		column.rows[i].cells += place.without;
	}
	if (!column.rows || rows_equal(d->arena, &column, d->saved, &place.saved, &equal))
		d->causes->nomem = true;
	return !equal;
}

static bool agrees(struct differing *d, const struct diagnosis *cause, const struct table *without,
	const struct column_map *map)
{
	size_t asked, mine;

	if (cause->id == DIAG_WHERE_EXTRA && !text_eq(cause->param, TEXT("FILTER")))
		return holds_back(d, cause, without, map);
	if (!differ_find_item(d, cause, &asked, &mine))
		return true;
	if (cause->id == DIAG_WHERE_EXTRA && is_count(term_bare(d->asked->items[asked].expr)))
		return counts_less(d, asked, without, map);
	return has_other_values(d, asked, without, map);
}

int effect_is_seen(
	struct differing *d, const struct diagnosis *cause, const struct table *without, bool *ret)
{
	struct comparison c = {0};

	if (compare_tables(d->arena, without, d->saved, 1, &c))
		return -ENOMEM;
	*ret = !c.equal && agrees(d, cause, without, &c.map);
	return 0;
}

/* What the columns of a fixture are: that decides where their new values come from. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/grade/fixture_deal.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* A column with fewer than one value for so many rows has a vocabulary, be it of numbers. */
#define ROWS_PER_WORD 4

static const struct value *cell_of(const struct fixture_rows *rows, size_t row, size_t column)
{
	return &rows->table.rows[row].cells[column];
}

static struct value *time_of(const struct fixture_rows *rows, size_t row)
{
	return &rows->table.rows[row].cells[rows->rowtime];
}

static bool is_whole(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_BIGINT;
}

static bool is_timestamp(const struct sql_type *type)
{
	return type->kind == SQL_TIMESTAMP || type->kind == SQL_TIMESTAMP_LTZ;
}

static bool is_text(const struct sql_type *type)
{
	return type->kind == SQL_CHAR || type->kind == SQL_VARCHAR;
}

struct cell_order {
	const struct fixture_rows *rows;
	size_t column;
};

static int compare_cells(const void *left, const void *right, void *ctx)
{
	const struct cell_order *order = ctx;
	const size_t *a = left, *b = right;
	int diff = value_cmp(&order->rows->table.columns[order->column].type,
		cell_of(order->rows, *a, order->column), cell_of(order->rows, *b, order->column));

	return diff ? diff : (*a > *b) - (*a < *b);
}

/* The rows sorted by a column. NULL: no memory. */
static size_t *sorted_rows(struct arena *arena, const struct fixture_rows *rows, size_t column)
{
	struct cell_order order = {rows, column};
	size_t *sorted = arena_array(arena, rows->table.row_count + 1, sizeof(*sorted));

	for (size_t i = 0; sorted && i < rows->table.row_count; i++)
		sorted[i] = i;
	if (sorted)
		qsort_r(sorted, rows->table.row_count, sizeof(*sorted), compare_cells, &order);
	return sorted;
}

static bool same_cell(const struct fixture_rows *rows, size_t column, size_t a, size_t b)
{
	return value_cmp(&rows->table.columns[column].type, cell_of(rows, a, column),
		       cell_of(rows, b, column)) == 0;
}

static size_t count_distinct(const struct fixture_rows *rows, size_t column, const size_t *sorted)
{
	size_t distinct = rows->table.row_count > 0;

	for (size_t i = 1; i < rows->table.row_count; i++)
		distinct += !same_cell(rows, column, sorted[i - 1], sorted[i]);
	return distinct;
}

static bool rises(const struct fixture_rows *rows, size_t column)
{
	for (size_t i = 1; i < rows->table.row_count; i++)
		if (value_cmp(&rows->table.columns[column].type, cell_of(rows, i - 1, column),
			    cell_of(rows, i, column)) >= 0)
			return false;
	return rows->table.row_count > 1;
}

static enum deal_kind kind_of(const struct fixture_rows *rows, size_t column, const size_t *sorted)
{
	const struct sql_type *type = &rows->table.columns[column].type;
	size_t count = rows->table.row_count, distinct = count_distinct(rows, column, sorted);
	bool number = is_whole(type) || type->kind == SQL_DECIMAL;

	if (column == rows->rowtime)
		return DEAL_TIME;
	if (is_timestamp(type) && rows->rowtime < rows->table.column_count)
		return DEAL_BESIDE;
	if ((is_whole(type) && rises(rows, column)) ||
		(is_text(type) && count > 1 && distinct == count))
		return DEAL_COUNTER;
	return number && count > 1 && distinct * ROWS_PER_WORD > count ? DEAL_NUMBER : DEAL_WORD;
}

static int128 number_of(const struct sql_type *type, const struct value *value)
{
	return type->kind == SQL_DECIMAL ? value->dec : value->i;
}

static int128 divisor(int128 a, int128 b)
{
	while (b) {
		int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int take_numbers(struct arena *arena, struct deal *deal, size_t column, const size_t *sorted)
{
	const struct fixture_rows *old = deal->old;
	const struct sql_type *type = &old->table.columns[column].type;
	int128 *numbers = arena_array(arena, old->table.row_count, sizeof(*numbers));

	if (!numbers)
		return -ENOMEM;
	for (size_t i = 0; i < old->table.row_count; i++) {
		numbers[i] = number_of(type, cell_of(old, sorted[i], column));
		deal->steps[column] = divisor(numbers[i] - numbers[0], deal->steps[column]);
	}
	deal->numbers[column] = numbers;
	return 0;
}

/* The first row of each word. */
static void mark_words(struct deal *deal, size_t column, const size_t *sorted)
{
	for (size_t i = 0; i < deal->old->table.row_count; i++)
		if (i == 0 || !same_cell(deal->old, column, sorted[i - 1], sorted[i]))
			deal->must[sorted[i]] = true;
}

static int look_at(struct arena *arena, struct deal *deal, size_t column, struct diag *reterr)
{
	const struct column *of = &deal->old->table.columns[column];
	size_t *sorted = sorted_rows(arena, deal->old, column);

	if (of->type.kind == SQL_BINARY || of->type.kind == SQL_VARBINARY)
		return diag_set(reterr, -EINVAL, 0, 0,
			"new values of the column %.*s cannot be made: it is of bytes",
			TEXT_ARG(of->name));
	if (!sorted)
		return diag_nomem(reterr);
	deal->kinds[column] = kind_of(deal->old, column, sorted);
	if (deal->kinds[column] == DEAL_WORD &&
		(is_text(&of->type) || of->type.kind == SQL_BOOLEAN))
		mark_words(deal, column, sorted);
	if (deal->kinds[column] == DEAL_NUMBER ||
		(deal->kinds[column] == DEAL_COUNTER && is_whole(&of->type)))
		if (take_numbers(arena, deal, column, sorted))
			return diag_nomem(reterr);
	return 0;
}

static void look_at_times(struct deal *deal)
{
	const struct fixture_rows *old = deal->old;

	deal->first_ms = time_of(old, 0)->i;
	for (size_t i = 1; i < old->table.row_count; i++) {
		int64_t ms = time_of(old, i)->i;

		deal->grain_ms = (int64_t)divisor(ms - time_of(old, 0)->i, deal->grain_ms);
		if (ms < deal->first_ms)
			deal->first_ms = ms;
	}
	if (deal->grain_ms < 0)
		deal->grain_ms = -deal->grain_ms;
	if (deal->grain_ms == 0)
		deal->grain_ms = 1;
}

int deal_init(
	struct arena *arena, const struct fixture_rows *old, struct deal *ret, struct diag *reterr)
{
	size_t width = old->table.column_count;
	struct deal deal = {.old = old,
		.kinds = arena_array(arena, width, sizeof(*deal.kinds)),
		.numbers = arena_array(arena, width, sizeof(*deal.numbers)),
		.steps = arena_array(arena, width, sizeof(*deal.steps)),
		.must = arena_array(arena, old->table.row_count, sizeof(*deal.must))};

	if (!deal.kinds || !deal.numbers || !deal.steps || !deal.must)
		return diag_nomem(reterr);
	for (size_t i = 0; i < width; i++) {
		int err = look_at(arena, &deal, i, reterr);

		if (err)
			return err;
	}
	if (old->rowtime < width) {
		look_at_times(&deal);
		if (arrivals_of(arena, old, &deal.arrivals))
			return diag_nomem(reterr);
	}
	*ret = deal;
	return 0;
}

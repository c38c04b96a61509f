/* Other rows of the same kind. The rises of the highest time are those of old in another order, and a row
 * that did not raise it lies behind it as far as some such row of old: so the span stays, and how late
 * rows come. Words are dealt a row at a time, so that those that belong together stay so. */
#include "daemon/grade/fixture_deal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what the columns are ---- */

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

/* ---- times ---- */

int arrivals_of(struct arena *arena, const struct fixture_rows *rows, struct arrival **ret)
{
	size_t count = rows->table.row_count;
	struct arrival *arrivals = arena_array(arena, count + 1, sizeof(*arrivals));
	int64_t highest_ms = count ? time_of(rows, 0)->i : 0;

	if (!arrivals)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		int64_t rise_ms = time_of(rows, i)->i - highest_ms;

		if (rise_ms > 0) {
			arrivals[i].rise_ms = rise_ms;
			highest_ms += rise_ms;
		} else {
			arrivals[i].lag_ms = -rise_ms;
		}
	}
	*ret = arrivals;
	return 0;
}

/* The first row keeps its time. */
void arrivals_put(const struct arrival *arrivals, struct fixture_rows *rows)
{
	int64_t highest_ms = time_of(rows, 0)->i;

	for (size_t i = 1; i < rows->table.row_count; i++) {
		highest_ms += arrivals[i].rise_ms;
		*time_of(rows, i) = (struct value){.i = highest_ms - arrivals[i].lag_ms};
	}
}

/* How far some row of old that did not raise the highest time lay behind it, and not before the first. */
static int64_t some_lag(const struct deal *deal, struct random *random, int64_t most_ms)
{
	for (int tries = 0; tries < 100; tries++) {
		size_t i = random_below(random, deal->old->table.row_count);

		if (i > 0 && deal->arrivals[i].rise_ms == 0 && deal->arrivals[i].lag_ms <= most_ms)
			return deal->arrivals[i].lag_ms;
	}
	return 0;
}

static int deal_times(struct arena *arena, const struct deal *deal, struct random *random,
	struct fixture_rows *rows)
{
	size_t count = rows->table.row_count;
	struct arrival *arrivals = arena_array(arena, count, sizeof(*arrivals));
	int64_t past_ms = time_of(rows, 0)->i - deal->first_ms;

	if (!arrivals)
		return -ENOMEM;
	memcpy(arrivals, deal->arrivals, count * sizeof(*arrivals));
	for (size_t i = count; i-- > 2;) {
		size_t k = 1 + random_below(random, i);
		struct arrival other = arrivals[k];

		arrivals[k] = arrivals[i];
		arrivals[i] = other;
	}
	for (size_t i = 1; i < count; i++) {
		past_ms += arrivals[i].rise_ms;
		if (arrivals[i].rise_ms == 0)
			arrivals[i].lag_ms = some_lag(deal, random, past_ms);
	}
	arrivals_put(arrivals, rows);
	return 0;
}

/* ---- other columns ---- */

static void put_number(const struct sql_type *type, int128 number, struct value *ret)
{
	*ret = (struct value){0};
	if (type->kind == SQL_DECIMAL)
		ret->dec = number;
	else
		ret->i = (int64_t)number;
}

static void deal_number(
	const struct deal *deal, struct random *random, size_t column, struct value *ret)
{
	const int128 *numbers = deal->numbers[column];
	size_t at = random_below(random, deal->old->table.row_count - 1);
	int128 step = deal->steps[column] < 0 ? -deal->steps[column] : deal->steps[column];
	int128 room = step ? (numbers[at + 1] - numbers[at]) / step : 0;

	put_number(&deal->old->table.columns[column].type,
		numbers[at] + step * (int128)random_below(random, (uint64_t)room + 1), ret);
}

void deal_cell(const struct deal *deal, struct random *random, struct fixture_rows *rows,
	size_t row, size_t column)
{
	struct value *cell = &rows->table.rows[row].cells[column];

	if (deal->kinds[column] == DEAL_NUMBER)
		deal_number(deal, random, column, cell);
	else if (deal->kinds[column] == DEAL_WORD)
		*cell = *cell_of(
			deal->old, random_below(random, deal->old->table.row_count), column);
}

static int64_t most_of(enum sql_kind kind)
{
	switch (kind) {
	case SQL_TINYINT: return INT8_MAX;
	case SQL_SMALLINT: return INT16_MAX;
	case SQL_INT: return INT32_MAX;
	default: return INT64_MAX;
	}
}

/* Starts 1 to 9 times a power of ten later that is not below the number of rows; where that does not fit
 * the type, as before. */
static void shift_counter(
	const struct deal *deal, struct random *random, size_t column, struct fixture_rows *rows)
{
	size_t count = rows->table.row_count;
	const struct sql_type *type = &rows->table.columns[column].type;
	int128 power = 1, shift;

	if (!deal->numbers[column])
		return;
	while (power < deal->numbers[column][count - 1] - deal->numbers[column][0] + 1)
		power *= 10;
	shift = power * (int128)(1 + random_below(random, 9));
	if (deal->numbers[column][count - 1] + shift > most_of(type->kind))
		return;
	for (size_t i = 0; i < count; i++)
		rows->table.rows[i].cells[column].i += (int64_t)shift;
}

/* The row of old whose words each row gets. NULL: no memory. */
static size_t *deal_sources(struct arena *arena, const struct deal *deal, struct random *random)
{
	size_t count = deal->old->table.row_count, given = 0;
	size_t *sources = arena_array(arena, count + 1, sizeof(*sources));

	if (!sources)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (deal->must[i])
			sources[given++] = i;
	while (given < count)
		sources[given++] = random_below(random, count);
	for (size_t i = count; i-- > 1;) {
		size_t k = random_below(random, i + 1), other = sources[k];

		sources[k] = sources[i];
		sources[i] = other;
	}
	return sources;
}

static void deal_row(const struct deal *deal, struct random *random, size_t source,
	struct fixture_rows *rows, size_t row)
{
	for (size_t k = 0; k < rows->table.column_count; k++) {
		struct value *cell = &rows->table.rows[row].cells[k];

		if (deal->kinds[k] == DEAL_NUMBER)
			deal_number(deal, random, k, cell);
		if (deal->kinds[k] == DEAL_WORD)
			*cell = *cell_of(deal->old, source, k);
	}
}

void deal_beside(const struct deal *deal, struct random *random, struct fixture_rows *rows)
{
	size_t count = rows->table.row_count;

	for (size_t i = 0; i < count; i++) {
		size_t source = random_below(random, count);

		for (size_t k = 0; k < rows->table.column_count; k++) {
			struct value *cell = &rows->table.rows[i].cells[k];

			if (deal->kinds[k] != DEAL_BESIDE)
				continue;
			*cell = *cell_of(deal->old, source, k);
			if (!cell->null)
				cell->i += time_of(rows, i)->i - time_of(deal->old, source)->i;
		}
	}
}

int rows_copy(struct arena *arena, const struct fixture_rows *from, struct fixture_rows *ret)
{
	size_t count = from->table.row_count, width = from->table.column_count;
	struct fixture_rows copy = *from;
	struct value *cells = arena_array(arena, count * width + 1, sizeof(*cells));

	copy.table.rows = arena_array(arena, count + 1, sizeof(*copy.table.rows));
	if (!cells || !copy.table.rows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		copy.table.rows[i] = from->table.rows[i];
		copy.table.rows[i].cells = &cells[i * width];
		memcpy(&cells[i * width], from->table.rows[i].cells, width * sizeof(*cells));
	}
	*ret = copy;
	return 0;
}

void rows_take(const struct fixture_rows *from, struct fixture_rows *into)
{
	for (size_t i = 0; i < from->table.row_count; i++)
		memcpy(into->table.rows[i].cells, from->table.rows[i].cells,
			from->table.column_count * sizeof(struct value));
}

int deal_rows(struct arena *arena, const struct deal *deal, struct random *random,
	struct fixture_rows *ret)
{
	struct fixture_rows rows;
	size_t *sources = deal_sources(arena, deal, random);

	if (!sources || rows_copy(arena, deal->old, &rows))
		return -ENOMEM;
	if (deal->arrivals && deal_times(arena, deal, random, &rows))
		return -ENOMEM;
	for (size_t k = 0; k < rows.table.column_count; k++)
		if (deal->kinds[k] == DEAL_COUNTER)
			shift_counter(deal, random, k, &rows);
	for (size_t i = 0; i < rows.table.row_count; i++)
		deal_row(deal, random, sources[i], &rows, i);
	*ret = rows;
	return 0;
}

/* Other rows of the same kind. The rises of the highest time are those of old in another order,
 * and a row that did not raise it lies behind it as far as some such row of old: so the span
 * stays, and how late rows come. Words are dealt a row at a time, so that those that belong
 * together stay so. */
#include "daemon/grade/fixture_deal.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"

static const struct value *cell_of(const struct fixture_rows *rows, size_t row, size_t column)
{
	return &rows->table.rows[row].cells[column];
}

static struct value *time_of(const struct fixture_rows *rows, size_t row)
{
	return &rows->table.rows[row].cells[rows->rowtime];
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

/* How far some row of old that did not raise the highest time lay behind it, and not before the
 * first. */
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

/* Starts 1 to 9 times a power of ten later that is not below the number of rows; where that does
 * not fit the type, as before. */
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

/* The rows, or the cells, of a saved table are kept as numbers, in ascending order. */
#include "daemon/grade/reading.h"

#include <errno.h>
#include <stdlib.h>

#include "parser/arena.h"

/* ---- sets of numbers ---- */

static int compare_numbers(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void sort_set(struct number_set *set)
{
	qsort(set->items, set->count, sizeof(*set->items), compare_numbers);
}

static bool set_has(const struct number_set *set, uint64_t number)
{
	size_t from = 0, end = set->count;

	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (set->items[middle] < number)
			from = middle + 1;
		else
			end = middle;
	}
	return from < set->count && set->items[from] == number;
}

/* ---- reading ---- */

static int read_rows(struct arena *arena, const struct shape *shape, const struct table *table,
	struct reading *reading)
{
	struct number_set *set = &reading->rows;

	set->items = arena_array(arena, table->row_count + 1, sizeof(*set->items));
	if (!set->items)
		return -ENOMEM;
	for (size_t i = 0; i < table->row_count; i++)
		set->items[set->count++] = fingerprint_row(
			shape->columns, reading->names, shape->column_count, table->rows[i].cells);
	sort_set(set);
	return 0;
}

static int read_columns(struct arena *arena, const struct table *table, struct reading *reading)
{
	reading->columns = arena_array(arena, reading->count + 1, sizeof(*reading->columns));
	if (!reading->columns)
		return -ENOMEM;
	for (size_t k = 0; k < reading->count; k++) {
		struct number_set *set = &reading->columns[k];

		set->items = arena_array(arena, table->row_count + 1, sizeof(*set->items));
		if (!set->items)
			return -ENOMEM;
		for (size_t i = 0; i < table->row_count; i++)
			set->items[set->count++] =
				fingerprint_cell(&table->columns[k].type, &table->rows[i].cells[k]);
		sort_set(set);
	}
	return 0;
}

int reading_of(struct arena *arena, const struct shape *shape, const struct table *saved,
	struct reading *ret)
{
	struct reading reading = {
		.of = arena_array(arena, shape->column_count + 1, sizeof(*reading.of)),
		.names = arena_array(arena, shape->column_count + 1, sizeof(*reading.names))};
	struct column *columns = arena_array(arena, shape->column_count + 1, sizeof(*columns));
	struct table table;
	bool nomem = false;

	if (!reading.of || !reading.names || !columns)
		return -ENOMEM;
	fingerprint_names(shape->columns, shape->column_count, reading.names);
	for (size_t i = 0; i < shape->column_count; i++) {
		if (table_column(saved, shape->columns[i].name) == saved->column_count)
			continue;
		columns[reading.count] = shape->columns[i];
		reading.of[reading.count++] = i;
	}
	reading.whole = reading.count == shape->column_count;
	reading.readable = table_read_as(arena, saved, columns, reading.count, &table, &nomem);
	if (nomem || (reading.readable && fingerprint_of(arena, &table, &reading.print)))
		return -ENOMEM;
	if (reading.readable && (reading.whole ? read_rows(arena, shape, &table, &reading)
					       : read_columns(arena, &table, &reading)))
		return -ENOMEM;
	*ret = reading;
	return 0;
}

/* ---- holding against it ---- */

bool reading_may_have(
	const struct reading *reading, const struct shape *shape, const struct value *cells)
{
	if (reading->whole)
		return set_has(&reading->rows, fingerprint_row(shape->columns, reading->names,
						       shape->column_count, cells));
	for (size_t i = 0; i < reading->count; i++) {
		size_t of = reading->of[i];

		if (!set_has(&reading->columns[i],
			    fingerprint_cell(&shape->columns[of].type, &cells[of])))
			return false;
	}
	return true;
}

bool reading_may_be(const struct reading *reading, const struct fingerprint *print)
{
	if (!reading->readable || reading->print.rows != print->rows)
		return false;
	if (reading->whole)
		return fingerprint_equal(&reading->print, print);
	for (size_t i = 0; i < reading->count; i++)
		if (reading->print.columns[i] != print->columns[reading->of[i]])
			return false;
	return true;
}

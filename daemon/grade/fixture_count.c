/* What a property counts. Watermarks come from the simulator's own assigner, whose listener notes
 * what each row meets; when a window is closed is the simulator's word too. The rest is counted
 * in rows that are sorted by window, key, value and time. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/grade/fixture.h"
#include "parser/arena.h"
#include "sim/op.h"
#include "sim/watermark.h"
#include "sim/window.h"

/* ---- watermarks ---- */

struct listener {
	struct op op;
	int64_t wm_ms;
	int64_t *seen_ms;
	size_t rows;
};

static int listen_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct listener *listener = (struct listener *)op;

	(void)kind;
	(void)cells;
	listener->seen_ms[listener->rows++] = listener->wm_ms;
	return 0;
}

static int listen_watermark(struct op *op, int64_t wm_ms)
{
	((struct listener *)op)->wm_ms = wm_ms;
	return 0;
}

static struct expr *delayed(struct arena *arena, const struct fixture_rows *rows, int64_t delay_ms)
{
	static const struct sql_type interval = {.kind = SQL_INTERVAL_DAY};
	struct expr **args = arena_array(arena, 2, sizeof(struct expr *)), *ret;

	if (!args)
		return NULL;
	args[0] = expr_column(arena, rows->rowtime, &rows->table.columns[rows->rowtime].type);
	args[1] = expr_constant(arena, &interval, &(struct value){.i = delay_ms});
	if (!args[0] || !args[1] || expr_op(arena, SQL_OP_SUB, args, 2, &ret))
		return NULL;
	return ret;
}

int fixture_watermarks(struct arena *arena, const struct fixture_rows *rows, int64_t delay_ms,
	int64_t interval_ms, int64_t **ret_ms)
{
	struct listener listener = {.op = {listen_row, listen_watermark, NULL},
		.wm_ms = WATERMARK_NONE,
		.seen_ms =
			arena_array(arena, rows->table.row_count + 1, sizeof(*listener.seen_ms))};
	struct expr *watermark = delayed(arena, rows, delay_ms);
	struct run run = {0};
	struct op *op;

	if (!listener.seen_ms || !watermark)
		return -ENOMEM;
	op = watermark_new(arena, rows->rowtime, watermark, interval_ms, &run, &listener.op);
	if (!op)
		return -ENOMEM;
	for (size_t i = 0; i < rows->table.row_count; i++)
		if (op_row(op, OP_INSERT, rows->table.rows[i].cells))
			return -ENOMEM;
	*ret_ms = listener.seen_ms;
	return 0;
}

/* ---- counting ---- */

static int64_t time_of(const struct fixture_rows *rows, size_t row)
{
	return rows->table.rows[row].cells[rows->rowtime].i;
}

static void count_row(struct property_count *count, size_t row)
{
	count->count++;
	count->row = row;
}

/* Is the row late, or with windows dropped, at this watermark? */
static bool is_late(const struct property *property, int64_t ts_ms, int64_t wm_ms)
{
	const struct window window = {
		.kind = WINDOW_TUMBLE, .size_ms = property->size_ms, .step_ms = property->size_ms};

	if (wm_ms == WATERMARK_NONE)
		return false;
	if (property->kind == PROPERTY_LATE)
		return ts_ms <= wm_ms;
	return window_closed(&window, window_slice_end(&window, ts_ms), wm_ms);
}

/* Late rows at one delay, but not those that are late at the other too, where there is one. */
static int count_late(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, struct property_count *ret)
{
	bool other = property->kind == PROPERTY_DROPPED && property->kept_ms >= 0;
	int64_t *seen_ms, *kept_ms = NULL;

	if (fixture_watermarks(arena, rows, property->delay_ms, property->interval_ms, &seen_ms))
		return -ENOMEM;
	if (other &&
		fixture_watermarks(arena, rows, property->kept_ms, property->interval_ms, &kept_ms))
		return -ENOMEM;
	for (size_t i = 0; i < rows->table.row_count; i++) {
		int64_t ts_ms = time_of(rows, i);

		if (is_late(property, ts_ms, seen_ms[i]) &&
			!(kept_ms && is_late(property, ts_ms, kept_ms[i])))
			count_row(ret, i);
	}
	return 0;
}

/* Steps of the highest time that are too small for a published watermark. */
static void count_steps(const struct fixture_rows *rows, const struct property *property,
	struct property_count *ret)
{
	int64_t highest_ms = time_of(rows, 0);

	for (size_t i = 1; i < rows->table.row_count; i++) {
		int64_t step_ms = time_of(rows, i) - highest_ms;

		if (step_ms <= 0)
			continue;
		if (step_ms <= property->size_ms)
			count_row(ret, i);
		highest_ms += step_ms;
	}
}

static void count_edges(const struct fixture_rows *rows, const struct property *property,
	struct property_count *ret)
{
	for (size_t i = 0; i < rows->table.row_count; i++)
		if (window_floor(time_of(rows, i), 0, property->size_ms) == time_of(rows, i))
			count_row(ret, i);
}

/* A row, or the sum of rows, as it is sorted. */
struct item {
	int64_t window_ms;
	const struct value *key, *value; /* NULL: not asked for */
	int64_t ts_ms;
	size_t row;
};

struct item_order {
	struct sql_type key, value;
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_items(const void *left, const void *right, void *ctx)
{
	const struct item *a = left, *b = right;
	const struct item_order *order = ctx;
	int diff = compare_numbers(a->window_ms, b->window_ms);

	if (!diff && a->key)
		diff = value_cmp(&order->key, a->key, b->key);
	if (!diff && a->value)
		diff = value_cmp(&order->value, a->value, b->value);
	if (!diff)
		diff = compare_numbers(a->ts_ms, b->ts_ms);
	return diff ? diff : compare_numbers((int64_t)a->row, (int64_t)b->row);
}

struct items {
	struct item *items;
	size_t count;
	struct item_order order;
};

static void sort_items(struct items *items)
{
	qsort_r(items->items, items->count, sizeof(*items->items), compare_items, &items->order);
}

/* The rows with their window (where there is a size), key and value, sorted. 0 or -ENOMEM. */
static int take_items(struct arena *arena, const struct fixture_rows *rows, int64_t size_ms,
	size_t key, size_t value, struct items *ret)
{
	size_t count = rows->table.row_count;
	struct items items = {
		.items = arena_array(arena, count + 1, sizeof(struct item)), .count = count};

	if (!items.items)
		return -ENOMEM;
	if (key != PROPERTY_NO_COLUMN)
		items.order.key = rows->table.columns[key].type;
	if (value != PROPERTY_NO_COLUMN)
		items.order.value = rows->table.columns[value].type;
	for (size_t i = 0; i < count; i++) {
		const struct value *cells = rows->table.rows[i].cells;

		items.items[i] = (struct item){
			.key = key == PROPERTY_NO_COLUMN ? NULL : &cells[key],
			.value = value == PROPERTY_NO_COLUMN ? NULL : &cells[value],
			.window_ms = size_ms ? window_floor(time_of(rows, i), 0, size_ms) : 0,
			.row = i};
		if (rows->rowtime < rows->table.column_count)
			items.items[i].ts_ms = time_of(rows, i);
	}
	sort_items(&items);
	*ret = items;
	return 0;
}

static bool same_group(const struct items *items, const struct item *a, const struct item *b)
{
	return a->window_ms == b->window_ms &&
	       (!a->key || value_cmp(&items->order.key, a->key, b->key) == 0);
}

/* Neighbours of one key that are exactly that far apart. */
static int count_neighbours(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, struct property_count *ret)
{
	int64_t gap_ms =
		property->gap_ms + (property->kind == PROPERTY_APART ? property->more_ms : 0);
	struct items items;

	if (take_items(arena, rows, 0, property->by, PROPERTY_NO_COLUMN, &items))
		return -ENOMEM;
	for (size_t i = 1; i < items.count; i++)
		if (same_group(&items, &items.items[i - 1], &items.items[i]) &&
			items.items[i].ts_ms - items.items[i - 1].ts_ms == gap_ms)
			count_row(ret, items.items[i].row);
	return 0;
}

static void add(const struct sql_type *type, const struct value *value, struct value *sum)
{
	if (value->null)
		return;
	if (type->kind == SQL_FLOAT || type->kind == SQL_DOUBLE)
		sum->f += value->f;
	else
		sum->dec += type->kind == SQL_DECIMAL ? value->dec : value->i;
}

static struct sql_type type_of_sums(const struct sql_type *type)
{
	bool floating = type->kind == SQL_FLOAT || type->kind == SQL_DOUBLE;

	return (struct sql_type){
		.kind = floating ? SQL_DOUBLE : SQL_DECIMAL, .precision = 38, .scale = type->scale};
}

/* The sums of each window and key take the place of the rows: zeroed memory is 0 of either kind. */
static int add_up(
	struct arena *arena, const struct fixture_rows *rows, size_t column, struct items *items)
{
	const struct sql_type *type = &rows->table.columns[column].type;
	struct value *sums = arena_array(arena, items->count + 1, sizeof(*sums));
	size_t count = 0;

	if (!sums)
		return -ENOMEM;
	for (size_t i = 0; i < items->count; i++) {
		struct item item = items->items[i];

		if (count == 0 || !same_group(items, &items->items[count - 1], &item)) {
			item.value = &sums[count];
			items->items[count++] = item;
		}
		add(type, &rows->table.rows[item.row].cells[column], &sums[count - 1]);
		items->items[count - 1].row = item.row;
	}
	items->count = count;
	items->order.value = type_of_sums(type);
	return 0;
}

/* Sums by window and key, sorted within the windows. */
static int take_sums(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, struct items *ret)
{
	if (take_items(arena, rows, property->size_ms, property->by, PROPERTY_NO_COLUMN, ret) ||
		add_up(arena, rows, property->column, ret))
		return -ENOMEM;
	for (size_t i = 0; i < ret->count; i++)
		ret->items[i].key = NULL;
	sort_items(ret);
	return 0;
}

/* Values that stand beside an equal one of their window. */
static int count_equal(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, struct property_count *ret)
{
	struct items items;
	int err = property->sum ? take_sums(arena, rows, property, &items)
				: take_items(arena, rows, property->size_ms, PROPERTY_NO_COLUMN,
					  property->column, &items);

	if (err)
		return err;
	for (size_t i = 1; i < items.count; i++)
		if (items.items[i].window_ms == items.items[i - 1].window_ms &&
			value_cmp(&items.order.value, items.items[i].value,
				items.items[i - 1].value) == 0)
			count_row(ret, items.items[i].row);
	return 0;
}

/* Windows without a row between two that have one. */
static int count_empty(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, struct property_count *ret)
{
	struct items items;

	if (take_items(
		    arena, rows, property->size_ms, PROPERTY_NO_COLUMN, PROPERTY_NO_COLUMN, &items))
		return -ENOMEM;
	for (size_t i = 1; i < items.count; i++) {
		int64_t steps = (items.items[i].window_ms - items.items[i - 1].window_ms) /
				property->size_ms;

		if (steps > 1) {
			ret->count += steps - 1;
			ret->row = items.items[i].row;
		}
	}
	return 0;
}

int property_count(struct arena *scratch, const struct fixture_rows *rows,
	const struct property *property, struct property_count *ret)
{
	struct property_count count = {.row = rows->table.row_count};
	int err = 0;

	switch (property->kind) {
	case PROPERTY_LATE:
	case PROPERTY_DROPPED: err = count_late(scratch, rows, property, &count); break;
	case PROPERTY_STEPS: count_steps(rows, property, &count); break;
	case PROPERTY_EDGE: count_edges(rows, property, &count); break;
	case PROPERTY_TOUCHING:
	case PROPERTY_APART: err = count_neighbours(scratch, rows, property, &count); break;
	case PROPERTY_UNIQUE:
	case PROPERTY_REPEATS:
	case PROPERTY_NO_TIES: err = count_equal(scratch, rows, property, &count); break;
	case PROPERTY_EMPTY_WINDOW: err = count_empty(scratch, rows, property, &count); break;
	}
	if (!err)
		*ret = count;
	return err;
}

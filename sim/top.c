/* Top-N of a stream without windows, in the ways that Flink has for it. Rows of a partition are
 * kept in order, equal ones by arrival, and what changes among the first N is printed:
 *
 *	appended   the input only adds rows: no more than N are kept
 *	updated    the input replaces rows by better ones, known by their key
 *	retracted  any changelog: all rows are kept
 *	first      N is 1, and the input adds or betters rows
 *	deduped    N is 1, the last by the time attribute, of equal times too; or by processing time
 *
 * Where the number is not selected a row that leaves is a -D and one that comes a +I; else all
 * between them move by -U and +U. Recorded: more_sim/top_append, more_sim/top_append_number,
 * more_sim/top_update, more_sim/top_retract, more_sim/top_dedup_last. */
#include "sim/top.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/key.h"
#include "sim/pool.h"
#include "sim/rows.h"

struct top {
	struct op op;
	const struct plan_rank *plan;
	struct run *run;
	bool moves; /* rows are printed with their number, or as if */
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct group_map parts; /* with a list of rows, the best first */
	struct row_list rows;	/* empty: what each part's list is copied from */
	struct value *key, *result;
};

static int64_t highest(const struct top *top)
{
	return top->plan->highest;
}

static int print(struct top *top, enum row_op kind, const struct kept_row *row, int64_t number)
{
	if (number < top->plan->lowest || number > highest(top))
		return 0;
	memcpy(top->result, row->cells, top->rows.width * sizeof(struct value));
	top->result[top->rows.width] = (struct value){.i = number};
	return op_row(top->op.down, kind, top->result);
}

/* A row takes the number of another. */
static int print_change(
	struct top *top, const struct kept_row *old, const struct kept_row *new, int64_t number)
{
	int err = print(top, OP_UPDATE_BEFORE, old, number);

	return err ? err : print(top, OP_UPDATE_AFTER, new, number);
}

static int cmp(const struct top *top, const struct kept_row *a, const struct kept_row *b)
{
	return sort_keys_cmp(top->plan->order, top->plan->order_count, a, b);
}

/* Where the row belongs: behind all that are as good. */
static size_t place_of(
	const struct top *top, const struct row_list *rows, const struct kept_row *row)
{
	size_t low = 0, high = rows->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (cmp(top, rows->rows[middle], row) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* All rows from this place to `end` move one number on. */
static int move_on(struct top *top, const struct row_list *rows, size_t place, size_t end)
{
	int err = 0;

	for (size_t i = place + 1; i <= end && i < rows->count && err == 0; i++) {
		if ((int64_t)i > highest(top))
			break;
		err = print_change(top, rows->rows[i], rows->rows[i - 1], (int64_t)i);
	}
	return err;
}

/* The row is in its place; the one that is driven out, if any, lies behind the others. */
static int print_added(struct top *top, const struct row_list *rows, size_t place)
{
	int64_t count = (int64_t)rows->count;
	int err = 0;

	if ((int64_t)place >= highest(top))
		return 0;
	if (top->moves) {
		err = move_on(top, rows, place, rows->count - 1);
		if (err == 0 && count <= highest(top))
			err = print(top, OP_INSERT, rows->rows[count - 1], count);
		return err;
	}
	if (count > highest(top))
		err = print(top, OP_DELETE, rows->rows[highest(top)], highest(top));
	return err ? err : print(top, OP_INSERT, rows->rows[place], 1);
}

static int drop_last(struct top *top, struct row_list *rows)
{
	if ((int64_t)rows->count > highest(top))
		row_drop(rows, row_list_take(rows, rows->count - 1));
	return 0;
}

static int append(struct top *top, struct row_list *rows, struct kept_row *row)
{
	size_t place = place_of(top, rows, row);
	int err;

	if ((int64_t)place >= highest(top)) {
		row_drop(rows, row);
		return 0;
	}
	err = row_list_insert(rows, place, row);
	if (err == 0)
		err = print_added(top, rows, place);
	return err ? err : drop_last(top, rows);
}

/* The row with the same key, or the count. */
static size_t find_key(
	const struct top *top, const struct row_list *rows, const struct kept_row *row)
{
	size_t i = 0;

	for (; i < rows->count; i++) {
		bool same = true;

		for (size_t j = 0; j < top->plan->unique_count && same; j++) {
			size_t column = top->plan->unique[j];

			same = value_same(&rows->columns[column].type,
				&rows->rows[i]->cells[column], &row->cells[column]);
		}
		if (same)
			break;
	}
	return i;
}

/* A row has come up from `from` to `place`; those between have moved down. The old row leaves
 * before the new one comes. */
static int print_rise(struct top *top, const struct row_list *rows, size_t place, size_t from,
	const struct kept_row *old)
{
	int err = print(top, OP_UPDATE_BEFORE, rows->rows[place + 1], (int64_t)place + 1);

	if (err == 0)
		err = print(top, OP_UPDATE_BEFORE, old, (int64_t)from + 1);
	if (err == 0)
		err = print(top, OP_UPDATE_AFTER, rows->rows[place], (int64_t)place + 1);
	if (err == 0)
		err = move_on(top, rows, place + 1, from);
	return err ? err : print(top, OP_UPDATE_AFTER, rows->rows[from], (int64_t)from + 1);
}

/* A better row of the key takes the place of the old one. */
static int better(struct top *top, struct row_list *rows, size_t at, struct kept_row *row)
{
	struct kept_row *old = row_list_take(rows, at);
	size_t place = cmp(top, old, row) ? place_of(top, rows, row) : at;
	int err = row_list_insert(rows, place, row);

	if (err == 0)
		err = !top->moves || place == at
			      ? print_change(top, old, row, top->moves ? (int64_t)at + 1 : 1)
			      : print_rise(top, rows, place, at, old);
	row_drop(rows, old);
	return err;
}

static int update(struct top *top, struct row_list *rows, struct kept_row *row)
{
	size_t at = find_key(top, rows, row);

	if (at == rows->count)
		return append(top, rows, row);
	return better(top, rows, at, row);
}

static bool same_row(
	const struct row_list *rows, const struct kept_row *a, const struct kept_row *b)
{
	bool same = true;

	for (size_t i = 0; i < rows->width && same; i++)
		same = value_same(&rows->columns[i].type, &a->cells[i], &b->cells[i]);
	return same;
}

/* The first row like this one, or the count. */
static size_t find_row(const struct row_list *rows, const struct kept_row *row)
{
	size_t i = 0;

	while (i < rows->count && !same_row(rows, rows->rows[i], row))
		i++;
	return i;
}

/* The row of this place was taken out; `gone` it is. */
static int print_removed(
	struct top *top, const struct row_list *rows, size_t place, const struct kept_row *gone)
{
	int64_t number = (int64_t)place + 1, last = (int64_t)rows->count + 1;
	int err = 0;

	if (number > highest(top))
		return 0;
	if (!top->moves) {
		err = print(top, OP_DELETE, gone, number);
		if (err == 0 && last > highest(top))
			err = print(top, OP_INSERT, rows->rows[highest(top) - 1], highest(top));
		return err;
	}
	for (; number < last && number <= highest(top) && err == 0; number++) {
		err = print_change(top, gone, rows->rows[number - 1], number);
		gone = rows->rows[number - 1];
	}
	return err || number < last ? err : print(top, OP_DELETE, gone, number);
}

static int retract(struct top *top, struct row_list *rows, struct kept_row *row)
{
	size_t place = find_row(rows, row);
	struct kept_row *gone;
	int err;

	row_drop(rows, row);
	if (place == rows->count)
		return 0;
	gone = row_list_take(rows, place);
	err = print_removed(top, rows, place, gone);
	row_drop(rows, gone);
	return err;
}

static int add(struct top *top, struct row_list *rows, struct kept_row *row)
{
	size_t place = place_of(top, rows, row);
	int err = row_list_insert(rows, place, row);

	return err ? err : print_added(top, rows, place);
}

/* Of one row a partition: does the new one take its place? */
static bool wins(const struct top *top, const struct kept_row *row, const struct kept_row *kept)
{
	const struct sort_key *by = top->plan->order;
	bool proctime = top->plan->dedup && by->expr->type.attribute == TIME_PROCTIME;
	int order = proctime ? 0 : cmp(top, row, kept);

	return order < 0 || (order == 0 && top->plan->dedup && top->plan->order[0].descending);
}

static int keep_one(struct top *top, struct row_list *rows, struct kept_row *row)
{
	struct kept_row *old;
	int err;

	if (rows->count && !wins(top, row, rows->rows[0])) {
		row_drop(rows, row);
		return 0;
	}
	if (!rows->count) {
		err = row_list_insert(rows, 0, row);
		return err ? err : print(top, OP_INSERT, row, 1);
	}
	old = rows->rows[0];
	rows->rows[0] = row;
	err = top->plan->silent ? print(top, OP_UPDATE_AFTER, row, 1)
				: print_change(top, old, row, 1);
	row_drop(rows, old);
	return err;
}

static int part_of(struct top *top, const struct value *cells, struct row_list **ret)
{
	struct group *group;
	struct key *key;

	for (size_t i = 0; i < top->plan->key_count; i++)
		top->key[i] = cells[top->plan->keys[i]];
	key = key_get(&top->keys, top->key);
	group = key ? group_get(&top->parts, key, 0) : NULL;
	if (key)
		key_release(&top->keys, key);
	if (!group)
		return -ENOMEM;
	*ret = group_extra(&top->shape, group);
	if (!(*ret)->pool)
		**ret = top->rows;
	return 0;
}

static int top_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct top *top = (struct top *)op;
	bool taken_back = kind == OP_UPDATE_BEFORE || kind == OP_DELETE;
	struct row_list *rows;
	struct kept_row *row;
	int err;

	if (taken_back && top->plan->strategy != RANK_RETRACT)
		return 0;
	err = part_of(top, cells, &rows);
	if (err == 0)
		err = run_spend(top->run, STEPS_GROUP);
	row = err == 0 ? row_keep(rows, cells, (struct window_span){0, 0}) : NULL;
	if (!row)
		return err ? err : -ENOMEM;
	if (taken_back)
		return retract(top, rows, row);
	if (top->plan->strategy == RANK_RETRACT)
		return add(top, rows, row);
	if (top->plan->lowest == 1 && highest(top) == 1)
		return keep_one(top, rows, row);
	return top->plan->strategy == RANK_UPDATE ? update(top, rows, row) : append(top, rows, row);
}

static int top_watermark(struct op *op, int64_t wm_ms)
{
	return op_watermark(op->down, wm_ms);
}

struct op *top_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	const struct plan_rank *spec = &plan->rank;
	const struct plan *input = plan->input;
	struct top *top = ARENA_NEW(arena, struct top);

	if (!top)
		return NULL;
	*top = (struct top){.op = {top_row, top_watermark, down},
		.plan = spec,
		.run = run,
		.moves = (spec->numbered && spec->lowest != spec->highest) || spec->lowest > 1};
	pool_init(&top->pool, arena);
	key_table_init(&top->keys, &top->pool, spec->key_types, spec->key_count);
	top->shape = (struct group_shape){&top->pool, &top->keys, NULL, 0, sizeof(struct row_list)};
	group_map_init(&top->parts, &top->shape);
	row_list_init(&top->rows, &top->pool, input->columns, input->column_count);
	top->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	top->result = arena_array(arena, input->column_count + 1, sizeof(struct value));
	return top->key && top->result ? &top->op : NULL;
}

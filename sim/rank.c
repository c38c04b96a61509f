/* Window Top-N: the rows of a window are kept until it closes, then sorted and numbered; equal rows
 * keep the order of their arrival. A row for a closed window is dropped. Deduplication (the first
 * or last row by time) keeps one row; of rows with equal times the first, or the last. Recorded:
 * semantics/topn_01, semantics/dedup_02, semantics/deep_04. */
#include "sim/rank.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/heap.h"
#include "sim/key.h"
#include "sim/pool.h"
#include "sim/rows.h"

struct rank {
	struct op op;
	const struct plan_rank *plan;
	const struct window *window; /* of its input */
	struct run *run;
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct group_map buffer, state; /* of groups with a list of rows */
	struct heap timers;
	struct row_list rows; /* empty: what each group's list is copied from */
	int64_t progress_ms, timer_wm_ms;
	struct value *key, *result;
};

static struct row_list *rows_of(struct rank *rank, struct group *group)
{
	return group_extra(&rank->shape, group);
}

/* Deduplication: does the row take the place of the one that is kept? */
static bool replaces(
	const struct rank *rank, const struct value *cells, const struct kept_row *kept)
{
	size_t time = rank->plan->order[0].expr->column;

	if (rank->plan->order[0].descending)
		return cells[time].i >= kept->cells[time].i;
	return cells[time].i < kept->cells[time].i;
}

static int keep(struct rank *rank, struct group *group, const struct value *cells)
{
	struct row_list *rows = rows_of(rank, group);

	if (!rows->pool)
		*rows = rank->rows;
	if (rank->plan->dedup && rows->count) {
		if (!replaces(rank, cells, rows->rows[0]))
			return 0;
		row_list_clear(rows);
	}
	return row_list_add(rows, cells, (struct window_span){0, 0});
}

static int rank_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct rank *rank = (struct rank *)op;
	int64_t end_ms = cells[rank->plan->window_end].i;
	struct group *group;
	struct key *key;

	(void)kind;
	if (window_closed(rank->window, end_ms, rank->progress_ms)) {
		rank->run->rows_dropped++;
		return 0;
	}
	for (size_t i = 0; i < rank->plan->key_count; i++)
		rank->key[i] = cells[rank->plan->keys[i]];
	key = key_get(&rank->keys, rank->key);
	group = key ? group_get(&rank->buffer, key, end_ms) : NULL;
	if (key)
		key_release(&rank->keys, key);
	return group ? keep(rank, group, cells) : -ENOMEM;
}

/* Adds buffered rows to those of the state. */
static int merge_rows(struct rank *rank, struct group *group, struct group *from)
{
	struct row_list *rows = rows_of(rank, from);
	int err = 0;

	if (!rank->plan->dedup)
		err = row_list_move(rows_of(rank, group), rows);
	else
		err = keep(rank, group, rows->rows[0]->cells);
	row_list_clear(rows);
	group_free(&rank->shape, from);
	return err;
}

static int set_timer(struct rank *rank, struct key *key, int64_t end_ms)
{
	bool added = false;
	int err;

	if (window_closed(rank->window, end_ms, rank->timer_wm_ms))
		return 0;
	err = heap_push(&rank->timers,
		(struct timer){.time_ms = window_timer_ms(rank->window, end_ms),
			.key = key,
			.end_ms = end_ms},
		&added);
	if (added)
		key_hold(key);
	return err;
}

static int flush(struct rank *rank)
{
	struct group *group;
	int err = 0;

	while (err == 0 && (group = rank->buffer.first)) {
		struct group *kept = group_find(&rank->state, group->key, group->end_ms);

		group_take(&rank->buffer, group);
		if (kept)
			err = merge_rows(rank, kept, group);
		else
			kept = group_put(&rank->state, group, group->end_ms);
		if (err == 0)
			err = kept ? set_timer(rank, kept->key, kept->end_ms) : -ENOMEM;
	}
	return err;
}

static int cmp_rows(const void *ctx, const struct kept_row *a, const struct kept_row *b)
{
	const struct plan_rank *plan = ctx;

	return sort_keys_cmp(plan->order, plan->order_count, a, b);
}

/* Of the rows that are printed, those that the next one equals: only their arrival says which is
 * first. */
static void count_ties(struct rank *rank, const struct row_list *rows)
{
	for (size_t i = 1; i < rows->count && (int64_t)i <= rank->plan->highest; i++)
		rank->run->rows_tied += cmp_rows(rank->plan, rows->rows[i - 1], rows->rows[i]) == 0;
}

static int print(struct rank *rank, const struct row_list *rows)
{
	int64_t highest = rank->plan->highest;
	int err = 0;

	if (highest > (int64_t)rows->count)
		highest = (int64_t)rows->count;
	for (int64_t n = rank->plan->lowest; n <= highest && err == 0; n++) {
		memcpy(rank->result, rows->rows[n - 1]->cells, rows->width * sizeof(struct value));
		rank->result[rows->width] = (struct value){.i = n};
		err = op_row(rank->op.down, OP_INSERT, rank->result);
	}
	return err;
}

static int fire(struct rank *rank, struct key *key, int64_t end_ms)
{
	struct row_order order = {cmp_rows, rank->plan};
	struct group *group = group_find(&rank->state, key, end_ms);
	struct row_list *rows;
	int err;

	if (!group)
		return 0;
	rows = rows_of(rank, group);
	err = stable_sort(&rank->pool, rows->rows, rows->count, order);
	count_ties(rank, rows);
	if (err == 0)
		err = print(rank, rows);
	row_list_clear(rows);
	group_take(&rank->state, group);
	group_free(&rank->shape, group);
	return err;
}

static int rank_watermark(struct op *op, int64_t wm_ms)
{
	struct rank *rank = (struct rank *)op;
	const struct timer *top;
	int err = 0;

	if (wm_ms > rank->progress_ms) {
		rank->progress_ms = wm_ms;
		if (window_closed(rank->window, rank->buffer.least_end_ms, wm_ms))
			err = flush(rank);
	}
	rank->timer_wm_ms = wm_ms;
	while (err == 0 && (top = heap_top(&rank->timers)) && top->time_ms <= wm_ms) {
		struct timer timer = heap_pop(&rank->timers);

		err = fire(rank, timer.key, timer.end_ms);
		key_release(&rank->keys, timer.key);
	}
	return err ? err : op_watermark(op->down, wm_ms);
}

struct op *rank_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	const struct plan_rank *spec = &plan->rank;
	static const struct window session = {.kind = WINDOW_SESSION};
	const struct plan *input = plan->input;
	struct rank *rank = ARENA_NEW(arena, struct rank);

	if (!rank)
		return NULL;
	*rank = (struct rank){.op = {rank_row, rank_watermark, down},
		.plan = spec,
		.window = input->window ? input->window : &session,
		.run = run,
		.progress_ms = WATERMARK_NONE,
		.timer_wm_ms = WATERMARK_NONE};
	pool_init(&rank->pool, arena);
	key_table_init(&rank->keys, &rank->pool, spec->key_types, spec->key_count);
	rank->shape =
		(struct group_shape){&rank->pool, &rank->keys, NULL, 0, sizeof(struct row_list)};
	group_map_init(&rank->buffer, &rank->shape);
	group_map_init(&rank->state, &rank->shape);
	heap_init(&rank->timers, &rank->pool);
	row_list_init(&rank->rows, &rank->pool, input->columns, input->column_count);
	rank->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	rank->result = arena_array(arena, input->column_count + 1, sizeof(struct value));
	return rank->key && rank->result ? &rank->op : NULL;
}

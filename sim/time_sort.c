/* ORDER BY a time attribute: rows wait in a heap until the watermark reaches their time, and
 * leave by time, the further keys, and arrival. A row whose time is not above that of the last
 * row let out is dropped. Recorded: semantics/order_05, watermark/mistakes/w5_order_by_time. */
#include "sim/time_sort.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/pool.h"
#include "sim/rows.h"

/* A waiting row; number is that of its arrival. */
struct waiting {
	struct kept_row *row;
	int64_t number;
};

struct time_sort {
	struct op op;
	const struct plan_sort *plan;
	struct run *run;
	struct pool pool;
	struct row_list rows; /* always empty: how rows are kept */
	struct waiting *heap; /* from 0 */
	size_t count, room;
	int64_t arrived;
	int64_t last_ms; /* time of the last row let out */
};

static bool before(const struct time_sort *sort, struct waiting a, struct waiting b)
{
	int order = sort_keys_cmp(sort->plan->order, sort->plan->order_count, a.row, b.row);

	return order ? order < 0 : a.number < b.number;
}

static void sift_up(struct time_sort *sort, size_t slot, struct waiting row)
{
	while (slot > 0 && before(sort, row, sort->heap[(slot - 1) / 2])) {
		sort->heap[slot] = sort->heap[(slot - 1) / 2];
		slot = (slot - 1) / 2;
	}
	sort->heap[slot] = row;
}

static void sift_down(struct time_sort *sort, size_t slot, struct waiting row)
{
	for (;;) {
		size_t child = slot * 2 + 1;

		if (child + 1 < sort->count &&
			before(sort, sort->heap[child + 1], sort->heap[child]))
			child++;
		if (child >= sort->count || !before(sort, sort->heap[child], row))
			break;
		sort->heap[slot] = sort->heap[child];
		slot = child;
	}
	sort->heap[slot] = row;
}

static int make_room(struct time_sort *sort)
{
	size_t room = sort->room ? sort->room * 2 : 64;
	struct waiting *heap;

	if (sort->count < sort->room)
		return 0;
	heap = pool_resize(
		&sort->pool, sort->heap, sort->room * sizeof(*heap), room * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	sort->heap = heap;
	sort->room = room;
	return 0;
}

static int sort_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct time_sort *sort = (struct time_sort *)op;
	struct kept_row *row;

	(void)kind;
	if (cells[sort->plan->time].i <= sort->last_ms) {
		sort->run->rows_late++;
		return 0;
	}
	row = row_keep(&sort->rows, cells, (struct window_span){0, 0});
	if (!row || make_room(sort) < 0)
		return -ENOMEM;
	sift_up(sort, sort->count++, (struct waiting){row, sort->arrived++});
	return 0;
}

static int sort_watermark(struct op *op, int64_t wm_ms)
{
	struct time_sort *sort = (struct time_sort *)op;
	size_t time = sort->plan->time;
	int err = 0;

	while (err == 0 && sort->count && sort->heap[0].row->cells[time].i <= wm_ms) {
		struct kept_row *row = sort->heap[0].row;

		sort->count--;
		if (sort->count)
			sift_down(sort, 0, sort->heap[sort->count]);
		sort->last_ms = row->cells[time].i;
		err = op_row(op->down, OP_INSERT, row->cells);
		row_drop(&sort->rows, row);
	}
	return err ? err : op_watermark(op->down, wm_ms);
}

struct op *time_sort_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	struct time_sort *sort = ARENA_NEW(arena, struct time_sort);

	if (!sort)
		return NULL;
	*sort = (struct time_sort){.op = {sort_row, sort_watermark, down},
		.plan = &plan->sort,
		.run = run,
		.last_ms = WATERMARK_NONE};
	pool_init(&sort->pool, arena);
	row_list_init(&sort->rows, &sort->pool, plan->input->columns, plan->input->column_count);
	return &sort->op;
}

/* The first row by event time of each key, as Flink keeps it: it waits until the watermark has
 * reached its time, so that an earlier one can take its place, and is printed once. A row that
 * comes late is dropped, also where its key has none yet. Recorded: more_sim/top_dedup_first. */
#include "sim/dedup.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/heap.h"
#include "sim/key.h"
#include "sim/pool.h"
#include "sim/rows.h"

struct first {
	struct kept_row *row; /* that waits */
	bool printed;
};

struct dedup {
	struct op op;
	const struct plan_rank *plan;
	struct run *run;
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct group_map groups;
	struct heap timers;
	struct row_list rows; /* always empty: how rows are kept */
	int64_t wm_ms;
	struct value *key, *result;
};

static int64_t time_of(const struct dedup *dedup, const struct value *cells)
{
	return cells[dedup->plan->order[0].expr->column].i;
}

/* The row takes the place of the one that waits, and its timer that of the other. */
static int wait_for(struct dedup *dedup, struct group *group, const struct value *cells)
{
	struct first *first = group_extra(&dedup->shape, group);
	struct timer timer = {.key = group->key};

	if (first->row) {
		timer.time_ms = time_of(dedup, first->row->cells);
		heap_remove(&dedup->timers, timer);
		row_drop(&dedup->rows, first->row);
	}
	first->row = row_keep(&dedup->rows, cells, (struct window_span){0, 0});
	timer.time_ms = time_of(dedup, cells);
	return first->row ? heap_push(&dedup->timers, timer, NULL) : -ENOMEM;
}

static int dedup_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct dedup *dedup = (struct dedup *)op;
	int64_t time_ms = time_of(dedup, cells);
	const struct first *first;
	struct group *group;
	struct key *key;

	(void)kind;
	if (time_ms <= dedup->wm_ms) {
		dedup->run->rows_late++;
		return 0;
	}
	if (run_spend(dedup->run, STEPS_GROUP) < 0)
		return -ENOTSUP;
	for (size_t i = 0; i < dedup->plan->key_count; i++)
		dedup->key[i] = cells[dedup->plan->keys[i]];
	key = key_get(&dedup->keys, dedup->key);
	group = key ? group_get(&dedup->groups, key, 0) : NULL;
	if (key)
		key_release(&dedup->keys, key);
	if (!group)
		return -ENOMEM;
	first = group_extra(&dedup->shape, group);
	if (first->printed || (first->row && time_of(dedup, first->row->cells) <= time_ms))
		return 0;
	return wait_for(dedup, group, cells);
}

static int print(struct dedup *dedup, struct group *group)
{
	struct first *first = group_extra(&dedup->shape, group);
	size_t width = dedup->rows.width;
	int err;

	memcpy(dedup->result, first->row->cells, width * sizeof(struct value));
	dedup->result[width] = (struct value){.i = 1};
	err = op_row(dedup->op.down, OP_INSERT, dedup->result);
	row_drop(&dedup->rows, first->row);
	*first = (struct first){NULL, true};
	return err;
}

static int dedup_watermark(struct op *op, int64_t wm_ms)
{
	struct dedup *dedup = (struct dedup *)op;
	const struct timer *top;
	int err = 0;

	dedup->wm_ms = wm_ms;
	while (err == 0 && (top = heap_top(&dedup->timers)) && top->time_ms <= wm_ms) {
		struct timer timer = heap_pop(&dedup->timers);

		err = print(dedup, group_find(&dedup->groups, timer.key, 0));
	}
	return err ? err : op_watermark(op->down, wm_ms);
}

struct op *dedup_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	const struct plan_rank *spec = &plan->rank;
	const struct plan *input = plan->input;
	struct dedup *dedup = ARENA_NEW(arena, struct dedup);

	if (!dedup)
		return NULL;
	*dedup = (struct dedup){.op = {dedup_row, dedup_watermark, down},
		.plan = spec,
		.run = run,
		.wm_ms = WATERMARK_NONE};
	pool_init(&dedup->pool, arena);
	key_table_init(&dedup->keys, &dedup->pool, spec->key_types, spec->key_count);
	dedup->shape =
		(struct group_shape){&dedup->pool, &dedup->keys, NULL, 0, sizeof(struct first)};
	group_map_init(&dedup->groups, &dedup->shape);
	heap_init(&dedup->timers, &dedup->pool);
	row_list_init(&dedup->rows, &dedup->pool, input->columns, input->column_count);
	dedup->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	dedup->result = arena_array(arena, input->column_count + 1, sizeof(struct value));
	return dedup->key && dedup->result ? &dedup->op : NULL;
}

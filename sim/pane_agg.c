/* Legacy HOP windows, as Flink's WindowOperator has them: a row is accumulated in its pane, as
 * wide as all windows can share, and sets the timer of each of its windows that is still open,
 * the latest first; a window that closes merges its panes, the oldest first. The slide need not
 * divide the size. Recorded: more_sim/legacy_hop, more_sim/legacy_hop_uneven. */
#include "sim/pane_agg.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/heap.h"
#include "sim/key.h"
#include "sim/pool.h"

struct pane_agg {
	struct op op;
	const struct window_agg_spec *spec;
	struct run *run;
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct group_map panes; /* by their ends */
	struct heap timers;
	int64_t pane_ms;
	int64_t wm_ms;
	struct value *key, *result;
};

static int set_timer(struct pane_agg *agg, struct key *key, struct window_span span)
{
	struct timer timer = {.time_ms = window_timer_ms(&agg->spec->window, span.end_ms),
		.key = key,
		.start_ms = span.start_ms,
		.end_ms = span.end_ms};
	bool added = false;
	int err = heap_push(&agg->timers, timer, &added);

	if (added)
		key_hold(key);
	return err;
}

static int add_to_pane(
	struct pane_agg *agg, struct key *key, int64_t time_ms, const struct value *cells)
{
	int64_t start_ms = window_floor(time_ms, agg->spec->window.offset_ms, agg->pane_ms);
	struct group *pane = group_get(&agg->panes, key, start_ms + agg->pane_ms);

	return pane ? group_add(&agg->shape, pane, cells) : -ENOMEM;
}

/* A row of no window, between two slides, is not dropped: nobody waits for it. */
static int add_row(struct pane_agg *agg, struct key *key, const struct value *cells)
{
	const struct window *window = &agg->spec->window;
	int64_t time_ms = window_local_ms(window, cells[agg->spec->time].i);
	struct window_span span;
	bool more = window_first(window, time_ms, &span);
	int err = 0;

	if (!more)
		return 0;
	if (window_closed(window, span.end_ms, agg->wm_ms)) {
		agg->run->rows_dropped++;
		return 0;
	}
	err = add_to_pane(agg, key, time_ms, cells);
	for (; more && err == 0; more = window_next(window, time_ms, &span)) {
		err = run_spend(agg->run, STEPS_SLICE);
		if (span.end_ms <= 0 && agg->spec->key_count) {
			agg->run->refused = EARLY_WINDOW;
			err = -ENOTSUP;
		}
		if (err == 0 && !window_closed(window, span.end_ms, agg->wm_ms))
			err = set_timer(agg, key, span);
	}
	return err;
}

static int pane_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct pane_agg *agg = (struct pane_agg *)op;
	struct key *key;
	int err;

	(void)kind;
	for (size_t i = 0; i < agg->spec->key_count; i++)
		agg->key[i] = cells[agg->spec->keys[i]];
	key = key_get(&agg->keys, agg->key);
	if (!key)
		return -ENOMEM;
	err = add_row(agg, key, cells);
	key_release(&agg->keys, key);
	return err;
}

static int merge_panes(
	struct pane_agg *agg, struct key *key, struct window_span span, struct group *sum)
{
	int err = 0;

	for (int64_t end_ms = span.start_ms + agg->pane_ms; end_ms <= span.end_ms && err == 0;
		end_ms += agg->pane_ms) {
		const struct group *pane = group_find(&agg->panes, key, end_ms);

		if (pane)
			err = group_merge(&agg->shape, sum, pane);
	}
	return err;
}

/* Forgets the panes that no later window has. */
static void forget_panes(struct pane_agg *agg, struct key *key, struct window_span span)
{
	int64_t next_ms = span.start_ms + agg->spec->window.step_ms;

	for (int64_t end_ms = span.start_ms + agg->pane_ms;
		end_ms <= next_ms && end_ms <= span.end_ms; end_ms += agg->pane_ms) {
		struct group *pane = group_find(&agg->panes, key, end_ms);

		if (!pane)
			continue;
		group_take(&agg->panes, pane);
		group_free(&agg->shape, pane);
	}
}

static int fire(struct pane_agg *agg, struct key *key, struct window_span span)
{
	struct group *sum = group_new(&agg->shape, key, span.end_ms);
	int err = sum ? merge_panes(agg, key, span, sum) : -ENOMEM;

	if (err == 0 && sum->rows) {
		window_agg_result(agg->spec, sum, span, agg->result);
		err = op_row(agg->op.down, OP_INSERT, agg->result);
	}
	if (sum)
		group_free(&agg->shape, sum);
	forget_panes(agg, key, span);
	return err;
}

static int pane_watermark(struct op *op, int64_t wm_ms)
{
	struct pane_agg *agg = (struct pane_agg *)op;
	const struct timer *top;
	int err = 0;

	agg->wm_ms = wm_ms;
	while (err == 0 && (top = heap_top(&agg->timers)) && top->time_ms <= wm_ms) {
		struct timer timer = heap_pop(&agg->timers);

		err = fire(agg, timer.key, (struct window_span){timer.start_ms, timer.end_ms});
		key_release(&agg->keys, timer.key);
	}
	return err ? err : op_watermark(op->down, wm_ms);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct op *pane_agg_new(
	struct arena *arena, const struct window_agg_spec *spec, struct run *run, struct op *down)
{
	struct pane_agg *agg = ARENA_NEW(arena, struct pane_agg);

	if (!agg)
		return NULL;
	*agg = (struct pane_agg){.op = {pane_row, pane_watermark, down},
		.spec = spec,
		.run = run,
		.pane_ms = common_divisor(spec->window.size_ms, spec->window.step_ms),
		.wm_ms = WATERMARK_NONE};
	pool_init(&agg->pool, arena);
	key_table_init(&agg->keys, &agg->pool, spec->key_types, spec->key_count);
	agg->shape = (struct group_shape){&agg->pool, &agg->keys, spec->calls, spec->call_count, 0};
	group_map_init(&agg->panes, &agg->shape);
	heap_init(&agg->timers, &agg->pool);
	agg->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	agg->result =
		arena_array(arena, spec->key_count + spec->call_count + 3, sizeof(struct value));
	return agg->key && agg->result ? &agg->op : NULL;
}

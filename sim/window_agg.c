/* Window aggregation by slices, in Flink's two phases: which rows count, and in which order keys
 * are printed, follows from when the buffers are flushed and from the timer heap.
 *
 *	rows -> local buffer --flush--> global buffer --flush--> state --timer--> result rows
 *
 * One-phase plans have no local buffer. A row is never judged here by time alone: it is dropped iff
 * the last window of its slice was closed by an earlier watermark.
 * Recorded: semantics/tumble_01, semantics/hop_02, semantics/cumulate_02, semantics/phase_01,
 * semantics/many_04 (order of keys), semantics/boundary_ms (closed at end - 1). */
#include "sim/window_agg.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/heap.h"
#include "sim/key.h"
#include "sim/pool.h"

/* Slices without a row that are passed over in a step. */
#define SLICES_A_STEP 8

/* What the phases share. */
struct context {
	const struct window_agg_spec *spec;
	struct run *run;
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct value *key;    /* scratch for the key of a row */
	struct value *result; /* scratch for a result row */
	int64_t slice_end_ms; /* of the row before: most rows are in its slice, and a division is slow */
};

struct global_agg {
	struct op op;
	struct context *ctx;
	struct group_map buffer, state;
	struct heap timers;
	int64_t progress_ms; /* highest watermark */
	int64_t next_ms;     /* no slice can close below this one */
	int64_t timer_wm_ms; /* the watermark that timers were last fired for */
};

struct local_agg {
	struct op op;
	struct context *ctx;
	struct global_agg *global;
	struct group_map buffer;
	int64_t progress_ms, next_ms;
};

static struct key *row_key(struct context *ctx, const struct value *cells)
{
	for (size_t i = 0; i < ctx->spec->key_count; i++)
		ctx->key[i] = cells[ctx->spec->keys[i]];
	return key_get(&ctx->keys, ctx->key);
}

static int64_t row_slice(struct context *ctx, const struct value *cells)
{
	const struct window *window = &ctx->spec->window;
	int64_t time_ms = cells[ctx->spec->time].i;

	if (window->kind == WINDOW_ATTACHED)
		return time_ms;
	time_ms = window_local_ms(window, time_ms);
	if (time_ms >= ctx->slice_end_ms || time_ms < ctx->slice_end_ms - window->step_ms)
		ctx->slice_end_ms = window_slice_end(window, time_ms);
	return ctx->slice_end_ms;
}

void window_agg_result(const struct window_agg_spec *spec, const struct group *group,
	struct window_span span, struct value *ret)
{
	for (size_t i = 0; i < spec->key_count; i++)
		*ret++ = group->key->values[i];
	for (size_t i = 0; i < spec->call_count; i++)
		acc_result(&group->accs[i], &spec->calls[i], ret++);
	*ret++ = (struct value){.i = span.start_ms};
	*ret++ = (struct value){.i = span.end_ms};
	*ret = (struct value){.i = window_time_ms(&spec->window, span.end_ms)};
}

static int print(struct global_agg *agg, const struct group *group, int64_t end_ms)
{
	struct context *ctx = agg->ctx;
	struct window_span span = {window_start(&ctx->spec->window, end_ms), end_ms};

	window_agg_result(ctx->spec, group, span, ctx->result);
	return op_row(agg->op.down, OP_INSERT, ctx->result);
}

/* Queues the window of this key that ends at end_ms; the timer holds the key. */
static int set_timer(struct global_agg *agg, struct key *key, int64_t end_ms)
{
	bool added = false;
	int err = heap_push(&agg->timers,
		(struct timer){.time_ms = window_timer_ms(&agg->ctx->spec->window, end_ms),
			.key = key,
			.end_ms = end_ms},
		&added);

	if (added)
		key_hold(key);
	return err;
}

/* All that is buffered goes to the state, slices of the future too. */
static int flush(struct global_agg *agg)
{
	struct group *group;

	while ((group = agg->buffer.first)) {
		struct group *kept;

		group_take(&agg->buffer, group);
		kept = group_put(&agg->state, group, group->end_ms);
		if (!kept)
			return -ENOMEM;
		if (!window_closed(&agg->ctx->spec->window, kept->end_ms, agg->timer_wm_ms) &&
			set_timer(agg, kept->key, kept->end_ms) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The slice that takes an element of the slice named by its end, which may have been closed: then
 * it still counts in later windows, and the first of these that is open is queued. False in
 * *open: all windows are closed. 0 or -errno. */
static int target_slice(struct global_agg *agg, struct key *key, int64_t *end_ms, bool *open)
{
	const struct window *window = &agg->ctx->spec->window;
	int64_t first_open_ms = *end_ms;

	*open = true;
	if (!window_closed(window, *end_ms, agg->progress_ms))
		return 0;
	*open = !window_closed(window, window_last_end(window, *end_ms), agg->progress_ms);
	if (!*open)
		return 0;
	for (; window_closed(window, first_open_ms, agg->progress_ms);
		first_open_ms += window->step_ms)
		if (run_spend(agg->ctx->run, 1) < 0)
			return -ENOTSUP;
	*end_ms = window_late_slice(window, *end_ms);
	return set_timer(agg, key, first_open_ms);
}

/* Takes a group from the local phase; it is this operator's from now on. */
static int take_group(struct global_agg *agg, struct group *group)
{
	int64_t end_ms = group->end_ms;
	bool open;
	int err = target_slice(agg, group->key, &end_ms, &open);

	if (err < 0)
		return err;
	if (open)
		return group_put(&agg->buffer, group, end_ms) ? 0 : -ENOMEM;
	agg->ctx->run->rows_dropped += group->rows;
	group_free(&agg->ctx->shape, group);
	return 0;
}

/* One-phase: rows are added to what the state has of the slice, in the order of arrival, so that a
 * sum of DOUBLE is rounded as Flink rounds it. The group waits in the buffer meanwhile;
 * but not in a zone, where the window may close before the buffer is flushed. */
static struct group *buffered_group(struct global_agg *agg, struct key *key, int64_t end_ms)
{
	struct group *group = group_find(&agg->buffer, key, end_ms);

	if (group)
		return group;
	if (!agg->ctx->spec->window.zone)
		group = group_find(&agg->state, key, end_ms);
	if (!group)
		return group_get(&agg->buffer, key, end_ms);
	group_take(&agg->state, group);
	return group_put(&agg->buffer, group, end_ms);
}

static int take_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct global_agg *agg = (struct global_agg *)op;
	struct key *key = row_key(agg->ctx, cells);
	int64_t end_ms = row_slice(agg->ctx, cells);
	struct group *group;
	bool open;
	int err = key ? target_slice(agg, key, &end_ms, &open) : -ENOMEM;

	(void)kind;
	if (err == 0 && open) {
		group = buffered_group(agg, key, end_ms);
		err = group ? group_add(&agg->ctx->shape, group, cells) : -ENOMEM;
	} else if (err == 0) {
		agg->ctx->run->rows_dropped++;
	}
	if (key)
		key_release(&agg->ctx->keys, key);
	return err;
}

static int fire_tumble(struct global_agg *agg, struct key *key, int64_t end_ms)
{
	struct group *group = group_get(&agg->state, key, end_ms);
	int err = group ? print(agg, group, end_ms) : -ENOMEM;

	if (group) {
		group_take(&agg->state, group);
		group_free(&agg->ctx->shape, group);
	}
	return err;
}

/* The sum of the window's slices, latest first, in a group of no map. Most of them may have no
 * row. 0 or -errno. */
static int sum_slices(struct global_agg *agg, struct key *key, int64_t end_ms, struct group **ret)
{
	const struct window *window = &agg->ctx->spec->window;
	int64_t above_ms = end_ms - window->size_ms, e = end_ms;
	struct group *sum = group_new(&agg->ctx->shape, key, end_ms);
	int err = sum ? 0 : -ENOMEM;

	while (err == 0 && (e = group_latest(&agg->state, e, above_ms)) > above_ms) {
		struct group *slice = group_find(&agg->state, key, e);

		err = run_spend(agg->ctx->run, STEPS_SLICE);
		if (err == 0 && slice)
			err = group_merge(&agg->ctx->shape, sum, slice);
		e -= window->step_ms;
	}
	*ret = sum;
	return err;
}

static int fire_hop(struct global_agg *agg, struct key *key, int64_t end_ms)
{
	const struct window *window = &agg->ctx->spec->window;
	int64_t slices = window->size_ms / window->step_ms;
	struct group *sum, *oldest;
	int err = run_spend(agg->ctx->run, slices / SLICES_A_STEP);

	if (err == 0)
		err = sum_slices(agg, key, end_ms, &sum);
	if (err < 0)
		return err;
	if (sum->rows) {
		err = print(agg, sum, end_ms);
		if (err == 0)
			err = set_timer(agg, key, end_ms + window->step_ms);
	}
	oldest = group_find(&agg->state, key, end_ms - window->size_ms + window->step_ms);
	if (oldest) {
		group_take(&agg->state, oldest);
		group_free(&agg->ctx->shape, oldest);
	}
	group_free(&agg->ctx->shape, sum);
	return err;
}

static int fire_cumulate(struct global_agg *agg, struct key *key, int64_t end_ms)
{
	const struct window *window = &agg->ctx->spec->window;
	int64_t start_ms = window_start(window, end_ms), first_ms = start_ms + window->step_ms;
	struct group *slice = end_ms == first_ms ? NULL : group_find(&agg->state, key, end_ms);
	struct group *sum;
	int err;

	if (slice)
		group_take(&agg->state, slice);
	sum = slice ? group_put(&agg->state, slice, first_ms)
		    : group_get(&agg->state, key, first_ms);
	if (!sum)
		return -ENOMEM;
	err = print(agg, sum, end_ms);
	if (end_ms + window->step_ms <= start_ms + window->size_ms)
		return err ? err : set_timer(agg, key, end_ms + window->step_ms);
	group_take(&agg->state, sum);
	group_free(&agg->ctx->shape, sum);
	return err;
}

static int fire(struct global_agg *agg, struct key *key, int64_t end_ms)
{
	switch (agg->ctx->spec->window.kind) {
	case WINDOW_HOP: return fire_hop(agg, key, end_ms);
	case WINDOW_CUMULATE: return fire_cumulate(agg, key, end_ms);
	default: return fire_tumble(agg, key, end_ms);
	}
}

static int fire_timers(struct global_agg *agg, int64_t wm_ms)
{
	const struct timer *top;
	int err = 0;

	agg->timer_wm_ms = wm_ms;
	while (err == 0 && (top = heap_top(&agg->timers)) && top->time_ms <= wm_ms) {
		struct timer timer = heap_pop(&agg->timers);

		err = run_spend(agg->ctx->run, STEPS_GROUP);
		if (err == 0)
			err = fire(agg, timer.key, timer.end_ms);
		key_release(&agg->ctx->keys, timer.key);
	}
	return err;
}

static int global_watermark(struct op *op, int64_t wm_ms)
{
	struct global_agg *agg = (struct global_agg *)op;
	int err = 0;

	if (wm_ms > agg->progress_ms) {
		agg->progress_ms = wm_ms;
		if (wm_ms >= agg->next_ms) {
			if (window_closed(&agg->ctx->spec->window, agg->buffer.least_end_ms, wm_ms))
				err = flush(agg);
			agg->next_ms = window_next_boundary(&agg->ctx->spec->window, wm_ms);
		}
	}
	if (err == 0)
		err = fire_timers(agg, wm_ms);
	return err ? err : op_watermark(op->down, wm_ms);
}

static int local_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct local_agg *agg = (struct local_agg *)op;
	struct key *key = row_key(agg->ctx, cells);
	struct group *group;

	(void)kind;
	if (!key)
		return -ENOMEM;
	group = group_get(&agg->buffer, key, row_slice(agg->ctx, cells));
	key_release(&agg->ctx->keys, key);
	return group ? group_add(&agg->ctx->shape, group, cells) : -ENOMEM;
}

static int flush_local(struct local_agg *agg)
{
	struct group *group;
	int err = 0;

	while (err == 0 && (group = agg->buffer.first)) {
		group_take(&agg->buffer, group);
		err = take_group(agg->global, group);
	}
	return err;
}

static int local_watermark(struct op *op, int64_t wm_ms)
{
	struct local_agg *agg = (struct local_agg *)op;
	int err = 0;

	if (wm_ms > agg->progress_ms) {
		agg->progress_ms = wm_ms;
		if (wm_ms >= agg->next_ms) {
			if (window_closed(&agg->ctx->spec->window, agg->buffer.least_end_ms, wm_ms))
				err = flush_local(agg);
			agg->next_ms = window_next_boundary(&agg->ctx->spec->window, wm_ms);
		}
	}
	return err ? err : op_watermark(op->down, wm_ms);
}

static struct context *new_context(
	struct arena *arena, const struct window_agg_spec *spec, struct run *run)
{
	struct context *ctx = ARENA_NEW(arena, struct context);

	if (!ctx)
		return NULL;
	*ctx = (struct context){.spec = spec, .run = run, .slice_end_ms = INT64_MIN};
	pool_init(&ctx->pool, arena);
	key_table_init(&ctx->keys, &ctx->pool, spec->key_types, spec->key_count);
	ctx->shape = (struct group_shape){&ctx->pool, &ctx->keys, spec->calls, spec->call_count, 0};
	ctx->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	ctx->result =
		arena_array(arena, spec->key_count + spec->call_count + 3, sizeof(struct value));
	return ctx->key && ctx->result ? ctx : NULL;
}

static struct op *new_local(struct arena *arena, struct context *ctx, struct global_agg *global)
{
	struct local_agg *agg = ARENA_NEW(arena, struct local_agg);

	if (!agg)
		return NULL;
	*agg = (struct local_agg){
		.op = {local_row, local_watermark, &global->op}, .ctx = ctx, .global = global};
	group_map_init(&agg->buffer, &ctx->shape);
	return &agg->op;
}

struct op *window_agg_new(struct arena *arena, const struct window_agg_spec *spec, bool two_phase,
	struct run *run, struct op *down)
{
	struct context *ctx = new_context(arena, spec, run);
	struct global_agg *agg = ARENA_NEW(arena, struct global_agg);

	if (!ctx || !agg)
		return NULL;
	*agg = (struct global_agg){.op = {take_row, global_watermark, down},
		.ctx = ctx,
		.progress_ms = WATERMARK_NONE,
		.next_ms = WATERMARK_NONE,
		.timer_wm_ms = WATERMARK_NONE};
	group_map_init(&agg->buffer, &ctx->shape);
	group_map_init(&agg->state, &ctx->shape);
	if (spec->window.kind == WINDOW_HOP &&
		group_map_count(&agg->state, spec->window.step_ms,
			spec->window.size_ms / spec->window.step_ms) < 0)
		return NULL;
	heap_init(&agg->timers, &ctx->pool);
	return two_phase ? new_local(arena, ctx, agg) : &agg->op;
}

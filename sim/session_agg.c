/* SESSION and legacy windows, as Flink's WindowOperator has them: a row is accumulated and its
 * timer set when it comes. A row [t, t + gap) joins every open session of its key that it
 * overlaps or touches, and may so bridge two; what is judged late is the session that results,
 * not the row. Recorded: semantics/session_touch, semantics/session_01,
 * semantics/edge_session_bare, semantics/edge_legacy_tumble. */
#include "sim/session_agg.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/heap.h"
#include "sim/key.h"
#include "sim/observe.h"
#include "sim/pool.h"
#include "sim/rows.h"

/* An open window of a key; its end is the group's. Sessions of a key do not meet, and a list of
 * windows is in order of their starts, the latest first: a row mostly meets that one, or none. */
struct open_window {
	struct group *next; /* of the same key */
	int64_t start_ms;
	struct row_list rows; /* of a table, not of an aggregate */
	void *token;	      /* the word of whoever listens for it */
};

struct session_agg {
	struct op op;
	const struct window_agg_spec *spec;
	struct run *run;
	const struct observer *observer; /* of sessions; NULL: nobody listens */
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct heap timers;
	struct row_list rows; /* of a table: empty, what the windows' lists are copied from */
	bool keep_rows;
	int64_t kept; /* rows so far */
	int64_t wm_ms;
	struct value *key, *result;
	struct group *none; /* NULL */
};

static struct open_window *window_of(const struct session_agg *agg, struct group *group)
{
	return group_extra(&agg->shape, group);
}

static struct timer timer_of(const struct session_agg *agg, struct group *group)
{
	return (struct timer){.time_ms = window_timer_ms(&agg->spec->window, group->end_ms),
		.key = group->key,
		.start_ms = window_of(agg, group)->start_ms,
		.end_ms = group->end_ms};
}

static int set_timer(struct session_agg *agg, struct group *group)
{
	bool added = false;
	int err = heap_push(&agg->timers, timer_of(agg, group), &added);

	if (added)
		key_hold(group->key);
	return err;
}

static void drop_timer(struct session_agg *agg, struct timer timer)
{
	if (heap_remove(&agg->timers, timer))
		key_release(&agg->keys, timer.key);
}

static void free_window(struct session_agg *agg, struct group *group)
{
	if (agg->keep_rows)
		row_list_clear(&window_of(agg, group)->rows);
	group_free(&agg->shape, group);
}

/* Does the row's window meet this one: a session that it overlaps or touches, or the very
 * window? */
static bool meets(const struct session_agg *agg, struct group *group, struct window_span span)
{
	int64_t start_ms = window_of(agg, group)->start_ms;

	if (agg->spec->window.kind == WINDOW_SESSION)
		return start_ms <= span.end_ms && group->end_ms >= span.start_ms;
	return start_ms == span.start_ms;
}

/* The place in the key's list of windows where the next one that is met hangs; of NULL: there is
 * none. */
static struct group **next_met(struct session_agg *agg, struct group **at, struct window_span span)
{
	while (*at && !meets(agg, *at, span)) {
		if ((*at)->end_ms < span.start_ms) /* as do those behind it */
			return &agg->none;
		at = &window_of(agg, *at)->next;
	}
	return at;
}

static void put_in_list(struct session_agg *agg, struct key *key, struct group *group)
{
	struct group **at = &key->windows;

	while (*at && window_of(agg, *at)->start_ms > window_of(agg, group)->start_ms)
		at = &window_of(agg, *at)->next;
	window_of(agg, group)->next = *at;
	*at = group;
}

/* What the row's window and all that it meets cover. */
static struct window_span cover(struct session_agg *agg, struct key *key, struct window_span span)
{
	struct window_span all = span;
	struct group **at = next_met(agg, &key->windows, span);

	for (; *at; at = next_met(agg, &window_of(agg, *at)->next, span)) {
		if (window_of(agg, *at)->start_ms < all.start_ms)
			all.start_ms = window_of(agg, *at)->start_ms;
		if ((*at)->end_ms > all.end_ms)
			all.end_ms = (*at)->end_ms;
	}
	return all;
}

static struct group *open_window(struct session_agg *agg, struct key *key)
{
	struct group *group = group_new(&agg->shape, key, 0);

	if (group && agg->keep_rows)
		window_of(agg, group)->rows = agg->rows;
	return group;
}

static int merge_window(struct session_agg *agg, struct group *into, struct group *from)
{
	const struct observer *observer = agg->observer;
	int err = group_merge(&agg->shape, into, from);

	if (observer)
		observer->session_merged(
			observer->ctx, window_of(agg, from)->token, window_of(agg, into)->token);
	if (err == 0 && agg->keep_rows)
		err = row_list_move(&window_of(agg, into)->rows, &window_of(agg, from)->rows);
	free_window(agg, from);
	return err;
}

/* The new window's timer is set before those of the windows that went into it are removed. */
static int replace_timer(struct session_agg *agg, struct group *group, struct timer old)
{
	struct timer now = timer_of(agg, group);
	int err = set_timer(agg, group);

	if (err == 0 && old.key && (old.start_ms != now.start_ms || old.end_ms != now.end_ms))
		drop_timer(agg, old);
	return err;
}

/* The inverse of an odd number modulo 2^32: each step doubles the bits that are right, x^3 has
 * four. */
static uint32_t inverse(uint32_t odd)
{
	uint32_t x = odd * odd * odd;

	for (int i = 0; i < 3; i++)
		x *= 2 - odd * x;
	return x;
}

/* Flink merges the windows in the order of a Java hash set, which has 16 places at first. */
static uint32_t place_in_set(struct session_agg *agg, struct group *group)
{
	uint32_t start = (uint32_t)window_of(agg, group)->start_ms, end = (uint32_t)group->end_ms;
	uint32_t hash = start + inverse((end << 1) + 1);

	return (hash ^ hash >> 16) & 15;
}

/* Which of the windows that a row meets takes the others in: there are two at most, one before it
 * and one behind it. */
static struct group **first_met(struct session_agg *agg, struct key *key, struct window_span span)
{
	struct group **at = next_met(agg, &key->windows, span), **other;
	uint32_t place, other_place;

	if (!*at)
		return at;
	other = next_met(agg, &window_of(agg, *at)->next, span);
	if (!*other)
		return at;
	place = place_in_set(agg, *at);
	other_place = place_in_set(agg, *other);
	if (place == other_place)
		return window_of(agg, *at)->start_ms > window_of(agg, *other)->start_ms ? at
											: other;
	return place < other_place ? at : other;
}

/* Takes a window that is met out of the list, merges the other into it, and puts it back as the
 * window that covers all. Recorded: more_sim/session_bridge. */
static int join_windows(
	struct session_agg *agg, struct key *key, struct window_span span, struct group **ret)
{
	struct window_span all = cover(agg, key, span);
	struct group **at = first_met(agg, key, span), *group = *at;
	struct timer old = {0};
	int err;

	if (group) {
		old = timer_of(agg, group);
		*at = window_of(agg, group)->next;
	} else {
		group = open_window(agg, key);
		if (!group)
			return -ENOMEM;
	}
	window_of(agg, group)->start_ms = all.start_ms;
	group->end_ms = all.end_ms;
	err = replace_timer(agg, group, old);
	while (err == 0 && *(at = next_met(agg, &key->windows, span))) {
		struct group *other = *at;

		*at = window_of(agg, other)->next;
		drop_timer(agg, timer_of(agg, other));
		err = merge_window(agg, group, other);
	}
	put_in_list(agg, key, group);
	*ret = group;
	return err;
}

static struct window_span row_span(const struct session_agg *agg, int64_t time_ms)
{
	const struct window *window = &agg->spec->window;
	struct window_span span = {time_ms, time_ms + window->size_ms};

	if (window->kind != WINDOW_SESSION)
		window_first(window, time_ms, &span);
	return span;
}

/* A session prints its rows as they came, also those of two that became one. */
static int keep_row(struct session_agg *agg, struct row_list *rows, const struct value *cells,
	struct window_span span)
{
	int err = row_list_add(rows, cells, span);

	if (err == 0)
		rows->rows[rows->count - 1]->number = agg->kept++;
	return err;
}

/* Tells which session has taken a row. */
static int tell_session(struct session_agg *agg, struct group *group)
{
	const struct observer *observer = agg->observer;
	struct open_window *window = window_of(agg, group);
	struct window_span span = {window->start_ms, group->end_ms};

	return observer->session(observer->ctx, &window->token, span);
}

static int add_row(struct session_agg *agg, struct key *key, const struct value *cells)
{
	const struct window *window = &agg->spec->window;
	struct window_span span = row_span(agg, window_local_ms(window, cells[agg->spec->time].i));
	struct group *group;
	int err;

	if (span.end_ms <= 0 && agg->spec->key_count) {
		agg->run->refused = EARLY_WINDOW;
		return -ENOTSUP;
	}
	if (window_closed(window, cover(agg, key, span).end_ms, agg->wm_ms)) {
		agg->run->rows_dropped++;
		return 0;
	}
	err = join_windows(agg, key, span, &group);
	if (err == 0 && agg->observer)
		err = tell_session(agg, group);
	if (err == 0 && agg->keep_rows)
		err = keep_row(agg, &window_of(agg, group)->rows, cells, span);
	return err ? err : group_add(&agg->shape, group, cells);
}

static int session_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct session_agg *agg = (struct session_agg *)op;
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

static int print_rows(struct session_agg *agg, const struct row_list *rows, struct window_span span)
{
	int err = 0;

	for (size_t i = 0; i < rows->count && err == 0; i++) {
		struct value *added = &agg->result[rows->width];

		memcpy(agg->result, rows->rows[i]->cells, rows->width * sizeof(struct value));
		added[0] = (struct value){.i = span.start_ms};
		added[1] = (struct value){.i = span.end_ms};
		added[2] = (struct value){.i = window_time_ms(&agg->spec->window, span.end_ms)};
		err = op_row(agg->op.down, OP_INSERT, agg->result);
	}
	return err;
}

/* Prints the window and forgets it. */
static int fire(struct session_agg *agg, struct timer timer)
{
	struct window_span span = {timer.start_ms, timer.end_ms};
	struct group **at = &timer.key->windows, *group;
	int err;

	while (*at &&
		((*at)->end_ms != span.end_ms || window_of(agg, *at)->start_ms != span.start_ms))
		at = &window_of(agg, *at)->next;
	group = *at;
	if (!group)
		return 0;
	*at = window_of(agg, group)->next;
	if (agg->observer)
		agg->observer->session_closed(
			agg->observer->ctx, window_of(agg, group)->token, span);
	if (agg->keep_rows) {
		err = print_rows(agg, &window_of(agg, group)->rows, span);
	} else {
		window_agg_result(agg->spec, group, span, agg->result);
		err = op_row(agg->op.down, OP_INSERT, agg->result);
	}
	free_window(agg, group);
	return err;
}

static int session_watermark(struct op *op, int64_t wm_ms)
{
	struct session_agg *agg = (struct session_agg *)op;
	const struct timer *top;
	int err = 0;

	agg->wm_ms = wm_ms;
	while (err == 0 && (top = heap_top(&agg->timers)) && top->time_ms <= wm_ms) {
		struct timer timer = heap_pop(&agg->timers);

		err = fire(agg, timer);
		key_release(&agg->keys, timer.key);
	}
	return err ? err : op_watermark(op->down, wm_ms);
}

static struct session_agg *new_agg(
	struct arena *arena, const struct window_agg_spec *spec, struct run *run, struct op *down)
{
	struct session_agg *agg = ARENA_NEW(arena, struct session_agg);

	if (!agg)
		return NULL;
	*agg = (struct session_agg){.op = {session_row, session_watermark, down},
		.spec = spec,
		.run = run,
		.observer = spec->window.kind == WINDOW_SESSION ? run->observer : NULL,
		.wm_ms = WATERMARK_NONE};
	pool_init(&agg->pool, arena);
	key_table_init(&agg->keys, &agg->pool, spec->key_types, spec->key_count);
	agg->shape = (struct group_shape){
		&agg->pool, &agg->keys, spec->calls, spec->call_count, sizeof(struct open_window)};
	heap_init(&agg->timers, &agg->pool);
	agg->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	agg->result =
		arena_array(arena, spec->key_count + spec->call_count + 3, sizeof(struct value));
	return agg->key && agg->result ? agg : NULL;
}

struct op *session_agg_new(
	struct arena *arena, const struct window_agg_spec *spec, struct run *run, struct op *down)
{
	struct session_agg *agg = new_agg(arena, spec, run, down);

	return agg ? &agg->op : NULL;
}

struct op *session_tvf_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	const struct plan_window *tvf = &plan->tvf;
	struct window_agg_spec *spec = ARENA_NEW(arena, struct window_agg_spec);
	struct sql_type *types = arena_array(arena, tvf->key_count + 1, sizeof(*types));
	struct session_agg *agg;

	if (!spec || !types)
		return NULL;
	for (size_t i = 0; i < tvf->key_count; i++)
		types[i] = plan->input->columns[tvf->keys[i]].type;
	*spec = (struct window_agg_spec){.window = tvf->window,
		.time = tvf->time,
		.keys = tvf->keys,
		.key_types = types,
		.key_count = tvf->key_count};
	agg = new_agg(arena, spec, run, down);
	if (!agg)
		return NULL;
	agg->keep_rows = true;
	row_list_init(&agg->rows, &agg->pool, plan->input->columns, plan->input->column_count);
	agg->result = arena_array(arena, plan->column_count, sizeof(struct value));
	return agg->result ? &agg->op : NULL;
}

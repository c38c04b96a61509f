/* Story: rows wait in a ring until the last of their windows has closed, or until the ring is
 * full. A session is found again by a node that its rows and the session itself share: memory is
 * O(open sessions + rows that wait). */
#include "sim/story.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "sim/story_closings.h"

/* A row that waits. */
struct held_row {
	struct observed_row seen;
	enum row_kind kind;
	bool late;
	int64_t timer_ms;	      /* of the watermark that closes its last window */
	struct session_node *session; /* NULL: none took it */
};

struct story {
	const struct story_options *options;
	struct writer *out;
	struct pool pool;
	struct observed_plan about;
	struct window window; /* its own: the plan is gone when the last rows are told */
	struct story_clock clock;
	struct story_totals totals;
	bool begun, headed;
	bool shown; /* a row was */

	struct held_row *held; /* a ring */
	size_t first_held, held_count;

	struct closings closings;
	struct session_node *row_session; /* of the row under way */
};

struct closer story_closer(const struct story *story, int64_t end_ms)
{
	return closings_find(&story->closings, window_timer_ms(story->about.window, end_ms));
}

/* ---- sessions ---- */

static int take_session(void *ctx, void **token, struct window_span span)
{
	struct story *story = ctx;
	struct session_node *node = *token;

	if (!node) {
		node = node_new(&story->pool);
		if (!node)
			return -ENOMEM;
		*token = node;
	}
	node->span = span;
	story->row_session = node;
	return 0;
}

static void merge_sessions(void *ctx, void *from, void *into)
{
	struct session_node *node = from, *whole = into;

	if (!node || !whole)
		return;
	whole->refs++;
	node->into = whole;
	node_release(&((struct story *)ctx)->pool, node);
}

static void close_session(void *ctx, void *token, struct window_span span)
{
	struct story *story = ctx;
	struct session_node *node = token;

	node->span = span;
	node->closed = true;
	node->closer = story_closer(story, span.end_ms);
	node_release(&story->pool, node);
}

/* ---- what became of a row ---- */

bool story_taken(const struct story_row *row, int64_t number)
{
	return !row->seen.some_windows ||
	       (number < OBSERVED_WINDOWS && (row->seen.taken >> number & 1));
}

/* Of windows in the order of their ends those that are closed come first. */
static int64_t count_closed(const struct story *story, const struct story_row *row)
{
	int64_t low = 0, high = row->windows.count;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		int64_t end_ms = window_row_at(&row->windows, middle).end_ms;

		if (window_closed(story->about.window, end_ms, row->seen.wm_ms))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Counts the windows that no WHERE took out, and of them the closed ones; gives the last of
 * both. */
static void count_windows(
	const struct story *story, struct story_row *row, int64_t *last, int64_t *last_closed)
{
	int64_t closed = 0;

	if (story->about.judge == JUDGE_WINDOW)
		closed = count_closed(story, row);
	*last = row->windows.count - 1;
	*last_closed = closed - 1;
	row->taken = row->windows.count;
	row->closed = closed;
	if (!row->seen.some_windows)
		return;
	row->taken = row->closed = 0;
	*last = *last_closed = -1;
	for (int64_t i = 0; i < row->windows.count; i++) {
		if (!story_taken(row, i))
			continue;
		row->taken++;
		*last = i;
		row->closed += i < closed;
		if (i < closed)
			*last_closed = i;
	}
}

/* Fills in the windows, with who closed them as far as that is known by now. */
static void add_windows(const struct story *story, struct story_row *row)
{
	int64_t last, last_closed;

	if (!row->seen.windowed || row->seen.untimed || story->about.window->kind == WINDOW_SESSION)
		return;
	row->windows = window_row_of(story->about.window, row->seen.local_ms);
	count_windows(story, row, &last, &last_closed);
	if (last >= 0)
		row->last = story_closer(story, window_row_at(&row->windows, last).end_ms);
	if (last_closed >= 0)
		row->last_closed =
			story_closer(story, window_row_at(&row->windows, last_closed).end_ms);
}

static enum row_kind kind_of(const struct story *story, const struct story_row *row)
{
	const struct observed_row *seen = &row->seen;

	if (seen->windowed && (seen->untimed || (story->about.window->kind != WINDOW_SESSION &&
							row->windows.count == 0)))
		return ROW_OUTSIDE;
	if (!seen->arrived)
		return ROW_FILTERED;
	if (story->about.judge != JUDGE_WINDOW)
		return seen->dropped ? ROW_DROPPED : ROW_COUNTED;
	if (row->closed == 0)
		return ROW_COUNTED;
	return row->closed < row->taken ? ROW_PARTLY : ROW_DROPPED;
}

/* ---- waiting and printing ---- */

static bool has_start(const struct story_row *row, const struct start_wanted *wanted)
{
	for (int64_t i = 0; i < row->windows.count; i++)
		if (story_taken(row, i) &&
			story_start_matches(wanted, window_row_at(&row->windows, i).start_ms))
			return true;
	return false;
}

static bool is_wanted(const struct story *story, const struct held_row *held)
{
	const struct story_options *options = story->options;
	unsigned kinds = 1u << held->kind | (held->late ? ONLY_LATE : 0);

	if (options->row && options->row != held->seen.number)
		return false;
	return !options->only || (options->only & kinds);
}

/* The row's own session where it was dropped: no other took it. */
static void add_session(
	const struct story *story, struct story_row *row, const struct session_node *node)
{
	const struct observed_row *seen = &row->seen;

	if (story->about.judge != JUDGE_SESSION || !seen->arrived)
		return;
	row->windows.count = row->taken = 1;
	if (!node) {
		row->windows.first = (struct window_span){
			seen->local_ms, seen->local_ms + story->about.window->size_ms};
		row->closed = 1;
		row->last = story_closer(story, row->windows.first.end_ms);
		row->last_closed = row->last;
		return;
	}
	node = node_root(node);
	row->windows.first = node->span;
	if (node->closed)
		row->last = node->closer;
}

static void print_header(struct story *story)
{
	if (!story->headed && !story->options->json)
		story_print_header(story->out, &story->clock);
	story->headed = true;
}

static void print_row(struct story *story, const struct held_row *held)
{
	struct story_row row = {.seen = held->seen, .kind = held->kind, .late = held->late};

	add_windows(story, &row);
	add_session(story, &row, held->session);
	if (story->options->start.set && !has_start(&row, &story->options->start))
		return;
	print_header(story);
	story->shown = true;
	if (story->options->json)
		story_json_row(story->out, story, &story->clock, &story->about, &row);
	else
		story_print_row(story->out, &story->clock, &story->about, &row);
}

static void release_first(struct story *story)
{
	struct held_row *held = &story->held[story->first_held];

	print_row(story, held);
	node_release(&story->pool, held->session);
	story->first_held = (story->first_held + 1) % STORY_HELD;
	story->held_count--;
}

static bool is_known(const struct story *story, const struct held_row *held)
{
	return held->session ? node_root(held->session)->closed
			     : held->timer_ms <= story->closings.wm_ms;
}

static void release_known(struct story *story)
{
	while (story->held_count && is_known(story, &story->held[story->first_held]))
		release_first(story);
}

static void hold(struct story *story, const struct held_row *held)
{
	if (held->session)
		held->session->refs++;
	if (story->held_count == STORY_HELD)
		release_first(story);
	story->held[(story->first_held + story->held_count++) % STORY_HELD] = *held;
	release_known(story);
}

/* Without a window, or with closed ones alone, a line is known at once. */
static int64_t known_from(const struct story *story, const struct story_row *row)
{
	int64_t last = row->windows.count - 1;

	while (last > 0 && !story_taken(row, last))
		last--;
	if (last < 0 || story->about.judge != JUDGE_WINDOW || row->kind == ROW_DROPPED)
		return WATERMARK_NONE;
	return window_timer_ms(story->about.window, window_row_at(&row->windows, last).end_ms);
}

static void note_day(struct story *story, const struct observed_row *seen)
{
	struct story_clock *clock = &story->clock;
	int64_t ms_of_day, day;

	if (!seen->has_time)
		return;
	day = calendar_split_ms(zone_local_ms(clock->zone, seen->time_ms), &ms_of_day);
	if (!clock->has_day)
		clock->day = day;
	clock->has_day = true;
	clock->millis |= ms_of_day % MS_PER_SECOND != 0;
}

static void count_row(struct story *story, const struct held_row *held)
{
	story->totals.kinds[held->kind]++;
	if (held->late)
		story->totals.late_kinds[held->kind]++;
}

static int take_row(void *ctx, const struct observed_row *seen)
{
	struct story *story = ctx;
	struct story_row row = {.seen = *seen};
	struct held_row held = {.seen = *seen, .session = story->row_session};

	story->row_session = NULL;
	story->totals.in++;
	note_day(story, seen);
	add_windows(story, &row);
	row.kind = held.kind = kind_of(story, &row);
	if (story->about.judge == JUDGE_WINDOW && seen->dropped != (row.kind == ROW_DROPPED))
		return -EPROTO;
	held.late = story->about.has_watermark && seen->has_time && seen->wm_ms != WATERMARK_NONE &&
		    seen->time_ms <= seen->wm_ms;
	held.timer_ms = known_from(story, &row);
	count_row(story, &held);
	if (is_wanted(story, &held))
		hold(story, &held);
	return story->out->err;
}

static int take_watermark(void *ctx, int64_t wm_ms)
{
	struct story *story = ctx;

	closings_note(&story->closings, story->about.window, wm_ms, story->totals.in);
	release_known(story);
	return story->out->err;
}

static bool divides(int64_t unit_ms, const struct window *window)
{
	return window->size_ms % unit_ms == 0 && window->step_ms % unit_ms == 0 &&
	       window->offset_ms % unit_ms == 0;
}

/* How exactly the bounds of windows are written. */
static int digits_of(const struct window *window)
{
	if (window->kind == WINDOW_SESSION)
		return 8;
	if (divides(MS_PER_MINUTE, window))
		return 5;
	return divides(MS_PER_SECOND, window) ? 8 : 12;
}

static int begin(void *ctx, const struct observed_plan *about)
{
	struct story *story = ctx;

	story->about = *about;
	story->begun = true;
	story->clock.zone = about->zone;
	story->clock.window_width = (int)strlen("window");
	if (!about->window)
		return 0;
	story->window = *about->window;
	story->about.window = &story->window;
	story->clock.window_digits = digits_of(about->window);
	story->clock.window_width = 2 * story->clock.window_digits + (int)strlen("-");
	story->clock.several =
		about->window->kind == WINDOW_HOP || about->window->kind == WINDOW_CUMULATE;
	if (story->clock.several)
		story->clock.window_width += (int)strlen(" (12)");
	return 0;
}

struct story *story_new(
	struct arena *arena, const struct story_options *options, struct writer *out)
{
	struct story *story = ARENA_NEW(arena, struct story);

	if (!story)
		return NULL;
	*story = (struct story){.options = options,
		.out = out,
		.clock.words = options->json ? NULL : options->words,
		.held = arena_array(arena, STORY_HELD, sizeof(struct held_row))};
	pool_init(&story->pool, arena);
	return story->held && closings_init(&story->closings, arena) == 0 ? story : NULL;
}

struct observer story_observer(struct story *story)
{
	return (struct observer){begin, take_row, take_watermark, take_session, merge_sessions,
		close_session, story};
}

/* Sums are of all rows: somebody who asked for one row, or for one window, did not ask for them. */
static bool asks_for_a_part(const struct story_options *options)
{
	return options->row || options->start.set;
}

int story_finish(struct story *story)
{
	const struct story_totals *totals = asks_for_a_part(story->options) ? NULL : &story->totals;

	if (!story->begun)
		return story->out->err;
	while (story->held_count)
		release_first(story);
	print_header(story);
	if (story->options->row > story->totals.in && !story->options->json)
		story_print_no_row(story->out, story->clock.words, story->options->row);
	else if (story->options->start.set && !story->shown && !story->options->json)
		story_print_no_start(story->out, story->clock.words);
	if (story->options->json)
		story_json_totals(story->out, &story->about, totals);
	else
		story_print_totals(story->out, story->clock.words, &story->about, totals);
	return story->out->err;
}

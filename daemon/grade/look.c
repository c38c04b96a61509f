/* Look: both queries run once more, and each row's fate is noted: taken out, dropped, or counted
 * in how many of its windows. The first difference in the window that is off is the one to look
 * at. */
#include "daemon/grade/look.h"

#include <errno.h>
#include <string.h>

#include "daemon/grade/diagnose.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/saved.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/explain.h"

struct fate {
	bool arrived, dropped, windowed;
	int64_t closed;		   /* of its windows, when it came */
	struct window_row windows; /* count 0: none that are known at once */
	int64_t local_ms;	   /* where a session may start */
	bool has_time;
	int64_t time_ms;
};

/* The fates of all rows of one query. */
struct fates {
	struct arena *arena;
	struct observed_plan about;
	struct fate *items;
	size_t count, room;
};

/* ---- watching ---- */

static int begin(void *ctx, const struct observed_plan *about)
{
	struct fates *fates = ctx;

	fates->about = *about;
	return 0;
}

/* Of windows in the order of their ends those that are closed come first. */
static int64_t count_closed(
	const struct fates *fates, const struct window_row *windows, int64_t wm_ms)
{
	int64_t low = 0, high = fates->about.judge == JUDGE_WINDOW ? windows->count : 0;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (window_closed(
			    fates->about.window, window_row_at(windows, middle).end_ms, wm_ms))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int take_row(void *ctx, const struct observed_row *seen)
{
	struct fates *fates = ctx;
	struct fate fate = {.arrived = seen->arrived,
		.dropped = seen->dropped,
		.has_time = seen->has_time,
		.time_ms = seen->has_time ? seen->time_ms : 0};

	if (fates->count == LIMIT_LOOK_ROWS)
		return -E2BIG;
	if (arena_grow(fates->arena, &fates->items, fates->count, &fates->room,
		    sizeof(*fates->items)) < 0)
		return -ENOMEM;
	if (seen->windowed && !seen->untimed && fates->about.window) {
		fate.windowed = true;
		fate.local_ms = seen->local_ms;
		if (fates->about.window->kind != WINDOW_SESSION)
			fate.windows = window_row_of(fates->about.window, seen->local_ms);
		fate.closed = count_closed(fates, &fate.windows, seen->wm_ms);
	}
	fates->items[fates->count++] = fate;
	return 0;
}

static int take_watermark(void *ctx, int64_t wm_ms)
{
	(void)ctx;
	(void)wm_ms;
	return 0;
}

static int take_session(void *ctx, void **token, struct window_span span)
{
	(void)span;
	*token = ctx;
	return 0;
}

static void merge_sessions(void *ctx, void *from, void *into)
{
	(void)ctx;
	(void)from;
	(void)into;
}

static void close_session(void *ctx, void *token, struct window_span span)
{
	(void)ctx;
	(void)token;
	(void)span;
}

/* 0; -ENOENT: not all rows could be watched; -ENOMEM. */
static int watch(struct arena *arena, const struct grader *grader, struct text sql, int64_t select,
	struct fates *ret)
{
	const struct observing what = {.select = select, .steps = LIMIT_LOOK_STEPS};
	struct fates fates = {.arena = arena};
	const struct observer observer = {begin, take_row, take_watermark, take_session,
		merge_sessions, close_session, &fates};
	struct diag diag = {0};
	int err = observe_script(arena, &what, sql, grader->data, &observer, &diag);

	if (err == -ENOMEM)
		return err;
	*ret = fates;
	return err || !fates.count ? -ENOENT : 0;
}

/* ---- choosing ---- */

static bool differ(const struct fate *a, const struct fate *b)
{
	return a->arrived != b->arrived || a->dropped != b->dropped ||
	       (a->arrived && a->closed != b->closed);
}

/* Are these the same rows in the same order, as far as their times tell? Else no row of one is
 * the other's. */
static bool same_rows(const struct fates *mine, const struct fates *asked)
{
	bool same = mine->count == asked->count;

	for (size_t i = 0; same && i < mine->count; i++)
		same = mine->items[i].has_time == asked->items[i].has_time &&
		       mine->items[i].time_ms == asked->items[i].time_ms;
	return same;
}

/* Is it in a window of that start? Of a session it may be the first row. */
static bool is_in(const struct fate *fate, const struct start_wanted *start)
{
	const struct window_row *windows = &fate->windows;
	int64_t from_ms = start->ms - windows->first.start_ms, step_ms = windows->start_step_ms;

	if (!windows->count)
		return fate->windowed && fate->local_ms == start->ms;
	if (step_ms == 0 || from_ms < 0)
		return from_ms == 0;
	return from_ms % step_ms == 0 && from_ms / step_ms < windows->count;
}

static int64_t find_row(
	const struct fates *mine, const struct fates *asked, const struct start_wanted *start)
{
	for (size_t i = 0; i < mine->count; i++) {
		const struct fate *a = &mine->items[i], *b = &asked->items[i];
		if (differ(a, b) && (!start->set || is_in(a, start) || is_in(b, start)))
			return (int64_t)i + 1;
	}
	return 0;
}

static bool has_window(const struct fates *mine, const struct start_wanted *start)
{
	for (size_t i = 0; i < mine->count; i++)
		if (is_in(&mine->items[i], start))
			return true;
	return false;
}

static void choose(
	const struct fates *mine, const struct fates *asked, struct text window, struct look *ret)
{
	struct start_wanted start = {0};

	/* What is printed of a window has its day; the first cell of another row is no time as a
	 * rule. */
	if (!story_start(window, &start) || !start.has_day)
		start.set = false;
	if (same_rows(mine, asked))
		ret->row = find_row(mine, asked, &start);
	if (!ret->row && start.set && window.len < sizeof(ret->window) && has_window(mine, &start))
		memcpy(ret->window, window.ptr, window.len);
}

/* The first place that is off. */
static const struct evidence *first_evidence(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->evidence_count; i++)
		if (verdict->evidence[i].table)
			return &verdict->evidence[i];
	return NULL;
}

/* Which SELECT of the learner's is the asked table's, from 1; 0: it cannot be told. */
static int64_t own_select(const struct grading *g, int64_t table)
{
	int64_t count = 0;

	for (size_t i = 0; i < g->script.count; i++)
		count += g->script.results[i].kind == STMT_SELECT;
	if (!g->script.whole || table > (int64_t)g->expected->count)
		return 0;
	if (count == (int64_t)g->expected->count)
		return table;
	return count == 1 ? 1 : 0;
}

static int look_at(const struct grading *g, const struct evidence *evidence, struct look *ret)
{
	int64_t table = evidence ? evidence->table : 1, select = own_select(g, table);
	struct text sql = g->submission->sql.bytes;
	struct fates mine, asked;
	struct look look = {0};
	int err = select ? watch(g->arena, g->grader, sql, select, &mine) : -ENOENT;

	if (err == 0)
		err = watch(g->arena, g->grader, g->expected->sql, table, &asked);
	if (err)
		return err == -ENOMEM ? err : 0;
	choose(&mine, &asked, evidence ? evidence->window_start : TEXT(""), &look);
	look.select = g->expected->count > 1 ? select : 0;
	*ret = look;
	return 0;
}

bool look_found(const struct look *look)
{
	return look->row || look->window[0];
}

int look_find(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, const struct verdict *verdict, struct look *ret,
	struct diag *reterr)
{
	struct grading g = {.arena = arena,
		.grader = grader,
		.step = &grader->lab->steps[step],
		.expected = &grader->expected[step],
		.submission = &submissions[step]};
	struct causes causes;
	struct saved saved;
	struct diag diag = {0};
	int err;

	*ret = (struct look){0};
	if (g.step->kind != STEP_TABLES || g.submission->sql.state != FILE_THERE ||
		g.submission->out.bytes.len > LIMIT_DIAGNOSE_BYTES || g.expected->count == 0 ||
		g.expected->results[0]->facts.rows_in > LIMIT_LOOK_ROWS)
		return 0;
	causes_init(&causes, arena);
	findings_init(&g.findings, arena);
	err = grading_read(&g, &diag);
	if (err == 0)
		err = saved_find(&g, &saved);
	if (err == 0 && g.has_script && saved_yielded(&g, &saved, &causes))
		err = look_at(&g, first_evidence(verdict), ret);
	return err == -ENOMEM || causes.nomem ? diag_nomem(reterr) : 0;
}

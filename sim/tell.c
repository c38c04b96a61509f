/* Telling: which operator judges, what it did with a row, and which watermark the row saw. An
 * operator of ours stands behind the source, one in front of a window function, and one in front
 * of the judge; that a row was dropped is what the judge itself counted (run->rows_dropped,
 * run->rows_late). Sessions are told by session_agg.c, since only it knows which one takes a row.
 * That a late row is dropped per window, and when: semantics/hop_02, semantics/cumulate_02,
 * semantics/boundary_ms. */
#include "sim/tell.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/facts.h"

/* ---- windows by number ---- */

struct window_row window_row_of(const struct window *window, int64_t local_ms)
{
	struct window_row row = {.end_step_ms = window->step_ms, .count = 1};
	int64_t floor_ms = window_floor(local_ms, window->offset_ms, window->step_ms);
	int64_t room_ms = window->size_ms - (local_ms - floor_ms);

	if (window->kind == WINDOW_CUMULATE) {
		row.first.start_ms = window_floor(local_ms, window->offset_ms, window->size_ms);
		row.first.end_ms = floor_ms + window->step_ms;
		row.count = (row.first.start_ms + window->size_ms - floor_ms) / window->step_ms;
		return row;
	}
	row.count = room_ms > 0 ? (room_ms - 1) / window->step_ms + 1 : 0;
	row.start_step_ms = window->step_ms;
	row.first.start_ms = floor_ms - (row.count - 1) * window->step_ms;
	row.first.end_ms = row.first.start_ms + window->size_ms;
	return row;
}

struct window_span window_row_at(const struct window_row *row, int64_t number)
{
	return (struct window_span){row->first.start_ms + number * row->start_step_ms,
		row->first.end_ms + number * row->end_step_ms};
}

/* ---- who judges ---- */

/* A relation whose rows are the source's, some of them several times. */
static bool passes_rows(const struct plan *plan)
{
	switch (plan->kind) {
	case PLAN_SCAN:
	case PLAN_FILTER:
	case PLAN_PROJECT:
	case PLAN_EXPAND: return true;
	case PLAN_WINDOW: return plan->tvf.window.kind != WINDOW_SESSION;
	default: return false;
	}
}

static bool is_session(const struct plan *plan)
{
	if (plan->kind == PLAN_WINDOW)
		return plan->tvf.window.kind == WINDOW_SESSION;
	return plan->kind == PLAN_WINDOW_AGG && plan->agg.spec.window.kind == WINDOW_SESSION;
}

/* Takes it rows by the end of a window that they carry? */
static bool by_attached(const struct plan *plan)
{
	if (plan->kind == PLAN_RANK)
		return plan->rank.windowed;
	return plan->kind == PLAN_WINDOW_AGG && plan->agg.spec.window.kind == WINDOW_ATTACHED;
}

static enum judge judge_of(const struct plan *judge, bool batch)
{
	if (!judge || batch)
		return JUDGE_NONE;
	if (is_session(judge))
		return JUDGE_SESSION;
	if (judge->kind == PLAN_WINDOW_AGG || by_attached(judge))
		return JUDGE_WINDOW;
	if (judge->kind == PLAN_SORT)
		return JUDGE_SORT;
	return plan_first_by_time(judge) ? JUDGE_LATE : JUDGE_NONE;
}

static const struct window *window_of(const struct tell *tell)
{
	const struct plan *judge = tell->judge;

	if (tell->tvf)
		return &tell->tvf->tvf.window;
	if (!judge)
		return NULL;
	if (judge->kind == PLAN_WINDOW)
		return &judge->tvf.window;
	return judge->kind == PLAN_WINDOW_AGG ? &judge->agg.spec.window : NULL;
}

/* Looks at the plan from the sink down to the source. */
static void look_through(struct tell *tell, const struct plan *plan)
{
	for (const struct plan *node = plan; node; node = node->input)
		if (!passes_rows(node))
			tell->judge = node;
	for (const struct plan *node = plan; node != tell->judge && tell->judge; node = node->input)
		tell->about.goes_on |= node->kind != PLAN_PROJECT;
	if (tell->judge)
		tell->about.goes_on |=
			tell->judge->kind == PLAN_RANK || tell->judge->kind == PLAN_LIMIT;
	for (const struct plan *node = tell->judge ? tell->judge->input : plan; node;
		node = node->input) {
		tell->about.filtered |= node->kind == PLAN_FILTER;
		tell->sifted |= node->kind == PLAN_FILTER && !tell->tvf;
		if (node->kind == PLAN_WINDOW)
			tell->tvf = node;
	}
	tell->sifted &= tell->tvf != NULL;
}

struct tell *tell_new(struct arena *arena, const struct plan *plan, bool batch,
	const struct zone *zone, struct run *run)
{
	struct tell *tell = ARENA_NEW(arena, struct tell);

	if (!tell)
		return NULL;
	*tell = (struct tell){
		.arena = arena, .run = run, .source = plan_source(plan), .wm_ms = WATERMARK_NONE};
	if (!tell->source)
		return tell;
	look_through(tell, plan);
	tell->about.batch = batch;
	tell->about.judge = judge_of(tell->judge, batch);
	tell->about.has_watermark = tell->source->scan.has_rowtime;
	tell->about.window = window_of(tell);
	tell->about.zone = zone;
	tell->about.reads_watermark = facts_late_filter(plan) == LATE_FILTER_ROWS;
	return tell;
}

/* ---- operators ---- */

struct watcher {
	struct op op;
	struct tell *tell;
	size_t time; /* the column of the rowtime, of a window's time, or of its end */
	bool timed;
};

static int pass_watermark(struct op *op, int64_t wm_ms)
{
	return op_watermark(op->down, wm_ms);
}

/* Behind the source: a row begins and ends. */
static int source_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct watcher *watcher = (struct watcher *)op;
	struct tell *tell = watcher->tell;
	const struct observer *observer = tell->run->observer;
	int err;

	tell->row = (struct observed_row){.number = tell->run->rows_in, .wm_ms = tell->wm_ms};
	if (watcher->timed && !cells[watcher->time].null) {
		tell->row.has_time = true;
		tell->row.time_ms = cells[watcher->time].i;
	}
	err = op_row(op->down, kind, cells);
	if (err == 0)
		err = observer->row(observer->ctx, &tell->row);
	if (err != -EPROTO)
		return err;
	tell->run->refused = "Explaining this row";
	return -ENOTSUP;
}

static int source_watermark(struct op *op, int64_t wm_ms)
{
	struct tell *tell = ((struct watcher *)op)->tell;
	const struct observer *observer = tell->run->observer;
	int err = observer->watermark(observer->ctx, wm_ms);

	tell->wm_ms = wm_ms;
	return err ? err : op_watermark(op->down, wm_ms);
}

static int64_t count_dropped(const struct run *run)
{
	return run->rows_dropped + run->rows_late;
}

/* A zone whose clocks never change, and a window that does not end where Flink looks for one that
 * closes: there rows are lost without being dropped (more_sim/ltz_kathmandu). */
static int check_zone(struct tell *tell, int64_t local_ms)
{
	const struct window *window = tell->about.window;
	int64_t closing_ms;

	if (!window->zone || window->zone->has_rules || window->kind == WINDOW_SESSION)
		return 0;
	closing_ms = window_timer_ms(window, window_slice_end(window, local_ms)) + 1;
	if (window_floor(closing_ms, window->offset_ms, window->step_ms) == closing_ms)
		return 0;
	tell->run->refused = "Explaining windows that this time zone shifts";
	return -ENOTSUP;
}

/* In front of what cuts the time into windows. */
static int cut_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct watcher *watcher = (struct watcher *)op;
	struct tell *tell = watcher->tell;
	const struct value *time = &cells[watcher->time];
	int64_t dropped = count_dropped(tell->run);
	int err = 0;

	tell->row.windowed = true;
	tell->row.untimed = time->null;
	if (!time->null) {
		tell->row.local_ms = window_local_ms(tell->about.window, time->i);
		err = tell->about.batch ? 0 : check_zone(tell, tell->row.local_ms);
	}
	if (err == 0)
		err = op_row(op->down, kind, cells);
	if (!tell->tvf) {
		tell->row.arrived = true;
		tell->row.dropped = count_dropped(tell->run) != dropped;
	}
	return err;
}

/* In front of a judge by the windows that rows carry: it sees a row once a window. */
static int attached_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct watcher *watcher = (struct watcher *)op;
	struct tell *tell = watcher->tell;
	struct observed_row *row = &tell->row;
	struct window_row windows = window_row_of(tell->about.window, row->local_ms);
	int64_t dropped = count_dropped(tell->run);
	int err;
	int64_t number = (cells[watcher->time].i - windows.first.end_ms) / windows.end_step_ms;

	if (tell->sifted && (windows.count > OBSERVED_WINDOWS || number < 0)) {
		tell->run->refused = "Explaining a WHERE over so many windows of a row";
		return -ENOTSUP;
	}
	row->some_windows = tell->sifted;
	if (tell->sifted)
		row->taken |= UINT64_C(1) << number;
	err = op_row(op->down, kind, cells);
	row->dropped = count_dropped(tell->run) != dropped && (row->dropped || !row->arrived);
	row->arrived = true;
	return err;
}

/* In front of any other judge, or of the sink. */
static int arriving_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct tell *tell = ((struct watcher *)op)->tell;
	int64_t dropped = count_dropped(tell->run);
	int err = op_row(op->down, kind, cells);

	tell->row.arrived = true;
	if (count_dropped(tell->run) != dropped)
		tell->row.dropped = true;
	return err;
}

static struct op *watch(struct tell *tell,
	int (*row)(struct op *, enum row_op, const struct value *), size_t time, struct op *down)
{
	struct watcher *watcher = down ? ARENA_NEW(tell->arena, struct watcher) : NULL;

	if (!watcher)
		return NULL;
	*watcher = (struct watcher){.op = {row, pass_watermark, down}, .tell = tell, .time = time};
	return &watcher->op;
}

static struct op *watch_judge(struct tell *tell, const struct plan *judge, struct op *op)
{
	bool attached = tell->tvf && judge && by_attached(judge);

	if (attached && judge->kind == PLAN_RANK && !tell->about.batch)
		return watch(tell, attached_row, judge->rank.window_end, op);
	if (attached && judge->kind == PLAN_WINDOW_AGG)
		return watch(tell, attached_row, judge->agg.spec.time, op);
	if (judge && !tell->tvf && judge->kind == PLAN_WINDOW_AGG)
		return watch(tell, cut_row, judge->agg.spec.time, op);
	return watch(tell, arriving_row, 0, op);
}

struct op *tell_in_front(struct tell *tell, const struct plan *plan, struct op *op)
{
	if (!tell || !tell->source)
		return op;
	if (plan == tell->judge)
		op = watch_judge(tell, plan, op);
	if (plan && plan == tell->tvf)
		op = watch(tell, cut_row, plan->tvf.time, op);
	return op;
}

/* The column that tells the time: the time attribute, or in batch mode what would be it, if it is
 * read. */
static bool time_column(const struct plan *source, size_t *ret)
{
	const struct catalog_entry *table = source->scan.table;

	*ret = source->scan.rowtime;
	if (source->scan.has_rowtime)
		return true;
	for (size_t i = 0; table->has_watermark && i < table->column_count; i++)
		if (text_eq(table->columns[i].name, table->watermark_column)) {
			*ret = i;
			return source->scan.needed[i];
		}
	return false;
}

struct op *tell_source(struct tell *tell, struct op *op)
{
	const struct observer *observer = tell->run->observer;
	struct watcher *watcher;
	size_t time;
	bool timed = time_column(tell->source, &time);
	const struct plan_column *column = &tell->source->columns[time];

	if (!timed || column->type.kind != SQL_TIMESTAMP_LTZ)
		tell->about.zone = NULL;
	op = watch(tell, source_row, time, op);
	if (!op || observer->begin(observer->ctx, &tell->about) < 0)
		return NULL;
	watcher = (struct watcher *)op;
	watcher->timed = timed;
	watcher->op.watermark = source_watermark;
	return op;
}

/* Run: one operator for each relation of the plan, from the sink up to the source. */
#include "sim/run.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/csv_value.h"
#include "parser/diag.h"
#include "sim/batch_agg.h"
#include "sim/batch_rows.h"
#include "sim/calc.h"
#include "sim/connector.h"
#include "sim/dedup.h"
#include "sim/expand.h"
#include "sim/fault.h"
#include "sim/group_agg.h"
#include "sim/pane_agg.h"
#include "sim/rank.h"
#include "sim/session_agg.h"
#include "sim/source.h"
#include "sim/tell.h"
#include "sim/time_sort.h"
#include "sim/top.h"
#include "sim/watermark.h"

struct builder {
	struct arena *arena;
	const struct run_settings *settings;
	struct run *run;
	struct tell *tell; /* NULL: nobody listens */
};

struct sink_op {
	struct op op;
	const struct sim_sink *sink;
};

static int sink_row(struct op *op, enum row_op kind, const struct value *cells)
{
	const struct sim_sink *sink = ((struct sink_op *)op)->sink;

	return sink->row(sink->ctx, kind, cells);
}

static int sink_watermark(struct op *op, int64_t wm_ms)
{
	(void)op;
	(void)wm_ms;
	return 0;
}

static bool has_computed(const struct plan *scan)
{
	for (size_t i = 0; i < scan->column_count; i++)
		if (scan->scan.computed[i] && scan->scan.needed[i])
			return true;
	return false;
}

/* Computed columns that nobody reads are not computed. */
static struct op *build_scan(struct builder *builder, const struct plan *plan, struct op *down)
{
	const struct plan_scan *scan = &plan->scan;
	struct expr **exprs;

	if (builder->tell)
		down = tell_source(builder->tell, down);
	if (down && scan->has_rowtime)
		down = watermark_new(builder->arena, scan->rowtime, scan->watermark,
			builder->settings->interval_ms, builder->run, down);
	if (!down || !has_computed(plan))
		return down;
	exprs = arena_array(builder->arena, plan->column_count, sizeof(*exprs));
	if (!exprs)
		return NULL;
	for (size_t i = 0; i < plan->column_count; i++)
		exprs[i] = scan->needed[i] ? scan->computed[i] : NULL;
	return compute_new(builder->arena, exprs, plan->column_count, builder->run, down);
}

/* Does a WHERE here stand in front of the window? */
static bool in_front(const struct plan *plan)
{
	for (const struct plan *below = plan->input; below; below = below->input)
		if (below->kind == PLAN_WINDOW_AGG || below->kind == PLAN_GROUP_AGG ||
			below->kind == PLAN_WINDOW)
			return false;
	return true;
}

/* Whoever listens is told of each row as it comes, so it is judged as it comes: a plan of one
 * phase drops the same rows (semantics/phase_01). */
static struct op *build_window_agg(
	struct builder *builder, const struct plan *plan, struct op *down)
{
	const struct plan_agg *agg = &plan->agg;

	if (builder->settings->batch)
		return batch_agg_new(builder->arena, plan, builder->run, down);
	if (agg->at_once && agg->spec.window.kind == WINDOW_HOP)
		return pane_agg_new(builder->arena, &agg->spec, builder->run, down);
	if (agg->at_once)
		return session_agg_new(builder->arena, &agg->spec, builder->run, down);
	return window_agg_new(
		builder->arena, &agg->spec, agg->two_phase && !builder->tell, builder->run, down);
}

static struct op *build_op(struct builder *builder, const struct plan *plan, struct op *down)
{
	struct arena *arena = builder->arena;
	struct run *run = builder->run;

	switch (plan->kind) {
	case PLAN_SCAN: return build_scan(builder, plan, down);
	case PLAN_ROW:
	case PLAN_VALUES: return down;
	case PLAN_FILTER:
		return filter_new(arena, plan->condition, run,
			in_front(plan) ? &run->rows_filtered : NULL, down);
	case PLAN_PROJECT: return project_new(arena, plan->exprs, plan->column_count, run, down);
	case PLAN_WINDOW:
		if (plan->tvf.window.kind == WINDOW_SESSION)
			return session_tvf_new(arena, plan, run, down);
		return tvf_new(arena, plan, run, down);
	case PLAN_EXPAND: return expand_new(arena, plan, run, down);
	case PLAN_WINDOW_AGG: return build_window_agg(builder, plan, down);
	case PLAN_GROUP_AGG:
		if (builder->settings->batch)
			return batch_agg_new(arena, plan, run, down);
		return group_agg_new(arena, &plan->agg.spec, down);
	case PLAN_LIMIT: return limit_new(arena, &plan->limit, down);
	case PLAN_SORT:
		if (builder->settings->batch)
			return batch_rows_new(arena, plan, run, down);
		return time_sort_new(arena, plan, run, down);
	case PLAN_RANK:
		if (builder->settings->batch)
			return batch_rows_new(arena, plan, run, down);
		if (plan_first_by_time(plan))
			return dedup_new(arena, plan, run, down);
		if (!plan->rank.windowed)
			return top_new(arena, plan, run, down);
		return rank_new(arena, plan, run, down);
	}
	return NULL;
}

static struct op *build(struct builder *builder, const struct plan *plan, struct op *down)
{
	down = tell_in_front(builder->tell, NULL, down);
	for (; plan && down; plan = plan->input) {
		down = build_op(builder, plan, down);
		if (down)
			down = tell_in_front(builder->tell, plan, down);
	}
	return down;
}

/* ---- what is refused ---- */

static int check_scan(const struct plan *plan, struct diag *reterr)
{
	const struct catalog_entry *table = plan->scan.table;

	if (plan->scan.has_rowtime && !plan->scan.watermark)
		return diag_set(reterr, -ENOTSUP, table->watermark->pos.line,
			table->watermark->pos.col, "This watermark is not simulated.");
	for (size_t i = 0; i < plan->column_count; i++) {
		const struct sql_column *column = &table->columns[i];

		if (plan->scan.needed[i] && (plan->columns[i].type.kind == SQL_OTHER ||
						    column->kind == COLUMN_METADATA))
			return diag_set(reterr, -ENOTSUP, column->pos.line, column->pos.col,
				"The column '%.*s' is not simulated.", TEXT_ARG(column->name));
	}
	return 0;
}

static int check_rank(struct arena *arena, const struct plan *plan, bool batch, struct text *fault,
	struct diag *reterr)
{
	if (plan->rank.bounded || (batch && plan->rank.partition_count <= 1))
		return 0;
	if (!batch && plan->rank.windowed && plan->rank.order_count &&
		plan->rank.order[0].descending)
		return fault_set(arena, fault,
			FAULT_TABLE "The window can only be ordered in ASCENDING mode.");
	return diag_set(reterr, -ENOTSUP, plan->rank.pos.line, plan->rank.pos.col,
		"ROW_NUMBER() without a bound is not simulated.");
}

static int check_node(struct arena *arena, const struct plan *plan, bool batch, struct text *fault,
	struct diag *reterr)
{
	switch (plan->kind) {
	case PLAN_SCAN: return check_scan(plan, reterr);
	case PLAN_RANK: return check_rank(arena, plan, batch, fault, reterr);
	default: return 0;
	}
}

int run_check(struct arena *arena, const struct plan *plan, const struct run_settings *settings,
	struct text *fault, struct diag *reterr)
{
	const struct plan *scan = plan_source(plan);
	int err = 0;

	if (scan && settings->submitted)
		err = connector_check_submitted(arena, scan->scan.table, fault, reterr);
	else if (scan)
		err = connector_check(arena, scan->scan.table, fault, reterr);
	for (; plan && err == 0; plan = plan->input)
		err = check_node(arena, plan, settings->batch, fault, reterr);
	return err;
}

static int run_row(struct op *op)
{
	int err = op_row(op, OP_INSERT, NULL);

	return err ? err : op_watermark(op, WATERMARK_END);
}

static int run_values(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *first)
{
	struct value *cells = arena_array(arena, plan->column_count + 1, sizeof(*cells));
	struct eval eval = {0};
	int err = cells ? 0 : -ENOMEM;

	for (size_t row = 0; row < plan->values.count && err == 0; row++) {
		for (size_t i = 0; i < plan->column_count && err == 0; i++)
			err = expr_eval(plan->values.rows[row][i], &eval, &cells[i]);
		if (err == 0)
			err = op_row(first, OP_INSERT, cells);
	}
	if (err == -EBADMSG && eval.fault)
		run->fault = text_of(eval.fault);
	if (eval.beyond)
		run->refused = EVAL_BEYOND;
	return err ? err : op_watermark(first, WATERMARK_END);
}

int run_plan(struct arena *arena, const struct plan *plan, const struct run_settings *settings,
	const struct sim_sink *sink, struct run *run, struct diag *reterr)
{
	struct builder builder = {arena, settings, run, NULL};
	struct sink_op last = {{sink_row, sink_watermark, NULL}, sink};
	const struct plan *scan = plan_source(plan);
	struct op *first;

	if (run->observer) {
		builder.tell = tell_new(arena, plan, settings->batch, settings->zone, run);
		if (!builder.tell)
			return diag_nomem(reterr);
	}
	first = build(&builder, plan, &last.op);
	if (!first)
		return diag_nomem(reterr);
	while (plan->input)
		plan = plan->input;
	if (plan->kind == PLAN_VALUES)
		return run_values(arena, plan, run, first);
	if (!scan)
		return run_row(first);
	return source_run(arena, scan, settings->files, run, first, reterr);
}

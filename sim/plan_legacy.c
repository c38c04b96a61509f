/* Legacy windows, GROUP BY TUMBLE(ts, ...): the window of the aggregate, and what Flink cannot do
 * with one.
 *
 * Recorded: semantics/edge_legacy_tumble, more_sim/legacy_hop_batch,
 * more_sim/legacy_distinct_batch. */
#include "sim/plan_aggregate.h"

#include "sim/fault.h"
#include "sim/never.h"
#include "sim/plan_window.h"

static struct text time_name(const struct aggregate *a, const struct expr *time)
{
	return a->input.columns[time->column].name;
}

/* Batch mode sorts by the keys first, and by the window behind them, wherever GROUP BY has it.
 * Recorded: more_sim/legacy_sorted_batch. */
static void window_last(struct plan_agg *agg)
{
	size_t count = 0, window = GROUP_BY_END;

	for (size_t i = 0; i < agg->group_order_count; i++)
		if (agg->group_order[i] != window)
			agg->group_order[count++] = agg->group_order[i];
	agg->group_order[count] = window;
}

/* Is the time the first column of what Flink's planner puts before the aggregate? It does so where
 * it leaves other columns out; else they lie as in the table. */
static bool time_leads(const struct aggregate *a, const struct plan *plan, const struct expr *time)
{
	const struct plan *source = plan_source(plan);
	size_t read = 1;

	for (size_t i = 0; i < a->column_count; i++) {
		if (!a->columns[i]->is_column)
			return false;
		read += a->columns[i]->column != time->column;
	}
	if (!source || a->query->where)
		return false;
	return time->column == 0 || (read < plan->column_count && read < source->column_count);
}

/* Batch mode takes another column for the time of a legacy HOP where the window does not come
 * first. It hashes where no windows share rows, and fails where they leave rows out. Recorded:
 * more_sim/legacy_hop_batch, more_sim/legacy_hop_even, more_sim/legacy_hop_wide. */
static int check_batch_hop(struct aggregate *a)
{
	const struct sql_expr *call = a->scope.legacy;

	if (a->group[0] != call)
		return refuse(
			a->planner, call->pos, "This window behind another key in batch mode");
	if (a->agg.spec.window.step_ms >= a->agg.spec.window.size_ms)
		return refuse(a->planner, call->pos,
			"A legacy HOP whose windows share no rows in batch mode");
	for (size_t i = 0; i < a->call_count; i++) {
		enum sql_kind kind = a->calls_of[i].type.kind;

		if (kind == SQL_FLOAT || kind == SQL_DOUBLE)
			return refuse(a->planner, a->calls[i]->pos,
				"This aggregate over a legacy window in batch mode");
	}
	return 0;
}

/* Batch mode's legacy windows know no TIMESTAMP_LTZ ("Unknown window type encountered", or an
 * "Unsupported reinterpret cast" where no window_start or the like is asked for), nor DISTINCT,
 * which MIN and MAX do without; for FIRST_VALUE and LAST_VALUE Flink makes code that does not
 * compile. Recorded: more_sim/legacy_distinct_batch. */
static int check_batch_calls(struct aggregate *a, const struct expr *time)
{
	if (time->type.kind == SQL_TIMESTAMP_LTZ)
		return refuse(a->planner, a->scope.legacy->pos,
			"A legacy window over TIMESTAMP_LTZ in batch mode");
	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->calls_of[i];

		if (call->distinct && call->function != AGG_MIN && call->function != AGG_MAX)
			return plan_fault(a->planner,
				FAULT_TABLE "DISTINCT aggregates are currently not supported.");
	}
	for (size_t i = 0; i < a->call_count; i++)
		if (call_is_first_or_last(&a->calls_of[i]))
			return refuse(a->planner, a->calls[i]->pos,
				"This aggregate over a legacy window in batch mode");
	return 0;
}

/* Flink makes no code for a legacy window over a time that WHERE has made a constant.
 * Recorded: more_sim/legacy_time_pinned. */
static int check_legacy_time(struct aggregate *a, const struct plan *plan, const struct expr *time)
{
	if (may_pin(a->planner, plan, a->query->where, time_name(a, time)))
		return refuse(a->planner, a->query->where->pos,
			"A legacy window behind a WHERE that may leave one time");
	return 0;
}

int aggregate_place_legacy(struct aggregate *a, const struct plan *plan)
{
	const struct sql_expr *call = a->scope.legacy;
	struct expr *time;
	int err;

	if (a->group_count && call->arg_count < 2)
		return refuse(a->planner, call->pos, "This legacy window");
	err = bind_expr(&a->input, call->args[0], &time);
	if (err < 0)
		return err;
	if (!time->is_column || !type_is_time(&time->type) ||
		(!a->planner->batch && time->type.attribute != TIME_ROWTIME))
		return refuse(a->planner, call->pos, "A legacy window over this column");
	err = check_legacy_time(a, plan, time);
	if (err < 0)
		return err;
	a->planner->legacy_window = true;
	a->agg.at_once = true;
	if (a->planner->batch)
		err = plan_defer(a->planner, check_batch_calls(a, time));
	if (err < 0)
		return err;
	err = plan_legacy_window(a->planner, call, time_name(a, time), &a->agg.spec.window);
	if (time->type.kind == SQL_TIMESTAMP_LTZ)
		a->agg.spec.window.zone = a->planner->zone;
	if (a->planner->batch)
		window_last(&a->agg);
	a->agg.time_leads = time_leads(a, plan, time);
	if (err == 0 && a->planner->batch && a->agg.spec.window.kind == WINDOW_HOP)
		err = check_batch_hop(a);
	if (err == 0 && !a->planner->batch)
		err = plan_defer(a->planner, aggregate_check_merge(a, a->agg.spec.window.kind));
	return err ? err : aggregate_input(a, time, &a->agg.spec.time);
}

/* Takes a window function out from under the projections and filters of sub-queries and views, so
 * that the aggregate over them works on slices, as Flink's planner does it in streaming mode.
 * What the aggregate does not read is no hindrance, as Flink drops it before. Recorded:
 * more_sim/lift_subquery, more_sim/lift_first_value, more_sim/window_column_key,
 * more_sim/window_column_filter, more_sim/window_column_batch. */
#include "sim/plan_lift.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"

static void lift_function(struct plan *plan, const bool *reads, struct lifted *ret)
{
	for (size_t i = plan->input->column_count; i < plan->column_count; i++)
		if (reads[i])
			return;
	*ret = (struct lifted){plan, plan->input, plan->tvf.time};
}

static int lift_filter(
	struct planner *planner, struct plan *plan, const bool *reads, struct lifted *ret)
{
	bool *below = arena_array(planner->arena, plan->column_count + 1, sizeof(*below));
	struct plan *filter;
	int err;

	if (!below)
		return diag_nomem(planner->diag);
	memcpy(below, reads, plan->column_count * sizeof(*below));
	expr_mark_columns(plan->condition, below);
	err = plan_lift(planner, plan->input, below, ret);
	if (err < 0 || !ret->tvf)
		return err;
	filter = plan_new(planner, PLAN_FILTER, ret->plan);
	if (!filter)
		return diag_nomem(planner->diag);
	filter->condition = plan->condition;
	filter->share = plan->share;
	ret->plan = filter;
	return 0;
}

/* The same projection of what is read, NULL elsewhere, and the time behind it. */
static int project_again(
	struct planner *planner, const struct plan *plan, const bool *reads, struct lifted *ret)
{
	size_t count = plan->column_count;
	struct expr **exprs = arena_array(planner->arena, count + 2, sizeof(*exprs));
	struct plan_column *columns = arena_array(planner->arena, count + 2, sizeof(*columns));
	const struct plan_column *time = &ret->plan->columns[ret->time];

	if (!exprs || !columns)
		return diag_nomem(planner->diag);
	memcpy(columns, plan->columns, count * sizeof(*columns));
	columns[count] = *time;
	exprs[count] = expr_column(planner->arena, ret->time, &time->type);
	for (size_t i = 0; i < count; i++)
		exprs[i] = reads[i] ? plan->exprs[i]
				    : expr_constant(planner->arena, &plan->columns[i].type,
					      &(struct value){.null = true});
	for (size_t i = 0; i <= count; i++)
		if (!exprs[i])
			return diag_nomem(planner->diag);
	ret->time = count;
	return plan_project(planner, exprs, columns, count + 1, &ret->plan);
}

static int lift_projection(
	struct planner *planner, struct plan *plan, const bool *reads, struct lifted *ret)
{
	bool *below = arena_array(planner->arena, plan->input->column_count + 1, sizeof(*below));
	int err;

	if (!below)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < plan->column_count; i++)
		if (reads[i])
			expr_mark_columns(plan->exprs[i], below);
	err = plan_lift(planner, plan->input, below, ret);
	return err < 0 || !ret->tvf ? err : project_again(planner, plan, reads, ret);
}

int plan_lift(struct planner *planner, struct plan *plan, const bool *reads, struct lifted *ret)
{
	*ret = (struct lifted){0};
	switch (plan->kind) {
	case PLAN_WINDOW: lift_function(plan, reads, ret); return 0;
	case PLAN_FILTER: return lift_filter(planner, plan, reads, ret);
	case PLAN_PROJECT: return lift_projection(planner, plan, reads, ret);
	default: return 0;
	}
}

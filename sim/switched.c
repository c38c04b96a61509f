/* Switched: see the header. Recorded: semantics/errors_batch_switch_max_ts,
 * watermark/mistakes/w5_all_steps_in_one_file, more_sim/switch_window_time,
 * more_sim/switch_where, more_sim/switch_group_window_time. */
#include "sim/switched.h"

/* Is the column of the plan the table's time as it is? */
static bool is_rowtime(const struct plan *plan, size_t column)
{
	for (; plan->kind != PLAN_SCAN; plan = plan->input) {
		if (plan->kind == PLAN_PROJECT) {
			if (!plan->exprs[column]->is_column)
				return false;
			column = plan->exprs[column]->column;
		} else if (plan->kind == PLAN_WINDOW_AGG || plan->kind == PLAN_GROUP_AGG ||
			   !plan->input || column >= plan->input->column_count) {
			return false;
		}
	}
	return text_eq(plan->columns[column].name, plan->scan.table->watermark_column);
}

/* The result has the table's time, or window_time, which takes its type from it. */
static bool shows_rowtime(const struct plan *plan)
{
	for (size_t i = 0; i < plan->column_count; i++)
		if (plan->columns[i].type.attribute == TIME_ROWTIME ||
			plan->columns[i].role == ROLE_WINDOW_TIME || is_rowtime(plan, i))
			return true;
	return false;
}

static bool aggregates_time(const struct plan *plan)
{
	for (; plan; plan = plan->input) {
		if (plan->kind != PLAN_WINDOW_AGG && plan->kind != PLAN_GROUP_AGG)
			continue;
		for (size_t i = 0; i < plan->agg.spec.call_count; i++)
			if (type_is_time(&plan->agg.spec.calls[i].argument_type))
				return true;
	}
	return false;
}

static bool has_window_time(const struct plan *plan, size_t column)
{
	return plan->columns[column].role == ROLE_WINDOW_TIME;
}

static bool groups_by_window_time(const struct plan *plan)
{
	for (; plan; plan = plan->input) {
		if (plan->kind != PLAN_WINDOW_AGG && plan->kind != PLAN_GROUP_AGG)
			continue;
		for (size_t i = 0; i < plan->agg.spec.key_count; i++)
			if (has_window_time(plan->input, plan->agg.spec.keys[i]))
				return true;
	}
	return false;
}

/* Windows over the window_time of others. */
static bool windows_again(const struct plan *plan)
{
	for (; plan; plan = plan->input) {
		if (plan->kind == PLAN_WINDOW && has_window_time(plan->input, plan->tvf.time))
			return true;
		if (plan->kind == PLAN_WINDOW_AGG &&
			plan->agg.spec.window.kind != WINDOW_ATTACHED &&
			has_window_time(plan->input, plan->agg.spec.time))
			return true;
	}
	return false;
}

static bool has_window(const struct plan *plan)
{
	for (; plan; plan = plan->input)
		if (plan->kind == PLAN_WINDOW || plan->kind == PLAN_WINDOW_AGG)
			return true;
	return false;
}

/* Does the expression over these rows read the table's time? */
static bool reads_rowtime(const struct plan *plan, const struct expr *expr)
{
	if (expr->is_column)
		return is_rowtime(plan, expr->column);
	for (size_t i = 0; i < expr->arg_count; i++)
		if (reads_rowtime(plan, expr->args[i]))
			return true;
	return false;
}

/* A condition on the time around a window function. */
static bool filters_windows(const struct plan *plan)
{
	bool windows = has_window(plan);

	for (; plan && windows; plan = plan->input)
		if (plan->kind == PLAN_FILTER && reads_rowtime(plan->input, plan->condition))
			return true;
	return false;
}

/* A time attribute has three digits, which a batch query does not see. */
static bool reads_short_time(const struct plan_scan *scan)
{
	const struct catalog_entry *table = scan->table;

	for (size_t i = 0; i < table->column_count; i++)
		if (scan->needed[i] && table->columns[i].type.precision < ROWTIME_DIGITS &&
			text_eq(table->columns[i].name, table->watermark_column))
			return true;
	return false;
}

bool switched_breaks(const struct plan *plan, bool batch)
{
	const struct plan *scan = plan_source(plan);

	if (!scan || scan->scan.table->made_in_batch == batch || !scan->scan.table->has_watermark)
		return false;
	return shows_rowtime(plan) || aggregates_time(plan) || groups_by_window_time(plan) ||
	       windows_again(plan) || filters_windows(plan) || reads_short_time(&scan->scan);
}

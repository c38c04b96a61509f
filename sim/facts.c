/* Facts about a planned query: source, delay, interval, where CURRENT_WATERMARK decides. */
#include "sim/facts.h"

#include "sim/run.h"
#include "sim/source.h"

/* An interval that does not depend on the row. */
static bool constant_interval(const struct expr *expr, int64_t *ret_ms)
{
	if (expr->is_constant && expr->type.kind == SQL_INTERVAL_DAY && !expr->constant.null) {
		*ret_ms = expr->constant.i;
		return true;
	}
	if (expr->arg_count == 1 && expr->op == SQL_OP_NEG &&
		constant_interval(expr->args[0], ret_ms)) {
		*ret_ms = -*ret_ms;
		return true;
	}
	return false;
}

/* How far the expression lies behind the row's time. False: not by a constant. */
static bool delay_of(const struct expr *expr, size_t rowtime, int64_t *ret_ms)
{
	int64_t before_ms, interval_ms;

	if (expr->is_column) {
		*ret_ms = 0;
		return expr->column == rowtime;
	}
	if (!type_is_time(&expr->type) || !expr->arg_count ||
		!delay_of(expr->args[0], rowtime, &before_ms))
		return false;
	if (expr->arg_count == 1) {
		*ret_ms = before_ms;
		return expr->number == 0;
	}
	if (expr->arg_count != 2 || !constant_interval(expr->args[1], &interval_ms))
		return false;
	*ret_ms = expr->op == SQL_OP_SUB ? before_ms + interval_ms : before_ms - interval_ms;
	return true;
}

/* Does the column's value depend on CURRENT_WATERMARK? */
static bool late_column(const struct plan *plan, size_t column);

static bool late_expr(const struct plan *input, const struct expr *expr)
{
	if (expr->reads_watermark)
		return true;
	if (expr->is_column && input)
		return late_column(input, expr->column);
	for (size_t i = 0; i < expr->arg_count; i++)
		if (late_expr(input, expr->args[i]))
			return true;
	return false;
}

static bool late_column(const struct plan *plan, size_t column)
{
	switch (plan->kind) {
	case PLAN_SCAN:
	case PLAN_ROW: return false;
	case PLAN_PROJECT: return late_expr(plan->input, plan->exprs[column]);
	case PLAN_WINDOW_AGG:
	case PLAN_GROUP_AGG:
		return column < plan->agg.spec.key_count &&
		       late_column(plan->input, plan->agg.spec.keys[column]);
	default: return column < plan->input->column_count && late_column(plan->input, column);
	}
}

static bool is_aggregate(const struct plan *plan)
{
	return plan->kind == PLAN_WINDOW_AGG || plan->kind == PLAN_GROUP_AGG;
}

static bool aggregates_below(const struct plan *plan)
{
	while (plan && !is_aggregate(plan))
		plan = plan->input;
	return plan != NULL;
}

static bool late_call(const struct plan *plan)
{
	for (size_t i = 0; i < plan->agg.spec.call_count; i++) {
		const struct agg_call *call = &plan->agg.spec.calls[i];

		if (call->has_filter && late_column(plan->input, call->filter))
			return true;
	}
	return false;
}

/* The filter nearest to the source. */
static enum late_filter late_filter_of(const struct plan *plan)
{
	enum late_filter found = LATE_FILTER_NONE;

	for (; plan; plan = plan->input) {
		if (plan->kind == PLAN_FILTER && late_expr(plan->input, plan->condition))
			found = aggregates_below(plan) ? LATE_FILTER_BEHIND : LATE_FILTER_ROWS;
		if (is_aggregate(plan) && late_call(plan))
			found = LATE_FILTER_AGGREGATE;
	}
	return found;
}

static void scan_facts(struct query_facts *facts, const struct plan *plan)
{
	const struct plan_scan *scan = &plan->scan;

	facts->has_source = true;
	facts->path = source_path(scan->table);
	facts->format = catalog_option(scan->table, TEXT("format"));
	facts->has_watermark = scan->table->has_watermark;
	if (scan->watermark)
		facts->delay_known = delay_of(scan->watermark, scan->rowtime, &facts->delay_ms);
}

struct query_facts facts_of(
	const struct plan *plan, const struct options *options, bool legacy_window)
{
	const struct plan *scan = plan_source(plan);
	struct query_facts facts = {.batch = options_batch(options),
		.interval_ms = options_interval_ms(options),
		.parallelism = 1,
		.late_filter = late_filter_of(plan),
		.legacy_window = legacy_window};

	text_to_int64(
		text_trim(options_get(options, "parallelism.default", "1")), &facts.parallelism);
	for (const struct plan *node = plan; node; node = node->input)
		facts.windowed |= node->kind == PLAN_WINDOW_AGG;
	if (scan)
		scan_facts(&facts, scan);
	return facts;
}

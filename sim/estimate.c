/* Estimate: the cardinalities and costs by which Flink's planner chooses in batch mode, where a
 * file has a known number of lines and no column has statistics. Costs are compared by CPU alone:
 * for each key, hashing n rows costs 8 n and sorting them 4 n max(ln n, 1), in the local and in
 * the global phase; all else is the same on both sides. Recorded: semantics/batch_tiny,
 * semantics/batch_tiny2, semantics/manybatch_04, more_sim/batch_tiny_groups,
 * more_sim/batch_same_groups, more_sim/batch_constant_where,
 * more_sim/batch_tiny_sets, more_sim/batch_comment_lines. */
#include "sim/estimate.h"

#include <math.h>

#include "sim/ast.h"
#include "sim/planner.h"
#include "sim/truth.h"

/* Shares of rows, by the kind of the condition. */
#define SHARE_EQUAL   0.15
#define SHARE_COMPARE 0.5
#define SHARE_NULL    0.1
#define SHARE_LIKE    0.05
#define SHARE_OTHER   0.25

/* Groups of n rows by k columns: n (1 - exp(-k/10)). */
#define GROUPS_BY_COLUMN 0.1

static double share(struct planner *planner, const struct sql_expr *expr, bool negated);

static double capped(double x)
{
	return x < 1 ? x : 1;
}

/* column = literal, the two in any order */
static bool is_point(const struct sql_expr *expr, bool negated)
{
	if (negated || expr->kind != EXPR_OP || expr->op != SQL_OP_EQ)
		return false;
	return (expr->args[0]->kind == EXPR_COLUMN && expr->args[1]->kind == EXPR_LITERAL) ||
	       (expr->args[1]->kind == EXPR_COLUMN && expr->args[0]->kind == EXPR_LITERAL);
}

static const struct sql_expr *point_column(const struct sql_expr *expr)
{
	return expr->args[expr->args[0]->kind == EXPR_COLUMN ? 0 : 1];
}

/* a = 1 OR a = 2 counts as IN; else the shares of both sides overlap as if they knew nothing of
 * each other. */
static double share_of_or(struct planner *planner, const struct sql_expr *expr, bool negated)
{
	const struct sql_expr *a = expr->args[0], *b = expr->args[1];
	double left = share(planner, a, negated), right = share(planner, b, negated);

	if (is_point(a, negated) && is_point(b, negated) &&
		ast_same(point_column(a), point_column(b)))
		return capped(left + right);
	return capped(left + right - left * right);
}

static double share_of_op(struct planner *planner, const struct sql_expr *expr, bool negated)
{
	double x;

	switch (expr->op) {
	case SQL_OP_NOT: return share(planner, expr->args[0], !negated);
	case SQL_OP_AND:
	case SQL_OP_OR:
		if ((expr->op == SQL_OP_AND) == negated)
			return share_of_or(planner, expr, negated);
		return share(planner, expr->args[0], negated) *
		       share(planner, expr->args[1], negated);
	case SQL_OP_EQ: x = SHARE_EQUAL; break;
	case SQL_OP_NE: x = 1 - SHARE_EQUAL; break;
	case SQL_OP_LT:
	case SQL_OP_LE:
	case SQL_OP_GT:
	case SQL_OP_GE: return SHARE_COMPARE;
	case SQL_OP_BETWEEN: x = SHARE_COMPARE * SHARE_COMPARE; break;
	case SQL_OP_LIKE: x = SHARE_LIKE; break;
	case SQL_OP_IS_NULL: x = SHARE_NULL; break;
	case SQL_OP_IS_NOT_NULL: x = 1 - SHARE_NULL; break;
	default: x = SHARE_OTHER; break;
	}
	return negated ? 1 - x : x;
}

static double share(struct planner *planner, const struct sql_expr *expr, bool negated)
{
	double x = SHARE_OTHER;
	enum truth truth =
		ast_walk(expr, is_no_column, NULL) ? truth_of_constant(planner, expr) : IS_OPEN;

	if (truth != IS_OPEN)
		return truth == (negated ? IS_FALSE : IS_TRUE);

	if (expr->kind == EXPR_OP)
		return share_of_op(planner, expr, negated);
	if (expr->kind == EXPR_LITERAL)
		x = expr->type.kind == SQL_BOOLEAN && expr->value.i ? 1 : 0;
	else if (expr->kind == EXPR_COLUMN)
		x = SHARE_EQUAL;
	else if (expr->kind == EXPR_IN)
		x = capped(SHARE_EQUAL * (double)(expr->arg_count - 1));
	return negated ? 1 - x : x;
}

double estimate_share(struct planner *planner, const struct sql_expr *condition)
{
	return condition ? share(planner, condition, false) : 1;
}

/* The planner never goes below one row. */
static double at_least_one(double rows)
{
	return rows < 1 ? 1 : rows;
}

static double groups_of(double rows, size_t columns)
{
	return columns ? at_least_one(rows * (1 - exp(-GROUPS_BY_COLUMN * (double)columns))) : 1;
}

static double windows_of(const struct window *window)
{
	return window->step_ms > 0 ? (double)(window->size_ms / window->step_ms) : 1;
}

static bool is_key(const struct window_agg_spec *spec, size_t column)
{
	for (size_t i = 0; i < spec->key_count; i++)
		if (spec->keys[i] == column)
			return true;
	return false;
}

/* Is each group one row, since an aggregation below has made the same groups, or larger ones? */
static bool groups_are_rows(const struct plan *plan)
{
	const struct plan *input = plan->input, *below = input;

	while (below->kind == PLAN_PROJECT || below->kind == PLAN_FILTER)
		below = below->input;
	if (below->kind != plan->kind || !input->spread_known ||
		(plan->kind != PLAN_WINDOW_AGG && plan->kind != PLAN_GROUP_AGG) ||
		(plan->kind == PLAN_WINDOW_AGG && plan->agg.spec.window.kind != WINDOW_ATTACHED))
		return false;
	for (size_t i = 0; i < input->spread_count; i++)
		if (!is_key(&plan->agg.spec, input->spread[i]))
			return false;
	return true;
}

/* The input of an aggregation, taken through the windows that it cuts itself. */
static double rows_into(const struct plan *plan, int64_t lines)
{
	double rows = estimate_rows(plan->input, lines);

	if (plan->kind == PLAN_WINDOW_AGG && plan->agg.spec.window.kind != WINDOW_ATTACHED)
		return rows * windows_of(&plan->agg.spec.window);
	return rows;
}

double estimate_rows(const struct plan *plan, int64_t lines)
{
	double rows;

	if (plan->kind == PLAN_SCAN)
		return at_least_one((double)lines);
	if (plan->kind == PLAN_VALUES)
		return at_least_one((double)plan->values.count);
	if (!plan->input)
		return 1;
	rows = estimate_rows(plan->input, lines);
	if (rows < 0)
		return rows;
	switch (plan->kind) {
	case PLAN_FILTER: return at_least_one(rows * plan->share);
	case PLAN_PROJECT:
	case PLAN_SORT: return rows;
	case PLAN_EXPAND: return rows * (double)plan->expand.set_count;
	case PLAN_WINDOW: return rows * windows_of(&plan->tvf.window);
	case PLAN_WINDOW_AGG:
	case PLAN_GROUP_AGG: return groups_of(rows_into(plan, lines), plan->agg.group_order_count);
	default: return -1;
	}
}

static bool sort_is_cheaper(double rows, size_t columns, bool two_phase)
{
	double groups = two_phase ? groups_of(rows, columns) : 0;

	return rows * fmax(log(rows), 1) + groups * fmax(log(groups), 1) < 2 * (rows + groups);
}

static bool seen_before(const struct agg_call *calls, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (agg_counts_apart(&calls[j]) && calls[j].argument == calls[i].argument &&
			calls[j].has_filter == calls[i].has_filter &&
			(!calls[i].has_filter || calls[j].filter == calls[i].filter))
			return true;
	return false;
}

/* What an aggregation with DISTINCT consists of. */
struct distinct {
	size_t calls, sets; /* with DISTINCT; different arguments of theirs */
	size_t columns;	    /* that these arguments add to the keys */
	size_t plain;	    /* calls without DISTINCT */
	bool filtered;
	bool whole; /* a plain call is not put together from parts */
};

static bool has_parts(const struct agg_call *call)
{
	return call->function != AGG_AVG && call->function != AGG_FIRST_VALUE &&
	       call->function != AGG_LAST_VALUE;
}

static struct distinct distinct_of(const struct window_agg_spec *spec)
{
	struct distinct ret = {0};

	for (size_t i = 0; i < spec->call_count; i++) {
		const struct agg_call *call = &spec->calls[i];

		ret.filtered |= call->has_filter;
		ret.calls += agg_counts_apart(call);
		ret.plain += !agg_counts_apart(call) && !call->as_key;
		ret.whole |= !agg_counts_apart(call) && !call->as_key && !has_parts(call);
		if (!agg_counts_apart(call) || seen_before(spec->calls, i))
			continue;
		ret.sets++;
		ret.columns += !is_key(spec, call->argument);
		ret.columns += call->has_filter;
	}
	return ret;
}

/* DISTINCT is an aggregation below the aggregation, by the argument too. One such call takes
 * others along; several arguments go through it side by side with what is not distinct, told
 * apart by a column more. What comes out of it. */
static double rows_distinct(const struct window_agg_spec *spec, double rows, size_t columns)
{
	struct distinct distinct = distinct_of(spec);
	size_t copies = distinct.sets + (distinct.plain > 0);

	if (!distinct.sets)
		return rows;
	if (!distinct.filtered && !distinct.whole && (distinct.calls == 1 || copies == 1))
		return groups_of(rows, columns + distinct.columns);
	return groups_of(rows * (double)copies, columns + distinct.columns + 1);
}

/* Over groups of one row these are no aggregation at all to the planner. */
static bool vanishes(const struct window_agg_spec *spec)
{
	for (size_t i = 0; i < spec->call_count; i++) {
		const struct agg_call *call = &spec->calls[i];

		if (call->has_filter || call->distinct ||
			(call->function != AGG_SUM && call->function != AGG_MIN &&
				call->function != AGG_MAX))
			return false;
	}
	return true;
}

bool estimate_sorts(const struct plan *plan, int64_t lines)
{
	size_t columns = plan->agg.group_order_count;
	double rows = rows_into(plan, lines);

	if (rows < 0 || !columns)
		return false;
	if (groups_are_rows(plan))
		return !vanishes(&plan->agg.spec) && sort_is_cheaper(rows, columns, false);
	return sort_is_cheaper(
		rows_distinct(&plan->agg.spec, rows, columns), columns, plan->agg.two_phase);
}

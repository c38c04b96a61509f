/* Conditions that no row can meet: one term, a column or what is worked out of one, is compared
 * with constants, and no value of it, nor NULL, makes the condition TRUE. Only the order of the
 * constants counts, as for the planner: 5 < id AND id < 6 may hold. Constants that the planner must
 * convert first, and what it would simplify before, as CASE, are left in doubt. In the same way:
 * conditions that leave one value of a column, which the planner then takes for a constant; CASE
 * may do so. Recorded: more_sim/never_aggregate, more_sim/never_constant,
 * more_sim/legacy_time_pinned, more_sim/session_pinned_case. */
#include "sim/never.h"

#include "sim/ast.h"
#include "sim/planner.h"
#include "sim/truth.h"

static const struct sql_type *type_of(
	struct planner *planner, const struct plan *plan, const struct sql_expr *term)
{
	struct binder binder = {
		.planner = planner, .columns = plan->columns, .column_count = plan->column_count};
	struct planner saved = *planner;
	struct expr *bound;
	int err;

	for (size_t i = 0; i < plan->column_count && term->kind == EXPR_COLUMN; i++)
		if (text_eq(plan->columns[i].name, term->name))
			return &plan->columns[i].type;
	err = bind_expr(&binder, term, &bound);
	*planner = saved;
	return err < 0 ? NULL : &bound->type;
}

/* Is there no value of this term for the condition? */
static enum plan_rows probe_term(struct probe *probe, const struct sql_expr *condition)
{
	bool held = false;

	(void)ast_walk(condition, probe_collect, probe);
	for (probe->place = 0; !probe->beyond && !held && probe->place < 2 * probe->count + 2;
		probe->place++)
		held = can_be_true(truth_at(probe, condition));
	if (held || probe->beyond)
		return ROWS_ANY;
	return probe->doubt ? ROWS_DOUBT : ROWS_NONE;
}

struct search {
	struct planner *planner;
	const struct plan *plan;
	const struct sql_expr *condition;
	enum plan_rows found;
};

/* Is it more than a condition or a constant? */
static bool is_worth(const struct sql_expr *expr)
{
	return expr->kind == EXPR_COLUMN ||
	       ((expr->kind == EXPR_OP || expr->kind == EXPR_CALL || expr->kind == EXPR_CAST) &&
		       !ast_walk(expr, is_no_column, NULL));
}

static bool try_term(const struct sql_expr *expr, void *ctx)
{
	struct search *search = ctx;
	struct probe probe = {search->planner, .term = expr};

	if (!is_worth(expr))
		return true;
	probe.type = type_of(search->planner, search->plan, expr);
	if (probe.type && (expr->kind == EXPR_COLUMN || probe.type->kind != SQL_BOOLEAN))
		search->found = probe_term(&probe, search->condition);
	return search->found == ROWS_ANY;
}

enum plan_rows never_holds(
	struct planner *planner, const struct plan *plan, const struct sql_expr *condition)
{
	struct search search = {planner, plan, condition, ROWS_ANY};
	struct probe any = {planner, .term = condition};

	if (condition->kind == EXPR_COLUMN)
		return ROWS_ANY;
	search.found = probe_term(&any, condition);
	if (search.found == ROWS_ANY)
		(void)ast_walk(condition, try_term, &search);
	return search.found;
}

static bool is_other(const struct sql_expr *expr, void *ctx)
{
	return !is_term(ctx, expr);
}

static bool mentions(struct probe *probe, const struct sql_expr *expr)
{
	return !ast_walk(expr, is_other, probe);
}

/* Is the column equal to, or different from, what must be worked out or converted first? */
static bool meets_unknown(const struct probe *probe, const struct sql_expr *expr)
{
	bool meets = false, unknown = false;

	for (size_t i = 0; i < expr->arg_count; i++) {
		const struct sql_expr *arg = expr->args[i];
		bool cast = arg->kind == EXPR_CAST && is_term(probe, arg->args[0]);

		meets |= cast || is_term(probe, arg);
		unknown |= cast || (arg->kind != EXPR_LITERAL && ast_walk(arg, is_no_column, NULL));
	}
	return meets && (unknown || probe->beyond);
}

/* Does this part of a condition mean what it shows? */
static bool is_clear(const struct sql_expr *expr, void *ctx)
{
	struct probe *probe = ctx;

	switch (expr->kind) {
	case EXPR_CASE:
	case EXPR_CALL: return !is_chosen(expr) || !mentions(probe, expr);
	case EXPR_IN: return !meets_unknown(probe, expr);
	case EXPR_OP:
		if (expr->op == SQL_OP_EQ || expr->op == SQL_OP_NE)
			return !meets_unknown(probe, expr);
		return expr->op < SQL_OP_IS_TRUE || expr->op > SQL_OP_IS_NOT_DISTINCT ||
		       !mentions(probe, expr);
	default: return true;
	}
}

/* Is there exactly one value, or just NULL, for the condition? */
static bool probe_pinned(struct probe *probe, const struct sql_expr *condition)
{
	size_t held = 0, last = 0;

	(void)ast_walk(condition, probe_collect, probe);
	if (probe->type->kind == SQL_BOOLEAN || !ast_walk(condition, is_clear, probe))
		return true;
	for (probe->place = 0; !probe->beyond && probe->place < 2 * probe->count + 2;
		probe->place++) {
		if (!can_be_true(truth_at(probe, condition)))
			continue;
		held++;
		last = probe->place;
	}
	return held == 1 && last % 2 == 0;
}

struct pin_search {
	struct planner *planner;
	const struct plan *plan;
	const struct sql_expr *condition;
	struct text name;
};

static bool try_pinned(const struct sql_expr *expr, void *ctx)
{
	const struct pin_search *search = ctx;
	struct probe probe = {search->planner, .term = expr};

	if (expr->kind != EXPR_COLUMN || !text_eq(expr->name, search->name))
		return true;
	probe.type = type_of(search->planner, search->plan, expr);
	return !probe.type || !probe_pinned(&probe, search->condition);
}

bool may_pin(struct planner *planner, const struct plan *plan, const struct sql_expr *condition,
	struct text name)
{
	struct pin_search search = {planner, plan, condition, name};

	return !ast_walk(condition, try_pinned, &search);
}

/* Questions about syntax trees: equality, as GROUP BY needs it, and a walk. */
#include "sim/ast.h"

bool ast_same_value(const struct sql_expr *a, const struct sql_expr *b)
{
	if (a->type.kind != b->type.kind || a->value.null != b->value.null)
		return false;
	return a->value.null || value_cmp(&a->type, &a->value, &b->value) == 0;
}

static bool same_args(const struct sql_expr *a, const struct sql_expr *b)
{
	if (a->arg_count != b->arg_count)
		return false;
	for (size_t i = 0; i < a->arg_count; i++)
		if (!ast_same(a->args[i], b->args[i]))
			return false;
	return true;
}

bool ast_same(const struct sql_expr *a, const struct sql_expr *b)
{
	if (a == b || !a || !b)
		return a == b;
	if (a->kind != b->kind || a->over || b->over || a->query || b->query)
		return false;
	switch (a->kind) {
	case EXPR_LITERAL:
	case EXPR_INTERVAL: return ast_same_value(a, b);
	case EXPR_COLUMN: return text_eq(a->name, b->name);
	case EXPR_OP: return a->op == b->op && same_args(a, b);
	case EXPR_CAST:
		return text_eq(a->name, b->name) && a->type.kind == b->type.kind &&
		       a->type.precision == b->type.precision && a->type.scale == b->type.scale &&
		       same_args(a, b);
	case EXPR_CASE:
		return a->case_operand == b->case_operand && a->case_else == b->case_else &&
		       same_args(a, b);
	default:
		return text_eq(a->name, b->name) && a->distinct == b->distinct &&
		       a->star == b->star && ast_same(a->filter, b->filter) && same_args(a, b);
	}
}

bool ast_is_aggregate(const struct sql_expr *expr)
{
	static const struct text names[] = {{"COUNT", 5}, {"SUM", 3}, {"AVG", 3}, {"MIN", 3},
		{"MAX", 3}, {"FIRST_VALUE", 11}, {"LAST_VALUE", 10}};

	if (expr->kind != EXPR_CALL || expr->over)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_eq(expr->name, names[i]))
			return true;
	return false;
}

bool ast_walk(
	const struct sql_expr *expr, bool (*visit)(const struct sql_expr *, void *), void *ctx)
{
	if (!expr)
		return true;
	if (!visit(expr, ctx))
		return false;
	for (size_t i = 0; i < expr->arg_count; i++)
		if (!ast_walk(expr->args[i], visit, ctx))
			return false;
	return ast_walk(expr->filter, visit, ctx);
}

static bool not_aggregate(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !ast_is_aggregate(expr);
}

bool ast_has_aggregate(const struct sql_expr *expr)
{
	return !ast_walk(expr, not_aggregate, NULL);
}

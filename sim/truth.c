/* Values of one term are tried, by their order alone: NULL, each constant that the condition
 * compares it with, and what lies between them. A condition without this term is worked out where
 * it has no column, and else left open. */
#include "sim/truth.h"

#include "sim/ast.h"
#include "sim/key.h"
#include "sim/op.h"
#include "sim/planner.h"

bool is_no_column(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return expr->kind != EXPR_COLUMN;
}

static bool is_choice(const struct sql_expr *expr, struct text name)
{
	return expr->kind == EXPR_CALL && text_eq(expr->name, name);
}

/* Is it what the planner rewrites before it looks closer? */
bool is_chosen(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CASE || is_choice(expr, TEXT("COALESCE")) ||
	       is_choice(expr, TEXT("NULLIF")) || is_choice(expr, TEXT("IF")) ||
	       is_choice(expr, TEXT("IFNULL"));
}

static bool is_kin(const struct sql_type *a, const struct sql_type *b)
{
	if (type_is_number(a) || type_is_number(b))
		return type_is_number(a) && type_is_number(b);
	return a->kind == b->kind || (type_is_text(a) && type_is_text(b));
}

/* Can both be ordered by their values alone? */
static bool is_alike(const struct sql_type *a, const struct sql_type *b)
{
	if (type_is_integer(a) && type_is_integer(b))
		return true;
	if (type_is_text(a) && type_is_text(b))
		return true;
	return a->kind == b->kind && a->precision == b->precision && a->scale == b->scale;
}

static bool is_constant(const struct sql_expr *expr)
{
	return expr->kind == EXPR_LITERAL && expr->type.kind != SQL_NULL;
}

static bool is_null(const struct sql_expr *expr)
{
	return expr->kind == EXPR_LITERAL && expr->type.kind == SQL_NULL;
}

bool is_term(const struct probe *probe, const struct sql_expr *expr)
{
	return ast_same(expr, probe->term);
}

/* Index of the constant, which is put in its order where it is new. */
static void add_constant(struct probe *probe, const struct sql_expr *constant)
{
	size_t i = 0;
	int order = 1;

	if (!is_kin(probe->type, &constant->type) || probe->count == LIMIT_NEVER_CONSTANTS ||
		(probe->count && !is_alike(&probe->constants[0]->type, &constant->type))) {
		probe->beyond = true;
		return;
	}
	probe->doubt |= type_is_number(probe->type) &&
			type_is_integer(probe->type) != type_is_integer(&constant->type);
	while (i < probe->count && order > 0) {
		order = value_cmp(&constant->type, &constant->value, &probe->constants[i]->value);
		i += order > 0;
	}
	if (i < probe->count && order == 0)
		return;
	for (size_t j = probe->count++; j > i; j--)
		probe->constants[j] = probe->constants[j - 1];
	probe->constants[i] = constant;
}

bool probe_collect(const struct sql_expr *expr, void *ctx)
{
	struct probe *probe = ctx;

	probe->doubt |= is_chosen(expr) && !ast_walk(expr, is_no_column, NULL);
	if ((expr->kind != EXPR_OP && expr->kind != EXPR_IN) || !expr->arg_count)
		return true;
	for (size_t i = 0; i < expr->arg_count; i++)
		if (is_term(probe, expr->args[i]))
			for (size_t j = 0; j < expr->arg_count; j++)
				if (j != i && is_constant(expr->args[j]))
					add_constant(probe, expr->args[j]);
	return !probe->beyond;
}

/* <0, 0, >0: how the value at the place lies to the constant. */
static int place_cmp(const struct probe *probe, const struct sql_expr *constant)
{
	size_t i = 0, at;

	while (value_cmp(&constant->type, &constant->value, &probe->constants[i]->value) != 0)
		i++;
	at = 2 * i + 2;
	return probe->place < at ? -1 : probe->place > at;
}

static enum truth truth_of(bool holds)
{
	return holds ? IS_TRUE : IS_FALSE;
}

static enum truth ordered(enum sql_op op, int order)
{
	switch (op) {
	case SQL_OP_EQ: return truth_of(order == 0);
	case SQL_OP_NE: return truth_of(order != 0);
	case SQL_OP_LT: return truth_of(order < 0);
	case SQL_OP_LE: return truth_of(order <= 0);
	case SQL_OP_GT: return truth_of(order > 0);
	case SQL_OP_GE: return truth_of(order >= 0);
	default: return IS_OPEN;
	}
}

static enum truth compare(const struct probe *probe, enum sql_op op, const struct sql_expr *a,
	const struct sql_expr *b)
{
	int order;

	if (ordered(op, 0) == IS_OPEN)
		return IS_OPEN;
	if (is_null(a) || is_null(b))
		return IS_NULL;
	if (is_term(probe, a) && is_term(probe, b))
		order = 0;
	else if (is_term(probe, a) && is_constant(b))
		order = place_cmp(probe, b);
	else if (is_term(probe, b) && is_constant(a))
		order = -place_cmp(probe, a);
	else
		return IS_OPEN;
	return probe->place == 0 ? IS_NULL : ordered(op, order);
}

static enum truth negate(enum truth a)
{
	switch (a) {
	case IS_TRUE: return IS_FALSE;
	case IS_FALSE: return IS_TRUE;
	case IS_UNTRUE: return IS_OPEN;
	default: return a;
	}
}

bool can_be_true(enum truth a)
{
	return a == IS_TRUE || a == IS_OPEN;
}

static enum truth both(enum truth a, enum truth b)
{
	if (a == IS_FALSE || b == IS_FALSE)
		return IS_FALSE;
	if (a == IS_TRUE || b == IS_TRUE || a == b)
		return a == IS_TRUE ? b : a;
	return IS_UNTRUE;
}

static enum truth either(enum truth a, enum truth b)
{
	if (a == IS_TRUE || b == IS_TRUE)
		return IS_TRUE;
	if (a == IS_OPEN || b == IS_OPEN)
		return IS_OPEN;
	if (a == IS_FALSE || b == IS_FALSE || a == b)
		return a == IS_FALSE ? b : a;
	return IS_UNTRUE;
}

/* Is it NULL? A condition that is known to hold or not is none. */
static enum truth nullness(const struct probe *probe, const struct sql_expr *expr)
{
	enum truth truth;

	if (is_term(probe, expr))
		return truth_of(probe->place == 0);
	truth = truth_at(probe, expr);
	if (truth == IS_NULL)
		return IS_TRUE;
	return truth == IS_TRUE || truth == IS_FALSE ? IS_FALSE : IS_OPEN;
}

static enum truth truth_of_op(const struct probe *probe, const struct sql_expr *expr)
{
	struct sql_expr *const *args = expr->args;

	switch (expr->op) {
	case SQL_OP_AND: return both(truth_at(probe, args[0]), truth_at(probe, args[1]));
	case SQL_OP_OR: return either(truth_at(probe, args[0]), truth_at(probe, args[1]));
	case SQL_OP_NOT: return negate(truth_at(probe, args[0]));
	case SQL_OP_IS_NULL: return nullness(probe, args[0]);
	case SQL_OP_IS_NOT_NULL: return negate(nullness(probe, args[0]));
	case SQL_OP_BETWEEN:
		return both(compare(probe, SQL_OP_GE, args[0], args[1]),
			compare(probe, SQL_OP_LE, args[0], args[2]));
	default: return expr->arg_count == 2 ? compare(probe, expr->op, args[0], args[1]) : IS_OPEN;
	}
}

/* One or the other. */
static enum truth one_of(enum truth a, enum truth b)
{
	if (a == b)
		return a;
	return can_be_true(a) || can_be_true(b) ? IS_OPEN : IS_UNTRUE;
}

/* The results of those branches that may be taken; CASE with an operand is left open. */
static enum truth truth_of_case(const struct probe *probe, const struct sql_expr *expr)
{
	bool has_else = expr->kind != EXPR_CASE || expr->case_else, some = false;
	size_t whens = expr->arg_count - has_else;
	enum truth all = IS_NULL, last;

	if (expr->case_operand)
		return IS_OPEN;
	for (size_t i = 0; i + 1 < whens; i += 2) {
		enum truth when = truth_at(probe, expr->args[i]), then;

		if (!can_be_true(when))
			continue;
		then = truth_at(probe, expr->args[i + 1]);
		all = some ? one_of(all, then) : then;
		some = true;
		if (when == IS_TRUE)
			return all;
	}
	last = has_else ? truth_at(probe, expr->args[whens]) : IS_NULL;
	return some ? one_of(all, last) : last;
}

static enum truth truth_of_choice(const struct probe *probe, const struct sql_expr *expr)
{
	enum truth first;

	if (expr->kind == EXPR_CASE || is_choice(expr, TEXT("IF")))
		return truth_of_case(probe, expr);
	first = truth_at(probe, expr->args[0]);
	if (is_choice(expr, TEXT("NULLIF")))
		return can_be_true(first) ? IS_OPEN : IS_UNTRUE;
	for (size_t i = 1; i < expr->arg_count && first != IS_TRUE && first != IS_FALSE; i++) {
		enum truth next = truth_at(probe, expr->args[i]);

		first = first == IS_NULL ? next : one_of(first, next);
	}
	return first;
}

/* What fails in it was told where the whole condition was bound. */
enum truth truth_of_constant(struct planner *planner, const struct sql_expr *expr)
{
	struct binder none = {.planner = planner};
	struct planner saved = *planner;
	struct expr *bound;
	int err = run_spend(planner->run, STEPS_GROUP);

	if (err == 0)
		err = bind_condition(&none, expr, &bound);
	*planner = saved;
	if (err < 0 || !bound->is_constant)
		return IS_OPEN;
	return bound->constant.null ? IS_NULL : truth_of(bound->constant.i);
}

enum truth truth_at(const struct probe *probe, const struct sql_expr *expr)
{
	enum truth any = IS_FALSE;

	if (ast_walk(expr, is_no_column, NULL))
		return truth_of_constant(probe->planner, expr);
	if (expr->kind == EXPR_OP)
		return truth_of_op(probe, expr);
	if (is_chosen(expr))
		return truth_of_choice(probe, expr);
	if (expr->kind != EXPR_IN || expr->query)
		return IS_OPEN;
	for (size_t i = 1; i < expr->arg_count; i++)
		any = either(any, compare(probe, SQL_OP_EQ, expr->args[0], expr->args[i]));
	return any;
}

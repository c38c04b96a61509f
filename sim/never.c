/* Conditions that no row can meet: one column is compared with constants, and no value of it, nor
 * NULL, makes the condition TRUE. Only the order of the constants counts, as for the planner: 5 <
 * id AND id < 6 may hold. Constants that the planner must convert first are left in doubt. In the
 * same way: conditions that leave one value of a column, which the planner then takes for a
 * constant. What it would simplify before, as CASE, may do so. Recorded:
 * more_sim/never_aggregate, more_sim/legacy_time_pinned, more_sim/session_pinned_case. */
#include "sim/never.h"

#include "parser/limits.h"
#include "sim/ast.h"
#include "sim/key.h"

/* IS_UNTRUE: FALSE or NULL. IS_OPEN: any of them. */
enum truth { IS_FALSE, IS_NULL, IS_UNTRUE, IS_TRUE, IS_OPEN };

/* Values of one column, by place: NULL, below the first constant, the constant, above it, and so
 * on. */
struct probe {
	const struct sql_expr *column;
	const struct sql_type *type;
	const struct sql_expr *constants[LIMIT_NEVER_CONSTANTS];
	size_t count;
	size_t place;
	bool beyond, doubt;
};

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

static const struct sql_type *type_of(const struct plan *plan, const struct sql_expr *column)
{
	for (size_t i = 0; i < plan->column_count; i++)
		if (text_eq(plan->columns[i].name, column->name))
			return &plan->columns[i].type;
	return NULL;
}

static bool is_constant(const struct sql_expr *expr)
{
	return expr->kind == EXPR_LITERAL && expr->type.kind != SQL_NULL;
}

static bool is_null(const struct sql_expr *expr)
{
	return expr->kind == EXPR_LITERAL && expr->type.kind == SQL_NULL;
}

static bool is_column(const struct probe *probe, const struct sql_expr *expr)
{
	return expr->kind == EXPR_COLUMN && ast_same(expr, probe->column);
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

static bool collect(const struct sql_expr *expr, void *ctx)
{
	struct probe *probe = ctx;

	if ((expr->kind != EXPR_OP && expr->kind != EXPR_IN) || !expr->arg_count)
		return true;
	for (size_t i = 0; i < expr->arg_count; i++)
		if (is_column(probe, expr->args[i]))
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
	if (is_column(probe, a) && is_column(probe, b))
		order = 0;
	else if (is_column(probe, a) && is_constant(b))
		order = place_cmp(probe, b);
	else if (is_column(probe, b) && is_constant(a))
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

static bool can_be_true(enum truth a)
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

static enum truth truth_at(const struct probe *probe, const struct sql_expr *expr);

static enum truth truth_of_op(const struct probe *probe, const struct sql_expr *expr)
{
	struct sql_expr *const *args = expr->args;

	switch (expr->op) {
	case SQL_OP_AND: return both(truth_at(probe, args[0]), truth_at(probe, args[1]));
	case SQL_OP_OR: return either(truth_at(probe, args[0]), truth_at(probe, args[1]));
	case SQL_OP_NOT: return negate(truth_at(probe, args[0]));
	case SQL_OP_IS_NULL:
		return is_column(probe, args[0]) ? truth_of(probe->place == 0) : IS_OPEN;
	case SQL_OP_IS_NOT_NULL:
		return is_column(probe, args[0]) ? truth_of(probe->place > 0) : IS_OPEN;
	case SQL_OP_BETWEEN:
		return both(compare(probe, SQL_OP_GE, args[0], args[1]),
			compare(probe, SQL_OP_LE, args[0], args[2]));
	default: return expr->arg_count == 2 ? compare(probe, expr->op, args[0], args[1]) : IS_OPEN;
	}
}

static enum truth truth_at(const struct probe *probe, const struct sql_expr *expr)
{
	enum truth any = IS_FALSE;

	if (expr->kind == EXPR_OP)
		return truth_of_op(probe, expr);
	if (expr->kind == EXPR_LITERAL && expr->type.kind == SQL_BOOLEAN)
		return truth_of(expr->value.i);
	if (expr->kind != EXPR_IN || expr->query)
		return IS_OPEN;
	for (size_t i = 1; i < expr->arg_count; i++)
		any = either(any, compare(probe, SQL_OP_EQ, expr->args[0], expr->args[i]));
	return any;
}

/* Is there no value of this column for the condition? */
static enum plan_rows probe_column(struct probe *probe, const struct sql_expr *condition)
{
	bool held = false;

	(void)ast_walk(condition, collect, probe);
	for (probe->place = 0; !probe->beyond && !held && probe->place < 2 * probe->count + 2;
		probe->place++)
		held = can_be_true(truth_at(probe, condition));
	if (held || probe->beyond)
		return ROWS_ANY;
	return probe->doubt ? ROWS_DOUBT : ROWS_NONE;
}

struct search {
	const struct plan *plan;
	const struct sql_expr *condition;
	enum plan_rows found;
};

static bool try_column(const struct sql_expr *expr, void *ctx)
{
	struct search *search = ctx;
	struct probe probe = {.column = expr};

	if (expr->kind != EXPR_COLUMN)
		return true;
	probe.type = type_of(search->plan, expr);
	if (probe.type)
		search->found = probe_column(&probe, search->condition);
	return search->found == ROWS_ANY;
}

enum plan_rows never_holds(const struct plan *plan, const struct sql_expr *condition)
{
	struct search search = {plan, condition, ROWS_ANY};

	(void)ast_walk(condition, try_column, &search);
	return search.found;
}

static bool is_other(const struct sql_expr *expr, void *ctx)
{
	return !is_column(ctx, expr);
}

static bool mentions(struct probe *probe, const struct sql_expr *expr)
{
	return !ast_walk(expr, is_other, probe);
}

static bool is_no_column(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return expr->kind != EXPR_COLUMN;
}

/* Is the column equal to, or different from, what must be worked out or converted first? */
static bool meets_unknown(const struct probe *probe, const struct sql_expr *expr)
{
	bool meets = false, unknown = false;

	for (size_t i = 0; i < expr->arg_count; i++) {
		const struct sql_expr *arg = expr->args[i];
		bool cast = arg->kind == EXPR_CAST && is_column(probe, arg->args[0]);

		meets |= cast || is_column(probe, arg);
		unknown |= cast || (arg->kind != EXPR_LITERAL && ast_walk(arg, is_no_column, NULL));
	}
	return meets && (unknown || probe->beyond);
}

static bool is_choice(struct text name)
{
	return text_eq(name, TEXT("COALESCE")) || text_eq(name, TEXT("NULLIF")) ||
	       text_eq(name, TEXT("IF")) || text_eq(name, TEXT("IFNULL"));
}

/* Does this part of a condition mean what it shows? */
static bool is_clear(const struct sql_expr *expr, void *ctx)
{
	struct probe *probe = ctx;

	switch (expr->kind) {
	case EXPR_CASE: return !mentions(probe, expr);
	case EXPR_CALL: return !is_choice(expr->name) || !mentions(probe, expr);
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

	(void)ast_walk(condition, collect, probe);
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
	const struct plan *plan;
	const struct sql_expr *condition;
	struct text name;
};

static bool try_pinned(const struct sql_expr *expr, void *ctx)
{
	const struct pin_search *search = ctx;
	struct probe probe = {.column = expr};

	if (expr->kind != EXPR_COLUMN || !text_eq(expr->name, search->name))
		return true;
	probe.type = type_of(search->plan, expr);
	return !probe.type || !probe_pinned(&probe, search->condition);
}

bool may_pin(const struct plan *plan, const struct sql_expr *condition, struct text name)
{
	struct pin_search search = {plan, condition, name};

	return !ast_walk(condition, try_pinned, &search);
}

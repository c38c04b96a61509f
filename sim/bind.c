/* Binder: names and types of expressions, as Flink's validator resolves them. Names are case
 * sensitive, function names are not.
 * Recorded: semantics/errors_sql_unknown_column, semantics/errors_group_key_missing,
 * watermark/mistakes/filtered_having_wm, late_alias_in_where. */
#include "sim/bind.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast.h"
#include "sim/fault.h"
#include "sim/fold.h"

#define NOT_A_TERM 1

/* Between these lie halves between two DOUBLEs with few digits, which Java prints in its own
 * way. */
#define FIRST_HALF_DOUBLE 5e22
#define LAST_HALF_DOUBLE  1e24

int refuse(struct planner *planner, struct sql_pos pos, const char *what)
{
	return diag_set(planner->diag, -ENOTSUP, pos.line, pos.col, "%s is not simulated.", what);
}

int plan_defer(struct planner *planner, int err)
{
	if (err != -EBADMSG || text_starts(planner->fault, TEXT(FAULT_CALCITE)))
		return err;
	if (!planner->late_fault.len) {
		planner->late_fault = planner->fault;
		planner->late_pos = planner->fault_pos;
	}
	planner->fault_pos = (struct sql_pos){0};
	return 0;
}

int plan_locate(struct planner *planner, int err, struct sql_pos pos)
{
	if (err == -EBADMSG && !planner->fault_pos.line)
		planner->fault_pos = pos;
	return err;
}

struct text type_summary(struct arena *arena, const struct sql_type *type)
{
	struct text name = sql_type_print(arena, type);

	if (!name.ptr || !type->not_null)
		return name;
	return text_format(arena, "%.*s NOT NULL", TEXT_ARG(name));
}

int bind_bound(const struct binder *binder, struct expr *expr, struct expr **ret)
{
	if (!expr)
		return diag_nomem(binder->planner->diag);
	*ret = expr;
	return 0;
}

/* A name that differs in its case alone is offered. Recorded: more_sim/err_name_case. */
static int column_missing(const struct binder *binder, const struct sql_expr *ast)
{
	struct planner *planner = binder->planner;
	struct text where = text_of("any table"), hint = TEXT("");
	size_t i = 0;

	if (ast->qualifier.len)
		where = text_format(planner->arena, "table '%.*s'", TEXT_ARG(ast->qualifier));
	while (i < binder->column_count && !text_ieq(binder->columns[i].name, ast->name))
		i++;
	if (i < binder->column_count)
		hint = text_format(planner->arena, "; did you mean '%.*s'?",
			TEXT_ARG(binder->columns[i].name));
	if (!where.ptr || !hint.ptr)
		return diag_nomem(planner->diag);
	return plan_fault(planner, FAULT_CALCITE "Column '%.*s' not found in %.*s%.*s",
		TEXT_ARG(ast->name), TEXT_ARG(where), TEXT_ARG(hint));
}

static int qualifier_missing(const struct binder *binder, const struct sql_expr *ast)
{
	struct planner *planner = binder->planner;

	if (text_ieq(ast->qualifier, binder->alias))
		return refuse(planner, ast->pos, "A qualifier in another case");
	return plan_fault(
		planner, FAULT_CALCITE "Table '%.*s' not found", TEXT_ARG(ast->qualifier));
}

int bind_column(const struct binder *binder, const struct sql_expr *ast, size_t *ret)
{
	struct planner *planner = binder->planner;
	size_t found = binder->column_count;

	if (ast->qualifier.len && binder->alias.ptr && !text_eq(ast->qualifier, binder->alias))
		return qualifier_missing(binder, ast);
	for (size_t i = 0; i < binder->column_count; i++) {
		if (!text_eq(binder->columns[i].name, ast->name))
			continue;
		if (found < i)
			return plan_fault(planner, FAULT_CALCITE "Column '%.*s' is ambiguous",
				TEXT_ARG(ast->name));
		found = i;
	}
	if (found == binder->column_count)
		return column_missing(binder, ast);
	*ret = found;
	return 0;
}

static int bind_column_expr(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	size_t column;
	bool grouped = binder->agg && binder->agg->input;
	int err = bind_column(grouped ? binder->agg->input : binder, ast, &column);

	if (err < 0)
		return err;
	if (grouped)
		return plan_fault(planner, FAULT_CALCITE "Expression '%.*s' is not being grouped",
			TEXT_ARG(ast->name));
	return bind_bound(
		binder, expr_column(planner->arena, column, &binder->columns[column].type), ret);
}

/* TUMBLE_START(ts, ...) and its like, where GROUP BY has TUMBLE(ts, ...). In a query by event time
 * TUMBLE_PROCTIME is NULL. Recorded: more_sim/legacy_proctime. */
static int bind_legacy(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct {
		struct text suffix;
		size_t column;
	} functions[] = {
		{{"_START", 6}, 0}, {{"_END", 4}, 1}, {{"_ROWTIME", 8}, 2}, {{"_PROCTIME", 9}, 3}};
	static const struct sql_type proctime = {.kind = SQL_TIMESTAMP_LTZ, .precision = 3};
	const struct agg_scope *agg = binder->agg;
	struct sql_expr window = *ast;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		size_t column = agg->window_start + functions[i].column;

		if (!text_ends(ast->name, functions[i].suffix))
			continue;
		window.name = text_slice(ast->name, 0, ast->name.len - functions[i].suffix.len);
		if (ast_same(&window, agg->legacy) && functions[i].column == 3)
			return bind_bound(binder,
				expr_constant(binder->planner->arena, &proctime,
					&(struct value){.null = true}),
				ret);
		if (ast_same(&window, agg->legacy))
			return bind_bound(binder,
				expr_column(binder->planner->arena, column,
					&binder->columns[column].type),
				ret);
	}
	return NOT_A_TERM;
}

/* A GROUP BY expression or an aggregate call that the aggregate has computed already. */
static int bind_term(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	const struct agg_scope *agg = binder->agg;

	for (size_t i = 0; i < agg->term_count; i++) {
		size_t column = agg->terms[i].column;

		if (ast_same(ast, agg->terms[i].ast))
			return bind_bound(binder,
				expr_column(binder->planner->arena, column,
					&binder->columns[column].type),
				ret);
	}
	if (agg->legacy && ast->kind == EXPR_CALL)
		return bind_legacy(binder, ast, ret);
	return NOT_A_TERM;
}

int bind_arguments(const struct binder *binder, const struct sql_expr *ast, struct expr ***ret)
{
	struct expr **args = arena_array(binder->planner->arena, ast->arg_count + 1, sizeof(*args));
	int err = args ? 0 : diag_nomem(binder->planner->diag);

	for (size_t i = 0; i < ast->arg_count && err == 0; i++)
		err = bind_expr(binder, ast->args[i], &args[i]);
	*ret = args;
	return err;
}

int bind_typed(const struct binder *binder, const struct sql_expr *ast, int err, const char *what)
{
	if (err == -ENOTSUP)
		return refuse(binder->planner, ast->pos, what);
	return err == -ENOMEM ? diag_nomem(binder->planner->diag) : err;
}

static bool is_comparison(enum sql_op op)
{
	switch (op) {
	case SQL_OP_EQ:
	case SQL_OP_NE:
	case SQL_OP_LT:
	case SQL_OP_LE:
	case SQL_OP_GT:
	case SQL_OP_GE:
	case SQL_OP_IS_DISTINCT:
	case SQL_OP_IS_NOT_DISTINCT: return true;
	default: return false;
	}
}

int bind_op(const struct binder *binder, enum sql_op op, struct expr *a, struct expr *b,
	struct expr **ret)
{
	struct expr **args = arena_array(binder->planner->arena, 2, sizeof(*args));
	int err = args ? 0 : -ENOMEM;

	if (err == 0 && is_comparison(op))
		err = bind_unify_zoned(binder, &a, &b);
	if (err < 0)
		return err;
	args[0] = a;
	args[1] = b;
	return expr_op(binder->planner->arena, op, args, 2, ret);
}

/* value BETWEEN low AND high is value >= low AND value <= high. */
static int bind_between(const struct binder *binder, struct expr **args, struct expr **ret)
{
	struct expr *low, *high;
	int err = bind_op(binder, SQL_OP_GE, args[0], args[1], &low);

	if (err == 0)
		err = bind_op(binder, SQL_OP_LE, args[0], args[2], &high);
	return err ? err : bind_op(binder, SQL_OP_AND, low, high, ret);
}

/* The least BIGINT, whose digits alone are none. */
static bool is_least_bigint(const struct sql_expr *ast)
{
	return ast->kind == EXPR_OP && ast->op == SQL_OP_NEG &&
	       ast->args[0]->kind == EXPR_LITERAL &&
	       text_eq(ast->args[0]->name, TEXT("9223372036854775808"));
}

static int bind_operator(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct sql_type bigint = {.kind = SQL_BIGINT, .not_null = true};
	struct expr **args;
	int err;

	if (is_least_bigint(ast))
		return bind_bound(binder,
			expr_constant(
				binder->planner->arena, &bigint, &(struct value){.i = INT64_MIN}),
			ret);
	err = bind_arguments(binder, ast, &args);

	if (err < 0)
		return err;
	if ((ast->op == SQL_OP_AND || ast->op == SQL_OP_OR) &&
		(args[0]->type.kind == SQL_NULL || args[1]->type.kind == SQL_NULL))
		return plan_fault(binder->planner, FAULT_CALCITE "Illegal use of 'NULL'");
	if (ast->op == SQL_OP_BETWEEN)
		err = bind_between(binder, args, ret);
	else if (ast->arg_count == 2)
		err = bind_op(binder, ast->op, args[0], args[1], ret);
	else
		err = expr_op(binder->planner->arena, ast->op, args, ast->arg_count, ret);
	return bind_typed(binder, ast, err, "This operator for these types");
}

/* Joins conditions by OR, two and two: a long list must not become a deep tree, which is walked by
 * recursion. */
static int bind_any(const struct binder *binder, struct expr **any, size_t count, struct expr **ret)
{
	int err = 0;

	for (; count > 1 && err == 0; count = (count + 1) / 2) {
		for (size_t i = 0; i < count / 2 && err == 0; i++)
			err = bind_op(binder, SQL_OP_OR, any[2 * i], any[2 * i + 1], &any[i]);
		if (count % 2)
			any[count / 2] = any[count - 1];
	}
	*ret = any[0];
	return err;
}

/* a IN (b, c) is a = b OR a = c. */
static int bind_in(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args;
	int err;

	if (ast->query || ast->arg_count < 2)
		return refuse(binder->planner, ast->pos, "IN over a sub-query");
	err = bind_arguments(binder, ast, &args);
	for (size_t i = 1; i < ast->arg_count && err == 0; i++)
		err = bind_op(binder, SQL_OP_EQ, args[0], args[i], &args[i]);
	if (err == 0)
		err = bind_any(binder, args + 1, ast->arg_count - 1, ret);
	return bind_typed(binder, ast, err, "IN for these types");
}

/* Pairs of a condition and a result, and at last the ELSE: not all results are NULL. */
static int check_case(struct planner *planner, struct expr *const *args, size_t count)
{
	bool any = args[count - 1]->type.kind != SQL_NULL;

	for (size_t i = 0; i + 1 < count; i += 2) {
		if (args[i]->type.kind != SQL_BOOLEAN && args[i]->type.kind != SQL_NULL)
			return plan_fault(planner, FAULT_CALCITE "Expected a boolean type");
		any |= args[i + 1]->type.kind != SQL_NULL;
	}
	if (any)
		return 0;
	return plan_fault(
		planner, FAULT_CALCITE "ELSE clause or at least one THEN clause must be non-NULL");
}

/* CASE x WHEN a THEN ... becomes CASE WHEN x = a THEN ...; a missing ELSE is NULL. */
static int bind_case(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct sql_type null_type = {.kind = SQL_NULL};
	struct planner *planner = binder->planner;
	struct expr **args, *operand = NULL;
	size_t count = ast->arg_count;
	int err = bind_arguments(binder, ast, &args);

	if (err == 0 && ast->case_operand) {
		operand = *args++;
		count--;
	}
	for (size_t i = 0; operand && err == 0 && i + 1 < count; i += 2)
		err = bind_op(binder, SQL_OP_EQ, operand, args[i], &args[i]);
	if (err == 0 && !ast->case_else) {
		args[count] =
			expr_constant(planner->arena, &null_type, &(struct value){.null = true});
		err = args[count++] ? 0 : -ENOMEM;
	}
	if (err == 0)
		err = check_case(planner, args, count);
	if (err == 0)
		err = expr_case(planner->arena, args, count, ret);
	return bind_typed(binder, ast, err, "CASE for these types");
}

static int bind_cast(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr *arg;
	int err = bind_expr(binder, ast->args[0], &arg);

	if (err < 0)
		return err;
	/* Without a length CAST means STRING, which cannot be told from a length of 1 here. */
	if (ast->type.kind == SQL_VARCHAR && ast->type.precision == 1)
		err = -ENOTSUP;
	else if (text_eq(ast->name, TEXT("TRY_CAST")))
		err = arg->type.kind == SQL_TIMESTAMP_LTZ || ast->type.kind == SQL_TIMESTAMP_LTZ
			      ? -ENOTSUP
			      : expr_try_cast(binder->planner->arena, arg, &ast->type, ret);
	else
		err = bind_cast_to(binder, arg, &ast->type, ret);
	return bind_typed(binder, ast, err, "CAST between these types");
}

/* More than three digits are too many for Flink's planner. Recorded: more_sim/w5_delay5000s. */
static int bind_interval(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	struct text rest = ast->interval.unit;
	int64_t digits = 0;
	int err = 0;

	rest = text_slice(rest, text_find(rest, TEXT("(")) + 1, rest.len);
	rest = text_slice(rest, 0, text_find(rest, TEXT(")")));
	if (text_to_int64(rest, &digits) == 0 && digits > 3)
		err = plan_defer(planner, plan_fault(planner,
						  FAULT_TABLE "DAY_INTERVAL_TYPES precision is not "
							      "supported: %d",
						  (int)digits));
	if (err < 0)
		return err;
	return bind_bound(binder, expr_constant(planner->arena, &ast->type, &ast->value), ret);
}

/* Digits without a point that are more than a BIGINT holds. */
static bool is_too_large(const struct sql_expr *ast)
{
	return ast->kind == EXPR_LITERAL && ast->type.kind == SQL_DECIMAL && !ast->type.scale &&
	       text_find(ast->name, TEXT(".")) == ast->name.len;
}

static int bind_literal(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;

	if (ast->type.kind == SQL_DOUBLE && ast->value.f >= FIRST_HALF_DOUBLE &&
		ast->value.f < LAST_HALF_DOUBLE)
		return refuse(planner, ast->pos, "A number of this size");
	if (is_too_large(ast))
		return plan_fault(planner, FAULT_CALCITE "Numeric literal '%.*s' out of range",
			TEXT_ARG(ast->name));
	return bind_bound(binder, expr_constant(planner->arena, &ast->type, &ast->value), ret);
}

static int bind_kind(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{

	switch (ast->kind) {
	case EXPR_COLUMN: return bind_column_expr(binder, ast, ret);
	case EXPR_INTERVAL: return bind_interval(binder, ast, ret);
	case EXPR_LITERAL: return bind_literal(binder, ast, ret);
	case EXPR_OP: return bind_operator(binder, ast, ret);
	case EXPR_CALL: return bind_call(binder, ast, ret);
	case EXPR_CAST: return bind_cast(binder, ast, ret);
	case EXPR_CASE: return bind_case(binder, ast, ret);
	case EXPR_IN: return bind_in(binder, ast, ret);
	case EXPR_QUERY: return refuse(binder->planner, ast->pos, "A scalar sub-query");
	default: return refuse(binder->planner, ast->pos, "This expression");
	}
}

int bind_expr(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	int err = binder->agg ? bind_term(binder, ast, ret) : NOT_A_TERM;

	if (err == NOT_A_TERM)
		err = bind_kind(binder, ast, ret);
	if (err == 0)
		err = fold_constant(binder->planner, ast->pos, ret);
	return plan_locate(binder->planner, err, ast->pos);
}

int bind_condition(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr *condition;
	int err = bind_expr(binder, ast, &condition);

	if (err < 0)
		return err;
	if (condition->type.kind != SQL_BOOLEAN && condition->type.kind != SQL_NULL)
		return refuse(binder->planner, ast->pos, "A condition that is not BOOLEAN");
	*ret = condition;
	return 0;
}

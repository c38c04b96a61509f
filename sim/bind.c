/* Binder: names and types of expressions, as Flink's validator resolves them. Names are case
 * sensitive, function names are not.
 * Recorded: semantics/errors_sql_unknown_column, semantics/errors_cw_not_rowtime,
 * semantics/errors_cw_after_cast, semantics/errors_group_key_missing,
 * watermark/mistakes/filtered_having_wm, late_string_arg, filtered_filter_after_agg. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/diag.h"
#include "sim/ast.h"
#include "sim/fault.h"

#define NOT_A_TERM 1

int refuse(struct planner *planner, struct sql_pos pos, const char *what)
{
	return diag_set(planner->diag, -ENOTSUP, pos.line, pos.col, "%s is not simulated.", what);
}

int plan_defer(struct planner *planner, int err)
{
	if (err != -EBADMSG || text_starts(planner->fault, TEXT(FAULT_CALCITE)))
		return err;
	if (!planner->late_fault.len)
		planner->late_fault = planner->fault;
	return 0;
}

struct text type_summary(struct arena *arena, const struct sql_type *type)
{
	struct text name = sql_type_print(arena, type);

	if (!name.ptr || !type->not_null)
		return name;
	return text_format(arena, "%.*s NOT NULL", TEXT_ARG(name));
}

static int bound(const struct binder *binder, struct expr *expr, struct expr **ret)
{
	if (!expr)
		return diag_nomem(binder->planner->diag);
	*ret = expr;
	return 0;
}

int bind_column(const struct binder *binder, const struct sql_expr *ast, size_t *ret)
{
	struct planner *planner = binder->planner;
	size_t i = 0;

	if (ast->qualifier.len && binder->alias.len && !text_eq(ast->qualifier, binder->alias))
		return refuse(planner, ast->pos, "A qualifier that is not the relation's name");
	while (i < binder->column_count && !text_eq(binder->columns[i].name, ast->name))
		i++;
	if (i == binder->column_count)
		return plan_fault(planner, FAULT_CALCITE "Column '%.*s' not found in any table",
			TEXT_ARG(ast->name));
	*ret = i;
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
	return bound(
		binder, expr_column(planner->arena, column, &binder->columns[column].type), ret);
}

/* TUMBLE_START(ts, ...) and its like, where GROUP BY has TUMBLE(ts, ...). */
static int bind_legacy(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct {
		struct text suffix;
		size_t column;
	} functions[] = {{{"_START", 6}, 0}, {{"_END", 4}, 1}, {{"_ROWTIME", 8}, 2}};
	const struct agg_scope *agg = binder->agg;
	struct sql_expr window = *ast;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		size_t column = agg->window_start + functions[i].column;

		if (!text_ends(ast->name, functions[i].suffix))
			continue;
		window.name = text_slice(ast->name, 0, ast->name.len - functions[i].suffix.len);
		if (ast_same(&window, agg->legacy))
			return bound(binder,
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
			return bound(binder,
				expr_column(binder->planner->arena, column,
					&binder->columns[column].type),
				ret);
	}
	if (agg->legacy && ast->kind == EXPR_CALL)
		return bind_legacy(binder, ast, ret);
	return NOT_A_TERM;
}

static int bind_args(const struct binder *binder, const struct sql_expr *ast, struct expr ***ret)
{
	struct expr **args = arena_array(binder->planner->arena, ast->arg_count + 1, sizeof(*args));
	int err = args ? 0 : diag_nomem(binder->planner->diag);

	for (size_t i = 0; i < ast->arg_count && err == 0; i++)
		err = bind_expr(binder, ast->args[i], &args[i]);
	*ret = args;
	return err;
}

/* Turns the -ENOTSUP of an expression over wrong types into a refusal that names the construct. */
static int typed(const struct binder *binder, const struct sql_expr *ast, int err, const char *what)
{
	if (err == -ENOTSUP)
		return refuse(binder->planner, ast->pos, what);
	return err == -ENOMEM ? diag_nomem(binder->planner->diag) : err;
}

static int make_op(const struct binder *binder, enum sql_op op, struct expr *a, struct expr *b,
	struct expr **ret)
{
	struct expr **args = arena_array(binder->planner->arena, 2, sizeof(*args));

	if (!args)
		return -ENOMEM;
	args[0] = a;
	args[1] = b;
	return expr_op(binder->planner->arena, op, args, 2, ret);
}

/* value BETWEEN low AND high is value >= low AND value <= high. */
static int bind_between(const struct binder *binder, struct expr **args, struct expr **ret)
{
	struct expr *low, *high;
	int err = make_op(binder, SQL_OP_GE, args[0], args[1], &low);

	if (err == 0)
		err = make_op(binder, SQL_OP_LE, args[0], args[2], &high);
	return err ? err : make_op(binder, SQL_OP_AND, low, high, ret);
}

static int bind_operator(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args;
	int err = bind_args(binder, ast, &args);

	if (err < 0)
		return err;
	if (ast->op == SQL_OP_BETWEEN)
		err = bind_between(binder, args, ret);
	else
		err = expr_op(binder->planner->arena, ast->op, args, ast->arg_count, ret);
	return typed(binder, ast, err, "This operator for these types");
}

/* a IN (b, c) is a = b OR a = c. */
static int bind_in(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args, *any = NULL, *equal;
	int err;

	if (ast->query || ast->arg_count < 2)
		return refuse(binder->planner, ast->pos, "IN over a sub-query");
	err = bind_args(binder, ast, &args);
	for (size_t i = 1; i < ast->arg_count && err == 0; i++) {
		err = make_op(binder, SQL_OP_EQ, args[0], args[i], &equal);
		if (err == 0 && any)
			err = make_op(binder, SQL_OP_OR, any, equal, &equal);
		any = equal;
	}
	if (err == 0)
		*ret = any;
	return typed(binder, ast, err, "IN for these types");
}

/* CASE x WHEN a THEN ... becomes CASE WHEN x = a THEN ...; a missing ELSE is NULL. */
static int bind_case(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct sql_type null_type = {.kind = SQL_NULL};
	struct planner *planner = binder->planner;
	struct expr **args, *operand = NULL;
	size_t count = ast->arg_count;
	int err = bind_args(binder, ast, &args);

	if (err == 0 && ast->case_operand) {
		operand = *args++;
		count--;
	}
	for (size_t i = 0; operand && err == 0 && i + 1 < count; i += 2)
		err = make_op(binder, SQL_OP_EQ, operand, args[i], &args[i]);
	if (err == 0 && !ast->case_else) {
		args[count] =
			expr_constant(planner->arena, &null_type, &(struct value){.null = true});
		err = args[count++] ? 0 : -ENOMEM;
	}
	if (err == 0)
		err = expr_case(planner->arena, args, count, ret);
	return typed(binder, ast, err, "CASE for these types");
}

static int bind_cast(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr *arg;
	int err = bind_expr(binder, ast->args[0], &arg);

	if (err < 0)
		return err;
	err = expr_cast(binder->planner->arena, arg, &ast->type, ret);
	return typed(binder, ast, err, "CAST between these types");
}

/* A type as the validator names it in a signature. */
static const char *signature_of(const struct sql_type *type)
{
	if (type_is_time(type))
		return "<TIMESTAMP>";
	if (type_is_number(type))
		return "<NUMERIC>";
	return type->kind == SQL_BOOLEAN ? "<BOOLEAN>" : "<CHARACTER>";
}

static int wrong_watermark_arguments(const struct binder *binder, const struct sql_expr *ast)
{
	struct planner *planner = binder->planner;
	struct text list = text_of("");
	struct expr **args;
	int err = bind_args(binder, ast, &args);

	for (size_t i = 0; i < ast->arg_count && err == 0 && list.ptr; i++)
		list = text_format(planner->arena, "%.*s%s%s", TEXT_ARG(list), i ? ", " : "",
			signature_of(&args[i]->type));
	if (err < 0)
		return err;
	if (!list.ptr)
		return diag_nomem(planner->diag);
	return plan_fault(planner,
		FAULT_CALCITE "No match found for function signature CURRENT_WATERMARK(%.*s).\n"
			      "Supported signatures are:\n"
			      "CURRENT_WATERMARK(<TIMESTAMP_WITHOUT_TIME_ZONE *ROWTIME*>)\n"
			      "CURRENT_WATERMARK(<TIMESTAMP_WITH_LOCAL_TIME_ZONE *ROWTIME*>)",
		TEXT_ARG(list));
}

static int bind_current_watermark(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	struct text summary;
	struct expr *arg;
	int err;

	if (ast->arg_count != 1)
		return wrong_watermark_arguments(binder, ast);
	err = bind_expr(binder, ast->args[0], &arg);
	if (err < 0)
		return err;
	summary = type_summary(planner->arena, &arg->type);
	if (!summary.ptr)
		return diag_nomem(planner->diag);
	if (!type_is_time(&arg->type))
		return plan_fault(planner,
			FAULT_VALIDATION
			"CURRENT_WATERMARK() must be called with a single rowtime "
			"attribute argument, but '%.*s' cannot be a time attribute.",
			TEXT_ARG(summary));
	if (arg->type.attribute != TIME_ROWTIME || ast->args[0]->kind != EXPR_COLUMN)
		return plan_fault(planner,
			FAULT_VALIDATION "The argument of CURRENT_WATERMARK() must be a rowtime "
					 "attribute, but was '%.*s'.",
			TEXT_ARG(summary));
	return bound(binder, expr_current_watermark(planner->arena, &arg->type), ret);
}

/* Width of a unit that is always as long; 0: none. */
static int64_t unit_width_ms(struct text unit)
{
	static const struct {
		struct text name;
		int64_t width_ms;
	} units[] = {{{"SECOND", 6}, MS_PER_SECOND}, {{"MINUTE", 6}, MS_PER_MINUTE},
		{{"HOUR", 4}, MS_PER_HOUR}, {{"DAY", 3}, MS_PER_DAY}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (text_ieq(unit, units[i].name))
			return units[i].width_ms;
	return 0;
}

static int bind_floor(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	int64_t width_ms;
	struct expr *arg;
	int err;

	if (ast->arg_count != 2 || ast->args[1]->kind != EXPR_UNIT)
		return refuse(planner, ast->pos, "FLOOR of a number");
	width_ms = unit_width_ms(ast->args[1]->name);
	err = bind_expr(binder, ast->args[0], &arg);
	if (err < 0)
		return err;
	if (!width_ms || arg->type.kind != SQL_TIMESTAMP)
		return refuse(planner, ast->pos, "FLOOR to this unit");
	return bound(binder, expr_floor_time(planner->arena, arg, width_ms), ret);
}

/* TIMESTAMPADD(unit, n, ts) with a constant n. */
static int bind_timestampadd(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct sql_type interval = {.kind = SQL_INTERVAL_DAY};
	struct planner *planner = binder->planner;
	struct expr *count, *time, *shift;
	int64_t width_ms;
	int err;

	if (ast->arg_count != 3 || ast->args[0]->kind != EXPR_UNIT)
		return refuse(planner, ast->pos, "TIMESTAMPADD in this form");
	width_ms = unit_width_ms(ast->args[0]->name);
	err = bind_expr(binder, ast->args[1], &count);
	if (err == 0)
		err = bind_expr(binder, ast->args[2], &time);
	if (err < 0)
		return err;
	if (count->arg_count == 1 && count->args[0]->is_constant && count->op == SQL_OP_NEG) {
		count->args[0]->constant.i = -count->args[0]->constant.i;
		count = count->args[0];
	}
	if (!width_ms || !count->is_constant || !type_is_integer(&count->type))
		return refuse(planner, ast->pos, "TIMESTAMPADD in this form");
	shift = expr_constant(
		planner->arena, &interval, &(struct value){.i = count->constant.i * width_ms});
	err = shift ? make_op(binder, SQL_OP_ADD, time, shift, ret) : -ENOMEM;
	return typed(binder, ast, err, "TIMESTAMPADD for these types");
}

static int bind_coalesce(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args;
	int err = bind_args(binder, ast, &args);

	if (err == 0)
		err = expr_coalesce(binder->planner->arena, args, ast->arg_count, ret);
	return typed(binder, ast, err, "COALESCE for these types");
}

static int bind_call(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	struct text what;

	if (text_eq(ast->name, TEXT("CURRENT_WATERMARK")))
		return bind_current_watermark(binder, ast, ret);
	if (text_eq(ast->name, TEXT("COALESCE")) && ast->arg_count)
		return bind_coalesce(binder, ast, ret);
	if (text_eq(ast->name, TEXT("FLOOR")))
		return bind_floor(binder, ast, ret);
	if (text_eq(ast->name, TEXT("TIMESTAMPADD")))
		return bind_timestampadd(binder, ast, ret);
	what = text_format(planner->arena, "The function %.*s", TEXT_ARG(ast->name));
	return what.ptr ? refuse(planner, ast->pos, what.ptr) : diag_nomem(planner->diag);
}

int bind_expr(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct arena *arena = binder->planner->arena;
	int err = binder->agg ? bind_term(binder, ast, ret) : NOT_A_TERM;

	if (err != NOT_A_TERM)
		return err;
	switch (ast->kind) {
	case EXPR_COLUMN: return bind_column_expr(binder, ast, ret);
	case EXPR_LITERAL:
	case EXPR_INTERVAL:
		return bound(binder, expr_constant(arena, &ast->type, &ast->value), ret);
	case EXPR_OP: return bind_operator(binder, ast, ret);
	case EXPR_CALL: return bind_call(binder, ast, ret);
	case EXPR_CAST: return bind_cast(binder, ast, ret);
	case EXPR_CASE: return bind_case(binder, ast, ret);
	case EXPR_IN: return bind_in(binder, ast, ret);
	case EXPR_QUERY: return refuse(binder->planner, ast->pos, "A scalar sub-query");
	default: return refuse(binder->planner, ast->pos, "This expression");
	}
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

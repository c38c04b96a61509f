/* Binder: functions with words of their own, CURRENT_WATERMARK first of all, and those of times; the
 * others are bind_scalar.c's.
 * Recorded: semantics/errors_cw_not_rowtime, semantics/errors_cw_after_cast,
 * semantics/errors_cw_two_args, watermark/mistakes/late_string_arg, filtered_filter_after_agg,
 * w5_floor_group. */
#include "sim/bind.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/delay.h"
#include "sim/fault.h"

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
	int err = bind_arguments(binder, ast, &args);

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
	return bind_bound(binder, expr_current_watermark(planner->arena, &arg->type), ret);
}

/* FLOOR(ts TO unit) and CEIL(ts TO unit) */
static int bind_round_time(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	int64_t width_ms;
	struct expr *arg;
	int err;

	if (ast->arg_count != 2 || ast->args[1]->kind != EXPR_UNIT)
		return refuse(planner, ast->pos, "FLOOR or CEIL of a number");
	width_ms = unit_width_ms(ast->args[1]->name);
	err = bind_expr(binder, ast->args[0], &arg);
	if (err < 0)
		return err;
	if (!width_ms || arg->type.kind != SQL_TIMESTAMP)
		return refuse(planner, ast->pos, "FLOOR or CEIL to this unit");
	return bind_bound(binder,
		expr_round_time(planner->arena, arg, width_ms, text_eq(ast->name, TEXT("CEIL"))),
		ret);
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
	err = shift ? bind_op(binder, SQL_OP_ADD, time, shift, ret) : -ENOMEM;
	return bind_typed(binder, ast, err, "TIMESTAMPADD for these types");
}

/* TIMESTAMPDIFF(unit, from, to) */
static int bind_timestampdiff(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct planner *planner = binder->planner;
	struct expr *from, *to;
	int64_t width_ms;
	int err;

	if (ast->arg_count != 3 || ast->args[0]->kind != EXPR_UNIT)
		return refuse(planner, ast->pos, "TIMESTAMPDIFF in this form");
	width_ms = unit_width_ms(ast->args[0]->name);
	err = bind_expr(binder, ast->args[1], &from);
	if (err == 0)
		err = bind_expr(binder, ast->args[2], &to);
	if (err < 0)
		return err;
	if (!width_ms || from->type.kind != SQL_TIMESTAMP || to->type.kind != SQL_TIMESTAMP)
		return refuse(planner, ast->pos, "TIMESTAMPDIFF for these types");
	return bind_bound(binder, expr_time_difference(planner->arena, from, to, width_ms), ret);
}

int bind_call(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	if (text_eq(ast->name, TEXT("CURRENT_WATERMARK")))
		return bind_current_watermark(binder, ast, ret);
	if (text_eq(ast->name, TEXT("FLOOR")) || text_eq(ast->name, TEXT("CEIL")))
		return bind_round_time(binder, ast, ret);
	if (text_eq(ast->name, TEXT("TIMESTAMPADD")))
		return bind_timestampadd(binder, ast, ret);
	if (text_eq(ast->name, TEXT("TIMESTAMPDIFF")))
		return bind_timestampdiff(binder, ast, ret);
	return bind_scalar(binder, ast, ret);
}

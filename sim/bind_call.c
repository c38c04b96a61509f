/* Binder: functions with words of their own, CURRENT_WATERMARK first of all, and those of times;
 * the others are bind_scalar.c's. Recorded: semantics/errors_cw_not_rowtime,
 * semantics/errors_cw_after_cast, semantics/errors_cw_two_args,
 * watermark/mistakes/late_string_arg, filtered_filter_after_agg, w5_floor_group. */
#include "sim/bind.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
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
	if (ast->args[0]->kind != EXPR_COLUMN && ast->args[0]->kind != EXPR_CAST)
		return refuse(planner, ast->pos, "CURRENT_WATERMARK of an expression");
	if (arg->type.attribute != TIME_ROWTIME || ast->args[0]->kind != EXPR_COLUMN)
		return plan_fault(planner,
			FAULT_VALIDATION "The argument of CURRENT_WATERMARK() must be a rowtime "
					 "attribute, but was '%.*s'.",
			TEXT_ARG(summary));
	return bind_bound(binder, expr_current_watermark(planner->arena, &arg->type), ret);
}

/* The unit that an argument names; UNIT_NONE: it names none. */
static enum time_unit unit_of(const struct sql_expr *ast)
{
	return ast->kind == EXPR_UNIT ? time_unit_of(ast->name) : UNIT_NONE;
}

/* Only INTERVAL takes a unit in the plural. Recorded: more_sim/err_unit_plural. */
static int check_unit(const struct binder *binder, const struct sql_expr *ast)
{
	struct text name = ast->name;

	if (ast->kind != EXPR_UNIT || time_unit_of(name) != UNIT_NONE || name.len < 2 ||
		time_unit_of(text_slice(name, 0, name.len - 1)) == UNIT_NONE)
		return 0;
	return plan_fault(
		binder->planner, FAULT_CALCITE "'%.*s' is not a valid time frame", TEXT_ARG(name));
}

/* FLOOR(ts TO unit) and CEIL(ts TO unit) */
static int bind_round_time(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args = arena_array(binder->planner->arena, 1, sizeof(*args));
	int err = args ? bind_expr(binder, ast->args[0], &args[0])
		       : diag_nomem(binder->planner->diag);
	struct expr *at;

	if (err == 0)
		err = check_unit(binder, ast->args[1]);
	if (err < 0)
		return err;
	at = args[0];
	err = bind_local(binder, args[0], &args[0]);
	if (err == 0)
		err = expr_round_time(binder->planner->arena, args, unit_of(ast->args[1]),
			!text_eq(ast->name, TEXT("FLOOR")), ret);
	if (err == 0 && at->type.kind == SQL_TIMESTAMP_LTZ)
		err = expr_zoned_back(binder->planner->arena, binder->planner->zone, *ret, at, ret);
	return bind_typed(binder, ast, err, "FLOOR or CEIL to this unit");
}

/* EXTRACT(unit FROM time) */
static int bind_extract(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args = arena_array(binder->planner->arena, 1, sizeof(*args));
	int err = args ? bind_expr(binder, ast->args[1], &args[0])
		       : diag_nomem(binder->planner->diag);

	if (err == 0)
		err = check_unit(binder, ast->args[0]);
	if (err == 0)
		err = bind_local(binder, args[0], &args[0]);
	if (err < 0)
		return err;
	err = expr_extract(binder->planner->arena, args, unit_of(ast->args[0]), ret);
	return bind_typed(binder, ast, err, "EXTRACT of this unit");
}

/* A DATE that moves by less than a day becomes a TIMESTAMP. */
static int widen_date(
	const struct binder *binder, enum time_unit unit, struct expr *time, struct expr **ret)
{
	static const struct sql_type timestamp = {.kind = SQL_TIMESTAMP, .precision = 6};

	*ret = time;
	if (time->type.kind != SQL_DATE || unit >= UNIT_DAY)
		return 0;
	if (unit == UNIT_MILLISECOND)
		return -ENOTSUP;
	return expr_cast(binder->planner->arena, time, &timestamp, ret);
}

/* TIMESTAMPADD(unit, n, time) is time + n * INTERVAL '1' unit */
static int timestampadd(const struct binder *binder, enum time_unit unit, struct expr *count,
	struct expr *time, struct expr **ret)
{
	bool months = time_unit_months(unit) != 0;
	struct sql_type type = {
		.kind = months ? SQL_INTERVAL_MONTH : SQL_INTERVAL_DAY, .not_null = true};
	struct value one = {.i = months ? time_unit_months(unit) : time_unit_ms(unit)};
	struct expr *width = expr_constant(binder->planner->arena, &type, &one), *shift;
	int err = widen_date(binder, unit, time, &time);

	if (err == 0 && unit == UNIT_MILLISECOND && time->type.precision != 3)
		err = -ENOTSUP;
	if (err == 0)
		err = width ? bind_op(binder, SQL_OP_MUL, count, width, &shift) : -ENOMEM;
	return err ? err : bind_op(binder, SQL_OP_ADD, time, shift, ret);
}

static int bind_timestampadd(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	enum time_unit unit = ast->arg_count == 3 ? unit_of(ast->args[0]) : UNIT_NONE;
	struct expr *count, *time;
	int err = ast->arg_count == 3 ? check_unit(binder, ast->args[0]) : 0;

	if (err < 0)
		return err;
	if (unit == UNIT_NONE || unit > UNIT_YEAR)
		return refuse(binder->planner, ast->pos, "TIMESTAMPADD in this form");
	err = bind_expr(binder, ast->args[1], &count);
	if (err == 0)
		err = bind_expr(binder, ast->args[2], &time);
	if (err == 0)
		err = bind_typed(binder, ast, timestampadd(binder, unit, count, time, ret),
			"TIMESTAMPADD for these types");
	return err;
}

/* TIMESTAMPDIFF(unit, from, to) */
static int bind_timestampdiff(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args = arena_array(binder->planner->arena, 2, sizeof(*args));
	int err = args ? 0 : diag_nomem(binder->planner->diag);

	if (ast->arg_count != 3)
		return refuse(binder->planner, ast->pos, "TIMESTAMPDIFF in this form");
	if (err == 0)
		err = check_unit(binder, ast->args[0]);
	for (size_t i = 0; i < 2 && err == 0; i++)
		err = bind_expr(binder, ast->args[i + 1], &args[i]);
	if (err < 0)
		return err;
	err = expr_time_difference(binder->planner->arena, args, unit_of(ast->args[0]), ret);
	return bind_typed(binder, ast, err, "TIMESTAMPDIFF for these types");
}

/* TRIM(side set FROM text) is one of three functions. */
static int bind_trim(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct sql_expr call = *ast;
	struct sql_expr *args[2] = {ast->args[2], ast->args[1]};
	struct text side = ast->args[0]->name;

	if (text_eq(side, TEXT("LEADING")))
		call.name = TEXT("LTRIM");
	if (text_eq(side, TEXT("TRAILING")))
		call.name = TEXT("RTRIM");
	call.args = args;
	call.arg_count = 2;
	return bind_scalar(binder, &call, ret);
}

/* Functions of one argument that are an EXTRACT. */
static enum time_unit extract_function(struct text name)
{
	static const struct {
		struct text name;
		enum time_unit unit;
	} functions[] = {{{"DAYOFMONTH", 10}, UNIT_DAY}, {{"DAYOFWEEK", 9}, UNIT_DOW},
		{{"DAYOFYEAR", 9}, UNIT_DOY}, {{"HOUR", 4}, UNIT_HOUR},
		{{"MINUTE", 6}, UNIT_MINUTE}, {{"MONTH", 5}, UNIT_MONTH},
		{{"QUARTER", 7}, UNIT_QUARTER}, {{"SECOND", 6}, UNIT_SECOND},
		{{"WEEK", 4}, UNIT_WEEK}, {{"YEAR", 4}, UNIT_YEAR}};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (text_eq(name, functions[i].name))
			return functions[i].unit;
	return UNIT_NONE;
}

static int bind_extract_function(
	const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct expr **args;
	int err = bind_arguments(binder, ast, &args);

	if (err < 0)
		return err;
	err = ast->arg_count == 1
		      ? expr_extract(binder->planner->arena, args, extract_function(ast->name), ret)
		      : -ENOTSUP;
	return bind_typed(binder, ast, err, "This part of this type");
}

int bind_call(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	static const struct {
		struct text name;
		size_t unit; /* the argument that is a word of its own; none: -1 */
		int (*bind)(const struct binder *, const struct sql_expr *, struct expr **);
	} forms[] = {{{"CEIL", 4}, 1, bind_round_time}, {{"CEILING", 7}, 1, bind_round_time},
		{{"EXTRACT", 7}, 0, bind_extract}, {{"FLOOR", 5}, 1, bind_round_time},
		{{"TRIM", 4}, 0, bind_trim},
		{{"CURRENT_WATERMARK", 17}, SIZE_MAX, bind_current_watermark},
		{{"TIMESTAMPADD", 12}, SIZE_MAX, bind_timestampadd},
		{{"TIMESTAMPDIFF", 13}, SIZE_MAX, bind_timestampdiff}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (text_eq(ast->name, forms[i].name) &&
			(forms[i].unit == SIZE_MAX ||
				(forms[i].unit < ast->arg_count &&
					ast->args[forms[i].unit]->kind == EXPR_UNIT)))
			return forms[i].bind(binder, ast, ret);
	if (extract_function(ast->name) != UNIT_NONE)
		return bind_extract_function(binder, ast, ret);
	return bind_scalar(binder, ast, ret);
}

/* Casts between the types that are simulated. A cast takes the time attribute away; strings are cast
 * to times and numbers only where they are constants; a time keeps its digits in another zone's type,
 * which is right in UTC.
 * Recorded: semantics/errors_tumble_cast_ts, semantics/types_stream (CAST(SUM(i) AS DOUBLE)),
 * watermark/mistakes/filtered_ok_coalesce, format/types_time_stream, format/double_values_stream,
 * more_sim/w5_ok_cast_cnt_int. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/key.h"

static void eval_same(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
}

static void eval_integer_to_double(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->f = (double)ret->i;
}

static void eval_integer_to_float(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->f = (float)ret->i;
}

static int128 power_of_ten(int64_t exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

static void eval_integer_to_decimal(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->dec = (int128)ret->i * power_of_ten(expr->number);
}

static void eval_decimal_rescale(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->dec *= power_of_ten(expr->number);
}

/* As java.math.BigDecimal.doubleValue() for numbers of up to 15 digits, where both are exact. */
static void eval_decimal_to_double(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->f = (double)ret->dec / (double)power_of_ten(expr->number);
}

/* Cuts digits behind the wanted precision: expr->number is a power of ten in nanoseconds. */
static void eval_cut_time(const struct expr *expr, struct eval *eval, struct value *ret)
{
	int64_t ms_step = expr->number / 1000000;

	expr_arg(expr, 0, eval, ret);
	if (ret->null)
		return;
	if (ms_step > 0) {
		int64_t rest = ret->i % ms_step;

		ret->i -= rest < 0 ? rest + ms_step : rest;
		ret->nanos = 0;
	} else {
		ret->nanos -= (int32_t)(ret->nanos % expr->number);
	}
}

/* Out of range Flink's answer was never seen. */
static void eval_narrow(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		eval->beyond |= integer_wrap((uint64_t)ret->i, expr->type.kind) != ret->i;
}

static void eval_double_to_float(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->f = (float)ret->f;
}

/* As BigDecimal.floatValue() for numbers of up to 7 digits, where both are exact. */
static void eval_decimal_to_float(const struct expr *expr, struct eval *eval, struct value *ret)
{
	eval_decimal_to_double(expr, eval, ret);
	if (!ret->null)
		ret->f = (float)ret->f;
}

static int cast_node(struct arena *arena, struct expr *arg, const struct sql_type *type,
	void (*eval)(const struct expr *, struct eval *, struct value *), struct expr **ret)
{
	struct expr **args = arena_array(arena, 1, sizeof(*args));

	if (!args)
		return -ENOMEM;
	args[0] = arg;
	*ret = expr_node(arena, eval, type, args, 1);
	return *ret ? 0 : -ENOMEM;
}

static int cast_integer(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret)
{
	struct sql_type from = type_as_decimal(&arg->type);
	int err;

	if (type->kind == SQL_DOUBLE)
		return cast_node(arena, arg, type, eval_integer_to_double, ret);
	if (type->kind == SQL_FLOAT)
		return cast_node(arena, arg, type, eval_integer_to_float, ret);
	if (type_is_integer(type))
		return cast_node(arena, arg, type,
			type->kind >= arg->type.kind ? eval_same : eval_narrow, ret);
	if (type->kind != SQL_DECIMAL || type->precision - type->scale < from.precision)
		return -ENOTSUP;
	err = cast_node(arena, arg, type, eval_integer_to_decimal, ret);
	if (err == 0)
		(*ret)->number = type->scale;
	return err;
}

static int cast_decimal(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret)
{
	const struct sql_type *from = &arg->type;
	int err;

	if ((type->kind == SQL_DOUBLE && from->precision <= 15) ||
		(type->kind == SQL_FLOAT && from->precision <= 7)) {
		err = cast_node(arena, arg, type,
			type->kind == SQL_FLOAT ? eval_decimal_to_float : eval_decimal_to_double,
			ret);
		if (err == 0)
			(*ret)->number = from->scale;
		return err;
	}
	if (type->kind != SQL_DECIMAL || type->scale < from->scale ||
		type->precision - type->scale < from->precision - from->scale)
		return -ENOTSUP;
	err = cast_node(arena, arg, type, eval_decimal_rescale, ret);
	if (err == 0)
		(*ret)->number = type->scale - from->scale;
	return err;
}

static int cast_time(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret)
{
	int64_t step = 1;
	int err;

	if (type->precision >= arg->type.precision)
		return cast_node(arena, arg, type, eval_same, ret);
	err = cast_node(arena, arg, type, eval_cut_time, ret);
	for (int32_t digit = type->precision; digit < 9; digit++)
		step *= 10;
	if (err == 0)
		(*ret)->number = step;
	return err;
}

static int cast_constant_text(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret)
{
	struct value value = {.null = true};

	if (!type_is_time(type) && type->kind != SQL_DATE && type->kind != SQL_TIME &&
		type->kind != SQL_DECIMAL && type->kind != SQL_DOUBLE)
		return -ENOTSUP;
	if (!arg->constant.null && value_parse(text_trim(arg->constant.s), type, &value) < 0)
		return -ENOTSUP;
	*ret = expr_constant(arena, type, &value);
	return *ret ? 0 : -ENOMEM;
}

static bool same_type(const struct sql_type *a, const struct sql_type *b)
{
	return a->kind == b->kind && a->precision == b->precision && a->scale == b->scale;
}

int expr_cast(struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret)
{
	struct sql_type plain = *type;

	plain.attribute = TIME_NONE;
	plain.not_null = arg->type.not_null;
	if (same_type(&arg->type, type)) {
		*ret = arg;
		if (arg->type.attribute == TIME_NONE)
			return 0;
		return cast_node(arena, arg, &plain, eval_same, ret);
	}
	if (arg->type.kind == SQL_NULL) {
		*ret = expr_constant(arena, &plain, &(struct value){.null = true});
		return *ret ? 0 : -ENOMEM;
	}
	if (type->kind == SQL_VARCHAR && type->precision == SQL_MAX_LENGTH &&
		!type_is_text(&arg->type))
		return expr_to_text(arena, arg, ret);
	if (type_is_integer(&arg->type))
		return cast_integer(arena, arg, &plain, ret);
	if (arg->type.kind == SQL_DECIMAL)
		return cast_decimal(arena, arg, &plain, ret);
	if (arg->type.kind == SQL_FLOAT && type->kind == SQL_DOUBLE)
		return cast_node(arena, arg, &plain, eval_same, ret);
	if (arg->type.kind == SQL_DOUBLE && type->kind == SQL_FLOAT)
		return cast_node(arena, arg, &plain, eval_double_to_float, ret);
	if (type_is_time(type) && type_is_time(&arg->type))
		return cast_time(arena, arg, &plain, ret);
	if (type_is_text(type) && type_is_text(&arg->type) &&
		type->precision >= arg->type.precision && type->kind == SQL_VARCHAR)
		return cast_node(arena, arg, &plain, eval_same, ret);
	if (type_is_text(&arg->type) && arg->is_constant)
		return cast_constant_text(arena, arg, &plain, ret);
	return -ENOTSUP;
}

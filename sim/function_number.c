/* Functions of numbers. The type stays, but that a rounded DECIMAL loses digits. Of powers only
 * those are simulated that come out exactly, as Java's arithmetic for the others is its own.
 * Recorded: more_sim/scalar_number. */
#include "sim/function.h"

#include <errno.h>
#include <math.h>

#include "parser/arena.h"
#include "sim/decimal.h"

/* Whole numbers up to here are exact. */
#define EXACT 9007199254740992.0

static bool is_floating(const struct sql_type *type)
{
	return type->kind == SQL_FLOAT || type->kind == SQL_DOUBLE;
}

static void apply_abs(const struct call *call, struct value *ret)
{
	*ret = call->args[0];
	if (call->expr->type.kind == SQL_DECIMAL)
		ret->dec = ret->dec < 0 ? -ret->dec : ret->dec;
	else if (is_floating(&call->expr->type))
		ret->f = fabs(ret->f);
	else if (ret->i < 0)
		ret->i = integer_wrap(0 - (uint64_t)ret->i, call->expr->type.kind);
}

static void apply_sign(const struct call *call, struct value *ret)
{
	const struct sql_type *type = &call->expr->type;
	struct value arg = call->args[0];

	if (type->kind == SQL_DECIMAL) {
		ret->dec = ((arg.dec > 0) - (arg.dec < 0)) * decimal_power(type->scale);
		call->eval->beyond |= !decimal_fits(ret->dec, type->precision);
	} else if (is_floating(type)) {
		call->eval->beyond |= isnan(arg.f);
		ret->f = (arg.f > 0) - (arg.f < 0);
	} else {
		ret->i = (arg.i > 0) - (arg.i < 0);
	}
}

/* Down to a whole number, or up. */
static void round_whole(const struct call *call, bool up, struct value *ret)
{
	int scale = call->expr->args[0]->type.scale;
	int128 unit, rest;

	*ret = call->args[0];
	if (is_floating(&call->expr->type)) {
		ret->f = up ? ceil(ret->f) : floor(ret->f);
	} else if (call->expr->type.kind == SQL_DECIMAL) {
		unit = decimal_power(scale);
		rest = ret->dec % unit;
		ret->dec = ret->dec / unit + (up && rest > 0) - (!up && rest < 0);
	}
}

static void apply_floor(const struct call *call, struct value *ret)
{
	round_whole(call, false, ret);
}

static void apply_ceil(const struct call *call, struct value *ret)
{
	round_whole(call, true, ret);
}

/* The digits behind the point that are kept; negative: before it. */
static int places(const struct call *call)
{
	return call->count > 1 ? (int)call->args[1].i : 0;
}

/* Rounds half up, or cuts, to so many digits. */
static int128 keep_places(int128 n, int scale, int keep, bool cut)
{
	int128 rounded = n, unit;

	if (keep >= scale)
		return n;
	if (scale - keep > 38)
		return 0;
	unit = decimal_power(scale - keep);
	if (cut || !decimal_rescale(n, scale - keep, 0, &rounded))
		rounded = decimal_cut(n, scale - keep);
	return rounded * unit;
}

static void keep_digits(const struct call *call, bool cut, struct value *ret)
{
	const struct sql_type *from = &call->expr->args[0]->type, *to = &call->expr->type;
	int128 n = 0;

	*ret = call->args[0];
	if (to->kind == SQL_DECIMAL) {
		n = keep_places(ret->dec, from->scale, places(call), cut);
		ret->dec = decimal_cut(n, from->scale - to->scale);
	} else if (to->kind == SQL_DOUBLE) {
		call->eval->beyond |= cut || places(call) < 0 || places(call) > 15 ||
				      !decimal_from_double(ret->f, places(call), &n);
		ret->f = decimal_to_double(n, places(call), false);
	} else {
		ret->i =
			integer_wrap((uint64_t)keep_places(ret->i, 0, places(call), cut), to->kind);
	}
}

static void apply_round(const struct call *call, struct value *ret)
{
	keep_digits(call, false, ret);
}

static void apply_truncate(const struct call *call, struct value *ret)
{
	keep_digits(call, true, ret);
}

static double as_double(const struct call *call, size_t n)
{
	const struct sql_type *type = &call->expr->args[n]->type;

	if (type->kind == SQL_DECIMAL)
		return decimal_to_double(call->args[n].dec, type->scale, false);
	return is_floating(type) ? call->args[n].f : (double)call->args[n].i;
}

static void apply_power(const struct call *call, struct value *ret)
{
	double base = as_double(call, 0), exponent = as_double(call, 1);

	ret->f = exponent == 2 ? base * base : pow(base, exponent);
	call->eval->beyond |=
		exponent != 2 && !(base == floor(base) && exponent == floor(exponent) &&
					 exponent >= 0 && fabs(ret->f) <= EXACT);
}

/* The root of a square, which no rounding touches. */
static void apply_sqrt(const struct call *call, struct value *ret)
{
	double square = as_double(call, 0);

	ret->f = sqrt(square);
	call->eval->beyond |= !(square >= 0 && square <= EXACT && ret->f == floor(ret->f) &&
				ret->f * ret->f == square);
}

static void apply_pi(const struct call *call, struct value *ret)
{
	(void)call;
	ret->f = M_PI;
}

static void apply_e(const struct call *call, struct value *ret)
{
	(void)call;
	ret->f = M_E;
}

static int make(const struct function *function, struct call_args *call,
	const struct sql_type *type, struct expr **ret)
{
	int err = function_make(function, call, ret);
	bool not_null = err == 0 && (*ret)->type.not_null;

	if (err < 0)
		return err;
	(*ret)->type = *type;
	(*ret)->type.not_null = not_null;
	return 0;
}

static int bind_whole(struct call_args *call, bool up, struct expr **ret)
{
	static const struct function functions[] = {
		{"FLOOR", "n", RESULT_FIRST, NULL_FROM_ARGS, apply_floor, NULL, NULL},
		{"CEIL", "n", RESULT_FIRST, NULL_FROM_ARGS, apply_ceil, NULL, NULL}};
	struct sql_type type = call->args[0]->type;

	type.scale = 0;
	return make(&functions[up], call, &type, ret);
}

static int bind_floor(struct call_args *call, struct expr **ret)
{
	return bind_whole(call, false, ret);
}

static int bind_ceil(struct call_args *call, struct expr **ret)
{
	return bind_whole(call, true, ret);
}

static int bind_digits(struct call_args *call, bool cut, struct expr **ret)
{
	static const struct function functions[] = {
		{"ROUND", "n?i", RESULT_FIRST, NULL_FROM_ARGS, apply_round, NULL, NULL},
		{"TRUNCATE", "n?i", RESULT_FIRST, NULL_FROM_ARGS, apply_truncate, NULL, NULL}};
	struct sql_type type = call->args[0]->type;
	int32_t keep = 0;

	if (call->count > 1) {
		if (!call->args[1]->is_constant || call->args[1]->constant.null ||
			call->args[1]->constant.i > 38 || call->args[1]->constant.i < -38)
			return -ENOTSUP;
		keep = (int32_t)call->args[1]->constant.i;
	}
	if (type.kind == SQL_FLOAT || (cut && type.kind != SQL_DECIMAL && type.kind < SQL_INT))
		return -ENOTSUP;
	if (type.kind == SQL_DECIMAL && keep < type.scale) {
		keep = keep < 0 ? 0 : keep;
		type.precision += 1 - type.scale + keep;
		type.precision = type.precision > 38 ? 38 : type.precision;
		type.scale = keep;
	}
	return make(&functions[cut], call, &type, ret);
}

static int bind_round(struct call_args *call, struct expr **ret)
{
	return bind_digits(call, false, ret);
}

static int bind_truncate(struct call_args *call, struct expr **ret)
{
	return bind_digits(call, true, ret);
}

static int bind_sign(struct call_args *call, struct expr **ret)
{
	static const struct function function = {
		"SIGN", "n", RESULT_FIRST, NULL_FROM_ARGS, apply_sign, NULL, NULL};

	/* Flink's generated code for the small ones is not compiled. */
	if (call->args[0]->type.kind == SQL_TINYINT || call->args[0]->type.kind == SQL_SMALLINT)
		return -ENOTSUP;
	return function_make(&function, call, ret);
}

static int bind_mod(struct call_args *call, struct expr **ret)
{
	return expr_op(call->arena, SQL_OP_MOD, call->args, 2, ret);
}

const struct function number_functions[] = {
	{"ABS", "n", RESULT_FIRST, NULL_FROM_ARGS, apply_abs, NULL, NULL},
	{"CEIL", "n", 0, 0, NULL, bind_ceil, NULL},
	{"CEILING", "n", 0, 0, NULL, bind_ceil, NULL},
	{"E", "", RESULT_DOUBLE, NULL_FROM_ARGS, apply_e, NULL, NULL},
	{"FLOOR", "n", 0, 0, NULL, bind_floor, NULL},
	{"MOD", "nn", 0, 0, NULL, bind_mod, NULL},
	{"PI", "", RESULT_DOUBLE, NULL_FROM_ARGS, apply_pi, NULL, NULL},
	{"POWER", "nn", RESULT_DOUBLE, NULL_FROM_ARGS, apply_power, NULL, NULL},
	{"ROUND", "n?i", 0, 0, NULL, bind_round, NULL},
	{"SIGN", "n", 0, 0, NULL, bind_sign, NULL},
	{"SQRT", "n", RESULT_DOUBLE, NULL_FROM_ARGS, apply_sqrt, NULL, NULL},
	{"TRUNCATE", "n?i", 0, 0, NULL, bind_truncate, NULL},
	{0},
};

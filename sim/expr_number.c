/* Arithmetic of numbers: integers wrap, integer division is cut toward zero, DECIMAL results get
 * Flink's precision and scale. Times are expr_time.c's.
 * Recorded: semantics/types_stream (COUNT(*)+1, SUM(i)/COUNT(*), SUM(d10)/3, COUNT(*)*1.5),
 * format/err_div0. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"

#define MOST_DIGITS 38

int64_t integer_wrap(uint64_t n, enum sql_kind kind)
{
	switch (kind) {
	case SQL_TINYINT: return (int8_t)n;
	case SQL_SMALLINT: return (int16_t)n;
	case SQL_INT: return (int32_t)n;
	default: return (int64_t)n;
	}
}

static int64_t divide(const struct expr *expr, struct eval *eval, int64_t a, int64_t b)
{
	if (b == 0) {
		eval->fault = "java.lang.ArithmeticException: Division by zero";
		return 0;
	}
	if (b == -1)
		return expr->op == SQL_OP_DIV ? (int64_t)(0 - (uint64_t)a) : 0;
	return expr->op == SQL_OP_DIV ? a / b : a % b;
}

/* Both arguments; false where one is NULL, and *ret is NULL then. */
static bool both(const struct expr *expr, struct eval *eval, struct value *ret, struct value *b)
{
	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, b);
	ret->null |= b->null;
	return !ret->null;
}

static void eval_integer(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value b;
	uint64_t n, m;

	if (!both(expr, eval, ret, &b))
		return;
	n = (uint64_t)ret->i;
	m = (uint64_t)b.i;
	switch (expr->op) {
	case SQL_OP_ADD: n += m; break;
	case SQL_OP_SUB: n -= m; break;
	case SQL_OP_MUL: n *= m; break;
	default: n = (uint64_t)divide(expr, eval, ret->i, b.i);
	}
	ret->i = integer_wrap(n, expr->type.kind);
}

static void eval_double(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value b;

	if (!both(expr, eval, ret, &b))
		return;
	switch (expr->op) {
	case SQL_OP_ADD: ret->f += b.f; break;
	case SQL_OP_SUB: ret->f -= b.f; break;
	case SQL_OP_MUL: ret->f *= b.f; break;
	default: ret->f /= b.f; break;
	}
	if (expr->type.kind == SQL_FLOAT)
		ret->f = (float)ret->f;
}

static int128 power_of_ten(int64_t exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* n times 10 to the power of shift; eval->beyond where it does not fit. */
static int128 scale_up(struct eval *eval, int128 n, int64_t shift)
{
	int128 scaled = 0;

	if (shift > MOST_DIGITS || __builtin_mul_overflow(n, power_of_ten(shift), &scaled))
		eval->beyond = true;
	return scaled;
}

/* a / b, half up. */
static int128 round_half_up(int128 a, int128 b)
{
	int128 quotient = a / b, rest = a % b;

	if (rest < 0)
		rest = -rest;
	if (rest >= (b < 0 ? -b : b) - rest && rest != 0)
		quotient += (a < 0) == (b < 0) ? 1 : -1;
	return quotient;
}

static void check_digits(const struct expr *expr, struct eval *eval, int128 n)
{
	if ((n < 0 ? -n : n) >= power_of_ten(expr->type.precision))
		eval->beyond = true;
}

/* From the scale that the exact result has to that of the type. */
static int128 fit(const struct expr *expr, struct eval *eval, int128 n, int64_t scale)
{
	if (scale > expr->type.scale)
		return round_half_up(n, power_of_ten(scale - expr->type.scale));
	return scale_up(eval, n, expr->type.scale - scale);
}

static int128 divide_decimal(const struct expr *expr, struct eval *eval, int128 a, int128 b)
{
	int64_t sa = expr->args[0]->type.scale, sb = expr->args[1]->type.scale;

	if (b == 0) {
		eval->fault = "java.lang.ArithmeticException: Division by zero";
		return 0;
	}
	return round_half_up(scale_up(eval, a, expr->type.scale - sa + sb), b);
}

static void eval_decimal(const struct expr *expr, struct eval *eval, struct value *ret)
{
	int64_t sa = expr->args[0]->type.scale, sb = expr->args[1]->type.scale;
	int64_t scale = sa > sb ? sa : sb;
	struct value b;
	int128 n = 0;
	bool overflow = false;

	if (!both(expr, eval, ret, &b))
		return;
	if (expr->op == SQL_OP_DIV) {
		n = divide_decimal(expr, eval, ret->dec, b.dec);
	} else if (expr->op == SQL_OP_MUL) {
		overflow = __builtin_mul_overflow(ret->dec, b.dec, &n);
		n = fit(expr, eval, n, sa + sb);
	} else {
		int128 x = scale_up(eval, ret->dec, scale - sa);
		int128 y = scale_up(eval, b.dec, scale - sb);

		n = fit(expr, eval, expr->op == SQL_OP_ADD ? x + y : x - y, scale);
	}
	eval->beyond |= overflow;
	check_digits(expr, eval, n);
	ret->dec = n;
}

static void eval_negate(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (ret->null)
		return;
	if (expr->type.kind == SQL_DECIMAL)
		ret->dec = -ret->dec;
	else if (expr->type.kind >= SQL_FLOAT && expr->type.kind <= SQL_DOUBLE)
		ret->f = -ret->f;
	else
		ret->i = integer_wrap(0 - (uint64_t)ret->i, expr->type.kind);
}

/* Too many digits: the fraction gives way, but keeps 6 digits or what it had. */
static struct sql_type limit_digits(int32_t precision, int32_t scale)
{
	int32_t least = scale < 6 ? scale : 6, whole = precision - scale;

	if (precision <= MOST_DIGITS)
		return (struct sql_type){
			.kind = SQL_DECIMAL, .precision = precision, .scale = scale};
	scale = MOST_DIGITS - whole;
	return (struct sql_type){.kind = SQL_DECIMAL,
		.precision = MOST_DIGITS,
		.scale = scale > least ? scale : least};
}

static struct sql_type decimal_result(enum sql_op op, struct sql_type a, struct sql_type b)
{
	int32_t scale = a.scale > b.scale ? a.scale : b.scale;
	int32_t whole = a.precision - a.scale;

	if (op == SQL_OP_MUL)
		return limit_digits(a.precision + b.precision + 1, a.scale + b.scale);
	if (op == SQL_OP_DIV) {
		scale = a.scale + b.precision + 1 > 6 ? a.scale + b.precision + 1 : 6;
		return limit_digits(a.precision - a.scale + b.scale + scale, scale);
	}
	if (whole < b.precision - b.scale)
		whole = b.precision - b.scale;
	return limit_digits(whole + scale + 1, scale);
}

static int decimals(struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret)
{
	struct sql_type a = type_as_decimal(&args[0]->type), b = type_as_decimal(&args[1]->type);
	struct sql_type type = decimal_result(op, a, b);
	int err = expr_cast(arena, args[0], &a, &args[0]);

	if (op == SQL_OP_MOD)
		return -ENOTSUP;
	if (err == 0)
		err = expr_cast(arena, args[1], &b, &args[1]);
	if (err < 0)
		return err;
	*ret = expr_node(arena, eval_decimal, &type, args, 2);
	return *ret ? 0 : -ENOMEM;
}

static int numbers(struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret)
{
	struct sql_type type;
	int err = type_common(&args[0]->type, &args[1]->type, &type);
	bool exact = type_is_integer(&type);

	if (args[0]->type.kind == SQL_DECIMAL || args[1]->type.kind == SQL_DECIMAL) {
		if (args[0]->type.kind < SQL_FLOAT && args[1]->type.kind < SQL_FLOAT)
			return decimals(arena, op, args, ret);
	}
	if (err == 0)
		err = expr_cast(arena, args[0], &type, &args[0]);
	if (err == 0)
		err = expr_cast(arena, args[1], &type, &args[1]);
	if (err < 0)
		return err;
	if (op == SQL_OP_MOD && !exact)
		return -ENOTSUP;
	*ret = expr_node(arena, exact ? eval_integer : eval_double, &type, args, 2);
	return *ret ? 0 : -ENOMEM;
}

/* A number with its sign is one literal: the least INT is an INT, though its digits alone are not.
 * Recorded: format/types_numeric_stream. */
static struct sql_type negated_type(const struct expr *arg)
{
	struct sql_type type = arg->type;

	if (arg->is_constant && type.kind == SQL_BIGINT && arg->constant.i == -(int64_t)INT32_MIN)
		type.kind = SQL_INT;
	return type;
}

static int negate(struct arena *arena, struct expr **args, struct expr **ret)
{
	struct sql_type type = negated_type(args[0]);

	if (!type_is_number(&type) && type.kind != SQL_INTERVAL_DAY &&
		type.kind != SQL_INTERVAL_MONTH)
		return -ENOTSUP;
	*ret = expr_node(arena, eval_negate, &type, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->op = SQL_OP_NEG;
	return 0;
}

int expr_arithmetic(
	struct arena *arena, enum sql_op op, struct expr **args, size_t count, struct expr **ret)
{
	int err = -ENOTSUP;

	if (count == 1)
		return negate(arena, args, ret);
	if (type_is_number(&args[0]->type) && type_is_number(&args[1]->type))
		err = numbers(arena, op, args, ret);
	else
		err = expr_time_arithmetic(arena, op, args, ret);
	if (err == 0)
		(*ret)->op = op;
	return err;
}

/* Arithmetic of numbers: integers wrap, integer division is cut toward zero, DECIMAL results get
 * Flink's precision and scale. Times are expr_time.c's.
 * Recorded: semantics/types_stream (COUNT(*)+1, SUM(i)/COUNT(*), SUM(d10)/3, COUNT(*)*1.5),
 * format/err_div0. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/decimal.h"

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

/* In generated code a division by zero is Java's; of constants it is the planner's. */
static const char *zero_fault(const struct expr *expr)
{
	bool constant = expr_is_constant(expr);

	if (expr->type.kind == SQL_DECIMAL || (constant && expr->op == SQL_OP_DIV))
		return "java.lang.ArithmeticException: Division by zero";
	return "java.lang.ArithmeticException: / by zero";
}

static int64_t divide(const struct expr *expr, struct eval *eval, int64_t a, int64_t b)
{
	if (b == 0) {
		eval->fault = zero_fault(expr);
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
	default:
		/* The planner divides constants by itself. */
		if (b.f == 0 && expr_is_constant(expr))
			eval->fault = zero_fault(expr);
		ret->f /= b.f;
		break;
	}
	if (expr->type.kind == SQL_FLOAT)
		ret->f = (float)ret->f;
}

static bool divide_decimal(
	const struct expr *expr, struct eval *eval, int128 a, int128 b, int128 *ret)
{
	int32_t sa = expr->args[0]->type.scale, sb = expr->args[1]->type.scale;
	bool too_long, fits;

	if (b == 0) {
		eval->fault = zero_fault(expr);
		return false;
	}
	fits = decimal_divide(a, b, expr->type.scale - sa + sb, ret, &too_long);
	eval->beyond |= too_long;
	return fits;
}

/* Sums and remainders are made with the larger of the two scales. */
static bool add_decimals(
	const struct expr *expr, struct eval *eval, int128 a, int128 b, int128 *ret)
{
	int32_t sa = expr->args[0]->type.scale, sb = expr->args[1]->type.scale;
	int32_t scale = sa > sb ? sa : sb;
	int128 n = 0;
	bool over;

	if (!decimal_rescale(a, sa, scale, &a) || !decimal_rescale(b, sb, scale, &b)) {
		eval->beyond = true;
		return false;
	}
	if (expr->op == SQL_OP_MOD && b == 0)
		eval->fault = zero_fault(expr);
	if (eval->fault)
		return false;
	switch (expr->op) {
	case SQL_OP_ADD: over = __builtin_add_overflow(a, b, &n); break;
	case SQL_OP_SUB: over = __builtin_sub_overflow(a, b, &n); break;
	default: over = false; n = a % b;
	}
	return !over && decimal_rescale(n, scale, expr->type.scale, ret);
}

/* NULL where the result has too many digits. */
static void eval_decimal(const struct expr *expr, struct eval *eval, struct value *ret)
{
	int32_t sa = expr->args[0]->type.scale, sb = expr->args[1]->type.scale;
	struct value b;
	int128 n = 0;
	bool fits;

	if (!both(expr, eval, ret, &b))
		return;
	switch (expr->op) {
	case SQL_OP_MUL:
		fits = decimal_multiply(ret->dec, b.dec, sa + sb - expr->type.scale, &n);
		break;
	case SQL_OP_DIV: fits = divide_decimal(expr, eval, ret->dec, b.dec, &n); break;
	default: fits = add_decimals(expr, eval, ret->dec, b.dec, &n);
	}
	ret->null = !fits || !decimal_fits(n, expr->type.precision);
	ret->dec = n;
	eval->beyond |= ret->null && expr->type.not_null && !eval->fault;
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
	if (op == SQL_OP_MOD) {
		if (whole > b.precision - b.scale)
			whole = b.precision - b.scale;
		return limit_digits(whole + scale, scale);
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
	int err = type_of_sum(&args[0]->type, &args[1]->type, &type);
	bool exact = type_is_integer(&type);
	struct sql_type divisor = args[1]->type;

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
	/* A remainder is no larger than what it is divided by. */
	*ret = expr_node(arena, exact ? eval_integer : eval_double,
		op == SQL_OP_MOD ? &divisor : &type, args, 2);
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

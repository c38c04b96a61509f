/* Casts between the types that are simulated. Numbers go over as in Java: integers wrap, DOUBLEs
 * stop at the ends, DECIMALs are rounded half up and are NULL where they do not fit; a time
 * before 1970 is cut toward 1970. What a text means is cast_text.c's work. TRY_CAST makes NULL of
 * what CAST fails with. A cast takes the time attribute away; a time keeps its digits in another
 * zone's type, which is right in UTC. Recorded: semantics/errors_tumble_cast_ts,
 * semantics/types_stream (CAST(SUM(i) AS DOUBLE)), watermark/mistakes/filtered_ok_coalesce,
 * format/types_time_stream, format/double_values_stream, more_sim/w5_ok_cast_cnt_int,
 * more_sim/scalar_cast. */
#include "sim/expr.h"

#include <errno.h>
#include <math.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "sim/cast_text.h"
#include "sim/decimal.h"
#include "sim/key.h"
#include "sim/letters.h"
#include "sim/scratch.h"

static void eval_same(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
}

static bool is_floating(const struct sql_type *type)
{
	return type->kind == SQL_FLOAT || type->kind == SQL_DOUBLE;
}

/* As Java casts a double: NaN is 0, the ends hold. */
static int64_t saturate(double f, int64_t least, int64_t most)
{
	if (isnan(f))
		return 0;
	if (f <= (double)least)
		return least;
	return f >= (double)most ? most : (int64_t)f;
}

static void to_boolean(const struct sql_type *from, struct value *value)
{
	if (from->kind == SQL_DECIMAL)
		value->i = value->dec != 0;
	else if (is_floating(from))
		value->i = value->f != 0;
	else
		value->i = value->i != 0;
}

static void to_integer(const struct sql_type *from, enum sql_kind kind, struct value *value)
{
	int64_t n = value->i;

	if (from->kind == SQL_DECIMAL)
		n = (int64_t)(uint64_t)decimal_cut(value->dec, from->scale);
	else if (is_floating(from))
		n = kind == SQL_BIGINT ? saturate(value->f, INT64_MIN, INT64_MAX)
				       : saturate(value->f, INT32_MIN, INT32_MAX);
	value->i = integer_wrap((uint64_t)n, kind);
}

static void to_decimal(const struct sql_type *from, const struct sql_type *to, struct eval *eval,
	struct value *value)
{
	int128 n = 0;
	bool fits;

	if (from->kind == SQL_DECIMAL) {
		fits = decimal_rescale(value->dec, from->scale, to->scale, &n);
	} else if (is_floating(from)) {
		eval->beyond |= !isfinite(value->f);
		fits = decimal_from_double(value->f, to->scale, &n);
	} else {
		fits = decimal_rescale(value->i, 0, to->scale, &n);
	}
	value->null = !fits || !decimal_fits(n, to->precision);
	value->dec = n;
}

static void to_floating(const struct sql_type *from, bool single, struct value *value)
{
	if (from->kind == SQL_DECIMAL)
		value->f = decimal_to_double(value->dec, from->scale, single);
	else if (!is_floating(from))
		value->f = single ? (double)(float)value->i : (double)value->i;
	else if (single)
		value->f = (float)value->f;
}

/* The day of a time, and what is left of it. */
static void to_day(const struct sql_type *from, struct value *value)
{
	if (from->kind != SQL_DATE)
		value->i /= MS_PER_DAY;
	value->nanos = 0;
}

/* Digits of a second behind the precision are cut off. */
static int64_t time_step(int precision)
{
	int64_t step = 1;

	while (precision++ < 9)
		step *= 10;
	return step;
}

static void cut_time(int precision, struct value *value)
{
	int64_t step = time_step(precision);

	if (step >= NANOS_PER_MS) {
		value->i -= value->i % (step / NANOS_PER_MS);
		value->nanos = 0;
	} else {
		value->nanos -= (int32_t)(value->nanos % step);
	}
}

static void to_time_of_day(const struct sql_type *to, struct value *value)
{
	int64_t ms_of_day;

	value->nanos = 0;
	cut_time(to->precision, value);
	calendar_split_ms(value->i, &ms_of_day);
	value->i = ms_of_day;
}

static void to_timestamp(
	const struct sql_type *from, const struct sql_type *to, struct value *value)
{
	if (from->kind == SQL_DATE)
		value->i *= MS_PER_DAY;
	if (!type_is_time(from))
		value->nanos = 0;
	cut_time(to->precision, value);
}

/* Cut to the length of the type; a CHAR is filled up with blanks. */
static void to_text(const struct expr *expr, struct eval *eval, struct value *value)
{
	const struct sql_type *to = &expr->type;
	char buf[VALUE_TEXT];
	struct text text = value_text(&expr->args[0]->type, value, buf);
	size_t count = characters(text), length = (size_t)to->precision;
	bool done;

	eval->beyond |= has_surrogates(text) && to->precision < SQL_MAX_LENGTH;
	if (count > length)
		text = characters_slice(text, 0, length);
	expr->scratch->len = 0;
	done = scratch_append(expr->scratch, text);
	for (; done && to->kind == SQL_CHAR && count < length; count++)
		done = scratch_append(expr->scratch, TEXT(" "));
	eval->beyond |= !done;
	*value = (struct value){.s = scratch_text(expr->scratch)};
}

/* expr->number is 1 for TRY_CAST. */
static void from_text(const struct expr *expr, struct eval *eval, struct value *value)
{
	struct arena *arena = expr->scratch->arena;
	struct text text = value->s;
	int err = cast_text(text, &expr->type, value);

	*value = err < 0 ? (struct value){.null = true} : *value;
	eval->beyond |= err == -ENOTSUP;
	if (err != -EINVAL || expr->number)
		return;
	text = cast_text_error(arena, text, &expr->type);
	eval->fault = text.ptr;
	eval->beyond |= !text.len;
	if (!text.len)
		eval->fault = NULL;
}

static void convert(const struct expr *expr, struct eval *eval, struct value *value)
{
	const struct sql_type *from = &expr->args[0]->type, *to = &expr->type;

	if (type_is_text(to)) {
		to_text(expr, eval, value);
		return;
	}
	if (type_is_text(from)) {
		from_text(expr, eval, value);
		return;
	}
	switch (to->kind) {
	case SQL_BOOLEAN: to_boolean(from, value); break;
	case SQL_DECIMAL: to_decimal(from, to, eval, value); break;
	case SQL_FLOAT: to_floating(from, true, value); break;
	case SQL_DOUBLE: to_floating(from, false, value); break;
	case SQL_DATE: to_day(from, value); break;
	case SQL_TIME: to_time_of_day(to, value); break;
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: to_timestamp(from, to, value); break;
	default: to_integer(from, to->kind, value);
	}
}

static void eval_cast(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (ret->null)
		return;
	convert(expr, eval, ret);
	/* Flink stumbles over a NULL where it has promised none. */
	eval->beyond |= ret->null && expr->type.not_null && !eval->fault;
}

/* The kinds that are cast into each other. */
enum cast_group {
	CAST_NONE,
	CAST_NUMBER,
	CAST_TEXT,
	CAST_DATE,
	CAST_TIME,
	CAST_TIMESTAMP,
	CAST_INTERVAL
};

static enum cast_group group_of(const struct sql_type *type)
{
	if (type->kind == SQL_BOOLEAN || type_is_number(type))
		return CAST_NUMBER;
	switch (type->kind) {
	case SQL_CHAR:
	case SQL_VARCHAR: return CAST_TEXT;
	case SQL_DATE: return CAST_DATE;
	case SQL_TIME: return CAST_TIME;
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return CAST_TIMESTAMP;
	case SQL_INTERVAL_DAY:
	case SQL_INTERVAL_MONTH: return CAST_INTERVAL;
	default: return CAST_NONE;
	}
}

static bool cast_known(const struct sql_type *from, const struct sql_type *to)
{
	enum cast_group a = group_of(from), b = group_of(to);

	if (!a || !b || b == CAST_INTERVAL ||
		(from->kind == SQL_TIME && to->kind == SQL_TIMESTAMP_LTZ))
		return false;
	if (a == b || b == CAST_TEXT)
		return true;
	if (a == CAST_TEXT)
		return to->kind != SQL_TIMESTAMP_LTZ;
	return (a == CAST_TIMESTAMP && (b == CAST_DATE || b == CAST_TIME)) ||
	       (b == CAST_TIMESTAMP && (a == CAST_DATE || a == CAST_TIME));
}

static int cast_node(struct arena *arena, struct expr *arg, const struct sql_type *type,
	void (*eval)(const struct expr *, struct eval *, struct value *), struct expr **ret)
{
	struct expr **args = arena_array(arena, 1, sizeof(*args));

	if (!args)
		return -ENOMEM;
	args[0] = arg;
	*ret = expr_node(arena, eval, type, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->scratch = ARENA_NEW(arena, struct scratch);
	if (!(*ret)->scratch)
		return -ENOMEM;
	(*ret)->scratch->arena = arena;
	return 0;
}

static bool same_type(const struct sql_type *a, const struct sql_type *b)
{
	return a->kind == b->kind && a->precision == b->precision && a->scale == b->scale;
}

/* A value stays as it is: its type is a wider one of the same kind. */
static bool is_widening(const struct sql_type *from, const struct sql_type *to)
{
	if (type_is_integer(from) && type_is_integer(to))
		return to->kind >= from->kind;
	if (from->kind == SQL_FLOAT)
		return to->kind == SQL_DOUBLE;
	if (type_is_time(from) && type_is_time(to))
		return to->precision >= from->precision;
	return type_is_text(from) && to->kind == SQL_VARCHAR && to->precision >= from->precision;
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
	if (!cast_known(&arg->type, type))
		return -ENOTSUP;
	return cast_node(
		arena, arg, &plain, is_widening(&arg->type, type) ? eval_same : eval_cast, ret);
}

int expr_try_cast(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret)
{
	struct sql_type plain = *type;
	int err;

	plain.attribute = TIME_NONE;
	if (!cast_known(&arg->type, type) && arg->type.kind != SQL_NULL)
		return -ENOTSUP;
	if (arg->type.kind == SQL_NULL)
		return expr_cast(arena, arg, type, ret);
	err = cast_node(arena, arg, &plain,
		same_type(&arg->type, type) || is_widening(&arg->type, type) ? eval_same
									     : eval_cast,
		ret);
	if (err == 0) {
		(*ret)->number = 1;
		(*ret)->type.not_null = false;
	}
	return err;
}

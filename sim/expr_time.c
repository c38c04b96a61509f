/* Expressions over times: a time moves by an interval, two times lie apart, a time is cut to a
 * unit, intervals are added up. A DATE moves by whole days, a TIME stays within its day.
 * Recorded: watermark/mistakes/late_wm_computed_own, window/mistakes/session_length,
 * watermark/mistakes/w5_floor_group, more_sim/w5_delay5month, more_sim/scalar_time. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "sim/time_unit.h"
#include "sim/window.h"

/* Years that Java and this print alike. */
#define LAST_DAY  2932896   /* 9999-12-31 */
#define FIRST_DAY (-719528) /* 0000-01-01 */

static void eval_clock(const struct expr *expr, struct eval *eval, struct value *ret)
{
	(void)expr;
	eval->beyond = true;
	*ret = (struct value){.null = true};
}

struct expr *expr_proctime(struct arena *arena)
{
	static const struct sql_type type = {.kind = SQL_TIMESTAMP_LTZ,
		.precision = 3,
		.not_null = true,
		.attribute = TIME_PROCTIME};

	return expr_node(arena, eval_clock, &type, NULL, 0);
}

static bool is_interval(const struct sql_type *type)
{
	return type->kind == SQL_INTERVAL_DAY || type->kind == SQL_INTERVAL_MONTH;
}

static void check_day(struct eval *eval, int64_t day)
{
	eval->beyond |= day < FIRST_DAY || day > LAST_DAY;
}

/* Moves the value of a type by an interval, in months or milliseconds. */
static void move(const struct sql_type *type, int64_t by, bool months, struct eval *eval,
	struct value *value)
{
	int64_t ms_of_day = 0, day = value->i, moved;

	if (__builtin_add_overflow(by, months ? 0 : value->i, &moved)) {
		eval->beyond = true;
		return;
	}
	switch (type->kind) {
	case SQL_DATE: value->i = months ? day_add_months(day, by) : day + by / MS_PER_DAY; break;
	case SQL_TIME:
		if (!months)
			value->i = moved - window_floor(moved, 0, MS_PER_DAY);
		return;
	default:
		if (months) {
			eval->beyond |= by > INT32_MAX || by < INT32_MIN;
			day = calendar_split_ms(value->i, &ms_of_day);
			moved = day_add_months(day, by) * MS_PER_DAY + ms_of_day;
		}
		value->i = moved;
	}
	check_day(eval, type->kind == SQL_DATE ? value->i : value->i / MS_PER_DAY);
}

/* expr->number is 1 or -1. */
static void eval_shift(const struct expr *expr, struct eval *eval, struct value *ret)
{
	bool months = expr->args[1]->type.kind == SQL_INTERVAL_MONTH;
	struct value interval;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &interval);
	ret->null |= interval.null;
	if (!ret->null)
		move(&expr->args[0]->type, expr->number * interval.i, months, eval, ret);
}

static int shift(struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret)
{
	struct sql_type type = args[0]->type;

	type.attribute = TIME_NONE;
	*ret = expr_node(arena, eval_shift, &type, args, 2);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = op == SQL_OP_ADD ? 1 : -1;
	return 0;
}

static void eval_intervals(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value b;
	bool over;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &b);
	ret->null |= b.null;
	if (ret->null)
		return;
	switch (expr->op) {
	case SQL_OP_ADD: over = __builtin_add_overflow(ret->i, b.i, &ret->i); break;
	case SQL_OP_SUB: over = __builtin_sub_overflow(ret->i, b.i, &ret->i); break;
	default: over = __builtin_mul_overflow(ret->i, b.i, &ret->i); break;
	}
	eval->beyond |= over;
}

/* The interval's type; -ENOTSUP for operands that are no intervals, or no integer beside one. */
static int interval_result(
	enum sql_op op, const struct sql_type *a, const struct sql_type *b, struct sql_type *ret)
{
	*ret = is_interval(a) ? *a : *b;
	if (op == SQL_OP_MUL)
		return (is_interval(a) && type_is_integer(b)) ||
				       (type_is_integer(a) && is_interval(b))
			       ? 0
			       : -ENOTSUP;
	return is_interval(a) && a->kind == b->kind ? 0 : -ENOTSUP;
}

int expr_time_arithmetic(struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret)
{
	const struct sql_type *a = &args[0]->type, *b = &args[1]->type;
	bool time = type_is_time(a) || a->kind == SQL_DATE || a->kind == SQL_TIME;
	struct expr *first = args[0];
	struct sql_type type;

	if (op == SQL_OP_DIV || op == SQL_OP_MOD)
		return -ENOTSUP;
	if (time && is_interval(b) && op != SQL_OP_MUL)
		return shift(arena, op, args, ret);
	if (op == SQL_OP_ADD && is_interval(a) &&
		(b->kind == SQL_TIMESTAMP || b->kind == SQL_DATE || b->kind == SQL_TIME)) {
		args[0] = args[1];
		args[1] = first;
		return shift(arena, op, args, ret);
	}
	if (interval_result(op, a, b, &type) < 0)
		return -ENOTSUP;
	*ret = expr_node(arena, eval_intervals, &type, args, 2);
	return *ret ? 0 : -ENOMEM;
}

static int64_t as_ms(const struct expr *expr, int64_t value)
{
	return expr->type.kind == SQL_DATE ? value * MS_PER_DAY : value;
}

/* Whole units, cut toward zero. */
static void eval_difference(const struct expr *expr, struct eval *eval, struct value *ret)
{
	int64_t months = time_unit_months((enum time_unit)expr->number), from_ms, to_ms;
	struct value to;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &to);
	ret->null |= to.null;
	if (ret->null)
		return;
	from_ms = as_ms(expr->args[0], ret->i);
	to_ms = as_ms(expr->args[1], to.i);
	ret->i = months ? months_between(from_ms, to_ms) / months
			: (to_ms - from_ms) / time_unit_ms((enum time_unit)expr->number);
	ret->i = integer_wrap((uint64_t)ret->i, SQL_INT);
	ret->nanos = 0;
}

int expr_time_difference(
	struct arena *arena, struct expr **args, enum time_unit unit, struct expr **ret)
{
	static const struct sql_type type = {.kind = SQL_INT};

	/* Of milliseconds Flink counts those of whole seconds only, in its own way. */
	if (unit < UNIT_SECOND || unit > UNIT_YEAR)
		return -ENOTSUP;
	for (size_t i = 0; i < 2; i++)
		if (args[i]->type.kind != SQL_TIMESTAMP && args[i]->type.kind != SQL_DATE)
			return -ENOTSUP;
	*ret = expr_node(arena, eval_difference, &type, args, 2);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = unit;
	return 0;
}

/* To a unit of a fixed length. Digits behind the millisecond count for milliseconds only. */
static void round_ms(const struct expr *expr, struct value *value)
{
	int64_t width_ms = time_unit_ms((enum time_unit)expr->number);
	int64_t floor_ms = window_floor(value->i, 0, width_ms);

	if (expr->op == SQL_OP_GE &&
		(floor_ms < value->i || (expr->number == UNIT_MILLISECOND && value->nanos)))
		floor_ms += width_ms;
	value->i = floor_ms;
	value->nanos = 0;
}

/* A DATE has no part of a day; one that is rounded up to days goes on to the next. */
static void round_date(const struct expr *expr, struct value *value)
{
	bool up = expr->op == SQL_OP_GE;

	if (expr->number >= UNIT_WEEK)
		value->i = time_unit_floor((enum time_unit)expr->number, value->i, up);
	else if (expr->number == UNIT_DAY && up)
		value->i++;
}

/* expr->op is SQL_OP_GE for CEIL, SQL_OP_LE for FLOOR. From weeks on only the day is looked at. */
static void eval_round(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (ret->null)
		return;
	if (expr->type.kind == SQL_DATE) {
		round_date(expr, ret);
	} else if (expr->number < UNIT_WEEK) {
		round_ms(expr, ret);
	} else {
		ret->i /= MS_PER_DAY;
		round_date(expr, ret);
		ret->i *= MS_PER_DAY;
		ret->nanos = 0;
	}
}

int expr_round_time(
	struct arena *arena, struct expr **args, enum time_unit unit, bool up, struct expr **ret)
{
	enum sql_kind kind = args[0]->type.kind;

	if (unit == UNIT_NONE || unit > UNIT_YEAR || (kind != SQL_TIMESTAMP && kind != SQL_DATE))
		return -ENOTSUP;
	*ret = expr_node(arena, eval_round, &args[0]->type, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->type.attribute = TIME_NONE;
	(*ret)->number = unit;
	(*ret)->op = up ? SQL_OP_GE : SQL_OP_LE;
	return 0;
}

/* Parts of a day; those of a DATE are taken from the number of the day, as Flink does. */
static void eval_extract(const struct expr *expr, struct eval *eval, struct value *ret)
{
	enum sql_kind kind = expr->args[0]->type.kind;
	int64_t day;

	expr_arg(expr, 0, eval, ret);
	if (ret->null)
		return;
	ret->nanos = 0;
	day = kind == SQL_DATE ? ret->i : ret->i / MS_PER_DAY;
	switch (expr->number) {
	case UNIT_MILLISECOND: ret->i %= MS_PER_SECOND; break;
	case UNIT_SECOND: ret->i = ret->i / MS_PER_SECOND % 60; break;
	case UNIT_MINUTE: ret->i = ret->i / MS_PER_MINUTE % 60; break;
	case UNIT_HOUR: ret->i = ret->i / MS_PER_HOUR % 24; break;
	case UNIT_EPOCH: ret->i = as_ms(expr->args[0], ret->i) / MS_PER_SECOND; break;
	default: ret->i = time_unit_of_day((enum time_unit)expr->number, day);
	}
}

int expr_extract(struct arena *arena, struct expr **args, enum time_unit unit, struct expr **ret)
{
	static const struct sql_type type = {.kind = SQL_BIGINT};
	enum sql_kind kind = args[0]->type.kind;

	if (unit == UNIT_NONE ||
		(kind == SQL_TIME && (unit < UNIT_MILLISECOND || unit > UNIT_HOUR)) ||
		(kind != SQL_TIMESTAMP && kind != SQL_DATE && kind != SQL_TIME))
		return -ENOTSUP;
	*ret = expr_node(arena, eval_extract, &type, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = unit;
	return 0;
}

static void eval_delayed(const struct expr *expr, struct eval *eval, struct value *ret)
{
	*ret = eval->cells[expr->column];
	eval->beyond |= __builtin_sub_overflow(ret->i, expr->number, &ret->i);
}

struct expr *expr_delayed(
	struct arena *arena, const struct expr *plain, struct expr *time, int64_t delay_ms)
{
	struct expr **args = arena_array(arena, 1, sizeof(*args)), *expr;

	if (!args)
		return NULL;
	args[0] = time;
	expr = expr_node(arena, eval_delayed, &plain->type, args, 1);
	if (!expr)
		return NULL;
	expr->column = time->column;
	expr->number = delay_ms;
	return expr;
}

/* Expressions over times: a time moves by an interval, two times lie apart, a time is cut to a unit.
 * Recorded: watermark/mistakes/late_wm_computed_own, window/mistakes/session_length,
 * watermark/mistakes/w5_floor_group, more_sim/w5_delay5month. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "sim/window.h"

/* Days that every month has: what becomes of later ones in a shorter month was never seen. */
#define SAFE_DAY 28

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

static void eval_shift(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value interval;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &interval);
	ret->null |= interval.null;
	if (!ret->null)
		ret->i += expr->number * interval.i;
}

static void eval_shift_months(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value interval;
	struct civil_day day;
	int64_t months, ms_of_day;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &interval);
	ret->null |= interval.null;
	if (ret->null)
		return;
	day = calendar_civil(calendar_split_ms(ret->i, &ms_of_day));
	eval->beyond |= day.day > SAFE_DAY;
	months = day.year * 12 + day.month - 1 + expr->number * interval.i;
	day.year = months / 12;
	day.month = (int)(months % 12) + 1;
	ret->i = calendar_days(day) * MS_PER_DAY + ms_of_day;
}

int expr_shift_time(struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret)
{
	struct sql_type type = args[0]->type;
	bool months = args[1]->type.kind == SQL_INTERVAL_MONTH;

	if (!type_is_time(&type) || (!months && args[1]->type.kind != SQL_INTERVAL_DAY))
		return -ENOTSUP;
	type.attribute = TIME_NONE;
	*ret = expr_node(arena, months ? eval_shift_months : eval_shift, &type, args, 2);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = op == SQL_OP_ADD ? 1 : -1;
	return 0;
}

static void eval_difference(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value to;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &to);
	ret->null |= to.null;
	if (!ret->null)
		ret->i = integer_wrap((uint64_t)((to.i - ret->i) / expr->number), SQL_INT);
}

struct expr *expr_time_difference(
	struct arena *arena, struct expr *from, struct expr *to, int64_t width_ms)
{
	static const struct sql_type type = {.kind = SQL_INT};
	struct expr **args = arena_array(arena, 2, sizeof(*args)), *expr;

	if (!args)
		return NULL;
	args[0] = from;
	args[1] = to;
	expr = expr_node(arena, eval_difference, &type, args, 2);
	if (expr)
		expr->number = width_ms;
	return expr;
}

static void eval_floor_time(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (ret->null)
		return;
	ret->i = window_floor(ret->i, 0, expr->number);
	ret->nanos = 0;
}

static void eval_ceil_time(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value whole;

	eval_floor_time(expr, eval, &whole);
	expr_arg(expr, 0, eval, ret);
	if (!ret->null && (whole.i != ret->i || ret->nanos))
		whole.i += expr->number;
	*ret = whole;
}

struct expr *expr_round_time(struct arena *arena, struct expr *arg, int64_t width_ms, bool up)
{
	struct expr **args = arena_array(arena, 1, sizeof(*args)), *expr;

	if (!args)
		return NULL;
	args[0] = arg;
	expr = expr_node(arena, up ? eval_ceil_time : eval_floor_time, &arg->type, args, 1);
	if (!expr)
		return NULL;
	expr->type.attribute = TIME_NONE;
	expr->number = width_ms;
	return expr;
}

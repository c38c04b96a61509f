/* Expressions between a time and what clocks show at it: TIMESTAMP_LTZ becomes TIMESTAMP and the
 * other way in the zone of the session. FLOOR and CEIL come back with the offset of the time that
 * they were given, also where the clocks have changed in between. All that looks at years, hours
 * or digits of a TIMESTAMP_LTZ goes through these two. Recorded: more_sim/ltz_casts,
 * watermark/mistakes/w5_ltz_cast_tokyo, window/mistakes/tumble_ltz_cast_ok. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/zone.h"

static void eval_local(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->i = zone_local_ms(expr->zone, ret->i);
}

static void eval_instant(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->i = zone_epoch_ms(expr->zone, ret->i);
}

/* The first argument, which clocks show where they show the second. */
static void eval_same_offset(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value at;

	expr_arg(expr, 0, eval, ret);
	expr_arg(expr, 1, eval, &at);
	if (!ret->null)
		ret->i -= zone_local_ms(expr->zone, at.i) - at.i;
}

int expr_zoned_back(struct arena *arena, const struct zone *zone, struct expr *local,
	struct expr *at, struct expr **ret)
{
	struct expr **args = arena_array(arena, 2, sizeof(struct expr *));
	struct sql_type type = local->type;

	if (!args)
		return -ENOMEM;
	args[0] = local;
	args[1] = at;
	type.kind = SQL_TIMESTAMP_LTZ;
	*ret = expr_node(arena, eval_same_offset, &type, args, 2);
	if (!*ret)
		return -ENOMEM;
	(*ret)->zone = zone;
	return 0;
}

/* A count of seconds or milliseconds since 1970 as a time; expr->number is ms of one. */
static void eval_epoch(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		eval->beyond |= __builtin_mul_overflow(ret->i, expr->number, &ret->i);
}

int expr_epoch(struct arena *arena, struct expr **args, struct expr **ret)
{
	struct sql_type type = {.kind = SQL_TIMESTAMP_LTZ, .precision = 3};
	const struct expr *digits = args[1];

	if (!type_is_integer(&args[0]->type) || !digits->is_constant ||
		digits->type.kind != SQL_INT ||
		(digits->constant.i != 0 && digits->constant.i != 3))
		return -ENOTSUP;
	*ret = expr_node(arena, eval_epoch, &type, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = digits->constant.i ? 1 : 1000;
	return 0;
}

int expr_zoned(struct arena *arena, const struct zone *zone, struct expr *arg, struct expr **ret)
{
	bool local = arg->type.kind == SQL_TIMESTAMP_LTZ;
	struct expr **args = arena_array(arena, 1, sizeof(struct expr *));
	struct sql_type type = arg->type;

	if (!args)
		return -ENOMEM;
	args[0] = arg;
	type.kind = local ? SQL_TIMESTAMP : SQL_TIMESTAMP_LTZ;
	type.attribute = TIME_NONE;
	*ret = expr_node(arena, local ? eval_local : eval_instant, &type, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->zone = zone;
	return 0;
}

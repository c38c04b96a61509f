/* Expressions between a time and what clocks show at it: TIMESTAMP_LTZ becomes TIMESTAMP and the other way
 * in the zone of the session. All that looks at years, hours or digits of a TIMESTAMP_LTZ goes through
 * these two. Recorded: watermark/mistakes/w5_ltz_cast_tokyo, window/mistakes/tumble_ltz_cast_ok. */
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

/* Binder: TIMESTAMP_LTZ among other types. A text, a DATE or a TIMESTAMP is what clocks of the
 * session's zone show, so that a TIMESTAMP_LTZ meets them as a TIMESTAMP. Recorded:
 * more_sim/ltz_casts, watermark/mistakes/w5_ltz_cast_tokyo, semantics/edge_sql_wm_ltz. */
#include "sim/bind.h"

#include <errno.h>

#include "sim/key.h"

static bool is_zoned(const struct expr *expr)
{
	return expr->type.kind == SQL_TIMESTAMP_LTZ;
}

int bind_local(const struct binder *binder, struct expr *arg, struct expr **ret)
{
	*ret = arg;
	if (!is_zoned(arg))
		return 0;
	return expr_zoned(binder->planner->arena, binder->planner->zone, arg, ret);
}

int bind_cast_to(const struct binder *binder, struct expr *arg, const struct sql_type *type,
	struct expr **ret)
{
	struct arena *arena = binder->planner->arena;
	struct sql_type local = *type;
	int err;

	if (is_zoned(arg) == (type->kind == SQL_TIMESTAMP_LTZ) || arg->type.kind == SQL_NULL)
		return expr_cast(arena, arg, type, ret);
	if (is_zoned(arg)) {
		err = bind_local(binder, arg, &arg);
		return err ? err : expr_cast(arena, arg, type, ret);
	}
	local.kind = SQL_TIMESTAMP;
	err = expr_cast(arena, arg, &local, &arg);
	return err ? err : expr_zoned(arena, binder->planner->zone, arg, ret);
}

int bind_unify_zoned(const struct binder *binder, struct expr **a, struct expr **b)
{
	struct expr **zoned = is_zoned(*a) ? a : b, **other = is_zoned(*a) ? b : a;
	struct sql_type type = (*zoned)->type;

	if (is_zoned(*a) == is_zoned(*b))
		return 0;
	if ((*other)->type.kind == SQL_TIMESTAMP && (*other)->type.precision > type.precision)
		type.precision = (*other)->type.precision;
	if ((*other)->type.kind != SQL_TIMESTAMP && !type_is_text(&(*other)->type))
		return 0;
	type.attribute = TIME_NONE;
	return bind_cast_to(binder, *other, &type, other);
}

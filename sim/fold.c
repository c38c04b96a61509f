/* Folding of constants. The planner fails at a division of constants by zero before it prints
 * anything; a text that is no number fails where the job runs. A FLOAT of more digits than the
 * planner keeps is not simulated. Recorded: format/err_div0, more_sim/scalar_cast. */
#include "sim/fold.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/double.h"
#include "sim/fault.h"
#include "sim/letters.h"

/* The planner keeps so many digits of a FLOAT for sure. */
#define FLOAT_DIGITS 7

static bool is_short_float(double f)
{
	char buf[DOUBLE_SIZE];
	int len = double_print(f, true, buf), digits = 0;

	for (int i = 0; i < len && buf[i] != 'E'; i++)
		digits += buf[i] >= '0' && buf[i] <= '9' && (digits || buf[i] != '0');
	return isfinite(f) && (digits <= FLOAT_DIGITS || fabs(f) == (double)FLT_MAX);
}

/* A CHAR is kept with exactly its length. */
static bool is_kept(const struct sql_type *type, const struct value *value)
{
	if (value->null)
		return true;
	if (type->kind == SQL_CHAR)
		return characters(value->s) == (size_t)type->precision;
	return type->kind != SQL_FLOAT || is_short_float(value->f);
}

int fold_constant(struct planner *planner, struct sql_pos pos, struct expr **expr)
{
	const struct sql_type *type = &(*expr)->type;
	struct eval eval = {.wm_ms = WATERMARK_NONE};
	struct expr *folded;
	struct value value;
	int err;

	if ((*expr)->is_constant || !expr_is_constant(*expr))
		return 0;
	err = expr_eval(*expr, &eval, &value);
	if (err == -EBADMSG && (*expr)->op == SQL_OP_DIV)
		return plan_defer(planner, plan_fault(planner, "%s", eval.fault));
	if (err < 0)
		return 0;
	if (!is_kept(type, &value))
		return refuse(planner, pos, "A constant of this type and value");
	if ((type->kind == SQL_DOUBLE || type->kind == SQL_FLOAT) && value.f == 0)
		value.f = 0; /* the planner knows no negative zero */
	folded = expr_constant(planner->arena, type, &value);
	if (!folded)
		return diag_nomem(planner->diag);
	*expr = folded;
	return 0;
}

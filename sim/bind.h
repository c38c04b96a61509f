/* Between the files of the binder: bind.c (names, operators), bind_call.c and
 * bind_scalar.c (functions). */
#ifndef EWIN_SIM_BIND_H
#define EWIN_SIM_BIND_H

#include "sim/planner.h"

/* Hands a new expression over; NULL is a lack of memory. */
int bind_bound(const struct binder *binder, struct expr *expr, struct expr **ret);

/* Binds all arguments; there is room for one more. */
int bind_arguments(const struct binder *binder, const struct sql_expr *ast, struct expr ***ret);

/* Turns the -ENOTSUP of an expression over wrong types into a refusal that names the construct. */
int bind_typed(const struct binder *binder, const struct sql_expr *ast, int err, const char *what);

/* a <op> b. 0, -ENOTSUP or -ENOMEM. */
int bind_op(const struct binder *binder, enum sql_op op, struct expr *a, struct expr *b,
	struct expr **ret);

/* A call of a function that is one of many alike. */
int bind_scalar(const struct binder *binder, const struct sql_expr *ast, struct expr **ret);

/* A call of a function that is no aggregate. */
int bind_call(const struct binder *binder, const struct sql_expr *ast, struct expr **ret);

/* A TIMESTAMP_LTZ as the TIMESTAMP that clocks of the session's zone show; others as they are. */
int bind_local(const struct binder *binder, struct expr *arg, struct expr **ret);

/* expr_cast() in the session's zone. */
int bind_cast_to(const struct binder *binder, struct expr *arg, const struct sql_type *type,
	struct expr **ret);

/* Where one of two operands is a TIMESTAMP_LTZ and the other a TIMESTAMP or a text, that is
 * cast. */
int bind_unify_zoned(const struct binder *binder, struct expr **a, struct expr **b);

#endif

/* Operators without state: filter, projection, computed columns, LIMIT, window function. */
#ifndef EWIN_SIM_CALC_H
#define EWIN_SIM_CALC_H

#include "sim/expr.h"
#include "sim/plan.h"

struct arena;

/* Lets rows through for which the condition is TRUE; each other one is counted in *filtered, if
 * given. NULL: no memory, here and below. */
struct op *filter_new(struct arena *arena, const struct expr *condition, struct run *run,
	int64_t *filtered, struct op *down);

/* Makes a row of `count` cells from each row. */
struct op *project_new(struct arena *arena, struct expr *const *exprs, size_t count,
	struct run *run, struct op *down);

/* Fills the cells of a row of `count` for which there is an expression; the others stay. */
struct op *compute_new(struct arena *arena, struct expr *const *exprs, size_t count,
	struct run *run, struct op *down);

/* Lets some rows through, behind those that are skipped. */
struct op *limit_new(struct arena *arena, const struct plan_limit *limit, struct op *down);

/* TUMBLE, HOP, CUMULATE as a table: each row once a window, with three more cells. Rows without a
 * time vanish. */
struct op *tvf_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

/* Constant expressions: worked out while a query is planned, as Flink's planner does. */
#ifndef EWIN_SIM_FOLD_H
#define EWIN_SIM_FOLD_H

#include "sim/planner.h"

/* Replaces an expression over constants by its value. What the planner fails with is kept for
 * later, as by plan_defer(); what only the running job fails with stays as it is. 0, -ENOTSUP for
 * what the planner makes something else of, or -ENOMEM. */
int fold_constant(struct planner *planner, struct sql_pos pos, struct expr **expr);

#endif

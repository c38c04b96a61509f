/* Conditions that no row can meet, or that leave one value of a column, as Flink's planner sees
 * it before it reads a row. */
#ifndef EWIN_SIM_NEVER_H
#define EWIN_SIM_NEVER_H

#include "sim/plan.h"

struct planner;

/* What the planner knows of a condition over this relation, from its syntax. */
enum plan_rows never_holds(
	struct planner *planner, const struct plan *plan, const struct sql_expr *condition);

/* May the condition, or NULL for none, leave just one value of the column of this name? */
bool may_pin(struct planner *planner, const struct plan *plan, const struct sql_expr *condition,
	struct text name);

#endif

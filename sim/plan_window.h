/* Window functions: TUMBLE, HOP, CUMULATE, SESSION as FROM and as legacy GROUP BY have them. */
#ifndef EWIN_SIM_PLAN_WINDOW_H
#define EWIN_SIM_PLAN_WINDOW_H

#include "sim/planner.h"

bool window_function_known(struct text name);

/* The argument of this name, or the positional one at this place (from 0), or NULL. */
const struct sql_expr *window_argument(const struct sql_expr *call, struct text name, size_t place);

/* Puts the window function over *plan; `table` is its first argument, with PARTITION BY. */
int plan_window(struct planner *planner, const struct sql_expr *call, const struct sql_expr *table,
	struct plan **plan);

/* The window of legacy GROUP BY TUMBLE(ts, size); `time` is the name of that column. */
int plan_legacy_window(
	struct planner *planner, const struct sql_expr *call, struct text time, struct window *ret);

/* What holds only where the window is merged into a streaming aggregate. */
int plan_check_sliced(struct planner *planner, const struct window *window);

#endif

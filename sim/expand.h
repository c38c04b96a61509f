/* Copies of each row for grouping sets. */
#ifndef EWIN_SIM_EXPAND_H
#define EWIN_SIM_EXPAND_H

#include "sim/plan.h"

struct arena;

/* `plan` is a PLAN_EXPAND. NULL: no memory. */
struct op *expand_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

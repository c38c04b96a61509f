/* Aggregation in batch mode: all rows, then all groups. */
#ifndef EWIN_SIM_BATCH_AGG_H
#define EWIN_SIM_BATCH_AGG_H

#include "sim/plan.h"

struct arena;

/* `plan` is a PLAN_WINDOW_AGG, or a PLAN_GROUP_AGG. NULL: no memory. */
struct op *batch_agg_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

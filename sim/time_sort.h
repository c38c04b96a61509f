/* ORDER BY a time attribute in streaming mode. */
#ifndef EWIN_SIM_TIME_SORT_H
#define EWIN_SIM_TIME_SORT_H

#include "sim/plan.h"

struct arena;

/* `plan` is a PLAN_SORT. NULL: no memory. */
struct op *time_sort_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

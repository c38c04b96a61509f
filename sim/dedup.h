/* The first row by event time of each key: ROW_NUMBER() OVER (PARTITION BY ... ORDER BY ts) and
 * rn = 1. */
#ifndef EWIN_SIM_DEDUP_H
#define EWIN_SIM_DEDUP_H

#include "sim/plan.h"

struct arena;

/* `plan` is a PLAN_RANK without windows. The number, 1, is the last cell. NULL: no memory. */
struct op *dedup_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

/* Window Top-N and deduplication in streaming mode: ROW_NUMBER within a window. */
#ifndef EWIN_SIM_RANK_H
#define EWIN_SIM_RANK_H

#include "sim/plan.h"

struct arena;

/* `plan` is a bounded PLAN_RANK. NULL: no memory. */
struct op *rank_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

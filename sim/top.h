/* Top-N of a stream without windows: ROW_NUMBER with a bound, ORDER BY with LIMIT, LIMIT over a
 * changelog; and deduplication. The rows are a changelog, since a better row drives another one
 * out. */
#ifndef EWIN_SIM_TOP_H
#define EWIN_SIM_TOP_H

#include "sim/plan.h"

struct arena;

/* `plan` is a PLAN_RANK without windows. The number is the last cell. NULL: no memory. */
struct op *top_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

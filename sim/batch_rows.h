/* ORDER BY and ROW_NUMBER in batch mode: all rows are kept, sorted at the end, and printed. */
#ifndef EWIN_SIM_BATCH_ROWS_H
#define EWIN_SIM_BATCH_ROWS_H

#include "sim/plan.h"

struct arena;

/* `plan` is a PLAN_SORT or a PLAN_RANK. NULL: no memory. */
struct op *batch_rows_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

/* A window function that goes into the aggregate above it: its rows are not copied for each
 * window. */
#ifndef EWIN_SIM_PLAN_LIFT_H
#define EWIN_SIM_PLAN_LIFT_H

#include "sim/planner.h"

struct lifted {
	const struct plan *tvf; /* the window function; NULL: it stays where it is */
	struct plan *plan;	/* what is left without it; other columns are where they were */
	size_t time;		/* in `plan`: the window function's time */
};

/* Takes the window function out from under projections and filters where neither they nor the
 * aggregate, which reads the columns `reads` of the plan, look at a window column. 0 or
 * -ENOMEM. */
int plan_lift(struct planner *planner, struct plan *plan, const bool *reads, struct lifted *ret);

#endif

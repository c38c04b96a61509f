/* Tell: operators that watch a run for an observer. They stand in the chain only where there is
 * one. */
#ifndef EWIN_SIM_TELL_H
#define EWIN_SIM_TELL_H

#include "sim/observe.h"
#include "sim/op.h"
#include "sim/plan.h"

struct arena;

/* Where the plan is watched. */
struct tell {
	struct arena *arena;
	struct run *run;
	struct observed_plan about;
	const struct plan *judge;  /* NULL: the sink */
	const struct plan *tvf;	   /* the window function in front of the judge, or NULL */
	const struct plan *source; /* the scan, or NULL: nothing is watched */
	bool sifted;		   /* a WHERE stands between the two */
	struct observed_row row;
	int64_t wm_ms;
};

/* Looks through the plan, and tells the observer what it is. NULL: no memory. */
struct tell *tell_new(struct arena *arena, const struct plan *plan, bool batch,
	const struct zone *zone, struct run *run);

/* The operator in front of this relation's own, `op`, or `op` itself where the relation is not
 * watched; and the one right behind the source and its watermarks. A relation of NULL is the
 * sink. NULL: no memory. */
struct op *tell_in_front(struct tell *tell, const struct plan *plan, struct op *op);
struct op *tell_source(struct tell *tell, struct op *op);

#endif

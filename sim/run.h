/* Run: a plan becomes a chain of operators, and the rows of its source go through it. */
#ifndef EWIN_SIM_RUN_H
#define EWIN_SIM_RUN_H

#include "sim/plan.h"
#include "sim/session.h"

struct arena;
struct diag;

struct run_settings {
	bool batch;
	int64_t interval_ms; /* of watermarks */
	const struct sim_files *files;
	const struct zone *zone; /* of the session; NULL: UTC */
	bool submitted;		 /* it is only checked: nobody sees its rows */
};

/* What cannot be run as it is planned: -EBADMSG with *fault, -ENOTSUP with a diag. */
int run_check(struct arena *arena, const struct plan *plan, const struct run_settings *settings,
	struct text *fault, struct diag *reterr);

/* Runs the plan and hands its rows to the sink; begin() is not called here. 0; -EBADMSG with
 * run->fault; -ENOTSUP or another -errno with a diag. */
int run_plan(struct arena *arena, const struct plan *plan, const struct run_settings *settings,
	const struct sim_sink *sink, struct run *run, struct diag *reterr);

#endif

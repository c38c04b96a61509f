/* Windows that each row opens or joins at once, without slices and buffers: SESSION, and the legacy
 * GROUP BY TUMBLE(ts, ...). As an aggregate, or as a table of the rows themselves. Streaming
 * only. */
#ifndef EWIN_SIM_SESSION_AGG_H
#define EWIN_SIM_SESSION_AGG_H

#include "sim/plan.h"

struct arena;

/* An aggregate; rows as those of window_agg_new(). NULL: no memory, here and below. */
struct op *session_agg_new(
	struct arena *arena, const struct window_agg_spec *spec, struct run *run, struct op *down);

/* SESSION as a table: `plan` is the PLAN_WINDOW. The rows of a session come when it closes, in
 * order of arrival, with three more cells. */
struct op *session_tvf_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down);

#endif

/* Legacy HOP windows: GROUP BY HOP(ts, ...), streaming only. */
#ifndef EWIN_SIM_PANE_AGG_H
#define EWIN_SIM_PANE_AGG_H

#include "sim/window_agg.h"

struct arena;

/* Rows as those of window_agg_new(). NULL: no memory. */
struct op *pane_agg_new(
	struct arena *arena, const struct window_agg_spec *spec, struct run *run, struct op *down);

#endif

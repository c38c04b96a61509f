/* GROUP BY without windows in streaming mode: a changelog, updated by each row at once. */
#ifndef EWIN_SIM_GROUP_AGG_H
#define EWIN_SIM_GROUP_AGG_H

#include "sim/window_agg.h"

struct arena;

/* The spec's window and time are not used. NULL: no memory. */
struct op *group_agg_new(struct arena *arena, const struct window_agg_spec *spec, struct op *down);

#endif

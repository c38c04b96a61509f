/* Window aggregation in streaming mode: TUMBLE, HOP, CUMULATE and windows that the rows carry. */
#ifndef EWIN_SIM_WINDOW_AGG_H
#define EWIN_SIM_WINDOW_AGG_H

#include "sim/aggregate.h"
#include "sim/op.h"
#include "sim/window.h"

struct arena;

/* What is aggregated by what; all columns are those of the input rows. A result row has the keys,
 * the results of the calls, window_start, window_end and window_time. */
struct window_agg_spec {
	struct window window;
	size_t time;	       /* the time column; WINDOW_ATTACHED: that of window_end */
	size_t attached_start; /* WINDOW_ATTACHED: the column of window_start */
	const size_t *keys;
	const struct sql_type *key_types;
	size_t key_count;
	const struct agg_call *calls;
	size_t call_count;
};

/* The operators, with their state in the arena; the spec must outlive them. Two-phase: a local
 * aggregation that never drops stands before the global one. NULL: no memory. */
struct op *window_agg_new(struct arena *arena, const struct window_agg_spec *spec, bool two_phase,
	struct run *run, struct op *down);

/* Fills a result row (room for keys, calls and three times). */
struct group;
void window_agg_result(const struct window_agg_spec *spec, const struct group *group,
	struct window_span span, struct value *ret);

#endif

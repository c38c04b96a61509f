/* The watermark assigner: where watermarks come from. */
#ifndef EWIN_SIM_WATERMARK_H
#define EWIN_SIM_WATERMARK_H

#include "sim/expr.h"

struct arena;

/* Judges nothing: each row goes down first, then the watermark that it causes. `rowtime` is the
 * time column, `watermark` the expression of the WATERMARK clause. NULL: no memory. */
struct op *watermark_new(struct arena *arena, size_t rowtime, const struct expr *watermark,
	int64_t interval_ms, struct run *run, struct op *down);

#endif

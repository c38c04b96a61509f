/* The watermark assigner. The highest time so far is published after the row that raised it, iff it
 * rose by more than the interval since the last publication; so each row is judged by the watermark
 * before it. Both start at 0, which publishes the first row's watermark at any interval. What is
 * pending at the end of the input is never published: the end is the highest watermark of all.
 * Recorded: semantics/watermark_03, semantics/interval_03, semantics/interval_05,
 * semantics/millis_1min, semantics/errors_csv_null_rowtime. */
#include "sim/watermark.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/fault.h"

struct assigner {
	struct op op;
	struct run *run;
	size_t rowtime;
	const struct expr *watermark;
	int64_t interval_ms;
	int64_t highest_ms; /* of all rows */
	int64_t published_ms;
};

/* Raises the highest time by the row's. */
static int observe(struct assigner *assigner, const struct value *cells)
{
	struct eval eval = {.cells = cells, .wm_ms = WATERMARK_NONE};
	struct value value;
	int err = expr_eval(assigner->watermark, &eval, &value);

	if (err == -EBADMSG)
		assigner->run->fault = text_of(eval.fault);
	if (err == -ENOTSUP)
		assigner->run->refused = EVAL_BEYOND;
	if (err == 0 && !value.null && value.i > assigner->highest_ms)
		assigner->highest_ms = value.i;
	return err;
}

static int assigner_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct assigner *assigner = (struct assigner *)op;
	int err;

	if (cells[assigner->rowtime].null) {
		assigner->run->fault =
			TEXT(FAULT_RUNTIME "RowTime field should not be null, please convert it to "
					   "a non-null long value.");
		assigner->run->row_fault = true;
		assigner->run->fault_column = assigner->rowtime + 1;
		return -EBADMSG;
	}
	err = op_row(op->down, kind, cells);
	if (err == 0)
		err = observe(assigner, cells);
	if (err < 0 || assigner->highest_ms - assigner->published_ms <= assigner->interval_ms)
		return err;
	assigner->published_ms = assigner->highest_ms;
	return op_watermark(op->down, assigner->highest_ms);
}

/* The source's only watermark is the end. */
static int assigner_watermark(struct op *op, int64_t wm_ms)
{
	return op_watermark(op->down, wm_ms);
}

struct op *watermark_new(struct arena *arena, size_t rowtime, const struct expr *watermark,
	int64_t interval_ms, struct run *run, struct op *down)
{
	struct assigner *assigner = ARENA_NEW(arena, struct assigner);

	if (!assigner)
		return NULL;
	*assigner = (struct assigner){.op = {assigner_row, assigner_watermark, down},
		.run = run,
		.rowtime = rowtime,
		.watermark = watermark,
		.interval_ms = interval_ms};
	return &assigner->op;
}

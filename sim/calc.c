/* Operators without state. CURRENT_WATERMARK is the watermark that went through the operator last:
 * a row never sees its own. Recorded: semantics/watermark_03, semantics/bare_01,
 * semantics/edge_limit, semantics/edge_csv_null_rowtime_batch. */
#include "sim/calc.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"

struct calc {
	struct op op;
	struct run *run;
	const struct expr *condition;
	int64_t *filtered;
	struct expr *const *exprs;
	size_t count;
	struct value *cells;
	int64_t steps; /* of one row */
	int64_t wm_ms;
};

/* Passes the watermark on first: what it lets out behind still sees the one before. */
static int calc_watermark(struct op *op, int64_t wm_ms)
{
	struct calc *calc = (struct calc *)op;
	int err = op_watermark(op->down, wm_ms);

	calc->wm_ms = wm_ms;
	return err;
}

/* A fault's text is a constant, so that the run may keep it. */
static int note_fault(struct calc *calc, const struct eval *eval, int err)
{
	if (err == -EBADMSG)
		calc->run->fault = text_of(eval->fault);
	if (err == -ENOTSUP)
		calc->run->refused = EVAL_BEYOND;
	return err;
}

static int filter_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct calc *calc = (struct calc *)op;
	struct eval eval = {.cells = cells, .wm_ms = calc->wm_ms};
	bool holds;
	int err;

	if (run_spend(calc->run, calc->steps) < 0)
		return -ENOTSUP;
	err = expr_holds(calc->condition, &eval, &holds);
	if (err < 0)
		return note_fault(calc, &eval, err);
	if (holds)
		return op_row(op->down, kind, cells);
	if (calc->filtered)
		++*calc->filtered;
	return 0;
}

static int project_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct calc *calc = (struct calc *)op;
	struct eval eval = {.cells = cells, .wm_ms = calc->wm_ms};
	int err = 0;

	if (run_spend(calc->run, calc->steps) < 0)
		return -ENOTSUP;
	for (size_t i = 0; i < calc->count && err == 0; i++) {
		const struct expr *expr = calc->exprs[i];

		/* most are columns, for which a call costs more than the copy */
		if (expr->is_column)
			calc->cells[i] = cells[expr->column];
		else
			err = expr_eval(expr, &eval, &calc->cells[i]);
	}
	return err ? note_fault(calc, &eval, err) : op_row(op->down, kind, calc->cells);
}

static int compute_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct calc *calc = (struct calc *)op;
	struct eval eval = {.cells = calc->cells, .wm_ms = calc->wm_ms};
	int err = 0;

	if (run_spend(calc->run, calc->steps) < 0)
		return -ENOTSUP;
	memcpy(calc->cells, cells, calc->count * sizeof(*cells));
	for (size_t i = 0; i < calc->count && err == 0; i++)
		if (calc->exprs[i])
			err = expr_eval(calc->exprs[i], &eval, &calc->cells[i]);
	return err ? note_fault(calc, &eval, err) : op_row(op->down, kind, calc->cells);
}

static struct calc *calc_new(struct arena *arena,
	int (*row)(struct op *, enum row_op, const struct value *), size_t count, struct run *run,
	struct op *down)
{
	struct calc *calc = ARENA_NEW(arena, struct calc);

	if (!calc)
		return NULL;
	*calc = (struct calc){.op = {row, calc_watermark, down},
		.run = run,
		.count = count,
		.wm_ms = WATERMARK_NONE};
	calc->cells = arena_array(arena, count + 1, sizeof(struct value));
	return calc->cells ? calc : NULL;
}

/* How many nodes are evaluated for a row. */
static int64_t steps_of(struct expr *const *exprs, size_t count)
{
	int64_t steps = 0;

	for (size_t i = 0; i < count; i++)
		if (exprs[i])
			steps += 1 + steps_of(exprs[i]->args, exprs[i]->arg_count);
	return steps;
}

struct op *filter_new(struct arena *arena, const struct expr *condition, struct run *run,
	int64_t *filtered, struct op *down)
{
	struct calc *calc = calc_new(arena, filter_row, 0, run, down);

	if (!calc)
		return NULL;
	calc->condition = condition;
	calc->steps = 1 + steps_of(condition->args, condition->arg_count);
	calc->filtered = filtered;
	return &calc->op;
}

struct op *project_new(struct arena *arena, struct expr *const *exprs, size_t count,
	struct run *run, struct op *down)
{
	struct calc *calc = calc_new(arena, project_row, count, run, down);

	if (!calc)
		return NULL;
	calc->exprs = exprs;
	calc->steps = steps_of(exprs, count);
	return &calc->op;
}

struct op *compute_new(struct arena *arena, struct expr *const *exprs, size_t count,
	struct run *run, struct op *down)
{
	struct calc *calc = calc_new(arena, compute_row, count, run, down);

	if (!calc)
		return NULL;
	calc->exprs = exprs;
	calc->steps = steps_of(exprs, count);
	return &calc->op;
}

struct limit {
	struct op op;
	int64_t skip, left;
};

static int limit_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct limit *limit = (struct limit *)op;

	if (limit->skip > 0) {
		limit->skip--;
		return 0;
	}
	if (limit->left <= 0)
		return 0;
	limit->left--;
	return op_row(op->down, kind, cells);
}

static int pass_watermark(struct op *op, int64_t wm_ms)
{
	return op_watermark(op->down, wm_ms);
}

struct op *limit_new(struct arena *arena, const struct plan_limit *plan, struct op *down)
{
	struct limit *limit = ARENA_NEW(arena, struct limit);

	if (!limit)
		return NULL;
	*limit = (struct limit){.op = {limit_row, pass_watermark, down},
		.skip = plan->skipped,
		.left = plan->count};
	return &limit->op;
}

struct tvf {
	struct op op;
	struct run *run;
	const struct window *window;
	size_t time, count;
	struct value *cells;
};

static int tvf_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct tvf *tvf = (struct tvf *)op;
	struct value *added = &tvf->cells[tvf->count];
	int64_t time_ms = window_local_ms(tvf->window, cells[tvf->time].i);
	struct window_span span;
	int err = 0;

	if (cells[tvf->time].null)
		return 0;
	memcpy(tvf->cells, cells, tvf->count * sizeof(*cells));
	for (bool more = window_first(tvf->window, time_ms, &span); more && err == 0;
		more = window_next(tvf->window, time_ms, &span)) {
		added[0] = (struct value){.i = span.start_ms};
		added[1] = (struct value){.i = span.end_ms};
		added[2] = (struct value){.i = window_time_ms(tvf->window, span.end_ms)};
		err = run_spend(tvf->run, STEPS_SLICE);
		err = err ? err : op_row(op->down, kind, tvf->cells);
	}
	return err;
}

struct op *tvf_new(struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	struct tvf *tvf = ARENA_NEW(arena, struct tvf);
	size_t count = plan->input->column_count;

	if (!tvf)
		return NULL;
	*tvf = (struct tvf){.op = {tvf_row, pass_watermark, down},
		.run = run,
		.window = &plan->tvf.window,
		.time = plan->tvf.time,
		.count = count};
	tvf->cells = arena_array(arena, count + 3, sizeof(struct value));
	return tvf->cells ? &tvf->op : NULL;
}

/* Copies of each row for grouping sets, at once and one after another: the row, its keys or NULL,
 * and the numbers of the set. Recorded: more_sim/cube, more_sim/rollup_window. */
#include "sim/expand.h"

#include <string.h>

#include "parser/arena.h"

struct expand {
	struct op op;
	const struct plan_expand *plan;
	struct run *run;
	size_t width; /* of the input */
	struct value *cells;
};

static void fill(struct expand *expand, size_t set)
{
	const struct plan_expand *plan = expand->plan;
	struct value *cell = &expand->cells[expand->width];

	for (size_t i = 0; i < plan->copy_count; i++, cell++) {
		*cell = expand->cells[plan->sources[i]];
		if (!plan->kept[set * plan->copy_count + i])
			*cell = (struct value){.null = true};
	}
	for (size_t i = 0; i < plan->mark_count; i++, cell++)
		*cell = (struct value){.i = plan->marks[set * plan->mark_count + i]};
}

static int expand_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct expand *expand = (struct expand *)op;
	int err = 0;

	memcpy(expand->cells, cells, expand->width * sizeof(*cells));
	for (size_t set = 0; set < expand->plan->set_count && err == 0; set++) {
		fill(expand, set);
		err = run_spend(expand->run, STEPS_ROW);
		if (err == 0)
			err = op_row(op->down, kind, expand->cells);
	}
	return err;
}

static int expand_watermark(struct op *op, int64_t wm_ms)
{
	return op_watermark(op->down, wm_ms);
}

struct op *expand_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	struct expand *expand = ARENA_NEW(arena, struct expand);

	if (!expand)
		return NULL;
	*expand = (struct expand){.op = {expand_row, expand_watermark, down},
		.plan = &plan->expand,
		.run = run,
		.width = plan->input->column_count};
	expand->cells = arena_array(arena, plan->column_count + 1, sizeof(struct value));
	return expand->cells ? &expand->op : NULL;
}

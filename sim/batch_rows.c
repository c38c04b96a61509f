/* ORDER BY and ROW_NUMBER in batch mode. A rank sorts by its partition columns in the column
 * order of its input, then by its order. Recorded: semantics/batch_03, semantics/batch_05,
 * watermark/mistakes/batch_order_desc, more_sim/batch_order_limit10, more_sim/batch_rank_key. */
#include "sim/batch_rows.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/pool.h"
#include "sim/rows.h"

struct batch_rows {
	struct op op;
	const struct plan *plan;
	struct run *run;
	struct pool pool;
	struct row_list rows;
	struct value *result;
};

static int keep_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct batch_rows *batch = (struct batch_rows *)op;

	(void)kind;
	return row_list_add(&batch->rows, cells, (struct window_span){0, 0});
}

static int cmp_sort(const void *ctx, const struct kept_row *a, const struct kept_row *b)
{
	const struct batch_rows *batch = ctx;

	return sort_keys_cmp(batch->plan->sort.order, batch->plan->sort.order_count, a, b);
}

/* The order that names a column of the partition too, or NULL: the column is sorted as it says, in
 * its place in the partition. Recorded: more_sim/batch_rank_key, more_sim/batch_rank_nulls. */
static const struct sort_key *order_of(const struct plan_rank *rank, size_t column)
{
	for (size_t i = 0; i < rank->order_count; i++)
		if (rank->order[i].expr->is_column && rank->order[i].expr->column == column)
			return &rank->order[i];
	return NULL;
}

static int cmp_partition(
	const struct batch_rows *batch, const struct kept_row *a, const struct kept_row *b)
{
	const struct plan_rank *rank = &batch->plan->rank;

	for (size_t i = 0; i < rank->partition_count; i++) {
		size_t column = rank->partition[i];
		const struct sort_key *key = order_of(rank, column);
		int order = key ? sort_keys_cmp(key, 1, a, b)
				: value_cmp(&batch->plan->columns[column].type, &a->cells[column],
					  &b->cells[column]);

		if (order)
			return order;
	}
	return 0;
}

static int cmp_rank(const void *ctx, const struct kept_row *a, const struct kept_row *b)
{
	const struct batch_rows *batch = ctx;
	int order = cmp_partition(batch, a, b);

	return order ? order
		     : sort_keys_cmp(batch->plan->rank.order, batch->plan->rank.order_count, a, b);
}

/* Behind LIMIT the rows are sorted in another way; of rows that sort alike, which comes first (or
 * at all) was never seen. */
static bool limit_decides(const struct batch_rows *batch)
{
	const struct plan_sort *sort = &batch->plan->sort;
	size_t count = batch->rows.count;

	if (sort->limited && (uint64_t)sort->limit < count)
		count = (size_t)sort->limit + 1;
	for (size_t i = 1; sort->limited && i < count; i++)
		if (cmp_sort(batch, batch->rows.rows[i - 1], batch->rows.rows[i]) == 0)
			return true;
	return false;
}

static int print_sorted(struct batch_rows *batch)
{
	int err = 0;

	if (limit_decides(batch)) {
		batch->run->refused = "LIMIT among rows that sort alike";
		return -ENOTSUP;
	}
	for (size_t i = 0; i < batch->rows.count && err == 0; i++)
		err = op_row(batch->op.down, OP_INSERT, batch->rows.rows[i]->cells);
	return err;
}

static int print_ranked(struct batch_rows *batch)
{
	const struct plan_rank *rank = &batch->plan->rank;
	size_t width = batch->rows.width;
	int64_t number = 0, place = 0;
	int err = 0;

	for (size_t i = 0; i < batch->rows.count && err == 0; i++) {
		const struct kept_row *row = batch->rows.rows[i];

		if (i && cmp_partition(batch, batch->rows.rows[i - 1], row))
			number = place = 0;
		place++;
		if (place == 1 || !rank->ties || cmp_rank(batch, batch->rows.rows[i - 1], row))
			number = rank->dense ? number + 1 : place;
		if (number < rank->lowest || number > rank->highest)
			continue;
		memcpy(batch->result, row->cells, width * sizeof(struct value));
		batch->result[width] = (struct value){.i = number};
		err = op_row(batch->op.down, OP_INSERT, batch->result);
	}
	return err;
}

static int print_rows(struct op *op, int64_t wm_ms)
{
	struct batch_rows *batch = (struct batch_rows *)op;
	bool ranked = batch->plan->kind == PLAN_RANK;
	int err;

	batch_sort(batch->rows.rows, batch->rows.count,
		(struct row_order){ranked ? cmp_rank : cmp_sort, batch});
	err = ranked ? print_ranked(batch) : print_sorted(batch);
	return err ? err : op_watermark(op->down, wm_ms);
}

struct op *batch_rows_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	struct batch_rows *batch = ARENA_NEW(arena, struct batch_rows);
	const struct plan *input = plan->input;

	if (!batch)
		return NULL;
	*batch = (struct batch_rows){.op = {keep_row, print_rows, down}, .plan = plan, .run = run};
	pool_init(&batch->pool, arena);
	row_list_init(&batch->rows, &batch->pool, input->columns, input->column_count);
	batch->result = arena_array(arena, input->column_count + 1, sizeof(struct value));
	return batch->result ? &batch->op : NULL;
}

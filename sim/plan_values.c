/* VALUES: rows of constants, each column with the type that its rows have in common.
 * Recorded: watermark/mistakes/w5_values, more_sim/w5_values_typed, format/empty_result_stream,
 * format/changelog_count_batch. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

static int bind_row(
	struct planner *planner, const struct sql_expr *row, size_t count, struct expr ***ret)
{
	struct binder binder = {.planner = planner};
	struct expr **exprs = arena_array(planner->arena, count + 1, sizeof(*exprs));
	int err = exprs ? 0 : diag_nomem(planner->diag);

	if (row->arg_count != count)
		return refuse(planner, row->pos, "VALUES with rows of different lengths");
	for (size_t i = 0; i < count && err == 0; i++)
		err = bind_expr(&binder, row->args[i], &exprs[i]);
	*ret = exprs;
	return err;
}

/* Casts column i of all rows to the type that they have in common. */
static int unify_column(struct planner *planner, struct plan *plan, size_t i, struct sql_pos pos)
{
	struct expr ***rows = plan->values.rows;
	struct sql_type type = rows[0][i]->type;
	bool not_null = type.not_null;
	int err = 0;

	for (size_t row = 1; row < plan->values.count && err == 0; row++) {
		not_null &= rows[row][i]->type.not_null;
		err = type_common(&type, &rows[row][i]->type, &type);
	}
	for (size_t row = 0; row < plan->values.count && err == 0; row++)
		err = expr_cast(planner->arena, rows[row][i], &type, &rows[row][i]);
	if (err == -ENOTSUP || type.kind == SQL_NULL)
		return refuse(planner, pos, "VALUES of these types");
	type.not_null = not_null;
	plan->columns[i].type = type;
	return err == -ENOMEM ? diag_nomem(planner->diag) : err;
}

int plan_values(struct planner *planner, const struct sql_query *query, struct plan **ret)
{
	struct plan *plan = plan_new(planner, PLAN_VALUES, NULL);
	size_t count = query->rows[0]->arg_count;
	int err = 0;

	if (!plan)
		return diag_nomem(planner->diag);
	plan->columns = arena_array(planner->arena, count + 1, sizeof(*plan->columns));
	plan->column_count = count;
	plan->values.rows =
		arena_array(planner->arena, query->row_count + 1, sizeof(*plan->values.rows));
	if (!plan->columns || !plan->values.rows)
		return diag_nomem(planner->diag);
	for (; plan->values.count < query->row_count && err == 0; plan->values.count++)
		err = bind_row(planner, query->rows[plan->values.count], count,
			&plan->values.rows[plan->values.count]);
	for (size_t i = 0; i < count && err == 0; i++) {
		plan->columns[i].name = text_format(planner->arena, "EXPR$%zu", i);
		err = plan->columns[i].name.ptr ? unify_column(planner, plan, i, query->pos)
						: diag_nomem(planner->diag);
	}
	if (err == 0)
		*ret = plan;
	return err;
}

/* Top-N of a stream without windows: how Flink's planner keeps it, which decides what is printed.
 *
 *	the input only adds rows                            appended
 *	its rows have a key, by which they only get better  updated
 *	any other changelog                                 retracted
 *
 * Recorded: more_sim/top_append, more_sim/top_update, more_sim/top_retract, more_sim/top_limit. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

/* The aggregate whose rows come here as they are, or NULL. */
static const struct plan *aggregate_below(const struct plan *plan)
{
	while (plan->kind == PLAN_PROJECT)
		plan = plan->input;
	return plan->kind == PLAN_GROUP_AGG ? plan : NULL;
}

/* Columns of the input that are keys of the aggregate below; false: one of those is not among
 * them. */
static int find_unique(struct planner *planner, const struct plan *input,
	const struct plan *aggregate, struct plan_rank *rank, bool *all)
{
	size_t count = 0;

	rank->unique = arena_array(planner->arena, input->column_count + 1, sizeof(size_t));
	if (!rank->unique)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < input->column_count; i++)
		if (input->columns[i].change == CHANGE_NONE)
			rank->unique[count++] = i;
	rank->unique_count = count;
	*all = count >= aggregate->agg.spec.key_count;
	return 0;
}

/* Do the rows of one key only get better? */
static bool gets_better(const struct plan *input, const struct sort_key *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum column_change change = CHANGE_ANY;

		if (order[i].expr->is_column)
			change = input->columns[order[i].expr->column].change;
		if (change != CHANGE_NONE &&
			change != (order[i].descending ? CHANGE_UP : CHANGE_DOWN))
			return false;
	}
	return count > 0;
}

static bool partitioned_by_keys(const struct plan *input, const struct plan_rank *rank)
{
	for (size_t i = 0; i < rank->key_count; i++)
		if (input->columns[rank->keys[i]].change != CHANGE_NONE)
			return false;
	return true;
}

static int check_known(
	struct planner *planner, const struct plan *input, const struct plan_rank *rank)
{
	for (size_t i = 0; i < rank->order_count; i++)
		if (rank->order[i].expr->is_column &&
			input->columns[rank->order[i].expr->column].change == CHANGE_UNKNOWN)
			return refuse(planner, rank->pos, "A Top-N by such a SUM");
	return 0;
}

static bool filters(const struct plan *plan)
{
	return plan->kind == PLAN_FILTER || plan->kind == PLAN_PROJECT;
}

/* Over a changelog. */
static int choose(struct planner *planner, const struct plan *input, struct plan_rank *rank)
{
	const struct plan *aggregate = aggregate_below(input), *below = input;
	bool unique = false;
	int err;

	rank->strategy = RANK_RETRACT;
	if (!aggregate) {
		while (filters(below))
			below = below->input;
		return below->kind == PLAN_GROUP_AGG
			       ? 0
			       : refuse(planner, rank->pos, "A Top-N over this changelog");
	}
	if (aggregate->input->updates)
		return refuse(planner, rank->pos, "A Top-N over an aggregate of a changelog");
	err = find_unique(planner, input, aggregate, rank, &unique);
	if (err == 0 && unique && partitioned_by_keys(input, rank)) {
		err = check_known(planner, input, rank);
		if (gets_better(input, rank->order, rank->order_count))
			rank->strategy = RANK_UPDATE;
	}
	return err;
}

int plan_top(struct planner *planner, struct plan *plan)
{
	const struct plan *input = plan->input;

	if (plan_is_silent(input))
		return refuse(planner, plan->rank.pos, "A Top-N over this Top-1");
	plan->updates = true;
	plan->window = NULL;
	for (size_t i = 0; i < plan->column_count; i++)
		plan->columns[i].change = CHANGE_ANY;
	return input->updates ? choose(planner, input, &plan->rank) : 0;
}

static int limit_number(struct planner *planner, const struct sql_expr *ast, int64_t *ret)
{
	if (!ast)
		return 0;
	if (ast->kind != EXPR_LITERAL || !type_is_integer(&ast->type))
		return refuse(planner, ast->pos, "A LIMIT that is not a number");
	*ret = ast->value.i;
	return 0;
}

/* The input's columns and a number that nobody reads. */
static int rank_columns(struct planner *planner, const struct plan *input, struct plan *rank)
{
	size_t count = input->column_count;

	rank->columns = arena_array(planner->arena, count + 1, sizeof(*rank->columns));
	if (!rank->columns)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++)
		rank->columns[i] = input->columns[i];
	rank->columns[count].type = (struct sql_type){.kind = SQL_BIGINT, .not_null = true};
	rank->column_count = count + 1;
	return 0;
}

int plan_top_rows(struct planner *planner, const struct sql_query *query,
	const struct binder *binder, struct plan **plan)
{
	struct plan *rank = plan_new(planner, PLAN_RANK, *plan);
	int64_t skipped = 0, count = 0;
	int err;

	if (!rank)
		return diag_nomem(planner->diag);
	rank->rank = (struct plan_rank){.pos = query->limit->pos, .bounded = true};
	err = limit_number(planner, query->offset, &skipped);
	if (err == 0)
		err = limit_number(planner, query->limit, &count);
	if (err == 0)
		err = bind_order(binder, query->order, &rank->rank.order, &rank->rank.order_count);
	if (err == 0)
		err = rank_columns(planner, *plan, rank);
	if (err == 0)
		err = plan_top(planner, rank);
	if (err < 0)
		return err;
	if (skipped > INT64_MAX - count || !count)
		return refuse(planner, query->limit->pos, "Such a LIMIT");
	rank->rank.lowest = skipped + 1;
	rank->rank.highest = skipped + count;
	rank->spread_known = true;
	rank->spread_count = 0;
	*plan = rank;
	return plan_show(planner, rank->column_count - 1, plan);
}

/* GROUP BY: the aggregate, with a projection in front of it to just the columns that it reads, HAVING
 * and SELECT behind it. Recorded: semantics/phase_01, semantics/batch_tiny, semantics/batch_tiny2. */
#include "sim/plan_aggregate.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast.h"
#include "sim/fault.h"

static bool not_aggregate(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !ast_is_aggregate(expr);
}

bool query_aggregates(const struct sql_query *query)
{
	if (query->grouped)
		return true;
	for (size_t i = 0; i < query->item_count; i++)
		if (!ast_walk(query->items[i].expr, not_aggregate, NULL))
			return true;
	return false;
}

static int add_where(struct aggregate *a, struct plan **plan)
{
	struct sql_expr *where = a->query->where;
	struct expr *condition;
	int err = where ? plan_rank_bounds(a->planner, *plan, &where) : 0;

	if (err < 0 || !where)
		return err;
	err = bind_condition(&a->input, where, &condition);
	return err ? err : plan_filter(a->planner, condition, where, plan);
}

/* A projection to just the columns that the aggregate reads, unless it is all columns as they are. */
static int project_input(struct aggregate *a, struct plan **plan)
{
	struct plan_column *columns =
		arena_array(a->planner->arena, a->column_count + 1, sizeof(*columns));

	if (!columns)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < a->column_count; i++) {
		columns[i].type = a->columns[i]->type;
		if (a->columns[i]->is_column)
			columns[i] = (*plan)->columns[a->columns[i]->column];
	}
	return plan_project(a->planner, a->columns, columns, a->column_count, plan);
}

static struct sql_type window_column_type(
	const struct aggregate *a, const struct plan *input, size_t i)
{
	struct sql_type type = {.kind = SQL_TIMESTAMP, .precision = 3, .not_null = true};

	if (i != 2)
		return type;
	if (!a->planner->batch)
		type.attribute = TIME_ROWTIME;
	if (a->agg.spec.window.kind != WINDOW_ATTACHED)
		type.kind = input->columns[a->agg.spec.time].type.kind;
	return type;
}

static int output_columns(struct aggregate *a, struct plan *plan)
{
	const struct window_agg_spec *spec = &a->agg.spec;
	size_t count = spec->key_count + spec->call_count + (a->windowed ? 3 : 0);
	struct plan_column *columns = arena_array(a->planner->arena, count + 1, sizeof(*columns));
	size_t n = 0;

	if (!columns)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < spec->key_count; i++)
		columns[n++] = plan->input->columns[spec->keys[i]];
	for (size_t i = 0; i < spec->call_count; i++)
		columns[n++].type = spec->calls[i].type;
	for (size_t i = 0; n < count; i++)
		columns[n++] = (struct plan_column){.type = window_column_type(a, plan->input, i),
			.role = ROLE_WINDOW_START + (int)i};
	plan->columns = columns;
	plan->column_count = count;
	return 0;
}

/* Two phases, unless asked for one, or the rows are spread by just these keys already, or a function
 * has no merge. Recorded: semantics/phase_01 to phase_02. */
static bool two_phase(const struct aggregate *a, const struct plan *input)
{
	const struct window_agg_spec *spec = &a->agg.spec;
	bool same = input->spread_known && input->spread_count == spec->key_count;

	for (size_t i = 0; i < spec->call_count; i++)
		if (call_is_first_or_last(&spec->calls[i]))
			return false;
	for (size_t i = 0; i < spec->key_count && same; i++) {
		bool found = false;

		for (size_t j = 0; j < input->spread_count; j++)
			found |= input->spread[j] == spec->keys[i];
		same = found;
	}
	return !same && !text_ieq(options_get(a->planner->options,
					  "table.optimizer.agg-phase-strategy", "AUTO"),
				TEXT("ONE_PHASE"));
}

static int spread_by_keys(struct aggregate *a, struct plan *plan)
{
	plan->spread = arena_array(a->planner->arena, a->key_count + 1, sizeof(size_t));
	if (!plan->spread)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < a->key_count; i++)
		plan->spread[i] = i;
	plan->spread_count = a->key_count;
	plan->spread_known = true;
	return 0;
}

static int add_aggregate(struct aggregate *a, struct plan **plan)
{
	struct plan *agg =
		plan_new(a->planner, a->windowed ? PLAN_WINDOW_AGG : PLAN_GROUP_AGG, *plan);
	int err;

	if (!agg)
		return diag_nomem(a->planner->diag);
	agg->agg = a->agg;
	agg->agg.two_phase = two_phase(a, *plan);
	agg->updates = !a->windowed && !a->planner->batch;
	agg->window = a->windowed && a->agg.spec.window.kind != WINDOW_SESSION
			      ? &agg->agg.spec.window
			      : NULL;
	err = output_columns(a, agg);
	if (err == 0)
		err = spread_by_keys(a, agg);
	*plan = agg;
	return err;
}

static int add_having(struct aggregate *a, const struct binder *output, struct plan **plan)
{
	struct expr *condition;
	int err;

	if (!a->query->having)
		return 0;
	err = bind_condition(output, a->query->having, &condition);
	if (err < 0)
		return err;
	if ((*plan)->updates)
		return refuse(a->planner, a->query->having->pos, "HAVING over a changelog");
	return plan_filter(a->planner, condition, a->query->having, plan);
}

/* Early and late firing are for legacy windows only. */
static int check_emit(struct aggregate *a)
{
	const struct options *options = a->planner->options;
	bool emit = options_true(options, "table.exec.emit.early-fire.enabled") ||
		    options_true(options, "table.exec.emit.late-fire.enabled");

	if (a->planner->batch || !a->windowed || !emit)
		return 0;
	if (a->scope.legacy)
		return refuse(a->planner, a->query->pos, "Early or late firing");
	return plan_fault(a->planner,
		FAULT_TABLE "Currently, window table function based aggregate doesn't support "
			    "early-fire and late-fire configuration "
			    "'table.exec.emit.early-fire.enabled' and "
			    "'table.exec.emit.late-fire.enabled'.");
}

static int build(struct aggregate *a, struct plan **plan)
{
	int err = aggregate_find_windows(a, *plan);

	if (err == 0)
		err = aggregate_collect_calls(a);
	if (err == 0)
		err = aggregate_bind_keys(a);
	if (err == 0)
		err = aggregate_bind_calls(a);
	if (err == 0)
		err = aggregate_add_window_terms(a);
	if (err == 0)
		err = plan_defer(a->planner, check_emit(a));
	if (err == 0)
		err = aggregate_place_keys(a);
	if (err == 0)
		err = aggregate_place_window(a, plan);
	return err;
}

int plan_aggregate(struct planner *planner, const struct sql_query *query, struct text alias,
	struct plan **plan)
{
	struct aggregate a = {.planner = planner, .query = query};
	struct binder output = {.planner = planner, .agg = &a.scope};
	int err;

	if ((*plan)->updates)
		return refuse(planner, query->pos, "An aggregate over a changelog");
	if (query->grouping_sets)
		return refuse(planner, query->pos, "GROUPING SETS, ROLLUP or CUBE");
	a.input = (struct binder){planner, (*plan)->columns, (*plan)->column_count, alias, NULL};
	a.scope.input = &a.input;
	err = build(&a, plan);
	if (err == 0)
		err = add_where(&a, plan);
	if (err == 0)
		err = project_input(&a, plan);
	if (err == 0)
		err = add_aggregate(&a, plan);
	if (err < 0)
		return err;
	output.columns = (*plan)->columns;
	output.column_count = (*plan)->column_count;
	err = add_having(&a, &output, plan);
	return err ? err : plan_items(planner, query, &output, plan);
}

int plan_distinct(struct planner *planner, struct plan **plan)
{
	size_t count = (*plan)->column_count;
	struct plan *group = plan_new(planner, PLAN_GROUP_AGG, *plan);
	size_t *keys = arena_array(planner->arena, count + 1, sizeof(*keys));
	struct sql_type *types = arena_array(planner->arena, count + 1, sizeof(*types));
	struct plan_column *columns = arena_array(planner->arena, count + 1, sizeof(*columns));

	if (!group || !keys || !types || !columns)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++) {
		keys[i] = i;
		types[i] = (*plan)->columns[i].type;
		columns[i] = (*plan)->columns[i];
		columns[i].type.attribute = TIME_NONE;
		columns[i].role = ROLE_NONE;
	}
	group->agg =
		(struct plan_agg){.spec = {.keys = keys, .key_types = types, .key_count = count},
			.group_order = keys,
			.group_order_count = count};
	group->columns = columns;
	group->updates = !planner->batch;
	group->window = NULL;
	group->spread_known = false;
	*plan = group;
	return 0;
}

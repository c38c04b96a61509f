/* GROUP BY: the aggregate, with a projection in front of it to just the columns that it reads,
 * HAVING and SELECT behind it. Recorded: semantics/phase_01, semantics/batch_tiny,
 * semantics/batch_tiny2. */
#include "sim/plan_aggregate.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast.h"
#include "sim/fault.h"

bool query_aggregates(const struct sql_query *query)
{
	if (query->grouped || query->having)
		return true;
	for (size_t i = 0; i < query->item_count; i++)
		if (ast_has_aggregate(query->items[i].expr))
			return true;
	return false;
}

int plan_check_where(struct planner *planner, const struct sql_expr *where)
{
	if (!ast_has_aggregate(where))
		return 0;
	return plan_fault(planner, FAULT_CALCITE "Aggregate expression is illegal in WHERE clause");
}

static int add_where(struct aggregate *a, struct plan **plan)
{
	struct sql_expr *where = a->query->where;
	struct expr *condition;
	int err = where ? plan_rank_bounds(a->planner, *plan, &where) : 0;

	if (err < 0 || !where)
		return err;
	err = plan_check_where(a->planner, where);
	if (err == 0)
		err = bind_condition(&a->input, where, &condition);
	return err ? err : plan_filter(a->planner, condition, where, plan);
}

/* A projection to just the columns that the aggregate reads, unless it is all columns as they
 * are. */
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
	if (a->agg.spec.window.kind != WINDOW_ATTACHED) {
		type.kind = input->columns[a->agg.spec.time].type.kind;
		type.precision = input->columns[a->agg.spec.time].type.precision;
	}
	return type;
}

/* SUM goes up where Flink's planner knows that nothing is below 0. */
static enum column_change change_of(const struct aggregate *a, const struct agg_call *call)
{
	switch (call->function) {
	case AGG_COUNT_ALL:
	case AGG_COUNT:
	case AGG_MAX: return CHANGE_UP;
	case AGG_MIN: return CHANGE_DOWN;
	case AGG_SUM:
		if (a->query->where || call->has_filter || !a->columns[call->argument]->is_column)
			return CHANGE_UNKNOWN;
		return CHANGE_ANY;
	default: return CHANGE_ANY;
	}
}

/* Over a changelog a call goes the way of what it takes, if its keys stay. */
static void set_changes(
	const struct aggregate *a, const struct plan *plan, struct plan_column *columns)
{
	const struct window_agg_spec *spec = &a->agg.spec;
	const struct plan_column *input = plan->input->columns;
	bool over = plan->input->updates, stay = true;

	for (size_t i = 0; i < spec->key_count; i++) {
		stay &= !over || input[spec->keys[i]].change == CHANGE_NONE;
		columns[i].change = CHANGE_NONE;
	}
	for (size_t i = 0; i < spec->call_count; i++) {
		enum column_change change = change_of(a, &spec->calls[i]);

		if (over && spec->calls[i].function != AGG_COUNT_ALL &&
			input[spec->calls[i].argument].change != change)
			change = CHANGE_ANY;
		columns[spec->key_count + i].change = stay ? change : CHANGE_ANY;
	}
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
	set_changes(a, plan, columns);
	for (size_t i = 0; n < count; i++)
		columns[n++] = (struct plan_column){.type = window_column_type(a, plan->input, i),
			.role = ROLE_WINDOW_START + (int)i};
	plan->columns = columns;
	plan->column_count = count;
	return 0;
}

/* Two phases, unless asked for one, or a function has no merge. Rows that are spread by just
 * these keys already change nothing, as the projection between two aggregates, or over a rank,
 * hides that from Flink (EXPLAIN shows it). Recorded: semantics/phase_01 to phase_02,
 * more_sim/ltz_kathmandu. */
static bool two_phase(const struct aggregate *a)
{
	const struct window_agg_spec *spec = &a->agg.spec;

	for (size_t i = 0; i < spec->call_count; i++)
		if (call_is_first_or_last(&spec->calls[i]))
			return false;
	return !text_ieq(
		options_get(a->planner->options, "table.optimizer.agg-phase-strategy", "AUTO"),
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

/* The calls take rows back, as their input is a changelog; but the best of values that only get
 * better is never taken back. */
static int retract_calls(struct aggregate *a, const struct plan_column *columns)
{
	if (a->windowed)
		return refuse(a->planner, a->query->pos, "A window aggregate over a changelog");
	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->calls_of[i];

		if (call_is_first_or_last(call))
			return refuse(
				a->planner, a->calls[i]->pos, "This aggregate over a changelog");
		a->calls_of[i].retracts = true;
		a->calls_of[i].keeps_best =
			(call->function == AGG_MAX && columns[i].change == CHANGE_UP) ||
			(call->function == AGG_MIN && columns[i].change == CHANGE_DOWN);
	}
	return 0;
}

/* Can the planner answer for all of them where no row comes? */
static bool answers_empty(const struct aggregate *a)
{
	for (size_t i = 0; i < a->call_count; i++)
		if (call_is_first_or_last(&a->calls_of[i]))
			return false;
	return !a->planner->batch && !a->key_count && !a->windowed && a->set_count == 1;
}

/* COUNT is 0, others are NULL. */
static int empty_row(struct aggregate *a, struct expr ***ret)
{
	struct expr **row = arena_array(a->planner->arena, a->call_count + 1, sizeof(*row));

	if (!row)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->calls_of[i];
		bool counts = call->function == AGG_COUNT || call->function == AGG_COUNT_ALL;

		row[i] = expr_constant(
			a->planner->arena, &call->type, &(struct value){.null = !counts});
		if (!row[i])
			return diag_nomem(a->planner->diag);
	}
	*ret = row;
	return 0;
}

/* Where the planner knows that no row comes it makes the one row of the aggregate by itself; the
 * running job would print none. Recorded: more_sim/never_aggregate. */
static int answer_empty(struct aggregate *a, struct plan **plan)
{
	struct plan *values;
	int err;

	if ((*plan)->rows == ROWS_DOUBT)
		return refuse(a->planner, a->query->where ? a->query->where->pos : a->query->pos,
			"An aggregate without GROUP BY behind such a WHERE");
	values = plan_new(a->planner, PLAN_VALUES, NULL);
	if (!values)
		return diag_nomem(a->planner->diag);
	values->columns = (*plan)->columns;
	values->column_count = a->call_count;
	values->values.count = 1;
	values->values.rows = arena_array(a->planner->arena, 1, sizeof(*values->values.rows));
	if (!values->values.rows)
		return diag_nomem(a->planner->diag);
	err = empty_row(a, &values->values.rows[0]);
	*plan = values;
	return err;
}

/* For a legacy window over what the planner knows to be empty Flink makes code with columns
 * missing. Recorded: more_sim/legacy_never. */
static int add_aggregate(struct aggregate *a, struct plan **plan)
{
	struct plan *agg =
		plan_new(a->planner, a->windowed ? PLAN_WINDOW_AGG : PLAN_GROUP_AGG, *plan);
	int err;

	if (!agg)
		return diag_nomem(a->planner->diag);
	agg->agg = a->agg;
	agg->agg.two_phase = two_phase(a);
	agg->updates = !a->windowed && !a->planner->batch;
	agg->window = a->windowed && a->agg.spec.window.kind != WINDOW_SESSION
			      ? &agg->agg.spec.window
			      : NULL;
	err = output_columns(a, agg);
	if (err == 0 && agg->input->updates)
		err = retract_calls(a, agg->columns + a->key_count);
	if (err == 0)
		err = spread_by_keys(a, agg);
	*plan = agg;
	if (err == 0 && agg->rows != ROWS_ANY && answers_empty(a))
		err = answer_empty(a, plan);
	if (err == 0 && agg->rows != ROWS_ANY && a->scope.legacy)
		err = refuse(
			a->planner, a->scope.legacy->pos, "A legacy window over what has no rows");
	if (!a->key_count && !a->windowed)
		(*plan)->rows = ROWS_ANY;
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
		err = aggregate_reduce(a);
	if (err == 0)
		err = aggregate_check_bytes(a);
	if (err == 0)
		err = aggregate_place_window(a, plan);
	return err ? err : aggregate_check_calls(a);
}

int plan_aggregate(struct planner *planner, const struct sql_query *query, struct text alias,
	struct plan **plan)
{
	struct aggregate a = {.planner = planner, .query = query};
	struct binder output = {.planner = planner, .agg = &a.scope};
	int err;

	a.input = (struct binder){planner, (*plan)->columns, (*plan)->column_count, alias, NULL};
	a.scope.input = &a.input;
	err = aggregate_read_groups(&a);
	if (err == 0)
		err = build(&a, plan);
	if (err == 0)
		err = add_where(&a, plan);
	if (err == 0)
		err = project_input(&a, plan);
	if (err == 0 && a.set_count > 1)
		err = aggregate_expand(&a, plan);
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
		columns[i].change = CHANGE_NONE;
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

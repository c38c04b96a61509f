/* GROUP BY: which of its columns are windows, and how the windows come into the aggregate.
 *
 *	both window columns over a window function, which nobody else
 *	reads, also in a sub-query of a stream (plan_lift.h):             slices
 *	the same where WHERE or a call reads a window column, or over
 *	anything else that has them:                                      attached windows
 *	TUMBLE(ts, ...):                                                  legacy (plan_legacy.c)
 *	anything else:                                                    no windows: a changelog
 *
 * Recorded: semantics/tumble_01, semantics/wherewin_01, semantics/nested_01,
 * semantics/edge_legacy_tumble, semantics/edge_group_start_only, semantics/errors_early_fire. */
#include "sim/plan_aggregate.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/ast.h"
#include "sim/fault.h"
#include "sim/never.h"
#include "sim/plan_lift.h"
#include "sim/plan_window.h"

static enum column_role role_of(const struct aggregate *a, const struct sql_expr *ast)
{
	size_t column;
	struct text saved = a->planner->fault;

	if (ast->kind != EXPR_COLUMN || bind_column(&a->input, ast, &column) < 0) {
		a->planner->fault = saved;
		return ROLE_NONE;
	}
	return a->input.columns[column].role;
}

/* Is this one of the columns that SESSION is partitioned by? */
static bool partitions(
	const struct aggregate *a, const struct plan *tvf, const struct sql_expr *ast)
{
	for (size_t i = 0; i < tvf->tvf.key_count; i++)
		if (ast->kind == EXPR_COLUMN &&
			text_eq(ast->name, a->input.columns[tvf->tvf.keys[i]].name))
			return true;
	return false;
}

/* Does WHERE leave one value of a column that SESSION is partitioned by? */
static bool pins_key(
	const struct aggregate *a, const struct plan *tvf, const struct sql_expr *where)
{
	const struct sql_expr *const *args;

	if (!where || where->kind != EXPR_OP)
		return false;
	args = (const struct sql_expr *const *)where->args;
	if (where->op == SQL_OP_AND)
		return pins_key(a, tvf, args[0]) || pins_key(a, tvf, args[1]);
	if (where->op != SQL_OP_EQ)
		return false;
	return (args[1]->kind == EXPR_LITERAL && partitions(a, tvf, args[0])) ||
	       (args[0]->kind == EXPR_LITERAL && partitions(a, tvf, args[1]));
}

static bool is_session(const struct plan *plan)
{
	return plan->kind == PLAN_WINDOW && plan->tvf.window.kind == WINDOW_SESSION;
}

/* SESSION becomes part of the aggregate only where it is partitioned by just the keys of GROUP BY;
 * else its rows are grouped like those of any table. A key that WHERE pins to one value is no key
 * of GROUP BY any more. Recorded: semantics/session_keys_differ, more_sim/session_pinned_key. */
static bool fits_session(const struct aggregate *a, const struct plan *plan)
{
	size_t keys = 0;

	if (!is_session(plan))
		return true;
	if (pins_key(a, plan, a->query->where))
		return false;
	for (size_t i = 0; i < a->group_count; i++) {
		if (role_of(a, a->group[i]) != ROLE_NONE)
			continue;
		if (!partitions(a, plan, a->group[i]))
			return false;
		keys++;
	}
	return keys == plan->tvf.key_count;
}

/* What the planner simplifies to a key with one value is a pinned key too.
 * Recorded: more_sim/session_pinned_case. */
static int check_session(struct aggregate *a, const struct plan *plan)
{
	if (!is_session(plan) || !a->has_start || !a->has_end || pins_key(a, plan, a->query->where))
		return 0;
	for (size_t i = 0; i < plan->tvf.key_count; i++)
		if (may_pin(a->planner, plan, a->query->where,
			    plan->columns[plan->tvf.keys[i]].name))
			return refuse(a->planner, a->query->where->pos,
				"SESSION behind a WHERE that may leave one value of its key");
	return 0;
}

int aggregate_find_windows(struct aggregate *a, const struct plan *plan)
{
	for (size_t i = 0; i < a->group_count; i++) {
		const struct sql_expr *ast = a->group[i];
		enum column_role role = role_of(a, ast);

		if (role != ROLE_NONE && !aggregate_in_all_sets(a, i))
			continue;
		a->has_start |= role == ROLE_WINDOW_START;
		a->has_end |= role == ROLE_WINDOW_END;
		a->has_time |= role == ROLE_WINDOW_TIME;
		if (ast->kind == EXPR_LITERAL)
			return refuse(a->planner, ast->pos, "GROUP BY a constant");
		if (ast->kind == EXPR_CALL &&
			(text_eq(ast->name, TEXT("TUMBLE")) || text_eq(ast->name, TEXT("HOP")) ||
				text_eq(ast->name, TEXT("SESSION"))))
			a->scope.legacy = ast;
	}
	a->windowed = (a->has_start && a->has_end && fits_session(a, plan)) || a->scope.legacy;
	if (a->set_count > 1 && (a->scope.legacy || (plan->kind == PLAN_WINDOW && !plan->window)))
		return refuse(a->planner, a->query->pos, "GROUPING SETS over such a window");
	return check_session(a, plan);
}

/* Is this GROUP BY expression a window column of a windowed aggregate? */
static bool is_window_term(const struct aggregate *a, const struct sql_expr *ast)
{
	return a->windowed && (ast == a->scope.legacy || role_of(a, ast) != ROLE_NONE);
}

/* Keys, also those that tell grouping sets, and their places. */
static int make_keys(struct aggregate *a)
{
	struct arena *arena = a->planner->arena;
	size_t room = a->group_count + a->query->item_count * LIMIT_NESTING + 2;

	a->keys = arena_array(arena, room, sizeof(*a->keys));
	a->key_places = arena_array(arena, room, sizeof(*a->key_places));
	a->agg.group_order = arena_array(arena, room, sizeof(size_t));
	return a->keys && a->key_places && a->agg.group_order ? 0 : diag_nomem(a->planner->diag);
}

static int add_key(struct aggregate *a, const struct sql_expr *ast)
{
	struct expr *key;
	int err = bind_expr(&a->input, ast, &key);

	if (err < 0)
		return err;
	if (key->reads_watermark)
		return refuse(a->planner, ast->pos, "GROUP BY CURRENT_WATERMARK");
	a->keys[a->key_count] = key;
	return aggregate_add_term(a, ast, a->key_count++);
}

int aggregate_bind_keys(struct aggregate *a)
{
	size_t count = a->group_count;
	int err = make_keys(a);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct sql_expr *ast = a->group[i];
		size_t place = a->key_count;

		if (!is_window_term(a, ast))
			err = add_key(a, ast);
		else
			place = role_of(a, ast) == ROLE_WINDOW_START ? GROUP_BY_START
								     : GROUP_BY_END;
		a->agg.group_order[a->agg.group_order_count++] = place;
		if (err == 0 && place < a->key_count)
			a->key_places[place] = i;
	}
	a->plain_count = a->key_count;
	return err || a->set_count == 1 ? err : aggregate_add_set_keys(a);
}

/* The window columns of GROUP BY lie behind the keys and calls. */
int aggregate_add_window_terms(struct aggregate *a)
{
	int err = 0;

	a->scope.window_start = a->key_count + a->call_count;
	for (size_t i = 0; i < a->group_count && err == 0; i++) {
		const struct sql_expr *ast = a->group[i];

		if (is_window_term(a, ast) && ast != a->scope.legacy)
			err = aggregate_add_term(a, ast,
				a->scope.window_start +
					(size_t)(role_of(a, ast) - ROLE_WINDOW_START));
	}
	return err;
}

int aggregate_place_keys(struct aggregate *a)
{
	size_t *keys = arena_array(a->planner->arena, a->key_count + 1, sizeof(*keys));
	struct sql_type *types = arena_array(a->planner->arena, a->key_count + 1, sizeof(*types));
	int err = keys && types ? 0 : diag_nomem(a->planner->diag);

	for (size_t i = 0; i < a->key_count && err == 0; i++) {
		types[i] = (struct sql_type){.kind = SQL_BIGINT, .not_null = true};
		if (!a->keys[i])
			continue;
		types[i] = a->keys[i]->type;
		err = aggregate_input(a, a->keys[i], &keys[i]);
	}
	a->agg.spec.keys = keys;
	a->agg.spec.key_types = types;
	a->agg.spec.key_count = a->key_count;
	return err;
}

static int place_column(struct aggregate *a, size_t column, size_t *ret)
{
	struct expr *expr = expr_column(a->planner->arena, column, &a->input.columns[column].type);

	return expr ? aggregate_input(a, expr, ret) : diag_nomem(a->planner->diag);
}

static size_t column_with_role(const struct plan *plan, enum column_role role)
{
	size_t i = 0;

	while (i < plan->column_count && plan->columns[i].role != role)
		i++;
	return i;
}

static int attach_windows(struct aggregate *a, const struct plan *plan)
{
	struct window_agg_spec *spec = &a->agg.spec;
	int err;

	if (!plan->window)
		return refuse(a->planner, a->query->pos,
			"An aggregate over SESSION windows of its input");
	err = a->planner->batch
		      ? 0
		      : plan_defer(a->planner, plan_check_sliced(a->planner, plan->window));
	if (err < 0)
		return err;
	spec->window = *plan->window;
	if (spec->window.kind != WINDOW_ATTACHED)
		spec->window.inner = plan->window->kind;
	spec->window.kind = WINDOW_ATTACHED;
	err = place_column(a, column_with_role(plan, ROLE_WINDOW_END), &spec->time);
	if (err < 0)
		return err;
	return place_column(a, column_with_role(plan, ROLE_WINDOW_START), &spec->attached_start);
}

int aggregate_check_merge(struct aggregate *a, enum window_kind kind)
{
	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->agg.spec.calls[i];

		if (!call_is_first_or_last(call) || kind == WINDOW_TUMBLE)
			continue;
		return plan_fault(a->planner,
			FAULT_VALIDATION
			"Could not find an implementation method 'merge' in class "
			"'org.apache.flink.table.runtime.functions.aggregate.%s"
			"ValueAggFunction' for function '%.*s' that matches the following "
			"signature:\nvoid merge(org.apache.flink.table.data.RowData, "
			"java.lang.Iterable)",
			call->function == AGG_FIRST_VALUE ? "First" : "Last",
			TEXT_ARG(a->calls[i]->name));
	}
	return 0;
}

/* HOP takes back what has left the window. */
static int check_retraction(struct aggregate *a, enum window_kind kind)
{
	for (size_t i = 0; i < a->call_count && kind == WINDOW_HOP; i++) {
		const struct agg_call *call = &a->agg.spec.calls[i];

		if (call->function == AGG_SUM && call->distinct)
			return plan_fault(a->planner, FAULT_TABLE
				"This function does not support retraction, Please choose "
				"SumWithRetractAggFunction.");
	}
	return 0;
}

static int place_time(struct aggregate *a, const struct lifted *lifted)
{
	struct expr *time = expr_column(
		a->planner->arena, lifted->time, &lifted->plan->columns[lifted->time].type);

	return time ? aggregate_input(a, time, &a->agg.spec.time) : diag_nomem(a->planner->diag);
}

/* The window function goes into the aggregate. */
static int merge_window(struct aggregate *a, const struct lifted *lifted)
{
	struct window_agg_spec *spec = &a->agg.spec;
	int err = 0;

	spec->window = lifted->tvf->tvf.window;
	if (!a->planner->batch)
		err = plan_defer(a->planner, plan_check_sliced(a->planner, &spec->window));
	if (err == 0 && !a->planner->batch)
		err = plan_defer(a->planner, aggregate_check_merge(a, spec->window.kind));
	if (err == 0 && !a->planner->batch)
		err = plan_defer(a->planner, check_retraction(a, spec->window.kind));
	return err ? err : place_time(a, lifted);
}

/* SESSION goes into the aggregate. */
static int merge_session(struct aggregate *a, const struct lifted *lifted)
{
	int err = plan_defer(a->planner, aggregate_check_merge(a, WINDOW_SESSION));

	if (err < 0)
		return err;
	a->agg.at_once = true;
	a->agg.spec.window = lifted->tvf->tvf.window;
	return place_time(a, lifted);
}

struct reads {
	const struct aggregate *a;
	bool *columns; /* of the plan under the aggregate */
};

static bool mark_read(const struct sql_expr *expr, void *ctx)
{
	struct reads *reads = ctx;
	struct planner *planner = reads->a->planner;
	struct text saved = planner->fault;
	size_t column;

	if (expr->kind == EXPR_COLUMN && bind_column(&reads->a->input, expr, &column) == 0)
		reads->columns[column] = true;
	planner->fault = saved;
	return true;
}

/* The window function as far as it may leave the plan. Batch mode has slices for no sub-query, and
 * grouping sets copy the rows in front of the aggregate. */
static int lift_window(struct aggregate *a, struct plan *plan, struct lifted *ret)
{
	struct reads reads = {a, arena_array(a->planner->arena, plan->column_count + 1, 1)};
	bool is_bare = plan->kind == PLAN_WINDOW;

	*ret = (struct lifted){0};
	if (!reads.columns)
		return diag_nomem(a->planner->diag);
	if (a->set_count > 1 || a->planner->batch) {
		if (!is_bare || (a->set_count > 1 && a->planner->batch))
			return 0;
	}
	for (size_t i = 0; i < a->column_count; i++)
		expr_mark_columns(a->columns[i], reads.columns);
	ast_walk(a->query->where, mark_read, &reads);
	return plan_lift(a->planner, plan, reads.columns, ret);
}

/* Streaming windows add different numbers in the order of a Java map, which the last digits of a
 * sum show. What fails in Flink's planner fails as there. */
static int check_distinct_sums(struct aggregate *a)
{
	for (size_t i = 0; i < a->call_count && !a->planner->late_fault.len; i++) {
		const struct agg_call *call = &a->calls_of[i];
		enum sql_kind kind = call->argument_type.kind;

		if (call->distinct && (kind == SQL_FLOAT || kind == SQL_DOUBLE) &&
			(call->function == AGG_SUM || call->function == AGG_AVG))
			return refuse(a->planner, a->calls[i]->pos,
				"A sum of different FLOAT or DOUBLE in a window");
	}
	return 0;
}

/* Places the window, in one of the four ways of this file's head. */
static int place_window(struct aggregate *a, struct plan **plan)
{
	struct lifted lifted;
	int err;

	if (a->scope.legacy)
		return aggregate_place_legacy(a, *plan);
	err = lift_window(a, *plan, &lifted);
	if (err < 0)
		return err;
	if (!lifted.tvf || (lifted.tvf->tvf.window.kind == WINDOW_SESSION && lifted.tvf != *plan))
		return attach_windows(a, *plan);
	err = lifted.tvf->tvf.window.kind == WINDOW_SESSION ? merge_session(a, &lifted)
							    : merge_window(a, &lifted);
	if (err == 0)
		*plan = lifted.plan;
	return err;
}

int aggregate_place_window(struct aggregate *a, struct plan **plan)
{
	int err;

	if (!a->windowed)
		return 0;
	err = place_window(a, plan);
	return err || a->planner->batch ? err : check_distinct_sums(a);
}

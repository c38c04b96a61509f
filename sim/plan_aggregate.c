/* GROUP BY: which aggregate it becomes, and what stands behind it.
 *
 *	GROUP BY both window columns over a window function, WHERE without them:  slices
 *	the same where WHERE names a window column, or over a view that has them: attached windows
 *	GROUP BY TUMBLE(ts, ...):                                                 legacy
 *	anything else:                                                            a changelog
 *
 * Recorded: semantics/tumble_01, semantics/wherewin_01, semantics/nested_01,
 * semantics/edge_legacy_tumble, semantics/edge_group_start_only, semantics/errors_early_fire. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast.h"
#include "sim/fault.h"
#include "sim/plan_window.h"

/* An aggregate under construction. */
struct aggregate {
	struct planner *planner;
	const struct sql_query *query;
	struct binder input; /* the columns in front of the aggregate */
	struct agg_scope scope;
	size_t room; /* of scope.terms */
	const struct sql_expr **calls;
	size_t call_count, call_room;
	struct expr **keys; /* GROUP BY without the window columns */
	size_t key_count;
	bool has_start, has_end, has_time;
	struct expr **columns; /* what the aggregate reads, to be projected */
	size_t column_count, column_room;
	struct plan_agg agg;
	struct window window;
	bool windowed;
};

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

static int add_term(struct aggregate *a, const struct sql_expr *ast, size_t column)
{
	if (arena_grow(a->planner->arena, &a->scope.terms, a->scope.term_count, &a->room,
		    sizeof(*a->scope.terms)) < 0)
		return diag_nomem(a->planner->diag);
	a->scope.terms[a->scope.term_count++] = (struct agg_term){ast, column};
	return 0;
}

/* ---- the calls ---- */

static bool collect_call(const struct sql_expr *expr, void *ctx)
{
	struct aggregate *a = ctx;

	if (!ast_is_aggregate(expr))
		return true;
	for (size_t i = 0; i < a->call_count; i++)
		if (ast_same(a->calls[i], expr))
			return true;
	if (arena_grow(a->planner->arena, &a->calls, a->call_count, &a->call_room,
		    sizeof(*a->calls)) < 0)
		return false;
	a->calls[a->call_count++] = expr;
	return true;
}

static int collect_calls(struct aggregate *a)
{
	bool all = ast_walk(a->query->having, collect_call, a);

	for (size_t i = 0; i < a->query->item_count; i++)
		all &= ast_walk(a->query->items[i].expr, collect_call, a);
	return all ? 0 : diag_nomem(a->planner->diag);
}

/* The column of the projection in front of the aggregate that holds this expression. */
static int input_column(struct aggregate *a, struct expr *expr, size_t *ret)
{
	for (size_t i = 0; i < a->column_count; i++)
		if (expr->is_column && a->columns[i]->is_column &&
			a->columns[i]->column == expr->column) {
			*ret = i;
			return 0;
		}
	if (arena_grow(a->planner->arena, &a->columns, a->column_count, &a->column_room,
		    sizeof(*a->columns)) < 0)
		return diag_nomem(a->planner->diag);
	a->columns[a->column_count] = expr;
	*ret = a->column_count++;
	return 0;
}

static int bind_filter(struct aggregate *a, const struct sql_expr *ast, struct agg_call *call)
{
	struct expr *filter;
	int err = bind_condition(&a->input, ast->filter, &filter);

	call->has_filter = true;
	return err ? err : input_column(a, filter, &call->filter);
}

/* What Flink says where SUM or AVG gets a text. Recorded: watermark/mistakes/w5_sum_sensor. */
static int wrong_argument(
	struct aggregate *a, const struct sql_expr *ast, const struct sql_type *type)
{
	if (type->kind != SQL_VARCHAR || ast->distinct)
		return refuse(a->planner, ast->pos, "This aggregate for this type");
	return plan_fault(a->planner,
		FAULT_CALCITE "Cannot apply '%.*s' to arguments of type '%.*s(<VARCHAR(%d)>)'. "
			      "Supported form(s): '%.*s(<NUMERIC>)'",
		TEXT_ARG(ast->name), TEXT_ARG(ast->name), (int)type->precision,
		TEXT_ARG(ast->name));
}

static enum agg_function function_of(const struct sql_expr *ast)
{
	static const struct {
		struct text name;
		enum agg_function function;
	} names[] = {{{"SUM", 3}, AGG_SUM}, {{"AVG", 3}, AGG_AVG}, {{"MIN", 3}, AGG_MIN},
		{{"MAX", 3}, AGG_MAX}, {{"FIRST_VALUE", 11}, AGG_FIRST_VALUE},
		{{"LAST_VALUE", 10}, AGG_LAST_VALUE}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_eq(ast->name, names[i].name))
			return names[i].function;
	return ast->star ? AGG_COUNT_ALL : AGG_COUNT;
}

static int bind_argument(struct aggregate *a, const struct sql_expr *ast, struct agg_call *call)
{
	struct expr *arg;
	int err;

	if (ast->star)
		return 0;
	if (ast->arg_count != 1)
		return refuse(a->planner, ast->pos, "An aggregate without exactly one argument");
	err = bind_expr(&a->input, ast->args[0], &arg);
	if (err < 0)
		return err;
	call->argument_type = arg->type;
	if (agg_result_type(call->function, &arg->type, &call->type) < 0)
		return wrong_argument(a, ast, &arg->type);
	if (arg->type.kind == SQL_NULL ||
		(arg->type.kind == SQL_FLOAT && call->function == AGG_AVG))
		return refuse(a->planner, ast->pos, "This aggregate for this type");
	return input_column(a, arg, &call->argument);
}

static int bind_call(struct aggregate *a, const struct sql_expr *ast, struct agg_call *call)
{
	int err;

	*call = (struct agg_call){.function = function_of(ast), .distinct = ast->distinct};
	agg_result_type(AGG_COUNT_ALL, NULL, &call->type);
	err = bind_argument(a, ast, call);
	call->sum_type = call->argument_type;
	return err || !ast->filter ? err : bind_filter(a, ast, call);
}

/* AVG of small integers adds up in BIGINT, but next to SUM of the same argument it divides that sum,
 * which may have wrapped. Recorded: semantics/types_stream. */
static void widen_averages(struct agg_call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool beside_sum = false;

		if (calls[i].function != AGG_AVG || !type_is_integer(&calls[i].argument_type))
			continue;
		for (size_t j = 0; j < count; j++)
			beside_sum |= calls[j].function == AGG_SUM &&
				      calls[j].argument == calls[i].argument &&
				      calls[j].distinct == calls[i].distinct &&
				      calls[j].has_filter == calls[i].has_filter &&
				      calls[j].filter == calls[i].filter;
		if (!beside_sum)
			calls[i].sum_type.kind = SQL_BIGINT;
	}
}

static int bind_calls(struct aggregate *a)
{
	struct agg_call *calls = arena_array(a->planner->arena, a->call_count + 1, sizeof(*calls));
	int err = calls ? 0 : diag_nomem(a->planner->diag);

	for (size_t i = 0; i < a->call_count && err == 0; i++) {
		err = bind_call(a, a->calls[i], &calls[i]);
		if (err == 0)
			err = add_term(a, a->calls[i], a->key_count + i);
	}
	if (err < 0)
		return err;
	widen_averages(calls, a->call_count);
	a->agg.spec.calls = calls;
	a->agg.spec.call_count = a->call_count;
	return 0;
}

/* ---- the groups ---- */

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

/* SESSION becomes part of the aggregate only where it is partitioned by just the keys of GROUP BY;
 * else its rows are grouped like those of any table. Recorded: semantics/session_keys_differ. */
static bool fits_session(const struct aggregate *a, const struct plan *plan)
{
	size_t keys = 0;

	if (plan->kind != PLAN_WINDOW || plan->tvf.window.kind != WINDOW_SESSION)
		return true;
	for (size_t i = 0; i < a->query->group_count; i++) {
		if (role_of(a, a->query->group[i]) != ROLE_NONE)
			continue;
		if (!partitions(a, plan, a->query->group[i]))
			return false;
		keys++;
	}
	return keys == plan->tvf.key_count;
}

static int find_roles(struct aggregate *a, const struct plan *plan)
{
	for (size_t i = 0; i < a->query->group_count; i++) {
		const struct sql_expr *ast = a->query->group[i];
		enum column_role role = role_of(a, ast);

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
	return 0;
}

/* Is this GROUP BY expression a window column of a windowed aggregate? */
static bool is_window_term(const struct aggregate *a, const struct sql_expr *ast)
{
	return a->windowed && (ast == a->scope.legacy || role_of(a, ast) != ROLE_NONE);
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
	return add_term(a, ast, a->key_count++);
}

static int bind_keys(struct aggregate *a)
{
	size_t count = a->query->group_count;
	int err = 0;

	a->keys = arena_array(a->planner->arena, count + 1, sizeof(*a->keys));
	a->agg.group_order = arena_array(a->planner->arena, count + 1, sizeof(size_t));
	if (!a->keys || !a->agg.group_order)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct sql_expr *ast = a->query->group[i];
		size_t place = a->key_count;

		if (!is_window_term(a, ast))
			err = add_key(a, ast);
		else
			place = role_of(a, ast) == ROLE_WINDOW_START ? GROUP_BY_START
								     : GROUP_BY_END;
		a->agg.group_order[a->agg.group_order_count++] = place;
	}
	return err;
}

/* The window columns of GROUP BY lie behind the keys and calls. */
static int add_window_terms(struct aggregate *a)
{
	int err = 0;

	a->scope.window_start = a->key_count + a->call_count;
	for (size_t i = 0; i < a->query->group_count && err == 0; i++) {
		const struct sql_expr *ast = a->query->group[i];

		if (is_window_term(a, ast) && ast != a->scope.legacy)
			err = add_term(a, ast,
				a->scope.window_start +
					(size_t)(role_of(a, ast) - ROLE_WINDOW_START));
	}
	return err;
}

static int place_keys(struct aggregate *a)
{
	size_t *keys = arena_array(a->planner->arena, a->key_count + 1, sizeof(*keys));
	struct sql_type *types = arena_array(a->planner->arena, a->key_count + 1, sizeof(*types));
	int err = keys && types ? 0 : diag_nomem(a->planner->diag);

	for (size_t i = 0; i < a->key_count && err == 0; i++) {
		types[i] = a->keys[i]->type;
		err = input_column(a, a->keys[i], &keys[i]);
	}
	a->agg.spec.keys = keys;
	a->agg.spec.key_types = types;
	a->agg.spec.key_count = a->key_count;
	return err;
}

/* ---- the windows ---- */

static int place_column(struct aggregate *a, size_t column, size_t *ret)
{
	struct expr *expr = expr_column(a->planner->arena, column, &a->input.columns[column].type);

	return expr ? input_column(a, expr, ret) : diag_nomem(a->planner->diag);
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
	spec->window = *plan->window;
	if (spec->window.kind != WINDOW_ATTACHED)
		spec->window.inner = plan->window->kind;
	spec->window.kind = WINDOW_ATTACHED;
	err = place_column(a, column_with_role(plan, ROLE_WINDOW_END), &spec->time);
	if (err < 0)
		return err;
	return place_column(a, column_with_role(plan, ROLE_WINDOW_START), &spec->attached_start);
}

static int legacy_window(struct aggregate *a)
{
	const struct sql_expr *call = a->scope.legacy;
	struct expr *time;
	int err;

	if (a->query->group_count && call->arg_count < 2)
		return refuse(a->planner, call->pos, "This legacy window");
	err = bind_expr(&a->input, call->args[0], &time);
	if (err < 0)
		return err;
	if (!time->is_column || !type_is_time(&time->type) ||
		(!a->planner->batch && time->type.attribute != TIME_ROWTIME))
		return refuse(a->planner, call->pos, "A legacy window over this column");
	a->planner->legacy_window = true;
	a->agg.at_once = true;
	err = plan_legacy_window(a->planner, call, &a->agg.spec.window);
	return err ? err : input_column(a, time, &a->agg.spec.time);
}

static bool is_first_or_last(const struct agg_call *call)
{
	return call->function == AGG_FIRST_VALUE || call->function == AGG_LAST_VALUE;
}

/* Flink's own functions that cannot be merged or taken back. */
static int check_calls(struct aggregate *a, enum window_kind kind)
{
	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->agg.spec.calls[i];

		if (is_first_or_last(call) && kind == WINDOW_CUMULATE)
			return refuse(a->planner, a->calls[i]->pos, "This aggregate in CUMULATE");
		if (is_first_or_last(call) && kind == WINDOW_HOP)
			return plan_fault(a->planner,
				FAULT_VALIDATION
				"Could not find an implementation method 'merge' in class "
				"'org.apache.flink.table.runtime.functions.aggregate.%s"
				"ValueAggFunction' for function '%.*s' that matches the following "
				"signature:\nvoid merge(org.apache.flink.table.data.RowData, "
				"java.lang.Iterable)",
				call->function == AGG_FIRST_VALUE ? "First" : "Last",
				TEXT_ARG(a->calls[i]->name));
		if (call->function == AGG_SUM && call->distinct && kind == WINDOW_HOP)
			return plan_fault(a->planner, FAULT_TABLE
				"This function does not support retraction, Please choose "
				"SumWithRetractAggFunction.");
	}
	return 0;
}

/* The window function goes into the aggregate; `tvf` is its plan. */
static int merge_window(struct aggregate *a, const struct plan *tvf)
{
	struct window_agg_spec *spec = &a->agg.spec;
	int err = 0;

	spec->window = tvf->tvf.window;
	a->agg.estimated = true;
	if (!a->planner->batch)
		err = plan_defer(a->planner, plan_check_sliced(a->planner, &spec->window));
	if (err == 0 && !a->planner->batch)
		err = plan_defer(a->planner, check_calls(a, spec->window.kind));
	return err ? err : place_column(a, tvf->tvf.time, &spec->time);
}

/* SESSION goes into the aggregate. */
static int merge_session(struct aggregate *a, const struct plan *tvf)
{
	a->agg.at_once = true;
	a->agg.spec.window = tvf->tvf.window;
	return place_column(a, tvf->tvf.time, &a->agg.spec.time);
}

/* ---- WHERE ---- */

static bool no_window_column(const struct sql_expr *expr, void *ctx)
{
	return role_of(ctx, expr) == ROLE_NONE;
}

/* The share of rows that Flink's planner believes to pass; only its measured part.
 * Recorded: semantics/batch_tiny, semantics/batch_tiny2. */
static double share_of(const struct sql_expr *where)
{
	double a, b;

	if (!where || where->kind != EXPR_OP)
		return 1;
	switch (where->op) {
	case SQL_OP_AND: return share_of(where->args[0]) * share_of(where->args[1]);
	case SQL_OP_OR:
		a = share_of(where->args[0]);
		b = share_of(where->args[1]);
		return 1 - (1 - a) * (1 - b);
	case SQL_OP_EQ: return 0.15;
	case SQL_OP_LT:
	case SQL_OP_LE:
	case SQL_OP_GT:
	case SQL_OP_GE: return 0.5;
	default: return 1;
	}
}

static int add_where(struct aggregate *a, struct plan **plan)
{
	const struct sql_expr *where = a->query->where;
	struct expr *condition;
	int err = where ? plan_rank_bounds(a->planner, *plan, where, &where) : 0;

	if (err < 0 || !where)
		return err;
	err = bind_condition(&a->input, where, &condition);
	return err ? err : plan_filter(a->planner, condition, plan);
}

/* ---- putting it together ---- */

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
		if (is_first_or_last(&spec->calls[i]))
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
	agg->agg.share = share_of(a->query->where);
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
	return plan_filter(a->planner, condition, plan);
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

/* Places the window, in one of the four ways of this file's head comment. */
static int place_window(struct aggregate *a, struct plan **plan)
{
	const struct plan *tvf = *plan;
	bool merged = tvf->kind == PLAN_WINDOW && ast_walk(a->query->where, no_window_column, a);
	int err;

	if (!a->windowed)
		return 0;
	if (a->scope.legacy)
		return legacy_window(a);
	if (!merged)
		return attach_windows(a, *plan);
	err = tvf->tvf.window.kind == WINDOW_SESSION ? merge_session(a, tvf) : merge_window(a, tvf);
	if (err == 0)
		*plan = tvf->input;
	return err;
}

static int build(struct aggregate *a, struct plan **plan)
{
	int err = find_roles(a, *plan);

	if (err == 0)
		err = collect_calls(a);
	if (err == 0)
		err = bind_keys(a);
	if (err == 0)
		err = bind_calls(a);
	if (err == 0)
		err = add_window_terms(a);
	if (err == 0)
		err = plan_defer(a->planner, check_emit(a));
	if (err == 0)
		err = place_keys(a);
	if (err == 0)
		err = place_window(a, plan);
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

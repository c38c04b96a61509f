/* The aggregate functions of a query: found, bound to the columns that they read, and typed.
 * Recorded: semantics/types_stream, watermark/mistakes/w5_sum_sensor. */
#include "sim/plan_aggregate.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/ast.h"
#include "sim/batch_distinct.h"
#include "sim/fault.h"

int aggregate_add_term(struct aggregate *a, const struct sql_expr *ast, size_t column)
{
	if (arena_grow(a->planner->arena, &a->scope.terms, a->scope.term_count, &a->room,
		    sizeof(*a->scope.terms)) < 0)
		return diag_nomem(a->planner->diag);
	a->scope.terms[a->scope.term_count++] = (struct agg_term){ast, column};
	return 0;
}

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

int aggregate_collect_calls(struct aggregate *a)
{
	bool all = true;

	for (size_t i = 0; i < a->query->item_count; i++)
		all &= ast_walk(a->query->items[i].expr, collect_call, a);
	all &= ast_walk(a->query->having, collect_call, a);
	return all ? 0 : diag_nomem(a->planner->diag);
}

/* The column of the projection in front of the aggregate that holds this expression. */
int aggregate_input(struct aggregate *a, struct expr *expr, size_t *ret)
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
	return err ? err : aggregate_input(a, filter, &call->filter);
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

	if (ast->star && call->function != AGG_COUNT_ALL)
		return plan_fault(a->planner, FAULT_CALCITE "Unknown identifier '*'");
	if (ast->star)
		return 0;
	for (size_t i = 0; i < ast->arg_count; i++)
		if (ast_has_aggregate(ast->args[i]))
			return plan_fault(
				a->planner, FAULT_CALCITE "Aggregate expressions cannot be nested");
	if (ast->arg_count > 1 && call->function == AGG_COUNT)
		return plan_fault(
			a->planner, FAULT_TABLE "We now only support the count of one field.");
	if (ast->arg_count != 1)
		return refuse(a->planner, ast->pos, "An aggregate without exactly one argument");
	err = bind_expr(&a->input, ast->args[0], &arg);
	if (err < 0)
		return err;
	call->argument_type = arg->type;
	if (agg_result_type(call->function, &arg->type, &call->type) < 0)
		return wrong_argument(a, ast, &arg->type);
	if (arg->type.kind == SQL_NULL)
		return refuse(a->planner, ast->pos, "This aggregate for this type");
	return aggregate_input(a, arg, &call->argument);
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

int aggregate_bind_calls(struct aggregate *a)
{
	struct agg_call *calls = arena_array(a->planner->arena, a->call_count + 1, sizeof(*calls));
	int err = calls ? 0 : diag_nomem(a->planner->diag);

	for (size_t i = 0; i < a->call_count && err == 0; i++) {
		err = bind_call(a, a->calls[i], &calls[i]);
		if (err == 0)
			err = aggregate_add_term(a, a->calls[i], a->key_count + i);
	}
	if (err < 0)
		return err;
	a->calls_of = calls;
	a->agg.spec.calls = calls;
	a->agg.spec.call_count = a->call_count;
	return 0;
}

bool call_is_first_or_last(const struct agg_call *call)
{
	return call->function == AGG_FIRST_VALUE || call->function == AGG_LAST_VALUE;
}

/* DISTINCT, MIN and MAX of bytes pass the validator, not the planner, which looks at DISTINCT
 * first; batch mode's groups by the bytes. Recorded: more_sim/max_bytes, more_sim/distinct_bytes. */
static int check_bytes(struct aggregate *a, bool distinct)
{
	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->calls_of[i];
		enum sql_kind kind = call->argument_type.kind;
		const char *type = kind == SQL_BINARY ? "BINARY" : "VARBINARY";

		if (kind != SQL_BINARY && kind != SQL_VARBINARY)
			continue;
		if (distinct && agg_counts_apart(call))
			return plan_fault(a->planner,
				FAULT_TABLE "Distinct aggregate function does not support type: "
					    "%s.\nPlease re-check the data type.",
				type);
		if (!distinct && !call->as_key &&
			(call->function == AGG_MIN || call->function == AGG_MAX))
			return plan_fault(a->planner,
				FAULT_TABLE "%s aggregate function does not support type: "
					    "''%s''.\nPlease re-check the data type.",
				call->function == AGG_MIN ? "Min" : "Max", type);
	}
	return 0;
}

int aggregate_check_bytes(struct aggregate *a)
{
	int err = a->planner->batch ? 0 : plan_defer(a->planner, check_bytes(a, true));

	return err ? err : plan_defer(a->planner, check_bytes(a, false));
}

static bool is_constant_column(const struct aggregate *a, size_t column)
{
	return a->columns[column]->is_constant;
}

/* Beside FIRST_VALUE or LAST_VALUE the rows of DISTINCT are sorted (batch_distinct.h). */
static int check_sorted_distinct(struct aggregate *a)
{
	size_t count = 0;

	for (size_t i = 0; i < a->call_count; i++) {
		const struct agg_call *call = &a->calls_of[i];
		enum sql_kind kind = call->argument_type.kind;
		bool adds = call->function == AGG_SUM || call->function == AGG_AVG;

		if (!agg_counts_apart(call))
			continue;
		count++;
		if (is_constant_column(a, call->argument) ||
			(call->has_filter && is_constant_column(a, call->filter)) ||
			(adds && (kind == SQL_FLOAT || kind == SQL_DOUBLE)))
			return refuse(a->planner, a->calls[i]->pos,
				"This aggregate beside FIRST_VALUE or LAST_VALUE in batch mode");
	}
	if (a->set_count > 1 || count >= LIMIT_GROUPING_SETS / 2)
		return refuse(a->planner, a->query->pos,
			"FIRST_VALUE or LAST_VALUE beside such a DISTINCT in batch mode");
	return 0;
}

int aggregate_check_calls(struct aggregate *a)
{
	if (a->planner->batch && batch_distinct_sorts(&a->agg.spec))
		return check_sorted_distinct(a);
	return 0;
}

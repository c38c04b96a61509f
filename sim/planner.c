/* Planner: one SELECT after another, inside out. FROM gives a plan, WHERE a filter, GROUP BY an
 * aggregate (plan_aggregate.c), the items a projection. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/ast.h"
#include "sim/estimate.h"
#include "sim/fault.h"
#include "sim/never.h"

struct plan *plan_new(struct planner *planner, enum plan_kind kind, struct plan *input)
{
	struct plan *plan = ARENA_NEW(planner->arena, struct plan);

	if (!plan)
		return NULL;
	if (input)
		*plan = *input;
	plan->kind = kind;
	plan->input = input;
	return plan;
}

int plan_filter(struct planner *planner, struct expr *condition, const struct sql_expr *ast,
	struct plan **plan)
{
	struct plan *filter = plan_new(planner, PLAN_FILTER, *plan);
	enum plan_rows known = ast ? never_holds(planner, *plan, ast) : ROWS_ANY;

	if (!filter)
		return diag_nomem(planner->diag);
	filter->condition = condition;
	filter->share = planner->batch ? estimate_share(planner, ast) : 1;
	if (condition->is_constant && (condition->constant.null || !condition->constant.i))
		filter->rows = ROWS_NONE;
	else if (filter->rows != ROWS_NONE && known != ROWS_ANY)
		filter->rows = known;
	*plan = filter;
	return 0;
}

/* Index of the projected column that shows this column of the input, or count. */
static size_t shown(struct expr *const *exprs, size_t count, size_t column)
{
	size_t i = 0;

	while (i < count && !(exprs[i]->is_column && exprs[i]->column == column))
		i++;
	return i;
}

/* Columns by which rows are spread keep that under their new names, if all are shown. */
static int project_spread(struct planner *planner, struct plan *plan)
{
	const struct plan *input = plan->input;
	size_t *spread;

	if (!input->spread_known)
		return 0;
	spread = arena_array(planner->arena, input->spread_count + 1, sizeof(*spread));
	if (!spread)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < input->spread_count; i++) {
		spread[i] = shown(plan->exprs, plan->column_count, input->spread[i]);
		plan->spread_known &= spread[i] < plan->column_count;
	}
	plan->spread = spread;
	return 0;
}

int plan_project(struct planner *planner, struct expr **exprs, struct plan_column *columns,
	size_t count, struct plan **plan)
{
	struct plan *project = plan_new(planner, PLAN_PROJECT, *plan);

	if (!project)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++)
		columns[i].change = exprs[i]->is_column ? (*plan)->columns[exprs[i]->column].change
							: CHANGE_ANY;
	project->exprs = exprs;
	project->columns = columns;
	project->column_count = count;
	*plan = project;
	return project_spread(planner, project);
}

/* The number that makes this name of the base: g12 is g and 12. -1: it is another name. */
static int64_t number_in(struct text name, struct text base)
{
	struct text digits = text_slice(name, base.len, name.len);
	int64_t number;

	if (!text_starts(name, base) || !digits.len || digits.ptr[0] < '0' || digits.ptr[0] > '9' ||
		(digits.ptr[0] == '0' && digits.len > 1) || text_to_int64(digits, &number))
		return -1;
	return number;
}

/* A name that came before gets the first number that is free: g, g0, g1. Recorded:
 * semantics/hop_02. */
static int number_name(struct planner *planner, struct plan_column *columns, size_t n)
{
	bool *taken = arena_array(planner->arena, n + 1, sizeof(*taken)), again = false;
	struct text base = columns[n].name;
	size_t number = 0;

	if (!taken)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < n; i++) {
		int64_t other = number_in(columns[i].name, base);

		again |= text_eq(columns[i].name, base);
		if (other >= 0 && other <= (int64_t)n)
			taken[other] = true;
	}
	while (again && taken[number])
		number++;
	planner->repeats |= again;
	if (again)
		columns[n].name = text_format(planner->arena, "%.*s%zu", TEXT_ARG(base), number);
	return columns[n].name.ptr ? 0 : diag_nomem(planner->diag);
}

/* Columns under construction: room for all items, stars spread out. */
struct items {
	const struct binder *binder;
	struct expr **exprs;
	struct plan_column *columns;
	size_t count, room;
	struct sql_pos pos;
};

static int add_item(struct items *items, struct text name, struct expr *expr)
{
	struct planner *planner = items->binder->planner;
	struct plan_column *column = &items->columns[items->count];

	if (!expr)
		return diag_nomem(planner->diag);
	if (items->count == items->room)
		return refuse(planner, items->pos, "A query of so many columns");
	*column = (struct plan_column){.name = name, .type = expr->type};
	if (expr->is_column)
		column->role = items->binder->columns[expr->column].role;
	if (!name.len)
		column->name = text_format(planner->arena, "EXPR$%zu", items->count);
	if (!column->name.ptr)
		return diag_nomem(planner->diag);
	items->exprs[items->count] = expr;
	return number_name(planner, items->columns, items->count++);
}

static int add_star(struct items *items)
{
	const struct binder *binder = items->binder;
	int err = 0;

	for (size_t i = 0; i < binder->column_count && err == 0; i++)
		err = add_item(items, binder->columns[i].name,
			expr_column(binder->planner->arena, i, &binder->columns[i].type));
	return err;
}

static int add_query_item(struct items *items, const struct sql_item *item)
{
	struct planner *planner = items->binder->planner;
	struct text name = item->alias;
	struct expr *expr;
	int err;

	if (item->expr->kind == EXPR_STAR && items->binder->agg && items->binder->agg->input)
		return refuse(items->binder->planner, item->expr->pos, "* beside GROUP BY");
	if (item->expr->kind == EXPR_STAR && item->alias.len)
		return plan_fault(items->binder->planner, FAULT_CALCITE "Unknown identifier '*'");
	if (item->expr->kind == EXPR_STAR && item->expr->qualifier.len &&
		items->binder->alias.ptr && !text_eq(item->expr->qualifier, items->binder->alias))
		return plan_fault(planner, FAULT_CALCITE "Unknown identifier '%.*s'",
			TEXT_ARG(item->expr->qualifier));
	if (item->expr->kind == EXPR_STAR)
		return add_star(items);
	err = bind_expr(items->binder, item->expr, &expr);
	if (err < 0)
		return err;
	if (item->expr->kind == EXPR_LITERAL && expr->type.kind == SQL_NULL)
		return plan_locate(planner,
			plan_fault(planner, FAULT_CALCITE "Illegal use of 'NULL'"),
			item->expr->pos);
	if (!name.len && item->expr->kind == EXPR_COLUMN)
		name = item->expr->name;
	return add_item(items, name, expr);
}

/* How many of the items have this name, given or their column's own. */
static size_t items_named(
	const struct items *items, const struct sql_query *query, struct text name)
{
	const struct binder *binder = items->binder;
	size_t count = 0;

	for (size_t i = 0; i < query->item_count; i++) {
		const struct sql_item *item = &query->items[i];
		bool own = item->expr->kind == EXPR_COLUMN && !item->alias.len;

		count += text_eq(own ? item->expr->name : item->alias, name);
		for (size_t j = 0; item->expr->kind == EXPR_STAR && j < binder->column_count; j++)
			count += text_eq(binder->columns[j].name, name);
	}
	return count;
}

struct order_check {
	const struct items *items;
	const struct sql_query *query;
	const struct sql_expr *twice, *made;
};

static bool named_once(const struct sql_expr *expr, void *ctx)
{
	struct order_check *check = ctx;
	size_t count, i = 0;

	if (expr->kind != EXPR_COLUMN || expr->qualifier.len)
		return true;
	count = items_named(check->items, check->query, expr->name);
	while (i < check->items->count && !text_eq(check->items->columns[i].name, expr->name))
		i++;
	if (count > 1)
		check->twice = expr;
	else if (count == 0 && i < check->items->count)
		check->made = expr;
	return !check->twice && !check->made;
}

/* ORDER BY means one item by a name, which was not made for it, as id0 for a second id.
 * Recorded: more_sim/order_ambiguous, more_sim/order_made_name. */
static int check_order_names(const struct items *items, const struct sql_query *query)
{
	struct planner *planner = items->binder->planner;
	struct order_check check = {items, query, NULL, NULL};

	for (const struct sql_order *order = query->order; order; order = order->next) {
		if (ast_walk(order->expr, named_once, &check))
			continue;
		if (check.made)
			return refuse(planner, check.made->pos, "ORDER BY a name that SELECT made");
		return plan_locate(planner,
			plan_fault(planner, FAULT_CALCITE "Column '%.*s' is ambiguous",
				TEXT_ARG(check.twice->name)),
			check.twice->pos);
	}
	return 0;
}

/* A column of ORDER BY that is not selected is projected too, behind the others, until it is
 * sorted. */
static int add_hidden(struct items *items, const struct sql_order *order)
{
	int err = 0;

	for (; order && err == 0; order = order->next) {
		const struct sql_expr *ast = order->expr;
		struct expr *expr;
		size_t i = 0;

		while (i < items->count && !text_eq(items->columns[i].name, ast->name))
			i++;
		if (ast->kind != EXPR_COLUMN || i < items->count)
			continue;
		err = bind_expr(items->binder, ast, &expr);
		if (err == 0)
			err = add_item(items, ast->name, expr);
	}
	return err;
}

static size_t order_count(const struct sql_order *order)
{
	size_t count = 0;

	for (; order; order = order->next)
		count++;
	return count;
}

int plan_items(struct planner *planner, const struct sql_query *query, const struct binder *binder,
	struct plan **plan)
{
	size_t room =
		query->item_count * (binder->column_count + 1) + order_count(query->order) + 1;
	struct items items = {.binder = binder, .pos = query->pos};
	int err = 0;

	items.room = room < LIMIT_COLUMNS ? room : LIMIT_COLUMNS;
	items.exprs = arena_array(planner->arena, items.room, sizeof(*items.exprs));
	items.columns = arena_array(planner->arena, items.room, sizeof(*items.columns));
	if (!items.exprs || !items.columns)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < query->item_count && err == 0; i++)
		err = add_query_item(&items, &query->items[i]);
	planner->shown = items.count;
	if (err == 0)
		err = check_order_names(&items, query);
	if (err == 0)
		err = add_hidden(&items, query->order);
	if (err < 0)
		return err;
	return plan_project(planner, items.exprs, items.columns, items.count, plan);
}

static struct binder binder_over(
	struct planner *planner, const struct plan *plan, struct text alias)
{
	return (struct binder){.planner = planner,
		.columns = plan->columns,
		.column_count = plan->column_count,
		.alias = alias};
}

static int plan_where(struct planner *planner, struct sql_expr *where, const struct binder *binder,
	struct plan **plan)
{
	struct expr *condition;
	int err = where ? plan_rank_bounds(planner, *plan, &where) : 0;

	if (err < 0 || !where)
		return err;
	err = plan_check_where(planner, where);
	if (err == 0)
		err = bind_condition(binder, where, &condition);
	return err ? err : plan_filter(planner, condition, where, plan);
}

/* LIMIT n: the first n rows. Behind ORDER BY in streaming mode, or over a changelog, it is a
 * Top-N. */
static int plan_limit(struct planner *planner, const struct sql_query *query, struct plan **plan)
{
	struct binder binder = {.planner = planner};
	struct plan *limit;

	if (!query->limit && !query->offset)
		return 0;
	if (query->offset && !query->limit && planner->batch && query->order)
		return plan_defer(planner,
			plan_fault(planner, FAULT_TABLE "Not support limitEnd is max value now!"));
	if (query->offset && !query->limit)
		return refuse(planner, query->offset->pos, "OFFSET without LIMIT");
	if ((query->offset && query->offset->kind != EXPR_LITERAL) ||
		(query->limit && (query->limit->kind != EXPR_LITERAL ||
					 !type_is_integer(&query->limit->type))))
		return refuse(planner, query->pos, "A LIMIT that is not a number");
	if ((*plan)->updates)
		return plan_top_rows(planner, query, &binder, plan);
	limit = plan_new(planner, PLAN_LIMIT, *plan);
	if (!limit)
		return diag_nomem(planner->diag);
	limit->limit = (struct plan_limit){0, INT64_MAX};
	if (query->offset)
		limit->limit.skipped = query->offset->value.i;
	if (query->limit)
		limit->limit.count = query->limit->value.i;
	*plan = limit;
	return 0;
}

int plan_show(struct planner *planner, size_t count, struct plan **plan)
{
	struct expr **exprs = arena_array(planner->arena, count + 1, sizeof(*exprs));

	if (!exprs)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++) {
		exprs[i] = expr_column(planner->arena, i, &(*plan)->columns[i].type);
		if (!exprs[i])
			return diag_nomem(planner->diag);
	}
	return plan_project(planner, exprs, (*plan)->columns, count, plan);
}

static int plan_sorted(struct planner *planner, const struct sql_query *query, struct plan **plan)
{
	struct binder binder = binder_over(planner, *plan, (struct text){0});
	size_t shown = planner->shown;
	int err;

	if (!planner->batch && query->limit)
		err = plan_top_rows(planner, query, &binder, plan);
	else
		err = plan_order(planner, query, &binder, plan);
	if (err < 0 || shown == (*plan)->column_count)
		return err;
	return plan_show(planner, shown, plan);
}

static int distinct_rows(struct planner *planner, const struct sql_query *query, struct plan **plan)
{
	if (planner->shown < (*plan)->column_count)
		return refuse(planner, query->pos, "SELECT DISTINCT in another order");
	return plan_distinct(planner, plan);
}

static bool hint_known(struct text word)
{
	static const char *const known[] = {"broadcast", "shuffle_hash", "shuffle_merge",
		"nest_loop", "lookup", "options", "state_ttl", "multi_join"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (text_ieq(word, text_of(known[i])))
			return true;
	return false;
}

/* A hint of one word that is none of Flink's.
 * Recorded: more_sim/w5_ok_hint_options. */
static int hint_fault(struct planner *planner, const struct sql_query *query)
{
	struct text word = text_trim(text_slice(query->hint, 3, query->hint.len - 2));

	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] < 'a' || word.ptr[i] > 'z')
			return refuse(planner, query->pos, "A hint");
	if (!word.len || hint_known(word))
		return refuse(planner, query->pos, "A hint");
	return plan_fault(planner,
		"java.lang.AssertionError: Hint: %.*s should be registered in the "
		"HintStrategyTable",
		TEXT_ARG(word));
}

static int plan_select(struct planner *planner, const struct sql_query *query, struct plan **ret)
{
	struct plan *plan = NULL;
	struct binder binder;
	struct text alias = {0};
	int err;

	if (query->hint.len) {
		err = plan_defer(planner, hint_fault(planner, query));
		if (err < 0)
			return err;
	}
	if (query->qualify)
		return refuse(planner, query->qualify->pos, "QUALIFY");
	err = plan_from(planner, query->from, &plan, &alias);
	if (err < 0)
		return err;
	if (query_aggregates(query)) {
		err = plan_aggregate(planner, query, alias, &plan);
	} else {
		binder = binder_over(planner, plan, alias);
		err = plan_where(planner, query->where, &binder, &plan);
		if (err == 0 && query_ranks(query))
			err = plan_over(planner, query, &binder, &plan);
		else if (err == 0)
			err = plan_items(planner, query, &binder, &plan);
	}
	if (err == 0 && query->distinct)
		err = distinct_rows(planner, query, &plan);
	if (err == 0 && query->order)
		err = plan_sorted(planner, query, &plan);
	if (err == 0 && (planner->batch || !query->order || !query->limit))
		err = plan_limit(planner, query, &plan);
	if (err == 0)
		*ret = plan;
	return err;
}

int plan_query(struct planner *planner, const struct sql_query *query, struct plan **ret)
{
	const struct with_scope *outer = planner->with;
	struct with_scope scope = {query->with, NULL, outer};
	int err;

	if (query->kind == QUERY_VALUES && !query->order && !query->limit && !query->offset)
		return plan_values(planner, query, ret);
	if (query->kind != QUERY_SELECT)
		return refuse(planner, query->pos, "A set operation");
	if (run_spend(planner->run, STEPS_QUERY) < 0)
		return refuse(planner, query->pos, STEPS_BEYOND);
	if (planner->depth >= LIMIT_NESTING)
		return refuse(planner, query->pos, "Such deep nesting of views");
	planner->depth++;
	planner->with = &scope;
	err = plan_select(planner, query, ret);
	planner->with = outer;
	planner->depth--;
	return err;
}

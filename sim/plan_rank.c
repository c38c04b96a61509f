/* ROW_NUMBER() OVER (...) and the WHERE around it that bounds it: together the Top-N, of each
 * window where PARTITION BY has both its columns, or deduplication. Recorded: semantics/topn_01,
 * semantics/dedup_02, semantics/deep_04, semantics/errors_rank_unbounded,
 * semantics/errors_rank_function. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

static bool is_rank(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && expr->over;
}

bool query_ranks(const struct sql_query *query)
{
	for (size_t i = 0; i < query->item_count; i++)
		if (is_rank(query->items[i].expr))
			return true;
	return false;
}

static const struct sql_expr *find_rank(const struct sql_query *query, size_t *count)
{
	const struct sql_expr *found = NULL;

	*count = 0;
	for (size_t i = 0; i < query->item_count; i++)
		if (is_rank(query->items[i].expr)) {
			found = query->items[i].expr;
			++*count;
		}
	return found;
}

static int check_function(
	struct planner *planner, const struct sql_expr *call, size_t count, struct plan_rank *rank)
{
	bool dense = text_eq(call->name, TEXT("DENSE_RANK"));
	bool other = dense || text_eq(call->name, TEXT("RANK"));

	if (count != 1 || call->over->frame || (!other && !text_eq(call->name, TEXT("ROW_NUMBER"))))
		return refuse(planner, call->pos, "An OVER clause other than one ROW_NUMBER()");
	rank->ties = other;
	rank->dense = dense;
	if (!other || planner->batch)
		return 0;
	if (!rank->windowed)
		return plan_fault(planner,
			FAULT_TABLE "%.*s() on streaming table is not supported currently",
			TEXT_ARG(call->name));
	return plan_fault(planner,
		FAULT_TABLE "%.*s() function is not supported on Window TopN currently, only "
			    "ROW_NUMBER() is supported.",
		TEXT_ARG(call->name));
}

/* Where batch mode sorts: partition columns in the order of the items that show them. */
static size_t item_place(const struct sql_query *query, const struct sql_expr *column)
{
	for (size_t i = 0; i < query->item_count; i++) {
		const struct sql_expr *item = query->items[i].expr;

		if (item->kind == EXPR_COLUMN && text_eq(item->name, column->name))
			return i;
	}
	return SIZE_MAX;
}

/* Sorts PARTITION BY by the items' places, where * shows all columns in their own order. */
static void sort_partition(
	const struct sql_query *query, struct sql_expr **terms, size_t *columns, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0; j--) {
			size_t a = item_place(query, terms[j - 1]), b = item_place(query, terms[j]);
			struct sql_expr *term = terms[j];
			size_t column = columns[j];

			if (a < b || (a == b && columns[j - 1] < columns[j]))
				break;
			terms[j] = terms[j - 1];
			columns[j] = columns[j - 1];
			terms[j - 1] = term;
			columns[j - 1] = column;
		}
}

static int bind_partition(const struct sql_query *query, const struct binder *binder,
	const struct sql_expr *call, struct plan_rank *rank)
{
	struct planner *planner = binder->planner;
	size_t count = call->over->partition_count;
	struct sql_expr **terms = arena_array(planner->arena, count + 1, sizeof(*terms));
	int err = 0;

	rank->partition = arena_array(planner->arena, count + 1, sizeof(size_t));
	rank->keys = arena_array(planner->arena, count + 1, sizeof(size_t));
	rank->key_types = arena_array(planner->arena, count + 1, sizeof(struct sql_type));
	if (!terms || !rank->partition || !rank->keys || !rank->key_types)
		return diag_nomem(planner->diag);
	rank->partition_count = count;
	for (size_t i = 0; i < count && err == 0; i++) {
		terms[i] = call->over->partition[i];
		err = terms[i]->kind == EXPR_COLUMN
			      ? bind_column(binder, terms[i], &rank->partition[i])
			      : refuse(planner, terms[i]->pos, "PARTITION BY an expression");
	}
	if (err == 0)
		sort_partition(query, terms, rank->partition, count);
	return err;
}

/* Tells the window columns of PARTITION BY from the keys; one of them alone is a key. */
static void split_partition(const struct binder *binder, struct plan_rank *rank)
{
	bool start = false, end = false;

	for (size_t i = 0; i < rank->partition_count; i++) {
		size_t column = rank->partition[i];

		start |= binder->columns[column].role == ROLE_WINDOW_START;
		end |= binder->columns[column].role == ROLE_WINDOW_END;
		if (binder->columns[column].role == ROLE_WINDOW_END)
			rank->window_end = column;
	}
	rank->windowed = start && end;
	for (size_t i = 0; i < rank->partition_count; i++) {
		size_t column = rank->partition[i];
		enum column_role role = binder->columns[column].role;

		if (rank->windowed && (role == ROLE_WINDOW_START || role == ROLE_WINDOW_END))
			continue;
		rank->keys[rank->key_count] = column;
		rank->key_types[rank->key_count++] = binder->columns[column].type;
	}
}

static int rank_column(struct planner *planner, const struct plan *input, struct plan *plan)
{
	size_t count = input->column_count;
	struct plan_column *columns = arena_array(planner->arena, count + 1, sizeof(*columns));

	if (!columns)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++)
		columns[i] = input->columns[i];
	columns[count].type = (struct sql_type){.kind = SQL_BIGINT, .not_null = true};
	plan->columns = columns;
	plan->column_count = count + 1;
	return 0;
}

/* The items over the rank, whose column stands in place of the OVER; * is all columns but that. */
static int rank_items(const struct sql_query *query, const struct sql_expr *call,
	const struct binder *binder, struct plan **plan)
{
	struct agg_term number = {call, binder->column_count};
	struct agg_scope scope = {.terms = &number, .term_count = 1};
	struct binder over = *binder;

	over.columns = (*plan)->columns;
	over.agg = &scope;
	return plan_items(binder->planner, query, &over, plan);
}

static void spread_by_rank(struct plan *plan)
{
	plan->spread = plan->rank.keys;
	plan->spread_count = plan->rank.key_count;
	plan->spread_known = true;
}

/* The time attributes by which is ordered. */
static int check_order(struct planner *planner, const struct plan_rank *rank)
{
	for (size_t i = 0; i < rank->order_count; i++)
		if (rank->order[i].expr->type.attribute == TIME_PROCTIME &&
			(rank->windowed || rank->order_count > 1))
			return refuse(planner, rank->pos, "ORDER BY processing time");
	return 0;
}

int plan_over(struct planner *planner, const struct sql_query *query, const struct binder *binder,
	struct plan **plan)
{
	size_t count;
	const struct sql_expr *call = find_rank(query, &count);
	struct plan *rank = plan_new(planner, PLAN_RANK, *plan);
	int err = rank ? 0 : diag_nomem(planner->diag);

	if (err < 0)
		return err;
	rank->rank = (struct plan_rank){.lowest = 1, .highest = INT64_MAX, .pos = call->pos};
	err = bind_partition(query, binder, call, &rank->rank);
	if (err == 0) {
		split_partition(binder, &rank->rank);
		err = plan_defer(planner, check_function(planner, call, count, &rank->rank));
	}
	if (err == 0)
		err = bind_order(
			binder, call->over->order, &rank->rank.order, &rank->rank.order_count);
	if (err == 0)
		err = check_order(planner, &rank->rank);
	if (err == 0)
		err = rank_column(planner, *plan, rank);
	if (err == 0 && !planner->batch && !rank->rank.windowed)
		err = plan_top(planner, rank);
	if (err < 0)
		return err;
	spread_by_rank(rank);
	*plan = rank;
	return rank_items(query, call, binder, plan);
}

/* ---- the bounds ---- */

/* The rank below a projection that is still unbounded, and the column that shows its number. */
static struct plan_rank *open_rank(struct plan *plan, size_t *shown)
{
	if (plan->kind != PLAN_PROJECT || plan->input->kind != PLAN_RANK ||
		plan->input->rank.bounded)
		return NULL;
	for (size_t i = 0; i < plan->column_count; i++)
		if (plan->exprs[i]->is_column &&
			plan->exprs[i]->column == plan->input->column_count - 1) {
			*shown = i;
			return &plan->input->rank;
		}
	return NULL;
}

static enum sql_op mirrored(enum sql_op op)
{
	switch (op) {
	case SQL_OP_LT: return SQL_OP_GT;
	case SQL_OP_LE: return SQL_OP_GE;
	case SQL_OP_GT: return SQL_OP_LT;
	case SQL_OP_GE: return SQL_OP_LE;
	default: return op;
	}
}

static bool is_number(const struct sql_expr *expr)
{
	return expr->kind == EXPR_LITERAL && type_is_integer(&expr->type);
}

/* Takes `rn BETWEEN m AND n`. */
static bool take_between(struct plan_rank *rank, struct text name, const struct sql_expr *condition)
{
	const struct sql_expr *column = condition->args[0];

	if (column->kind != EXPR_COLUMN || !text_eq(column->name, name) ||
		!is_number(condition->args[1]) || !is_number(condition->args[2]))
		return false;
	rank->lowest = condition->args[1]->value.i;
	rank->highest = condition->args[2]->value.i;
	rank->bounded = true;
	return true;
}

/* Takes `rn <op> n`. False: it bounds nothing that is known here. */
static bool take_bound(struct plan_rank *rank, struct text name, const struct sql_expr *condition)
{
	const struct sql_expr *column, *number;
	enum sql_op op = condition->op;
	int64_t n;

	if (condition->kind == EXPR_OP && condition->op == SQL_OP_BETWEEN)
		return take_between(rank, name, condition);
	if (condition->kind != EXPR_OP || condition->arg_count != 2)
		return false;
	column = condition->args[0];
	number = condition->args[1];
	if (column->kind == EXPR_LITERAL) {
		column = condition->args[1];
		number = condition->args[0];
		op = mirrored(op);
	}
	if (column->kind != EXPR_COLUMN || !text_eq(column->name, name) || !is_number(number))
		return false;
	n = number->value.i;
	switch (op) {
	case SQL_OP_LE: rank->highest = n; break;
	case SQL_OP_LT: rank->highest = n - 1; break;
	case SQL_OP_GE: rank->lowest = n; return true;
	case SQL_OP_GT: rank->lowest = n + 1; return true;
	case SQL_OP_EQ: rank->lowest = rank->highest = n; break;
	default: return false;
	}
	rank->bounded = true;
	return true;
}

/* Takes the bounds out of an AND; what is left, or NULL. *failed: no memory. */
static struct sql_expr *take_bounds(struct arena *arena, struct plan_rank *rank, struct text name,
	struct sql_expr *where, bool *failed)
{
	struct sql_expr *left, *right, *both;

	if (take_bound(rank, name, where))
		return NULL;
	if (where->kind != EXPR_OP || where->op != SQL_OP_AND)
		return where;
	left = take_bounds(arena, rank, name, where->args[0], failed);
	right = take_bounds(arena, rank, name, where->args[1], failed);
	if (!left || !right)
		return left ? left : right;
	both = ARENA_NEW(arena, struct sql_expr);
	if (both)
		both->args = arena_array(arena, 2, sizeof(*both->args));
	if (!both || !both->args) {
		*failed = true;
		return NULL;
	}
	both->kind = EXPR_OP;
	both->op = SQL_OP_AND;
	both->pos = where->pos;
	both->arg_count = 2;
	both->args[0] = left;
	both->args[1] = right;
	return both;
}

/* Flink takes a Top-1 for one that only adds rows, as the first by time does, unless it is by one
 * key downward: no -U comes then, though +U does. Recorded: more_sim/top_one_ascending. */
static bool is_silent(const struct plan_rank *rank)
{
	return !rank->windowed && !rank->dedup && rank->strategy == RANK_APPEND &&
	       rank->lowest == 1 && rank->highest == 1 &&
	       (rank->order_count != 1 || !rank->order[0].descending);
}

bool plan_is_silent(const struct plan *plan)
{
	for (; plan; plan = plan->input)
		if (plan->kind == PLAN_RANK && plan->rank.silent)
			return true;
	return false;
}

int plan_rank_bounds(struct planner *planner, struct plan *plan, struct sql_expr **where)
{
	size_t shown = 0;
	struct plan_rank *rank = open_rank(plan, &shown);
	const struct expr *by;
	bool failed = false;

	if (!rank)
		return 0;
	*where = take_bounds(planner->arena, rank, plan->columns[shown].name, *where, &failed);
	if (failed)
		return diag_nomem(planner->diag);
	by = rank->order_count == 1 ? rank->order[0].expr : NULL;
	rank->dedup = rank->lowest == 1 && rank->highest == 1 && by && by->is_column &&
		      by->type.attribute != TIME_NONE && !plan->input->input->updates &&
		      plan->input->columns[by->column].role == ROLE_NONE;
	rank->silent = !planner->batch && is_silent(rank);
	if (rank->silent)
		plan->updates = plan->input->updates = false;
	if (rank->dedup && !planner->batch && !rank->windowed && !rank->order[0].descending)
		plan->updates = plan->input->updates = false;
	return 0;
}

/* GROUPING SETS, ROLLUP and CUBE: each row is copied for each set, with NULL for the keys that
 * the set has not, and a number that tells the sets apart; both are keys then. What an aggregate
 * takes stays as it was. The order of the copies decides the order that is printed: of two sets
 * the one that has the first key in which they differ comes first. GROUPING and GROUPING_ID are
 * keys as well. Recorded: more_sim/cube, more_sim/grouping_sets_order, more_sim/rollup_window,
 * more_sim/rollup_batch. */
#include "sim/plan_aggregate.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/ast.h"

static bool has(uint64_t set, size_t i)
{
	return set >> i & 1;
}

static size_t place_in_group(const struct aggregate *a, const struct sql_expr *ast)
{
	size_t i = 0;

	while (i < a->group_count && !ast_same(a->group[i], ast))
		i++;
	return i;
}

/* Each expression once, and where the ones as written are then. */
static int collect_group(struct aggregate *a, size_t **places)
{
	const struct sql_query *query = a->query;

	a->group = arena_array(a->planner->arena, query->group_count + 1, sizeof(*a->group));
	*places = arena_array(a->planner->arena, query->group_count + 1, sizeof(**places));
	if (!a->group || !*places)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < query->group_count; i++) {
		size_t place =
			query->grouping_sets ? place_in_group(a, query->group[i]) : a->group_count;

		(*places)[i] = place;
		if (place == a->group_count)
			a->group[a->group_count++] = query->group[i];
	}
	return 0;
}

/* Does set `x` come before `y`? */
static bool before(const struct aggregate *a, uint64_t x, uint64_t y)
{
	for (size_t i = 0; i < a->group_count; i++)
		if (has(x, i) != has(y, i))
			return has(x, i);
	return false;
}

static int insert_set(struct aggregate *a, uint64_t set)
{
	size_t i = a->set_count++;

	for (; i > 0 && before(a, set, a->sets[i - 1]); i--)
		a->sets[i] = a->sets[i - 1];
	a->sets[i] = set;
	if (i > 0 && a->sets[i - 1] == set)
		return refuse(a->planner, a->query->pos, "The same grouping set twice");
	return 0;
}

int aggregate_read_groups(struct aggregate *a)
{
	const struct sql_query *query = a->query;
	size_t *places;
	int err = collect_group(a, &places);

	a->set_count = 1;
	if (err < 0 || !query->grouping_sets)
		return err;
	a->set_count = 0;
	a->sets = arena_array(a->planner->arena, query->set_count + 1, sizeof(*a->sets));
	if (!a->sets)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < query->set_count && err == 0; i++) {
		uint64_t set = 0;

		for (size_t j = 0; j < query->group_count; j++)
			if (has(query->sets[i], j))
				set |= UINT64_C(1) << places[j];
		err = insert_set(a, set);
	}
	return err;
}

bool aggregate_in_all_sets(const struct aggregate *a, size_t i)
{
	for (size_t j = 0; a->set_count > 1 && j < a->set_count; j++)
		if (!has(a->sets[j], i))
			return false;
	return true;
}

static bool is_mark(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL &&
	       (text_eq(expr->name, TEXT("GROUPING")) || text_eq(expr->name, TEXT("GROUPING_ID")) ||
		       text_eq(expr->name, TEXT("GROUP_ID")));
}

struct mark_search {
	struct aggregate *a;
	int err;
};

static bool add_mark(const struct sql_expr *expr, void *ctx)
{
	struct mark_search *search = ctx;
	struct aggregate *a = search->a;
	size_t count = a->key_count - a->plain_count;

	if (!is_mark(expr))
		return true;
	if (count > LIMIT_GROUPING_SETS)
		search->err = refuse(a->planner, expr->pos, "So many calls of GROUPING");
	for (size_t i = 0; i < expr->arg_count; i++)
		if (place_in_group(a, expr->args[i]) == a->group_count)
			search->err = refuse(a->planner, expr->args[i]->pos,
				"GROUPING of what is not in GROUP BY");
	if (search->err == 0) {
		a->marks[count] = expr;
		search->err = aggregate_add_term(a, expr, a->key_count++);
	}
	return search->err == 0;
}

int aggregate_add_set_keys(struct aggregate *a)
{
	struct mark_search search = {.a = a};

	a->marks = arena_array(a->planner->arena, LIMIT_GROUPING_SETS + 2, sizeof(*a->marks));
	if (!a->marks)
		return diag_nomem(a->planner->diag);
	a->agg.group_order[a->agg.group_order_count++] = a->key_count;
	a->key_count++;
	for (size_t i = 0; i < a->query->item_count; i++)
		ast_walk(a->query->items[i].expr, add_mark, &search);
	ast_walk(a->query->having, add_mark, &search);
	return search.err;
}

/* GROUPING(a, b): a bit each, set where the set has it not; of all keys: which set it is. */
static int64_t mark_of(const struct aggregate *a, const struct sql_expr *mark, uint64_t set)
{
	int64_t number = 0;

	for (size_t i = 0; mark && i < mark->arg_count; i++)
		number = number * 2 + !has(set, place_in_group(a, mark->args[i]));
	for (size_t i = 0; !mark && i < a->group_count; i++)
		number = (int64_t)((uint64_t)number * 2 + !has(set, i));
	return number;
}

static void fill_sets(const struct aggregate *a, struct plan_expand *expand)
{
	size_t marks = a->key_count - a->plain_count;

	for (size_t i = 0; i < a->set_count; i++) {
		for (size_t j = 0; j < a->plain_count; j++)
			expand->kept[i * a->plain_count + j] = has(a->sets[i], a->key_places[j]);
		for (size_t j = 0; j < marks; j++)
			expand->marks[i * marks + j] = mark_of(a, a->marks[j], a->sets[i]);
	}
}

/* The columns of the input, the keys and the marks; the aggregate takes the latter for its keys. */
static void add_columns(struct aggregate *a, const struct plan *input, struct plan *expand,
	size_t *keys, struct sql_type *types)
{
	size_t n = input->column_count;

	for (size_t i = 0; i < n; i++)
		expand->columns[i] = input->columns[i];
	for (size_t i = 0; i < a->key_count; i++, n++) {
		if (i < a->plain_count) {
			expand->columns[n] = input->columns[a->agg.spec.keys[i]];
			expand->expand.sources[i] = a->agg.spec.keys[i];
		}
		if (i < a->plain_count && !aggregate_in_all_sets(a, a->key_places[i]))
			types[i].not_null = false;
		types[i].attribute = TIME_NONE;
		expand->columns[n].type = types[i];
		expand->columns[n].role = ROLE_NONE;
		keys[i] = n;
	}
	expand->column_count = n;
}

int aggregate_expand(struct aggregate *a, struct plan **plan)
{
	struct arena *arena = a->planner->arena;
	struct plan *expand = plan_new(a->planner, PLAN_EXPAND, *plan);
	size_t marks = a->key_count - a->plain_count, width = (*plan)->column_count + a->key_count;
	size_t *keys = arena_array(arena, a->key_count + 1, sizeof(*keys));
	struct sql_type *types = arena_array(arena, a->key_count + 1, sizeof(*types));
	struct plan_expand spec = {.set_count = a->set_count,
		.copy_count = a->plain_count,
		.mark_count = marks,
		.sources = arena_array(arena, a->plain_count + 1, sizeof(size_t)),
		.kept = arena_array(arena, a->set_count * a->plain_count + 1, sizeof(bool)),
		.marks = arena_array(arena, a->set_count * marks + 1, sizeof(int64_t))};

	if (!expand || !keys || !types || !spec.sources || !spec.kept || !spec.marks)
		return diag_nomem(a->planner->diag);
	expand->columns = arena_array(arena, width + 1, sizeof(*expand->columns));
	if (!expand->columns)
		return diag_nomem(a->planner->diag);
	for (size_t i = 0; i < a->key_count; i++)
		types[i] = a->agg.spec.key_types[i];
	expand->expand = spec;
	expand->spread_known = false;
	add_columns(a, *plan, expand, keys, types);
	fill_sets(a, &expand->expand);
	a->agg.spec.keys = keys;
	a->agg.spec.key_types = types;
	*plan = expand;
	return 0;
}

/* A profile becomes one SELECT:
 *
 *	SELECT items FROM window(TABLE t) WHERE before GROUP BY keys HAVING behind
 *
 * A ranking goes over what the items and its own order are made of, in a sub-query with names of
 * its own. */
#include "daemon/grade/lateness.h"
#include "daemon/grade/normal.h"
#include "parser/arena.h"
#include "sim/ast.h"

#define RANK_NAME TEXT("rank number")

struct forming {
	struct arena *arena;
	const struct profile *profile;
	struct terms atoms; /* of a ranking: what its sub-query selects */
	bool nomem;
};

static struct sql_expr *new_expr(struct arena *arena, enum sql_expr_kind kind)
{
	struct sql_expr *expr = ARENA_NEW(arena, struct sql_expr);

	if (expr)
		expr->kind = kind;
	return expr;
}

static struct sql_expr *interval_expr(struct arena *arena, int64_t ms)
{
	struct sql_expr *expr = new_expr(arena, EXPR_INTERVAL);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_INTERVAL_DAY};
	expr->value.i = ms;
	return expr;
}

struct sql_expr *normal_delayed(struct arena *arena, struct text column, int64_t delay_ms)
{
	struct sql_expr *name = new_expr(arena, EXPR_COLUMN), *expr;

	if (!name)
		return NULL;
	name->name = column;
	if (delay_ms == 0)
		return name;
	expr = new_expr(arena, EXPR_OP);
	if (!expr || !(expr->args = arena_array(arena, 2, sizeof(struct sql_expr *))))
		return NULL;
	expr->op = SQL_OP_SUB;
	expr->arg_count = 2;
	expr->height = 1;
	expr->args[0] = name;
	expr->args[1] = interval_expr(arena, delay_ms);
	return expr->args[1] ? expr : NULL;
}

static bool is_rank(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && expr->over;
}

static struct text atom_name(struct forming *f, size_t index)
{
	struct text name = text_format(f->arena, "atom %zu", index);

	f->nomem |= !name.ptr;
	return name;
}

/* The place of an atom, which is added where it is a new one. */
static size_t atom_of(struct forming *f, const struct sql_expr *expr)
{
	struct terms *atoms = &f->atoms;
	size_t i = 0;

	while (i < atoms->count && (!ast_same(atoms->items[i], expr) ||
					   !text_eq(atoms->items[i]->qualifier, expr->qualifier)))
		i++;
	if (i < atoms->count)
		return i;
	if (arena_grow(
		    f->arena, &atoms->items, atoms->count, &atoms->room, sizeof(struct sql_expr *)))
		f->nomem = true;
	else
		atoms->items[atoms->count++] = (struct sql_expr *)expr;
	return i;
}

/* A copy for a query's own place. `above`: behind the sub-query of a ranking. */
static struct sql_expr *place(struct forming *f, const struct sql_expr *expr, bool above)
{
	struct sql_expr *copy = new_expr(f->arena, expr->kind);
	bool atom = expr->kind == EXPR_COLUMN || ast_is_aggregate(expr);

	if (!copy) {
		f->nomem = true;
		return NULL;
	}
	*copy = *expr;
	copy->qualifier = (struct text){0};
	if (above && (atom || is_rank(expr))) {
		*copy = (struct sql_expr){.kind = EXPR_COLUMN,
			.name = is_rank(expr) ? RANK_NAME : atom_name(f, atom_of(f, expr))};
		return copy;
	}
	copy->args = arena_array(f->arena, expr->arg_count + 1, sizeof(struct sql_expr *));
	if (!copy->args) {
		f->nomem = true;
		return NULL;
	}
	for (size_t i = 0; i < expr->arg_count; i++)
		copy->args[i] = place(f, expr->args[i], above);
	if (expr->filter)
		copy->filter = place(f, expr->filter, above);
	return copy;
}

static struct sql_expr *conjunction(struct forming *f, const struct terms *terms)
{
	struct sql_expr *all = NULL;

	for (size_t i = 0; i < terms->count; i++) {
		struct sql_expr *one = place(f, terms->items[i], false), *both;

		if (!all) {
			all = one;
			continue;
		}
		both = new_expr(f->arena, EXPR_OP);
		if (!both || !(both->args = arena_array(f->arena, 2, sizeof(struct sql_expr *)))) {
			f->nomem = true;
			return NULL;
		}
		both->op = SQL_OP_AND;
		both->arg_count = 2;
		both->args[0] = all;
		both->args[1] = one;
		all = both;
	}
	return all;
}

/* ---- FROM ---- */

static void add_argument(struct forming *f, struct sql_expr *call, struct sql_expr *arg)
{
	f->nomem |= !arg;
	call->args[call->arg_count++] = arg;
}

static struct sql_expr *descriptor(struct forming *f)
{
	struct sql_expr *expr = new_expr(f->arena, EXPR_DESCRIPTOR);

	if (!expr || !(expr->args = arena_array(f->arena, 1, sizeof(struct sql_expr *))))
		return NULL;
	expr->arg_count = 1;
	expr->args[0] = place(f, f->profile->window.time, false);
	return expr;
}

static struct sql_expr *data_argument(struct forming *f)
{
	const struct terms *partition = &f->profile->window.partition;
	struct sql_expr *expr = new_expr(f->arena, EXPR_TABLE);

	if (!expr)
		return NULL;
	expr->name = f->profile->table.name;
	expr->partition = arena_array(f->arena, partition->count + 1, sizeof(struct sql_expr *));
	if (!expr->partition)
		return NULL;
	for (size_t i = 0; i < partition->count; i++)
		expr->partition[expr->partition_count++] = place(f, partition->items[i], false);
	return expr;
}

static struct sql_expr *window_call(struct forming *f)
{
	const struct profile_window *window = &f->profile->window;
	struct sql_expr *call = new_expr(f->arena, EXPR_CALL);

	if (!call || !(call->args = arena_array(f->arena, 5, sizeof(struct sql_expr *)))) {
		f->nomem = true;
		return NULL;
	}
	call->name = window->kind;
	add_argument(f, call, data_argument(f));
	add_argument(f, call, descriptor(f));
	if (text_eq(window->kind, TEXT("HOP")) || text_eq(window->kind, TEXT("CUMULATE")))
		add_argument(f, call, interval_expr(f->arena, window->step_ms));
	add_argument(f, call, interval_expr(f->arena, window->size_ms));
	if (window->offset_ms)
		add_argument(f, call, interval_expr(f->arena, window->offset_ms));
	return call;
}

static struct sql_rel *new_rel(struct forming *f, enum sql_rel_kind kind)
{
	struct sql_rel *rel = ARENA_NEW(f->arena, struct sql_rel);

	f->nomem |= !rel;
	if (rel)
		rel->kind = kind;
	return rel;
}

static struct sql_rel *from(struct forming *f)
{
	bool windowed = f->profile->window.kind.len > 0;
	struct sql_rel *rel = new_rel(f, windowed ? REL_FUNCTION : REL_NAME);

	if (!rel)
		return NULL;
	if (windowed)
		rel->call = window_call(f);
	else
		rel->name = f->profile->table.name;
	return rel;
}

/* ---- SELECT ---- */

static struct sql_query *new_query(struct forming *f, size_t items)
{
	struct sql_query *query = ARENA_NEW(f->arena, struct sql_query);

	if (!query || !(query->items = arena_array(f->arena, items + 2, sizeof(struct sql_item)))) {
		f->nomem = true;
		return NULL;
	}
	return query;
}

static void add_item(struct sql_query *query, struct sql_expr *expr, struct text alias)
{
	query->items[query->item_count++] = (struct sql_item){expr, alias};
}

/* FROM, WHERE, GROUP BY, HAVING. */
static void fill(struct forming *f, struct sql_query *query)
{
	const struct profile *p = f->profile;

	query->from = from(f);
	query->where = conjunction(f, &p->before);
	query->grouped = p->aggregated && p->grouped;
	query->group = arena_array(f->arena, p->keys.count + 1, sizeof(struct sql_expr *));
	f->nomem |= !query->group;
	for (size_t i = 0; query->group && i < p->keys.count; i++)
		query->group[query->group_count++] = place(f, p->keys.items[i], false);
	query->having = conjunction(f, &p->behind);
}

static struct sql_expr *number(struct forming *f, int64_t n)
{
	struct sql_expr *expr = new_expr(f->arena, EXPR_LITERAL);

	if (!expr) {
		f->nomem = true;
		return NULL;
	}
	expr->type = (struct sql_type){.kind = SQL_INT, .not_null = true};
	expr->value.i = n;
	return expr;
}

static struct sql_query *plain_query(struct forming *f)
{
	const struct profile *p = f->profile;
	struct sql_query *query = new_query(f, p->item_count);

	for (size_t i = 0; query && i < p->item_count; i++)
		add_item(query, place(f, p->items[i].expr, false), p->items[i].name);
	if (!query)
		return NULL;
	fill(f, query);
	if (p->limited)
		query->limit = number(f, p->limit);
	return query;
}

static struct sql_expr *rank_call(struct forming *f)
{
	const struct profile_rank *rank = &f->profile->rank;
	struct sql_expr *call = new_expr(f->arena, EXPR_CALL);
	struct sql_over *over = ARENA_NEW(f->arena, struct sql_over);
	struct sql_order *order = ARENA_NEW(f->arena, struct sql_order);

	if (!call || !over || !order ||
		!(over->partition = arena_array(
			  f->arena, rank->partition.count + 1, sizeof(struct sql_expr *)))) {
		f->nomem = true;
		return NULL;
	}
	call->name = rank->function;
	call->over = over;
	for (size_t i = 0; i < rank->partition.count; i++)
		over->partition[over->partition_count++] = place(f, rank->partition.items[i], true);
	order->expr = place(f, rank->order.items[0], true);
	order->descending = rank->descending;
	over->order = order;
	return call;
}

static struct sql_expr *bound(struct forming *f)
{
	struct sql_expr *expr = normal_delayed(f->arena, RANK_NAME, 1);

	if (!expr) {
		f->nomem = true;
		return NULL;
	}
	expr->op = SQL_OP_LE;
	expr->args[1] = number(f, rank_bound(f->profile));
	return expr;
}

static struct sql_query *around(struct forming *f, struct sql_query *inner, size_t items)
{
	struct sql_query *query = new_query(f, items);
	struct sql_rel *rel = new_rel(f, REL_QUERY);

	if (!query || !rel)
		return NULL;
	rel->query = inner;
	query->from = rel;
	return query;
}

/* Items first: they say what the sub-query selects. */
static struct sql_query *ranked_query(struct forming *f)
{
	const struct profile *p = f->profile;
	struct sql_query *atoms, *ranked, *query;
	struct sql_expr **items =
		arena_array(f->arena, p->item_count + 1, sizeof(struct sql_expr *));
	struct sql_expr *rank, *star = new_expr(f->arena, EXPR_STAR);

	f->nomem |= !items || !star;
	for (size_t i = 0; items && i < p->item_count; i++)
		items[i] = place(f, p->items[i].expr, true);
	rank = rank_call(f);
	atoms = new_query(f, f->atoms.count);
	if (f->nomem || !atoms)
		return NULL;
	for (size_t i = 0; i < f->atoms.count; i++)
		add_item(atoms, place(f, f->atoms.items[i], false), atom_name(f, i));
	fill(f, atoms);
	ranked = around(f, atoms, 2);
	query = ranked ? around(f, ranked, p->item_count) : NULL;
	if (!query)
		return NULL;
	add_item(ranked, star, (struct text){0});
	add_item(ranked, rank, RANK_NAME);
	for (size_t i = 0; i < p->item_count; i++)
		add_item(query, items[i], p->items[i].name);
	query->where = bound(f);
	return query;
}

struct sql_query *normal_query(struct arena *arena, const struct profile *p)
{
	struct forming forming = {.arena = arena, .profile = p};
	struct sql_query *query =
		p->rank.function.len ? ranked_query(&forming) : plain_query(&forming);

	return forming.nomem ? NULL : query;
}

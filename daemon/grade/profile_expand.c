/* Expressions of a query whose columns are replaced by what they are worked out from. */
#include "daemon/grade/following.h"
#include "parser/arena.h"
#include "parser/limits.h"

void add_term(struct following *f, struct terms *terms, struct sql_expr *expr)
{
	if (!expr)
		f->profile->known = false;
	else if (arena_grow(f->arena, &terms->items, terms->count, &terms->room,
			 sizeof(struct sql_expr *)))
		f->builder->nomem = true;
	else
		terms->items[terms->count++] = expr;
}

void add_item(struct following *f, struct relation *relation, struct text name,
	struct sql_expr *expr, size_t size)
{
	struct profile_item item = {
		.name = name, .named = name.len > 0, .expr = expr, .size = size};

	if (relation->count >= LIMIT_COLUMNS)
		f->profile->known = false;
	else if (arena_grow(f->arena, &relation->items, relation->count, &relation->room,
			 sizeof(item)))
		f->builder->nomem = true;
	else
		relation->items[relation->count++] = item;
}

struct sql_expr *new_column(struct following *f, struct text qualifier, struct text name)
{
	struct sql_expr *expr = ARENA_NEW(f->arena, struct sql_expr);

	if (!expr) {
		f->builder->nomem = true;
		return NULL;
	}
	*expr = (struct sql_expr){.kind = EXPR_COLUMN, .qualifier = qualifier, .name = name};
	return expr;
}

static const struct profile_item *find_item(const struct relation *relation, struct text name)
{
	for (size_t i = 0; i < relation->count; i++)
		if (text_eq(relation->items[i].name, name))
			return &relation->items[i];
	for (size_t i = 0; i < relation->count; i++)
		if (text_ieq(relation->items[i].name, name))
			return &relation->items[i];
	return NULL;
}

static struct sql_expr *expand_part(
	struct following *f, const struct relation *relation, const struct sql_expr *expr);

static bool expand_list(struct following *f, const struct relation *relation,
	struct sql_expr *const *from, size_t count, struct sql_expr ***ret)
{
	struct sql_expr **list = arena_array(f->arena, count + 1, sizeof(struct sql_expr *));

	if (!list) {
		f->builder->nomem = true;
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		list[i] = expand_part(f, relation, from[i]);
		if (!list[i])
			return false;
	}
	*ret = list;
	return true;
}

static struct sql_over *expand_over(
	struct following *f, const struct relation *relation, const struct sql_over *over)
{
	struct sql_over *copy = ARENA_NEW(f->arena, struct sql_over);
	struct sql_order **end;

	if (!copy) {
		f->builder->nomem = true;
		return NULL;
	}
	*copy = *over;
	if (!expand_list(f, relation, over->partition, over->partition_count, &copy->partition))
		return NULL;
	end = &copy->order;
	for (const struct sql_order *from = over->order; from; from = from->next) {
		struct sql_order *order = ARENA_NEW(f->arena, struct sql_order);

		if (!order) {
			f->builder->nomem = true;
			return NULL;
		}
		*order = *from;
		order->expr = expand_part(f, relation, from->expr);
		order->next = NULL;
		if (!order->expr)
			return NULL;
		*end = order;
		end = &order->next;
	}
	return copy;
}

/* TUMBLE_START(ts, ...) of a legacy window: a column of the window. */
static struct sql_expr *legacy_column(struct following *f, const struct sql_expr *call)
{
	static const struct {
		const char *suffix, *column;
	} parts[] = {{"_START", "window_start"}, {"_END", "window_end"},
		{"_ROWTIME", "window_time"}, {"_PROCTIME", "window_time"}};

	for (size_t i = 0; f->profile->window.legacy && i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct text suffix = text_of(parts[i].suffix);

		if (text_ends(call->name, suffix) &&
			text_eq(text_slice(call->name, 0, call->name.len - suffix.len),
				f->profile->window.kind))
			return new_column(f, WINDOW_COLUMN, text_of(parts[i].column));
	}
	return NULL;
}

static struct sql_expr *expand_part(
	struct following *f, const struct relation *relation, const struct sql_expr *expr)
{
	const struct profile_item *item;
	struct sql_expr *copy;

	if (expr->kind == EXPR_COLUMN) {
		item = find_item(relation, expr->name);
		f->size += item ? item->size : 0;
		return item && f->size <= LIMIT_TERM ? item->expr : NULL;
	}
	if (expr->kind == EXPR_QUERY || expr->query || f->size++ >= LIMIT_TERM)
		return NULL;
	if (expr->kind == EXPR_CALL && (copy = legacy_column(f, expr)))
		return copy;
	copy = ARENA_NEW(f->arena, struct sql_expr);
	if (!copy) {
		f->builder->nomem = true;
		return NULL;
	}
	*copy = *expr;
	if (!expand_list(f, relation, expr->args, expr->arg_count, &copy->args))
		return NULL;
	if (expr->filter && !(copy->filter = expand_part(f, relation, expr->filter)))
		return NULL;
	if (expr->over && !(copy->over = expand_over(f, relation, expr->over)))
		return NULL;
	return copy;
}

struct sql_expr *expand(
	struct following *f, const struct relation *relation, const struct sql_expr *expr)
{
	f->size = 0;
	return expand_part(f, relation, expr);
}

bool is_rank_call(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && expr->over &&
	       (text_eq(expr->name, TEXT("ROW_NUMBER")) || text_eq(expr->name, TEXT("RANK")) ||
		       text_eq(expr->name, TEXT("DENSE_RANK")));
}

/* Nodes of SQL queries and relations, as the grammar builds them; their height as in sql_node.c. */
#include "parser/sql_node.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/limits.h"

struct sql_query *sql_new_query(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_query_kind kind)
{
	struct sql_query *query = ARENA_NEW(parser->arena, struct sql_query);

	if (!query)
		return sql_nomem(parser);
	query->kind = kind;
	query->pos = loc->pos;
	query->height = 1;
	return query;
}

static void raise_above(struct sql_query *query, int below)
{
	if (query->height <= below)
		query->height = below + 1;
}

static void raise_above_exprs(struct sql_query *query, struct sql_expr **exprs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		raise_above(query, exprs[i]->height);
}

/* Sets the query's height from what is below it; false where it is too high. */
bool sql_measure_query(struct sql_parser *parser, struct sql_query *query)
{
	struct sql_expr *singles[] = {
		query->where,
		query->having,
		query->qualify,
		query->limit,
		query->offset,
	};

	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++)
		if (singles[i])
			raise_above(query, singles[i]->height);
	for (size_t i = 0; i < query->item_count; i++)
		raise_above(query, query->items[i].expr->height);
	raise_above_exprs(query, query->group, query->group_count);
	raise_above_exprs(query, query->rows, query->row_count);
	for (struct sql_order *order = query->order; order; order = order->next)
		raise_above(query, order->expr->height);
	for (struct sql_with *with = query->with; with; with = with->next)
		raise_above(query, with->query->height);
	if (query->from)
		raise_above(query, query->from->height);
	if (query->left)
		raise_above(query, query->left->height);
	if (query->right)
		raise_above(query, query->right->height);
	if (query->height > LIMIT_NESTING)
		return sql_fail(parser, -ENOTSUP, query->pos,
			"this query is nested deeper than %d levels", LIMIT_NESTING);
	return true;
}

struct sql_query *sql_new_set(struct sql_parser *parser, const struct sql_loc *loc,
	enum sql_query_kind kind, struct sql_query *left, struct sql_query *right)
{
	struct sql_query *query = sql_new_query(parser, loc, kind);

	if (!query)
		return NULL;
	query->left = left;
	query->right = right;
	return sql_measure_query(parser, query) ? query : NULL;
}

struct sql_query *sql_end_query(struct sql_parser *parser, struct sql_query *query,
	const struct sql_withs *withs, const struct sql_orders *orders,
	const struct sql_limit *limit)
{
	if (query->with || query->order || query->limit || query->offset)
		return sql_fail(parser, -ENOTSUP, query->pos,
			"WITH, ORDER BY or LIMIT around a query in brackets that has its own is "
			"outside of what is read here");
	query->with = withs ? withs->first : NULL;
	query->order = orders ? orders->first : NULL;
	query->limit = limit->count;
	query->offset = limit->offset;
	return sql_measure_query(parser, query) ? query : NULL;
}

/* VALUES 1, 2 means VALUES (1), (2). */
bool sql_set_rows(struct sql_parser *parser, struct sql_query *query, const struct sql_exprs *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct sql_exprs single = {&rows->items[i], 1, 1};
		struct sql_loc loc = {.pos = rows->items[i]->pos};
		struct sql_expr *row;

		if (rows->items[i]->kind == EXPR_ROW)
			continue;
		single.items = arena_alloc(parser->arena, sizeof(*single.items));
		if (!single.items)
			return sql_nomem(parser);
		single.items[0] = rows->items[i];
		row = sql_new_row(parser, &loc, &single);
		if (!row)
			return false;
		rows->items[i] = row;
	}
	query->rows = rows->items;
	query->row_count = rows->count;
	return sql_measure_query(parser, query);
}

struct sql_rel *sql_new_rel(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_rel_kind kind)
{
	struct sql_rel *rel = ARENA_NEW(parser->arena, struct sql_rel);

	if (!rel)
		return sql_nomem(parser);
	rel->kind = kind;
	rel->pos = loc->pos;
	rel->height = 1;
	return rel;
}

struct sql_rel *sql_new_query_rel(
	struct sql_parser *parser, const struct sql_loc *loc, struct sql_query *query)
{
	struct sql_rel *rel =
		sql_new_rel(parser, loc, query->kind == QUERY_VALUES ? REL_VALUES : REL_QUERY);

	if (!rel)
		return NULL;
	rel->query = query;
	rel->height = query->height + 1;
	return rel;
}

struct sql_rel *sql_new_join(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_rel *left, struct sql_rel *right)
{
	struct sql_rel *rel = sql_new_rel(parser, loc, REL_JOIN);

	if (!rel)
		return NULL;
	rel->left = left;
	rel->right = right;
	rel->height = 1 + (left->height > right->height ? left->height : right->height);
	if (rel->height > LIMIT_NESTING)
		return sql_fail(parser, -ENOTSUP, rel->pos, "this joins more than %d tables",
			LIMIT_NESTING);
	return rel;
}

bool sql_add_item(
	struct sql_parser *parser, struct sql_items *list, struct sql_expr *expr, struct text alias)
{
	if (arena_grow(parser->arena, &list->items, list->count, &list->room, sizeof(*list->items)))
		return sql_nomem(parser);
	list->items[list->count++] = (struct sql_item){expr, alias};
	return true;
}

bool sql_add_order(struct sql_parser *parser, struct sql_orders *list, struct sql_expr *expr,
	struct sql_order flags)
{
	struct sql_order *order = ARENA_NEW(parser->arena, struct sql_order);

	if (!order)
		return sql_nomem(parser);
	*order = flags;
	order->expr = expr;
	*(list->last ? &list->last->next : &list->first) = order;
	list->last = order;
	return true;
}

bool sql_add_with(struct sql_parser *parser, struct sql_withs *list, struct text name,
	struct sql_query *query)
{
	struct sql_with *with = ARENA_NEW(parser->arena, struct sql_with);

	if (!with)
		return sql_nomem(parser);
	*with = (struct sql_with){.name = name, .query = query};
	*(list->last ? &list->last->next : &list->first) = with;
	list->last = with;
	return true;
}

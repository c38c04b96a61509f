/* Copying: node by node, downward; a tree's height is bounded by the parser (LIMIT_NESTING). The
 * first lack of memory is kept and told at the end, so that the walk itself has no error
 * paths. */
#include "sim/ast_copy.h"

#include <string.h>

#include "parser/arena.h"

struct copier {
	struct arena *arena;
	bool nomem;
};

static struct sql_expr *copy_expr(struct copier *copier, const struct sql_expr *expr);
static struct sql_query *copy_query(struct copier *copier, const struct sql_query *query);

/* A copy of `count` elements; NULL where there are none. */
static void *copy_bytes(struct copier *copier, const void *items, size_t count, size_t size)
{
	void *copy = items && count ? arena_array(copier->arena, count, size) : NULL;

	if (copy)
		memcpy(copy, items, count * size);
	else if (items && count)
		copier->nomem = true;
	return copy;
}

#define COPY(copier, item) copy_bytes((copier), (item), 1, sizeof(*(item)))

/* An array of expressions has room for some more, which a mutation may add. */
#define SPARE 4

static struct sql_expr **copy_exprs(struct copier *copier, struct sql_expr **exprs, size_t count)
{
	struct sql_expr **copy = arena_array(copier->arena, count + SPARE, sizeof(*copy));

	if (!copy)
		copier->nomem = true;
	for (size_t i = 0; copy && i < count; i++)
		copy[i] = copy_expr(copier, exprs[i]);
	return copy;
}

static struct sql_order *copy_orders(struct copier *copier, const struct sql_order *order)
{
	struct sql_order *first = NULL, **next = &first;

	for (; order; order = order->next) {
		*next = COPY(copier, order);
		if (!*next)
			return first;
		(*next)->expr = copy_expr(copier, order->expr);
		next = &(*next)->next;
	}
	return first;
}

static struct sql_over *copy_over(struct copier *copier, const struct sql_over *over)
{
	struct sql_over *copy = COPY(copier, over);

	if (!copy)
		return NULL;
	copy->partition = copy_exprs(copier, over->partition, over->partition_count);
	copy->order = copy_orders(copier, over->order);
	return copy;
}

static struct sql_expr *copy_expr(struct copier *copier, const struct sql_expr *expr)
{
	struct sql_expr *copy = COPY(copier, expr);

	if (!copy)
		return NULL;
	copy->args = copy_exprs(copier, expr->args, expr->arg_count);
	copy->partition = copy_exprs(copier, expr->partition, expr->partition_count);
	copy->query = copy_query(copier, expr->query);
	copy->filter = copy_expr(copier, expr->filter);
	copy->over = copy_over(copier, expr->over);
	return copy;
}

static struct sql_rel *copy_rel(struct copier *copier, const struct sql_rel *rel)
{
	struct sql_rel *copy = COPY(copier, rel);

	if (!copy)
		return NULL;
	copy->call = copy_expr(copier, rel->call);
	copy->query = copy_query(copier, rel->query);
	copy->left = copy_rel(copier, rel->left);
	copy->right = copy_rel(copier, rel->right);
	return copy;
}

static struct sql_with *copy_withs(struct copier *copier, const struct sql_with *with)
{
	struct sql_with *first = NULL, **next = &first;

	for (; with; with = with->next) {
		*next = COPY(copier, with);
		if (!*next)
			return first;
		(*next)->query = copy_query(copier, with->query);
		next = &(*next)->next;
	}
	return first;
}

static struct sql_item *copy_items(
	struct copier *copier, const struct sql_item *items, size_t count)
{
	struct sql_item *copy = arena_array(copier->arena, count + SPARE, sizeof(*copy));

	if (!copy)
		copier->nomem = true;
	for (size_t i = 0; copy && i < count; i++)
		copy[i] = (struct sql_item){copy_expr(copier, items[i].expr), items[i].alias};
	return copy;
}

static struct sql_query *copy_query(struct copier *copier, const struct sql_query *query)
{
	struct sql_query *copy = COPY(copier, query);

	if (!copy)
		return NULL;
	copy->with = copy_withs(copier, query->with);
	copy->items = copy_items(copier, query->items, query->item_count);
	copy->from = copy_rel(copier, query->from);
	copy->where = copy_expr(copier, query->where);
	copy->group = copy_exprs(copier, query->group, query->group_count);
	copy->sets = copy_bytes(copier, query->sets, query->set_count, sizeof(*query->sets));
	copy->having = copy_expr(copier, query->having);
	copy->qualify = copy_expr(copier, query->qualify);
	copy->order = copy_orders(copier, query->order);
	copy->limit = copy_expr(copier, query->limit);
	copy->offset = copy_expr(copier, query->offset);
	copy->left = copy_query(copier, query->left);
	copy->right = copy_query(copier, query->right);
	copy->rows = copy_exprs(copier, query->rows, query->row_count);
	return copy;
}

static struct sql_create_table *copy_create(
	struct copier *copier, const struct sql_create_table *create)
{
	struct sql_create_table *copy = COPY(copier, create);

	if (!copy)
		return NULL;
	copy->columns =
		copy_bytes(copier, create->columns, create->column_count, sizeof(*create->columns));
	copy->watermark = copy_expr(copier, create->watermark);
	copy->as = copy_query(copier, create->as);
	return copy;
}

struct sql_statement *ast_copy_statements(
	struct arena *arena, const struct sql_statement *statements, size_t count)
{
	struct copier copier = {.arena = arena};
	struct sql_statement *copy = arena_array(arena, count + 1, sizeof(*copy));

	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = statements[i];
		copy[i].create = copy_create(&copier, statements[i].create);
		copy[i].query = copy_query(&copier, statements[i].query);
	}
	return copier.nomem ? NULL : copy;
}

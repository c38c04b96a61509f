/* Building: nodes as the parser makes them, and the changes that several mistakes have in
 * common. */
#include "parser/arena.h"
#include "sim/scene.h"

static struct sql_expr *new_expr(struct scene *scene, enum sql_expr_kind kind, size_t args)
{
	struct sql_expr *expr = ARENA_NEW(scene->arena, struct sql_expr);

	scene->touched = true;
	if (expr) {
		expr->kind = kind;
		expr->height = 1;
		expr->pos = scene->statements[scene->target].pos;
		expr->args = arena_array(scene->arena, args + 2, sizeof(*expr->args));
	}
	if (expr && expr->args)
		return expr;
	scene->nomem = true;
	return NULL;
}

struct sql_expr *scene_column(struct scene *scene, struct text name)
{
	struct sql_expr *expr = new_expr(scene, EXPR_COLUMN, 0);

	if (expr)
		expr->name = name;
	return expr;
}

struct sql_expr *scene_number(struct scene *scene, int64_t number)
{
	struct sql_expr *expr = new_expr(scene, EXPR_LITERAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_INT, .not_null = true};
	expr->value.i = number;
	expr->name = text_format(scene->arena, "%lld", (long long)number);
	return expr;
}

struct sql_expr *scene_string(struct scene *scene, struct text text)
{
	struct sql_expr *expr = new_expr(scene, EXPR_LITERAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){
		.kind = SQL_CHAR, .precision = (int32_t)text.len, .not_null = true};
	expr->value.s = text;
	expr->name = text;
	return expr;
}

struct sql_expr *scene_time(struct scene *scene, int64_t ms)
{
	struct sql_expr *expr = new_expr(scene, EXPR_LITERAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_TIMESTAMP, .precision = 3, .not_null = true};
	expr->value.i = ms;
	expr->name = TEXT("TIMESTAMP");
	return expr;
}

struct sql_expr *scene_interval(struct scene *scene, int64_t ms)
{
	struct sql_expr *expr = new_expr(scene, EXPR_INTERVAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_INTERVAL_DAY, .not_null = true};
	expr->value.i = ms;
	expr->interval = (struct sql_interval){.number = TEXT("1"), .unit = TEXT("SECOND")};
	return expr;
}

struct sql_expr *scene_op(
	struct scene *scene, enum sql_op op, struct sql_expr *a, struct sql_expr *b)
{
	struct sql_expr *expr = new_expr(scene, EXPR_OP, 2);

	if (!expr || !a)
		return NULL;
	expr->op = op;
	expr->args[expr->arg_count++] = a;
	if (b)
		expr->args[expr->arg_count++] = b;
	return expr;
}

struct sql_expr *scene_call(
	struct scene *scene, struct text name, struct sql_expr *a, struct sql_expr *b)
{
	struct sql_expr *expr = new_expr(scene, EXPR_CALL, 2);

	if (!expr)
		return NULL;
	expr->name = name;
	expr->star = !a;
	if (a)
		expr->args[expr->arg_count++] = a;
	if (b)
		expr->args[expr->arg_count++] = b;
	return expr;
}

struct sql_query *scene_select(struct scene *scene, struct sql_rel *from)
{
	struct sql_query *query = ARENA_NEW(scene->arena, struct sql_query);

	if (!query) {
		scene->nomem = true;
		return NULL;
	}
	*query = (struct sql_query){.kind = QUERY_SELECT,
		.pos = scene->statements[scene->target].pos,
		.height = 1,
		.from = from};
	return query;
}

/* Few enough to make the array anew for each. */
void scene_item(
	struct scene *scene, struct sql_query *query, struct sql_expr *expr, struct text alias)
{
	struct sql_item *items = arena_array(scene->arena, query->item_count + 1, sizeof(*items));

	if (!items || !expr) {
		scene->nomem = true;
		return;
	}
	for (size_t i = 0; i < query->item_count; i++)
		items[i] = query->items[i];
	items[query->item_count++] = (struct sql_item){expr, alias};
	query->items = items;
}

void scene_group(struct scene *scene, struct sql_query *query, struct sql_expr *expr)
{
	struct sql_expr **group = arena_array(scene->arena, query->group_count + 1, sizeof(*group));

	if (!group || !expr) {
		scene->nomem = true;
		return;
	}
	for (size_t i = 0; i < query->group_count; i++)
		group[i] = query->group[i];
	group[query->group_count++] = expr;
	query->group = group;
	query->grouped = true;
}

struct sql_expr *scene_delayed(struct scene *scene, int64_t delay_ms)
{
	struct sql_expr *column = scene_column(scene, scene->rowtime);

	if (delay_ms == 0)
		return column;
	return scene_op(scene, SQL_OP_SUB, column, scene_interval(scene, delay_ms));
}

struct sql_expr *scene_watermark(struct scene *scene)
{
	return scene_call(
		scene, TEXT("CURRENT_WATERMARK"), scene_column(scene, scene->rowtime), NULL);
}

void scene_count_groups(struct scene *scene)
{
	struct sql_query *agg = scene->agg;

	if (!agg->with)
		agg->with = scene->query->with;
	agg->item_count = 0;
	scene_item(scene, agg, scene_call(scene, TEXT("COUNT"), NULL, NULL), TEXT("cnt"));
	agg->order = NULL;
	agg->limit = agg->offset = agg->qualify = NULL;
	scene->query = scene->statements[scene->target].query = agg;
}

void scene_where(struct scene *scene, struct sql_query *query, struct sql_expr *condition)
{
	query->where =
		query->where ? scene_op(scene, SQL_OP_AND, condition, query->where) : condition;
}

bool scene_is_column(const struct sql_expr *expr, struct text name)
{
	return expr->kind == EXPR_COLUMN && text_eq(expr->name, name);
}

bool scene_is_window_column(const struct sql_expr *expr)
{
	return scene_is_column(expr, TEXT("window_start")) ||
	       scene_is_column(expr, TEXT("window_end"));
}

bool scene_is_numeric(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_DOUBLE;
}

static void drop_from_query(struct sql_query *query, struct text name)
{
	size_t items = 0, keys = 0;

	for (size_t i = 0; i < query->item_count; i++)
		if (!scene_is_column(query->items[i].expr, name))
			query->items[items++] = query->items[i];
	for (size_t i = 0; i < query->group_count; i++)
		if (!scene_is_column(query->group[i], name))
			query->group[keys++] = query->group[i];
	query->item_count = items;
	query->group_count = keys;
	query->grouped = query->grouped && keys > 0;
}

/* The queries around the aggregate are those of FROM ( ... ) from the target down. */
void scene_drop_column(struct scene *scene, struct text name)
{
	struct sql_query *query = scene->query;

	scene->touched = true;
	for (; query && query != scene->agg; query = query->from ? query->from->query : NULL)
		drop_from_query(query, name);
	if (scene->agg)
		drop_from_query(scene->agg, name);
	if (scene->rank) {
		struct sql_over *over = scene->rank->over;
		size_t kept = 0;

		for (size_t i = 0; i < over->partition_count; i++)
			if (!scene_is_column(over->partition[i], name))
				over->partition[kept++] = over->partition[i];
		over->partition_count = kept;
	}
}

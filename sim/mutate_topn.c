/* Mistakes about a Top-N: how many, by what, within what, and of what. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/ast.h"
#include "sim/mistakes.h"

static const int64_t numbers[] = {1, 2, 3, 4, 5, 6, 10, 20};

/* The number that bounds the rank: rn <= 3, rn < 4, rn = 1; NULL: the WHERE is of another form. */
static struct sql_expr *bound_of(const struct scene *scene)
{
	struct sql_expr *where = scene->bound ? scene->bound->where : NULL;

	if (!where || where->kind != EXPR_OP ||
		(where->op != SQL_OP_LE && where->op != SQL_OP_LT && where->op != SQL_OP_EQ) ||
		where->args[1]->kind != EXPR_LITERAL || where->args[1]->type.kind != SQL_INT)
		return NULL;
	return where->args[1];
}

MISTAKE(make_topn_n)
{
	struct sql_expr *bound = bound_of(scene);
	int64_t asked;

	if (!bound || index >= sizeof(numbers) / sizeof(numbers[0]))
		return -ENOENT;
	asked = bound->value.i - (scene->bound->where->op == SQL_OP_LT);
	if (numbers[index] == asked)
		return -EAGAIN;
	scene->bound->where->op = SQL_OP_LE;
	scene->bound->where->args[1] = scene_number(scene, numbers[index]);
	cause_add_number(ret, "topn-n", numbers[index]);
	return 0;
}

/* ---- by what ---- */

/* A column that the ranked rows have: of the aggregate below, or of the table. */
static struct text rankable(const struct scene *scene, size_t index)
{
	if (scene->agg) {
		const struct sql_item *item;

		if (index >= scene->agg->item_count)
			return (struct text){0};
		item = &scene->agg->items[index];
		return item->alias.len ? item->alias : item->expr->name;
	}
	if (!scene->table || index >= scene->table->column_count)
		return (struct text){0};
	return scene->table->columns[index].name;
}

MISTAKE(make_topn_order)
{
	struct sql_order *order = scene->rank ? scene->rank->over->order : NULL;
	struct text column;

	if (!order)
		return -ENOENT;
	if (index == 0) {
		order->descending = !order->descending;
		cause_add_name(ret, "topn-order",
			order->descending ? TEXT("descending") : TEXT("ascending"));
		return 0;
	}
	column = rankable(scene, (index - 1) / 2);
	if (!column.len)
		return -ENOENT;
	if (scene_is_column(order->expr, column) || text_eq(column, TEXT("window_start")) ||
		text_eq(column, TEXT("window_end")))
		return -EAGAIN;
	order->expr = scene_column(scene, column);
	order->descending = index % 2 == 1;
	order->next = NULL;
	cause_add_name(ret, "topn-order", column);
	return 0;
}

/* The aggregate item of that name where it is one call over one column, or NULL. */
static const struct sql_item *summed(const struct scene *scene, const struct sql_expr *by)
{
	for (size_t i = 0; i < scene->agg->item_count; i++) {
		const struct sql_item *item = &scene->agg->items[i];

		if (scene_is_column(by, item->alias) && item->expr->kind == EXPR_CALL &&
			ast_is_aggregate(item->expr) && item->expr->arg_count == 1)
			return item;
	}
	return NULL;
}

/* Single rows are ranked where sums are asked: the ranking reads what the aggregate reads. */
MISTAKE(make_topn_rows)
{
	struct sql_expr *by =
		scene->rank && scene->rank->over->order ? scene->rank->over->order->expr : NULL;
	const struct sql_item *sum = by && scene->agg ? summed(scene, by) : NULL;
	struct sql_query *query = scene->query;

	if (index > 0 || !sum || scene->ranked->from->query != scene->agg)
		return -ENOENT;
	for (size_t i = 0; query != scene->ranked && i < query->item_count; i++)
		if (scene_is_column(query->items[i].expr, sum->alias)) {
			query->items[i].alias = sum->alias;
			query->items[i].expr = sum->expr->args[0];
		}
	scene->rank->over->order->expr = sum->expr->args[0];
	scene->ranked->from = scene->agg->from;
	cause_add_name(ret, "topn-order", TEXT("single-rows"));
	return 0;
}

/* ---- of what ---- */

static void add_plain(struct scene *scene, struct sql_query *query, struct text name)
{
	scene_item(scene, query, scene_column(scene, name), (struct text){0});
}

/* Sums by a column are ranked where single rows are asked. */
static void rank_sums(struct scene *scene, struct text column, struct sql_expr *by)
{
	static const char *const keys[] = {"window_start", "window_end"};
	struct sql_query *agg = scene_select(scene, scene->ranked->from), *query = scene->query;
	struct sql_rel *rel = ARENA_NEW(scene->arena, struct sql_rel);

	if (!agg || !rel) {
		scene->nomem = true;
		return;
	}
	query->item_count = 0;
	for (size_t i = 0; i < 3; i++) {
		struct text key = i < 2 ? text_of(keys[i]) : column;

		add_plain(scene, agg, key);
		scene_group(scene, agg, scene_column(scene, key));
		add_plain(scene, query, key);
	}
	scene_item(scene, agg, scene_call(scene, TEXT("SUM"), by, NULL), by->name);
	scene_item(scene, query, scene_column(scene, by->name), TEXT("total"));
	*rel = (struct sql_rel){.kind = REL_QUERY, .pos = agg->pos, .height = 1, .query = agg};
	scene->ranked->from = rel;
}

MISTAKE(make_topn_sums)
{
	struct sql_expr *by =
		scene->rank && scene->rank->over->order ? scene->rank->over->order->expr : NULL;
	const struct sql_column *column;

	if (!by || scene->agg || !scene->table || by->kind != EXPR_COLUMN ||
		scene->query == scene->ranked || index >= scene->table->column_count)
		return -ENOENT;
	column = &scene->table->columns[index];
	if (column->type.kind != SQL_VARCHAR)
		return -EAGAIN;
	rank_sums(scene, column->name, by);
	cause_add_name(
		ret, "topn-order", text_format(scene->arena, "%.*s-sums", TEXT_ARG(column->name)));
	return 0;
}

/* ---- within what ---- */

static int drop_part(struct scene *scene, size_t index, struct mistake *ret)
{
	struct sql_over *over = scene->rank->over;
	struct text name = over->partition[index]->name;

	for (size_t i = index; i + 1 < over->partition_count; i++)
		over->partition[i] = over->partition[i + 1];
	over->partition_count--;
	cause_add_name(
		ret, "topn-partition", text_format(scene->arena, "%.*s-missing", TEXT_ARG(name)));
	return 0;
}

static bool is_part(const struct sql_over *over, struct text column)
{
	for (size_t i = 0; i < over->partition_count; i++)
		if (scene_is_column(over->partition[i], column))
			return true;
	return false;
}

/* A column beside those that are there, or instead of all of them. */
static int add_part(struct scene *scene, struct text column, bool instead, struct mistake *ret)
{
	struct sql_over *over = scene->rank->over;
	struct sql_expr **partition =
		arena_array(scene->arena, over->partition_count + 1, sizeof(*partition));

	if (!partition) {
		scene->nomem = true;
		return 0;
	}
	for (size_t i = 0; i < over->partition_count; i++)
		partition[i] = over->partition[i];
	if (instead)
		over->partition_count = 0;
	partition[over->partition_count++] = scene_column(scene, column);
	over->partition = partition;
	cause_add_name(ret, "topn-partition",
		instead ? column : text_format(scene->arena, "%.*s-extra", TEXT_ARG(column)));
	return 0;
}

MISTAKE(make_topn_partition)
{
	struct sql_over *over = scene->rank ? scene->rank->over : NULL;
	struct text column;

	if (!over)
		return -ENOENT;
	if (index == 0) {
		if (over->partition_count == 0)
			return -EAGAIN;
		over->partition_count = 0;
		cause_add_name(ret, "topn-partition", TEXT("none"));
		return 0;
	}
	index--;
	if (index < over->partition_count)
		return drop_part(scene, index, ret);
	index -= over->partition_count;
	column = rankable(scene, index / 2);
	if (!column.len)
		return -ENOENT;
	if (is_part(over, column) || scene_is_column(over->order->expr, column))
		return -EAGAIN;
	return add_part(scene, column, index % 2 == 1, ret);
}

/* The largest of all, by ORDER BY and LIMIT, where a ranking in each window is asked. */
MISTAKE(make_topn_limit)
{
	struct sql_expr *bound = bound_of(scene);
	struct sql_order *order = scene->rank ? scene->rank->over->order : NULL;

	if (index > 0 || !bound || !order || !scene->agg ||
		scene->ranked->from->query != scene->agg)
		return -ENOENT;
	scene->agg->order = order;
	scene->agg->limit =
		scene_number(scene, bound->value.i - (scene->bound->where->op == SQL_OP_LT));
	scene->statements[scene->target].query = scene->agg;
	cause_add_number(ret, "limit", bound->value.i - (scene->bound->where->op == SQL_OP_LT));
	cause_add_name(ret, "order-by", order->expr->name);
	return 0;
}

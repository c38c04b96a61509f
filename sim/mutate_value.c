/* Mistakes about what a column holds: another function, another column, rows for an aggregate or
 * the reverse. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/ast.h"
#include "sim/mistakes.h"

/* The n-th item of the aggregate that is an aggregate call by itself, or NULL. */
static struct sql_item *agg_item(const struct scene *scene, size_t n)
{
	for (size_t i = 0; scene->agg && i < scene->agg->item_count; i++) {
		struct sql_item *item = &scene->agg->items[i];

		if (item->expr->kind == EXPR_CALL && ast_is_aggregate(item->expr) && n-- == 0)
			return item;
	}
	return NULL;
}

static const struct {
	const char *name, *function;
	bool distinct;
} functions[] = {{"AVG", "AVG", false}, {"MAX", "MAX", false}, {"MIN", "MIN", false},
	{"SUM", "SUM", false}, {"COUNT", "COUNT", false}, {"COUNT-DISTINCT", "COUNT", true},
	{"SUM-DISTINCT", "SUM", true}, {"AVG-DISTINCT", "AVG", true}};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* SUM and AVG take numbers. */
static bool takes(size_t function, const struct sql_column *column)
{
	bool number =
		functions[function].function[0] == 'S' || functions[function].function[0] == 'A';

	return column->kind == COLUMN_PHYSICAL && (!number || scene_is_numeric(&column->type));
}

static void put_call(
	struct scene *scene, struct sql_item *item, size_t function, struct text column)
{
	struct sql_expr *filter = item->expr->filter;

	item->expr = scene_call(
		scene, text_of(functions[function].function), scene_column(scene, column), NULL);
	if (!item->expr)
		return;
	item->expr->distinct = functions[function].distinct;
	item->expr->filter = filter;
}

/* Another function of the column that is there; of COUNT(*), of any column: what is counted is
 * then the question. */
MISTAKE(make_agg_function)
{
	size_t columns = scene->table ? scene->table->column_count : 0;
	struct sql_item *item;
	const struct sql_column *column;
	size_t function;

	if (columns == 0)
		return -ENOENT;
	item = agg_item(scene, index / (FUNCTIONS * columns));
	if (!item)
		return -ENOENT;
	function = index / columns % FUNCTIONS;
	column = &scene->table->columns[index % columns];
	if (!takes(function, column) ||
		(item->expr->star && functions[function].function[0] != 'C') ||
		(!item->expr->star && (item->expr->arg_count != 1 ||
					      !scene_is_column(item->expr->args[0], column->name))))
		return -EAGAIN;
	if (text_eq(item->expr->name, text_of(functions[function].function)) &&
		item->expr->distinct == functions[function].distinct)
		return -EAGAIN;
	put_call(scene, item, function, column->name);
	cause_add_name(ret, "agg-function",
		functions[function].distinct
			? text_format(scene->arena, "%s:%.*s", functions[function].name,
				  TEXT_ARG(column->name))
			: text_of(functions[function].name));
	return 0;
}

MISTAKE(make_agg_column)
{
	size_t columns = scene->table ? scene->table->column_count : 0;
	const struct sql_column *column;
	struct sql_item *item;

	if (columns == 0)
		return -ENOENT;
	item = agg_item(scene, index / columns);
	if (!item)
		return -ENOENT;
	column = &scene->table->columns[index % columns];
	if (item->expr->arg_count != 1 || !scene_is_numeric(&column->type) ||
		scene_is_column(item->expr->args[0], column->name))
		return -EAGAIN;
	item->expr->args[0] = scene_column(scene, column->name);
	cause_add_name(ret, "agg-column", column->name);
	return 0;
}

static struct sql_expr *new_star(struct scene *scene)
{
	struct sql_expr *star = scene_column(scene, (struct text){0});

	if (star)
		star->kind = EXPR_STAR;
	return star;
}

/* The rows that go into the aggregate. */
MISTAKE(make_rows_asked)
{
	struct sql_query *query = scene->agg;

	if (index > 0 || !query || query != scene->query)
		return -ENOENT;
	query->item_count = query->group_count = 0;
	query->grouped = false;
	query->having = NULL;
	scene_item(scene, query, new_star(scene), (struct text){0});
	cause_add_name(ret, "aggregated", TEXT("missing"));
	return 0;
}

static struct sql_rel *windowed(struct scene *scene, int64_t size_ms)
{
	struct sql_rel *from = scene->query->from, *rel = ARENA_NEW(scene->arena, struct sql_rel);
	struct sql_expr *table = scene_column(scene, from->name),
			*time = scene_column(scene, (struct text){0});

	if (!rel || !table || !time) {
		scene->nomem = true;
		return from;
	}
	table->kind = EXPR_TABLE;
	time->kind = EXPR_DESCRIPTOR;
	time->args[time->arg_count++] = scene_column(scene, scene->rowtime);
	*rel = (struct sql_rel){.kind = REL_FUNCTION, .pos = from->pos, .height = 1};
	rel->call = scene_call(scene, TEXT("TUMBLE"), table, time);
	if (rel->call) {
		rel->call->star = false;
		rel->call->args[rel->call->arg_count++] = scene_interval(scene, size_ms);
	}
	return rel;
}

static void count_rows(struct scene *scene, struct sql_query *query)
{
	static const char *const ends[] = {"window_start", "window_end"};

	query->item_count = 0;
	for (size_t i = 0; i < 2 && query->from->kind == REL_FUNCTION; i++) {
		scene_item(scene, query, scene_column(scene, text_of(ends[i])), (struct text){0});
		scene_group(scene, query, scene_column(scene, text_of(ends[i])));
	}
	scene_item(scene, query, scene_call(scene, TEXT("COUNT"), NULL, NULL), TEXT("cnt"));
}

/* Where rows are asked: how many there are, in all or in windows. */
MISTAKE(make_aggregate_asked)
{
	struct sql_query *query = scene->query;
	int64_t size_ms = index ? usual_length_ms(index - 1) : 0;

	if (scene->agg || scene->ranked || !query->from || (index && size_ms == 0))
		return -ENOENT;
	if (index && (query->from->kind != REL_NAME || !scene->rowtime.ptr)) {
		if (query->from->kind != REL_FUNCTION || index > 1)
			return -ENOENT;
	} else if (index) {
		query->from = windowed(scene, size_ms);
	} else if (query->from->kind == REL_FUNCTION) {
		return -EAGAIN;
	}
	count_rows(scene, query);
	cause_add_name(ret, "aggregated", TEXT("extra"));
	return 0;
}

static bool is_watermark(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("CURRENT_WATERMARK"));
}

/* A column of watermarks that holds the row's own time, or what the row itself would make of it. */
MISTAKE(make_watermark_value)
{
	struct sql_item *item = NULL;

	if (!scene->rowtime.ptr || !scene->delay_known || index > 1)
		return -ENOENT;
	for (size_t i = 0; i < scene->query->item_count; i++)
		if (is_watermark(scene->query->items[i].expr))
			item = &scene->query->items[i];
	if (!item)
		return -ENOENT;
	item->expr = scene_delayed(scene, index ? scene->delay_ms : 0);
	cause_add_name(ret, "column-value",
		text_format(
			scene->arena, "%.*s:%s", TEXT_ARG(item->alias), index ? "own-row" : "ts"));
	return 0;
}

/* A sum of twice the column. */
MISTAKE(make_doubled_value)
{
	struct sql_item *item = agg_item(scene, index);
	struct sql_expr *call = item ? item->expr : NULL;

	if (!item)
		return -ENOENT;
	if (!text_eq(call->name, TEXT("SUM")) || call->distinct || call->arg_count != 1)
		return -EAGAIN;
	call->args[0] = scene_op(scene, SQL_OP_MUL, call->args[0], scene_number(scene, 2));
	cause_add_name(ret, "column-value", item->alias);
	return 0;
}

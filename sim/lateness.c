/* A query depends on watermarks by two questions alone, as long as it is of the form that is
 * checked here: which of a row's windows are closed when it comes, and is its time at or behind
 * CURRENT_WATERMARK, which stands in WHERE and is compared with nothing but that time. In batch
 * mode there are none. */
#include "sim/lateness.h"

#include "sim/ast.h"
#include "sim/op.h"

/* The kept rows of the scene's table and the column of its time. */
struct times {
	const struct kept_file *file;
	size_t column;
};

static bool find_times(const struct scene *scene, struct times *ret)
{
	const struct kept_file *file = scene->file;
	const struct sql_create_table *table = scene->table;
	size_t column = 0;

	if (!file || !table)
		return false;
	while (column < table->column_count && table->columns[column].kind == COLUMN_PHYSICAL &&
		!text_eq(table->columns[column].name, scene->rowtime))
		column++;
	*ret = (struct times){file, column};
	return column < file->width && table->columns[column].kind == COLUMN_PHYSICAL &&
	       table->columns[column].type.kind == SQL_TIMESTAMP;
}

static bool is_watermark(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("CURRENT_WATERMARK"));
}

/* Compared with the bare time, or asked for NULL: nothing else. */
static bool asks_plainly(const struct sql_expr *expr, struct text rowtime)
{
	if (is_watermark(expr))
		return false;
	if (expr->kind == EXPR_OP && expr->arg_count == 1 && is_watermark(expr->args[0]))
		return expr->op == SQL_OP_IS_NULL || expr->op == SQL_OP_IS_NOT_NULL;
	if (expr->kind == EXPR_OP && expr->op >= SQL_OP_EQ && expr->op <= SQL_OP_GE &&
		(is_watermark(expr->args[0]) || is_watermark(expr->args[1])))
		return scene_is_column(expr->args[is_watermark(expr->args[0]) ? 1 : 0], rowtime);
	for (size_t i = 0; i < expr->arg_count; i++)
		if (!asks_plainly(expr->args[i], rowtime))
			return false;
	return !expr->query && !expr->filter && !expr->over;
}

/* ---- how often CURRENT_WATERMARK is read ---- */

static size_t count_expr(const struct sql_expr *expr);

static bool count_call(const struct sql_expr *expr, void *ctx)
{
	size_t *count = ctx;

	*count += is_watermark(expr);
	for (size_t i = 0; expr->over && i < expr->over->partition_count; i++)
		*count += count_expr(expr->over->partition[i]);
	for (const struct sql_order *order = expr->over ? expr->over->order : NULL; order;
		order = order->next)
		*count += count_expr(order->expr);
	return true;
}

static size_t count_expr(const struct sql_expr *expr)
{
	size_t count = 0;

	if (expr)
		ast_walk(expr, count_call, &count);
	return count;
}

/* In a query and those in its FROM; too many to be right where something is not looked into. */
static size_t count_query(const struct sql_query *query)
{
	size_t count = 0;

	while (query) {
		const struct sql_rel *from = query->from;

		if (query->with || query->order || query->limit || query->left)
			return SIZE_MAX / 2;
		for (size_t i = 0; i < query->item_count; i++)
			count += count_expr(query->items[i].expr);
		for (size_t i = 0; i < query->group_count; i++)
			count += count_expr(query->group[i]);
		count += count_expr(query->where) + count_expr(query->having) +
			 count_expr(query->qualify);
		query = from && from->query  ? from->query
			: from && from->call ? from->call->args[0]->query
					     : NULL;
	}
	return count;
}

/* Nowhere but in the filter on lateness? */
static bool is_in_filter_alone(const struct scene *scene)
{
	size_t count = 0;

	for (size_t i = 0; i <= scene->target; i++)
		if (scene->statements[i].kind == STMT_CREATE_VIEW || i == scene->target)
			count += count_query(scene->statements[i].query);
	return count == (scene->late ? count_expr(scene->late->where) : 0);
}

/* One window function without an offset. */
static bool is_plain(const struct scene *scene)
{
	bool two = scene->kind == WINDOW_HOP || scene->kind == WINDOW_CUMULATE;

	if (scene->window_count != 1 || !scene->window || scene->window->arg_count != (two ? 4 : 3))
		return false;
	if (two && (scene->step_ms <= 0 || scene->size_ms % scene->step_ms))
		return false;
	if (scene->late && !asks_plainly(scene->late->where, scene->rowtime))
		return false;
	return is_in_filter_alone(scene);
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

struct deciding {
	const struct scene *scene;
	int64_t wm_ms;
	int64_t open_ms; /* windows of one length that are open begin here, or later */
	uint64_t hash, bits;
	size_t rows;
};

/* How CURRENT_WATERMARK compares with a row's time, where anybody asks. */
static unsigned decide_late(const struct deciding *d, int64_t time_ms)
{
	if (!d->scene->late || d->wm_ms == WATERMARK_NONE)
		return 0;
	return time_ms < d->wm_ms ? 1 : time_ms == d->wm_ms ? 2 : 3;
}

/* How many of a row's windows are closed, at least one of which may be. They all end at multiples
 * of the step: HOP has as many as there are steps in its size, CUMULATE those up to the end of
 * its largest. */
static int64_t count_closed(const struct deciding *d, int64_t time_ms)
{
	const struct scene *scene = d->scene;
	int64_t start_ms, count, closed;

	if (scene->kind == WINDOW_TUMBLE)
		return 1;
	start_ms = window_floor(time_ms, 0, scene->step_ms);
	count = scene->size_ms / scene->step_ms;
	if (scene->kind == WINDOW_CUMULATE)
		count -= (start_ms - window_floor(time_ms, 0, scene->size_ms)) / scene->step_ms;
	closed = (d->open_ms - start_ms) / scene->step_ms;
	return closed < count ? closed : count;
}

/* Decisions of a row take three bits; so many rows go into a number, then mixed with those
 * before. */
#define ROWS_MIXED 21

/* False: what becomes of the row is not known here. A session that the row touches may have been
 * printed where the watermark has come as far as the row; no other may. */
static bool decide_row(struct deciding *d, int64_t time_ms)
{
	bool closed = time_ms < d->open_ms;

	if (d->scene->kind == WINDOW_SESSION && closed)
		return false;
	d->bits = d->bits * 8 + decide_late(d, time_ms) * 2 + closed;
	if (closed)
		d->hash = mix(d->hash + (uint64_t)count_closed(d, time_ms));
	if (++d->rows % ROWS_MIXED == 0)
		d->hash = mix(d->hash + d->bits + UINT64_C(0x9e3779b97f4a7c15));
	return true;
}

static void publish(struct deciding *d, int64_t wm_ms)
{
	const struct scene *scene = d->scene;

	d->wm_ms = wm_ms;
	if (scene->rowwise)
		return; /* no row waits for a window to close */
	switch (scene->kind) {
	case WINDOW_TUMBLE: d->open_ms = window_floor(wm_ms + 1, 0, scene->size_ms); break;
	case WINDOW_SESSION: d->open_ms = wm_ms + 2; break;
	default: d->open_ms = window_floor(wm_ms + 1, 0, scene->step_ms); break;
	}
}

/* As sim/watermark.c publishes them. */
static uint64_t decide(
	const struct scene *scene, const struct times *times, int64_t delay_ms, int64_t interval_ms)
{
	struct deciding d = {scene, WATERMARK_NONE, INT64_MIN, 1, 0, 0};
	int64_t highest_ms = 0, published_ms = 0;

	for (size_t i = 0; i < times->file->rows; i++) {
		const struct value *cell =
			&times->file->cells[i * times->file->width + times->column];

		if (cell->null || cell->nanos || !decide_row(&d, cell->i))
			return 0;
		if (cell->i - delay_ms > highest_ms)
			highest_ms = cell->i - delay_ms;
		if (highest_ms - published_ms > interval_ms) {
			published_ms = highest_ms;
			publish(&d, highest_ms);
		}
	}
	return mix(d.hash + d.bits) | 1;
}

/* Ranks a window's groups by one of their aggregates? Which of two equal ones is first is a
 * matter of when they were printed; where there are none, of nothing. Rows rank in their order of
 * arrival, which no watermark changes. */
static bool ranks_plainly(const struct scene *scene)
{
	const struct sql_over *over = scene->rank->over;
	bool start = false, end = false;

	for (size_t i = 0; over && i < over->partition_count; i++) {
		start = start || scene_is_column(over->partition[i], TEXT("window_start"));
		end = end || scene_is_column(over->partition[i], TEXT("window_end"));
	}
	if (!start || !end || !over->order)
		return false;
	for (size_t i = 0; i < scene->agg->item_count; i++)
		if (scene->agg->items[i].alias.len &&
			scene_is_column(over->order->expr, scene->agg->items[i].alias))
			return ast_has_aggregate(scene->agg->items[i].expr);
	return false;
}

void lateness(struct scene *scene, int64_t delay_ms, int64_t interval_ms)
{
	struct times times;

	scene->lateness = scene->batch;
	scene->untied = false;
	if (scene->batch || !is_plain(scene) || !find_times(scene, &times))
		return;
	if (scene->agg && scene->ranked && !ranks_plainly(scene))
		return;
	scene->untied = scene->agg && scene->ranked;
	scene->lateness = decide(scene, &times, delay_ms, interval_ms);
}

/* Mistakes about GROUP BY: keys too many, too few or others, and no window at all. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/mistakes.h"

static bool is_key(const struct sql_query *query, struct text name)
{
	for (size_t i = 0; i < query->group_count; i++)
		if (scene_is_column(query->group[i], name))
			return true;
	return false;
}

MISTAKE(make_key_extra)
{
	struct text column;

	if (!scene->agg || !scene->agg->grouped || !scene->table ||
		index >= scene->table->column_count)
		return -ENOENT;
	column = scene->table->columns[index].name;
	if (is_key(scene->agg, column))
		return -EAGAIN;
	scene_group(scene, scene->agg, scene_column(scene, column));
	cause_add_name(ret, "group-key-extra", column);
	return 0;
}

/* A key that is gone cannot be shown either; in SESSION it may still part the rows, or not. */
static void drop_key(struct scene *scene, struct text key, struct mistake *ret)
{
	cause_add_name(ret, "group-key-missing", key);
	cause_add_name(ret, "column-missing", key);
	scene_drop_column(scene, key);
}

MISTAKE(make_key_missing)
{
	bool session = scene->window && scene->kind == WINDOW_SESSION;
	size_t each = session ? 2 : 1;
	struct sql_expr *key;

	if (!scene->agg || index >= scene->agg->group_count * each)
		return -ENOENT;
	key = scene->agg->group[index / each];
	if (key->kind != EXPR_COLUMN)
		return -EAGAIN;
	if (index % each == 1) {
		if (scene_is_window_column(key) || !scene->window->args[0]->partition_count)
			return -EAGAIN;
		cause_add_name(ret, "session-partition", TEXT("none"));
		scene->window->args[0]->partition_count = 0;
	}
	drop_key(scene, key->name, ret);
	return 0;
}

/* Puts another column in the place of a key, wherever the key is read: in the items, the sessions'
 * partition, and around. */
static void rename_column(struct sql_expr **expr, struct text from, struct sql_expr *to)
{
	if (scene_is_column(*expr, from))
		*expr = to;
}

static void exchange_in_query(
	struct scene *scene, struct sql_query *query, struct text from, struct text to)
{
	for (size_t i = 0; i < query->group_count; i++)
		rename_column(&query->group[i], from, scene_column(scene, to));
	for (size_t i = 0; i < query->item_count; i++)
		rename_column(&query->items[i].expr, from, scene_column(scene, to));
}

static void exchange_key(struct scene *scene, struct text from, struct text to)
{
	struct sql_query *query = scene->query;

	for (; query && query != scene->agg; query = query->from ? query->from->query : NULL)
		exchange_in_query(scene, query, from, to);
	exchange_in_query(scene, scene->agg, from, to);
}

static bool exchange_partition(struct scene *scene, struct text from, struct text to)
{
	struct sql_expr *table = scene->window->args[0];
	bool found = false;

	for (size_t i = 0; i < table->partition_count; i++) {
		found = found || scene_is_column(table->partition[i], from);
		rename_column(&table->partition[i], from, scene_column(scene, to));
	}
	return found;
}

MISTAKE(make_key_exchanged)
{
	const struct sql_create_table *table = scene->table;
	struct text from, to;

	if (!scene->agg || !table || index >= scene->agg->group_count * table->column_count)
		return -ENOENT;
	from = scene->agg->group[index / table->column_count]->name;
	to = table->columns[index % table->column_count].name;
	if (!from.len || scene_is_window_column(scene->agg->group[index / table->column_count]) ||
		is_key(scene->agg, to) || text_eq(to, scene->rowtime))
		return -EAGAIN;
	if (scene->window && scene->kind == WINDOW_SESSION && exchange_partition(scene, from, to))
		cause_add_name(ret, "session-partition", to);
	exchange_key(scene, from, to);
	cause_add_name(ret, "group-key-missing", from);
	cause_add_name(ret, "group-key-extra", to);
	return 0;
}

/* ---- no window ---- */

static const char *const units[] = {"SECOND", "MINUTE", "HOUR", "DAY"};

/* The time rounded down, in place of window_start. */
static struct sql_expr *rounded(struct scene *scene, const char *unit)
{
	struct sql_expr *to = scene_column(scene, text_of(unit));

	if (to)
		to->kind = EXPR_UNIT;
	return scene_call(scene, TEXT("FLOOR"), scene_column(scene, scene->rowtime), to);
}

/* Reads what the window function reads. */
static bool take_window_out(struct scene *scene)
{
	const struct sql_expr *data = scene->window->args[0];
	struct sql_rel *rel = ARENA_NEW(scene->arena, struct sql_rel);

	scene->touched = true;
	if (!rel) {
		scene->nomem = true;
		return false;
	}
	*rel = (struct sql_rel){.pos = scene->window_rel->pos, .height = 1};
	rel->kind = data->kind == EXPR_TABLE ? REL_NAME : REL_QUERY;
	rel->name = data->kind == EXPR_TABLE ? data->name : (struct text){0};
	rel->query = data->query;
	*scene->window_rel = *rel;
	return data->kind == EXPR_TABLE || data->kind == EXPR_QUERY;
}

/* By nothing but the other keys, or by nothing at all. */
static int group_without(struct scene *scene, struct mistake *ret)
{
	cause_add_name(ret, "no-window", TEXT("none"));
	cause_add_name(ret, "column-missing", TEXT("window_start"));
	cause_add_name(ret, "column-missing", TEXT("window_end"));
	scene_drop_column(scene, TEXT("window_start"));
	scene_drop_column(scene, TEXT("window_end"));
	return 0;
}

static int group_by_rounded(struct scene *scene, const char *unit, struct mistake *ret)
{
	struct sql_query *query = scene->agg;

	if (!scene->rowtime.ptr || scene->query != query || !take_window_out(scene))
		return -EAGAIN;
	scene_drop_column(scene, TEXT("window_end"));
	for (size_t i = 0; i < query->group_count; i++)
		rename_column(&query->group[i], TEXT("window_start"), rounded(scene, unit));
	for (size_t i = 0; i < query->item_count; i++)
		if (scene_is_column(query->items[i].expr, TEXT("window_start"))) {
			query->items[i].expr = rounded(scene, unit);
			query->items[i].alias = TEXT("window_start");
		}
	cause_add_name(ret, "no-window", TEXT("FLOOR"));
	cause_add_name(ret, "column-missing", TEXT("window_end"));
	return 0;
}

/* Rows that are asked with their windows, without them. */
static int rows_without(struct scene *scene, struct mistake *ret)
{
	struct sql_query *query = scene->query;

	if (scene->window_query != query || !take_window_out(scene))
		return -EAGAIN;
	cause_add_name(ret, "no-window", TEXT("none"));
	scene_drop_column(scene, TEXT("window_start"));
	scene_drop_column(scene, TEXT("window_end"));
	scene_drop_column(scene, TEXT("window_time"));
	return query->item_count ? 0 : -EAGAIN;
}

MISTAKE(make_no_window)
{
	size_t count = sizeof(units) / sizeof(units[0]);

	if (!scene->window || scene->ranked || index > count)
		return -ENOENT;
	if (index < count)
		return scene->agg ? group_by_rounded(scene, units[index], ret) : -EAGAIN;
	return scene->agg ? group_without(scene, ret) : rows_without(scene, ret);
}

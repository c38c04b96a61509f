/* Mistakes about the table and its time, the settings, and the order of arrival. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/lateness.h"
#include "sim/mistakes.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int set_mode(struct scene *scene, size_t index, const char *mode)
{
	if (index > 0)
		return -ENOENT;
	scene_set(scene, "execution.runtime-mode", text_of(mode));
	return 0;
}

MISTAKE(make_batch_mode)
{
	if (scene->batch)
		return -ENOENT;
	cause_add(ret, "batch-mode");
	return set_mode(scene, index, "batch");
}

MISTAKE(make_streaming_mode)
{
	if (!scene->batch)
		return -ENOENT;
	cause_add(ret, "streaming-mode");
	return set_mode(scene, index, "streaming");
}

/* Every second up to two minutes is tried; beyond, and below 0, what people write. */
#define EVERY_SECOND 121

static const int64_t other_delays_ms[] = {150 * SECOND, 3 * MINUTE, 4 * MINUTE, 5 * MINUTE,
	6 * MINUTE, 7 * MINUTE, 8 * MINUTE, 10 * MINUTE, 12 * MINUTE, 15 * MINUTE, 20 * MINUTE,
	25 * MINUTE, 30 * MINUTE, 40 * MINUTE, 45 * MINUTE, 50 * MINUTE, HOUR, 90 * MINUTE,
	2 * HOUR, 3 * HOUR, 4 * HOUR, 5 * HOUR, 6 * HOUR, 8 * HOUR, 10 * HOUR, 12 * HOUR, 24 * HOUR,
	30 * HOUR, 2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY, 10 * DAY, 30 * DAY, -SECOND, -2 * SECOND,
	-3 * SECOND, -4 * SECOND, -5 * SECOND, -6 * SECOND, -8 * SECOND, -10 * SECOND, -15 * SECOND,
	-20 * SECOND, -30 * SECOND, -45 * SECOND, -MINUTE, -2 * MINUTE, -5 * MINUTE, -10 * MINUTE,
	-15 * MINUTE, -30 * MINUTE, -HOUR, -2 * HOUR, -5 * HOUR, -DAY, -5 * DAY, 1, 5, 10, 20, 30,
	50, 100, 200, 250, 300, 500, 999, 1500, 2500, 5500};

/* A millisecond next to the delay that is asked. */
static bool delay_at(const struct scene *scene, size_t index, int64_t *ret)
{
	if (index < EVERY_SECOND)
		*ret = (int64_t)index * SECOND;
	else if (index - EVERY_SECOND < COUNT(other_delays_ms))
		*ret = other_delays_ms[index - EVERY_SECOND];
	else if (index - EVERY_SECOND - COUNT(other_delays_ms) < 2)
		*ret = scene->delay_ms +
		       (index - EVERY_SECOND - COUNT(other_delays_ms) == 0 ? -1 : 1);
	else
		return false;
	return true;
}

MISTAKE(make_delay)
{
	int64_t delay_ms;

	if (!scene->table || !scene->rowtime.ptr || !delay_at(scene, index, &delay_ms))
		return -ENOENT;
	if (scene->delay_known && delay_ms == scene->delay_ms)
		return -EAGAIN;
	lateness(scene, delay_ms, scene->interval_ms);
	scene->table->watermark = scene_delayed(scene, delay_ms);
	cause_add_duration(ret, "delay", delay_ms);
	return 0;
}

MISTAKE(make_no_watermark)
{
	if (index > 0 || !scene->table || !scene->rowtime.ptr)
		return -ENOENT;
	scene->table->has_watermark = false;
	scene->table->watermark = NULL;
	cause_add(ret, "no-watermark");
	return 0;
}

#define INTERVAL_KEY "pipeline.auto-watermark-interval"

/* A bare number is milliseconds: 3600 for an hour's seconds. */
static const int64_t intervals_ms[] = {0, 1, 2, 5, 10, 20, 30, 50, 60, 100, 150, 200, 250, 300, 400,
	500, 600, 800, 900, SECOND, 1500, 2 * SECOND, 2500, 3 * SECOND, 3600, 4 * SECOND,
	5 * SECOND, 6 * SECOND, 7 * SECOND, 8 * SECOND, 9 * SECOND, 10 * SECOND, 12 * SECOND,
	15 * SECOND, 20 * SECOND, 25 * SECOND, 30 * SECOND, 40 * SECOND, 45 * SECOND, 50 * SECOND,
	MINUTE, 90 * SECOND, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE, 5 * MINUTE, 6 * MINUTE, 8 * MINUTE,
	10 * MINUTE, 12 * MINUTE, 15 * MINUTE, 20 * MINUTE, 30 * MINUTE, 45 * MINUTE, HOUR,
	90 * MINUTE, 2 * HOUR, 3 * HOUR, 4 * HOUR, 5 * HOUR, 6 * HOUR, 8 * HOUR, 10 * HOUR,
	12 * HOUR, DAY, 2 * DAY, 7 * DAY};

#define DEFAULT_INTERVAL_MS 200

static void set_interval(struct scene *scene, int64_t interval_ms)
{
	if (scene->delay_known)
		lateness(scene, scene->delay_ms, interval_ms);
	scene_set(
		scene, INTERVAL_KEY, text_format(scene->arena, "%lld ms", (long long)interval_ms));
}

MISTAKE(make_interval_missing)
{
	if (index > 0 || scene->batch || scene->interval_ms == DEFAULT_INTERVAL_MS)
		return -ENOENT;
	set_interval(scene, DEFAULT_INTERVAL_MS);
	cause_add(ret, "interval-missing");
	return 0;
}

MISTAKE(make_interval)
{
	if (scene->batch || index >= COUNT(intervals_ms))
		return -ENOENT;
	if (intervals_ms[index] == scene->interval_ms)
		return -EAGAIN;
	set_interval(scene, intervals_ms[index]);
	cause_add_duration(ret, "interval", intervals_ms[index]);
	return 0;
}

/* Differences to UTC in minutes; whole hours are tried without this list. */
static const int odd_zones_min[] = {-570, -210, 210, 270, 330, 345, 390, 570, 630, 765};

#define FIRST_ZONE_H (-12)
#define LAST_ZONE_H  14
#define WHOLE_ZONES  (LAST_ZONE_H - FIRST_ZONE_H + 1)

/* "+9h", "+5:30h" */
static struct text shift_name(struct arena *arena, int minutes)
{
	int size = minutes < 0 ? -minutes : minutes;
	const char *sign = minutes < 0 ? "-" : "+";

	if (size % 60 == 0)
		return text_format(arena, "%s%dh", sign, size / 60);
	return text_format(arena, "%s%d:%02dh", sign, size / 60, size % 60);
}

/* The file's column under another name, and the time computed from it, moved as a whole. */
static void shift_time(struct scene *scene, size_t column, int minutes)
{
	struct sql_create_table *table = scene->table;
	struct sql_column *columns =
		arena_array(scene->arena, table->column_count + 1, sizeof(*columns));
	struct text raw = TEXT("ts before it was moved");

	if (!columns) {
		scene->nomem = true;
		return;
	}
	for (size_t i = 0; i < table->column_count; i++)
		columns[i] = table->columns[i];
	columns[table->column_count] = (struct sql_column){.kind = COLUMN_COMPUTED,
		.pos = columns[column].pos,
		.name = columns[column].name,
		.expr = scene_op(scene, SQL_OP_ADD, scene_column(scene, raw),
			scene_interval(scene, minutes * MINUTE))};
	columns[column].name = raw;
	table->columns = columns;
	table->column_count++;
}

MISTAKE(make_time_zone)
{
	int minutes;
	size_t column = 0;

	if (!scene->table || !scene->rowtime.ptr || index >= WHOLE_ZONES + COUNT(odd_zones_min))
		return -ENOENT;
	minutes = index < WHOLE_ZONES ? (FIRST_ZONE_H + (int)index) * 60
				      : odd_zones_min[index - WHOLE_ZONES];
	while (column < scene->table->column_count &&
		!text_eq(scene->table->columns[column].name, scene->rowtime))
		column++;
	if (minutes == 0 || column == scene->table->column_count ||
		scene->table->columns[column].kind != COLUMN_PHYSICAL)
		return -EAGAIN;
	shift_time(scene, column, minutes);
	cause_add_name(ret, "time-zone", shift_name(scene->arena, minutes));
	return 0;
}

MISTAKE(make_sorted_input)
{
	if (index > 0 || scene->batch || !scene->rowtime.ptr)
		return -ENOENT;
	scene->change = INPUT_SORTED;
	cause_add(ret, "sorted-input");
	return 0;
}

MISTAKE(make_other_data)
{
	static const enum input_change changes[] = {INPUT_TWICE, INPUT_DOUBLED, INPUT_HALVES};

	if (index >= COUNT(changes))
		return -ENOENT;
	scene->change = changes[index];
	cause_add_name(
		ret, "other-data", changes[index] == INPUT_HALVES ? TEXT("split") : TEXT("twice"));
	return 0;
}

/* Two columns of the file declared in each other's place. */
MISTAKE(make_column_order)
{
	struct sql_create_table *table = scene->table;
	size_t a, b;
	struct sql_column column;

	if (!table || index >= table->column_count * table->column_count)
		return -ENOENT;
	a = index / table->column_count;
	b = index % table->column_count;
	if (a >= b || table->columns[a].kind != COLUMN_PHYSICAL ||
		table->columns[b].kind != COLUMN_PHYSICAL ||
		text_eq(table->columns[a].name, scene->rowtime) ||
		text_eq(table->columns[b].name, scene->rowtime))
		return -EAGAIN;
	scene->touched = true;
	column = table->columns[a];
	table->columns[a] = table->columns[b];
	table->columns[b] = column;
	cause_add_name(ret, "ddl-columns", TEXT("order"));
	return 0;
}

/* A source that waits for more files sends no last watermark. */
MISTAKE(make_unbounded)
{
	if (index > 0 || scene->batch)
		return -ENOENT;
	scene->change = INPUT_ENDLESS;
	cause_add(ret, "unbounded-source");
	return 0;
}

#define NEVER_MS (1000 * DAY)

/* With several subtasks the lowest of their watermarks rules, and at the far end that is one that
 * stands still. Rows that are dropped by chance in between are no table that can be told
 * beforehand. */
MISTAKE(make_parallelism)
{
	if (index > 0 || scene->batch || !scene->rowtime.ptr)
		return -ENOENT;
	set_interval(scene, NEVER_MS);
	cause_add(ret, "parallelism");
	return 0;
}

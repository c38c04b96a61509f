/* Mistakes about the window: its kind, its lengths, its edges, its partition. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/mistakes.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int64_t lengths_ms[] = {SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND,
	6 * SECOND, 10 * SECOND, 12 * SECOND, 15 * SECOND, 20 * SECOND, 25 * SECOND, 30 * SECOND,
	40 * SECOND, 45 * SECOND, 50 * SECOND, MINUTE, 90 * SECOND, 2 * MINUTE, 150 * SECOND,
	3 * MINUTE, 4 * MINUTE, 5 * MINUTE, 6 * MINUTE, 7 * MINUTE, 8 * MINUTE, 9 * MINUTE,
	10 * MINUTE, 12 * MINUTE, 14 * MINUTE, 15 * MINUTE, 18 * MINUTE, 20 * MINUTE, 24 * MINUTE,
	25 * MINUTE, 30 * MINUTE, 35 * MINUTE, 40 * MINUTE, 45 * MINUTE, 50 * MINUTE, HOUR,
	90 * MINUTE, 100 * MINUTE, 2 * HOUR, 3 * HOUR, 4 * HOUR, 5 * HOUR, 6 * HOUR, 8 * HOUR,
	10 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY};

int64_t usual_length_ms(size_t index)
{
	return index < COUNT(lengths_ms) ? lengths_ms[index] : 0;
}

/* A row in more windows than that makes a table that nobody reads, and takes its time. CUMULATE
 * shares them among the rows: a day by ten minutes has 144. */
#define MOST_WINDOWS 60
#define MOST_STEPS   150

static bool has_step(enum window_kind kind)
{
	return kind == WINDOW_HOP || kind == WINDOW_CUMULATE;
}

bool lengths_fit(enum window_kind kind, int64_t step_ms, int64_t size_ms)
{
	int64_t most = kind == WINDOW_CUMULATE ? MOST_STEPS : MOST_WINDOWS;

	return !has_step(kind) || (size_ms % step_ms == 0 && size_ms / step_ms <= most);
}

MISTAKE(make_window_size)
{
	int64_t size_ms = usual_length_ms(index);

	if (!scene->window || scene->kind == WINDOW_SESSION || size_ms == 0)
		return -ENOENT;
	if (size_ms == scene->size_ms || !lengths_fit(scene->kind, scene->step_ms, size_ms))
		return -EAGAIN;
	scene_set_window(scene, scene->kind, scene->step_ms, size_ms, 0);
	cause_add_duration(ret, "window-size", size_ms);
	return 0;
}

MISTAKE(make_window_slide)
{
	int64_t step_ms = usual_length_ms(index);

	if (!scene->window || !has_step(scene->kind) || step_ms == 0)
		return -ENOENT;
	if (step_ms == scene->step_ms || !lengths_fit(scene->kind, step_ms, scene->size_ms))
		return -EAGAIN;
	scene_set_window(scene, scene->kind, step_ms, scene->size_ms, 0);
	cause_add_duration(ret, "window-slide", step_ms);
	return 0;
}

MISTAKE(make_session_gap)
{
	int64_t gap_ms = usual_length_ms(index);

	if (!scene->window || scene->kind != WINDOW_SESSION || gap_ms == 0)
		return -ENOENT;
	if (gap_ms == scene->size_ms)
		return -EAGAIN;
	scene_set_window(scene, WINDOW_SESSION, 0, gap_ms, 0);
	cause_add_duration(ret, "session-gap", gap_ms);
	return 0;
}

MISTAKE(make_args_swapped)
{
	if (!scene->window || !has_step(scene->kind) || index > 0)
		return -ENOENT;
	scene_set_window(scene, scene->kind, scene->size_ms, scene->step_ms, 0);
	cause_add(ret, "window-args-swapped");
	return 0;
}

/* ---- another kind ---- */

/* HOP puts a row into as many windows; nobody who thinks of TUMBLE makes more of them. */
#define MOST_PARTS 12

static const int parts[] = {2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60};

static const struct {
	enum window_kind kind;
	const char *name;
} kinds[] = {{WINDOW_TUMBLE, "TUMBLE"}, {WINDOW_HOP, "HOP"}, {WINDOW_CUMULATE, "CUMULATE"},
	{WINDOW_SESSION, "SESSION"}};

/* The keys of GROUP BY beside the window go into SESSION where `partitioned`. */
static void partition_by_keys(struct scene *scene)
{
	struct sql_expr *table = scene->window->args[0];
	struct sql_expr **keys =
		arena_array(scene->arena, scene->agg->group_count + 1, sizeof(*keys));

	if (!keys) {
		scene->nomem = true;
		return;
	}
	table->partition = keys;
	for (size_t i = 0; i < scene->agg->group_count; i++)
		if (!scene_is_window_column(scene->agg->group[i]))
			keys[table->partition_count++] = scene->agg->group[i];
}

static void add_kind(struct mistake *mistake, enum window_kind kind)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			cause_add_name(mistake, "window-kind", text_of(kinds[i].name));
}

/* Windows that have a step of their own, as a part of one length. */
static int to_stepped(struct scene *scene, size_t index, enum window_kind kind, struct mistake *ret)
{
	int64_t step_ms;

	if (has_step(scene->kind)) {
		if (index > 0)
			return -ENOENT;
		step_ms = scene->step_ms;
	} else {
		if (index >= COUNT(parts))
			return -ENOENT;
		if (scene->size_ms % parts[index] ||
			(kind == WINDOW_HOP && parts[index] > MOST_PARTS))
			return -EAGAIN;
		step_ms = scene->size_ms / parts[index];
	}
	scene_set_window(scene, kind, step_ms, scene->size_ms, 0);
	add_kind(ret, kind);
	return 0;
}

/* Windows of one length: the size or the step. HOP's slide is no length of its windows. */
static int to_plain(struct scene *scene, size_t index, enum window_kind kind, struct mistake *ret)
{
	bool step = (index & 1) != 0, partitioned = (index & 2) != 0;

	if (index > 3)
		return -ENOENT;
	if ((step && !has_step(scene->kind)) ||
		(partitioned && (kind != WINDOW_SESSION || !scene->agg)))
		return -EAGAIN;
	scene_set_window(scene, kind, 0, step ? scene->step_ms : scene->size_ms, 0);
	if (partitioned)
		partition_by_keys(scene);
	if (partitioned && scene->window->args[0]->partition_count == 0)
		return -EAGAIN;
	add_kind(ret, kind);
	if (step && scene->kind == WINDOW_HOP && kind == WINDOW_TUMBLE)
		cause_add_duration(ret, "window-size", scene->step_ms);
	return 0;
}

/* All kinds share one numbering: so many places each. */
#define PLACES 12

MISTAKE(make_window_kind)
{
	size_t kind = index / PLACES;
	int err;

	if (!scene->window || kind >= COUNT(kinds))
		return -ENOENT;
	if (kinds[kind].kind == scene->kind)
		return -EAGAIN;
	err = has_step(kinds[kind].kind) ? to_stepped(scene, index % PLACES, kinds[kind].kind, ret)
					 : to_plain(scene, index % PLACES, kinds[kind].kind, ret);
	return err == -ENOENT ? -EAGAIN : err;
}

/* ---- edges ---- */

static const int64_t offsets_ms[] = {SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND,
	20 * SECOND, 25 * SECOND, 30 * SECOND, 40 * SECOND, 45 * SECOND, MINUTE, 90 * SECOND,
	95 * SECOND, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE, 5 * MINUTE, 6 * MINUTE, 7 * MINUTE,
	8 * MINUTE, 9 * MINUTE, 10 * MINUTE, 12 * MINUTE, 15 * MINUTE, 20 * MINUTE, 25 * MINUTE,
	30 * MINUTE, 40 * MINUTE, 45 * MINUTE, HOUR, 2 * HOUR, 8 * HOUR, 9 * HOUR, 12 * HOUR};

/* An offset of a whole window, or step, moves nothing. */
MISTAKE(make_offset)
{
	int64_t offset_ms, width_ms;

	if (!scene->window || scene->kind == WINDOW_SESSION || index >= 2 * COUNT(offsets_ms))
		return -ENOENT;
	offset_ms = offsets_ms[index / 2] * (index % 2 ? -1 : 1);
	width_ms = scene->kind == WINDOW_HOP ? scene->step_ms : scene->size_ms;
	if (offset_ms % width_ms == 0 || offset_ms / width_ms != 0)
		return -EAGAIN;
	scene_set_window(scene, scene->kind, scene->step_ms, scene->size_ms, offset_ms);
	cause_add_duration(ret, "offset", offset_ms);
	return 0;
}

/* ---- whose pauses ---- */

MISTAKE(make_session_partition)
{
	struct sql_expr *table;
	struct text column;

	if (!scene->window || scene->kind != WINDOW_SESSION || !scene->table)
		return -ENOENT;
	table = scene->window->args[0];
	if (index == 0) {
		if (table->partition_count == 0)
			return -EAGAIN;
		table->partition_count = 0;
		cause_add_name(ret, "session-partition", TEXT("none"));
		return 0;
	}
	if (index > scene->table->column_count)
		return -ENOENT;
	column = scene->table->columns[index - 1].name;
	if (text_eq(column, scene->rowtime) ||
		(table->partition_count == 1 && scene_is_column(table->partition[0], column)))
		return -EAGAIN;
	table->partition = arena_array(scene->arena, 1, sizeof(*table->partition));
	if (!table->partition) {
		scene->nomem = true;
		return 0;
	}
	table->partition[0] = scene_column(scene, column);
	table->partition_count = 1;
	cause_add_name(ret, "session-partition", column);
	return 0;
}

/* The table's delay and the window's size, each in the other's place. */
MISTAKE(make_lengths_exchanged)
{
	if (!scene->window || !scene->table || !scene->delay_known || scene->delay_ms <= 0 ||
		index > 0)
		return -ENOENT;
	if (!lengths_fit(scene->kind, scene->step_ms, scene->delay_ms))
		return -EAGAIN;
	scene->table->watermark = scene_delayed(scene, scene->size_ms);
	cause_add_duration(ret, "delay", scene->size_ms);
	cause_add_duration(ret, scene->kind == WINDOW_SESSION ? "session-gap" : "window-size",
		scene->delay_ms);
	scene_set_window(scene, scene->kind, scene->step_ms, scene->delay_ms, 0);
	return 0;
}

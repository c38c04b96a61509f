/* Properties as facts: "15 rows dropped at a delay of 5 s in windows of 1 min: allowed, 5 to
 * 30". */
#include <errno.h>
#include <inttypes.h>

#include "daemon/grade/fixture.h"
#include "parser/arena.h"
#include "parser/calendar.h"

/* A duration in the largest unit that is exact. */
static struct text duration(struct arena *arena, int64_t ms)
{
	static const struct {
		int64_t ms;
		const char *name;
	} units[] = {{MS_PER_DAY, "d"}, {MS_PER_HOUR, "h"}, {MS_PER_MINUTE, "min"},
		{MS_PER_SECOND, "s"}, {1, "ms"}};
	size_t i = ms ? 0 : 3;

	while (ms % units[i].ms)
		i++;
	return text_format(arena, "%" PRId64 " %s", ms / units[i].ms, units[i].name);
}

/* "1 row", "15 rows". */
static struct text number(struct arena *arena, int64_t count, const char *noun)
{
	return text_format(arena, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
}

static struct text name_of(const struct fixture_rows *rows, size_t column)
{
	return column == PROPERTY_NO_COLUMN ? TEXT("") : rows->table.columns[column].name;
}

static struct text late_fact(struct arena *arena, const struct property *property, int64_t count)
{
	bool own_interval = property->interval_ms != FIXTURE_INTERVAL_MS;
	struct text windows = TEXT(""), interval = TEXT(""), kept = TEXT("");

	if (property->kind == PROPERTY_DROPPED)
		windows = text_format(
			arena, " in windows of %.*s", TEXT_ARG(duration(arena, property->size_ms)));
	if (property->kind == PROPERTY_DROPPED && property->kept_ms >= 0)
		kept = text_format(
			arena, " and kept at %.*s", TEXT_ARG(duration(arena, property->kept_ms)));
	if (own_interval)
		interval = text_format(arena, " and an interval of %.*s",
			TEXT_ARG(duration(arena, property->interval_ms)));
	return text_format(arena, "%.*s %s at a delay of %.*s%.*s%.*s%.*s",
		TEXT_ARG(number(arena, count, "row")),
		property->kind == PROPERTY_DROPPED ? "dropped" : "late",
		TEXT_ARG(duration(arena, property->delay_ms)), TEXT_ARG(kept), TEXT_ARG(interval),
		TEXT_ARG(windows));
}

static struct text neighbour_fact(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, int64_t count)
{
	bool apart = property->kind == PROPERTY_APART;
	struct text by = name_of(rows, property->by);

	return text_format(arena, "%.*s of neighbours%s%.*s exactly %.*s%s%.*s apart",
		TEXT_ARG(number(arena, count, "pair")), by.len ? " of one " : "", TEXT_ARG(by),
		TEXT_ARG(duration(arena, property->gap_ms)), apart ? " and " : "",
		TEXT_ARG(apart ? duration(arena, property->more_ms) : TEXT("")));
}

static struct text equal_fact(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, int64_t count)
{
	struct text column = name_of(rows, property->column);

	if (property->kind == PROPERTY_UNIQUE)
		return text_format(arena, "%.*s of %.*s there before",
			TEXT_ARG(number(arena, count, "value")), TEXT_ARG(column));
	if (property->kind == PROPERTY_REPEATS)
		return text_format(arena, "%.*s of %.*s there before in its window of %.*s",
			TEXT_ARG(number(arena, count, "value")), TEXT_ARG(column),
			TEXT_ARG(duration(arena, property->size_ms)));
	return text_format(arena, "%.*s of %s%.*s%s%.*s in windows of %.*s",
		TEXT_ARG(number(arena, count, "tie")), property->sum ? "the sum of " : "",
		TEXT_ARG(column), property->sum ? " by " : "",
		TEXT_ARG(name_of(rows, property->by)),
		TEXT_ARG(duration(arena, property->size_ms)));
}

static struct text fact(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, int64_t count)
{
	struct text size = duration(arena, property->size_ms);

	switch (property->kind) {
	case PROPERTY_LATE:
	case PROPERTY_DROPPED: return late_fact(arena, property, count);
	case PROPERTY_TOUCHING:
	case PROPERTY_APART: return neighbour_fact(arena, rows, property, count);
	case PROPERTY_UNIQUE:
	case PROPERTY_REPEATS:
	case PROPERTY_NO_TIES: return equal_fact(arena, rows, property, count);
	case PROPERTY_STEPS:
		return text_format(arena, "%.*s of the highest time by at most %.*s",
			TEXT_ARG(number(arena, count, "rise")), TEXT_ARG(size));
	case PROPERTY_EDGE:
		return text_format(arena, "%.*s on an edge of windows of %.*s",
			TEXT_ARG(number(arena, count, "row")), TEXT_ARG(size));
	case PROPERTY_EMPTY_WINDOW: break;
	}
	return text_format(arena, "%.*s of %.*s without a row between others",
		TEXT_ARG(number(arena, count, "window")), TEXT_ARG(size));
}

static struct text bounds(struct arena *arena, const struct property *property)
{
	if (property->max == 0)
		return TEXT("none");
	if (property->max == PROPERTY_NO_LIMIT)
		return text_format(arena, "at least %" PRId64, property->min);
	return text_format(arena, "%" PRId64 " to %" PRId64, property->min, property->max);
}

static int add_finding(struct arena *arena, const struct fixture_rows *rows,
	const struct property *property, int64_t count, struct fixture_findings *findings)
{
	bool wrong = property_off(property, count) != 0;
	struct text text =
		text_format(arena, "%.*s: %s, %.*s", TEXT_ARG(fact(arena, rows, property, count)),
			wrong ? "not allowed" : "allowed", TEXT_ARG(bounds(arena, property)));

	if (!text.ptr || arena_grow(arena, &findings->items, findings->count, &findings->room,
				 sizeof(*findings->items)))
		return -ENOMEM;
	findings->items[findings->count++] = (struct fixture_finding){
		.wrong = wrong, .text = text, .line = property->line, .col = property->col};
	return 0;
}

int fixture_check(struct arena *arena, const struct fixture_rows *rows,
	const struct properties *properties, struct fixture_findings *findings)
{
	for (size_t i = 0; i < properties->count; i++) {
		struct property_count count;

		if (property_count(arena, rows, &properties->items[i], &count) ||
			add_finding(arena, rows, &properties->items[i], count.count, findings))
			return -ENOMEM;
	}
	return 0;
}

/* A group of lookalikes in words. The parameters of one mistake are one line: neighbours among
 * those that were tried make a range. */
#include <stdlib.h>

#include "daemon/grade/separating.h"
#include "parser/arena.h"

void line_put(struct line *line, struct text text)
{
	for (size_t i = 0; i < text.len && !line->nomem; i++) {
		line->nomem = arena_grow(line->arena, &line->bytes, line->count, &line->room, 1);
		if (!line->nomem)
			line->bytes[line->count++] = text.ptr[i];
	}
	line->nomem = line->nomem || !text.ptr;
}

struct text line_text(const struct line *line)
{
	return (struct text){line->bytes ? line->bytes : "", line->count};
}

/* Mistakes of one kind: the same ids in the same order. */
static bool same_kind(const struct mistake *a, const struct mistake *b)
{
	bool same = a->cause_count == b->cause_count;

	for (size_t i = 0; same && i < a->cause_count; i++)
		same = text_eq(text_of(a->causes[i].id), text_of(b->causes[i].id));
	return same;
}

static bool is_duration(const struct mistake *mistake)
{
	return mistake->cause_count == 1 && mistake->causes[0].param.kind == PARAM_DURATION;
}

static int by_number(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The durations of mistakes of a kind, ascending. NULL: no memory. */
static int64_t *durations(struct arena *arena, const struct mistake *kind,
	const struct catalogued *const *items, size_t count, size_t *ret)
{
	int64_t *list = arena_array(arena, count + 1, sizeof(*list));

	*ret = 0;
	for (size_t i = 0; list && i < count; i++)
		if (same_kind(&items[i]->mistake, kind))
			list[(*ret)++] = items[i]->mistake.causes[0].param.number;
	if (list)
		qsort(list, *ret, sizeof(*list), by_number);
	return list;
}

static void put_duration(struct line *line, int64_t ms)
{
	const struct param param = {.kind = PARAM_DURATION, .number = ms};

	line_put(line, param_print(line->arena, &param));
}

/* "delay=1s to 48s, 1h" */
static void put_ranges(struct line *line, const struct separation *s,
	const struct lookalikes *group, const struct mistake *kind)
{
	size_t count, tried, first = 0, at = 0;
	int64_t *mine = durations(line->arena, kind, group->items, group->count, &count),
		*all = durations(line->arena, kind, s->all, s->mistakes, &tried);

	line->nomem = line->nomem || !mine || !all;
	line_put(line, text_format(line->arena, "%s=", kind->causes[0].id));
	while (!line->nomem && first < count) {
		size_t last = first;

		while (all[at] != mine[first])
			at++;
		while (last + 1 < count && at + 1 < tried && all[at + 1] == mine[last + 1]) {
			last++;
			at++;
		}
		line_put(line, first ? TEXT(", ") : TEXT(""));
		put_duration(line, mine[first]);
		line_put(line, last > first ? TEXT(" to ") : TEXT(""));
		if (last > first)
			put_duration(line, mine[last]);
		first = last + 1;
	}
}

/* Behind the first of a kind its parameter alone, where there is one. */
static struct text spelling(struct arena *arena, const struct mistake *mistake, bool first)
{
	if (first || mistake->cause_count != 1)
		return mistake_print(arena, mistake);
	return param_print(arena, &mistake->causes[0].param);
}

/* More spellings of one kind than that are counted. */
#define MOST_SPELLINGS 6

static void put_spellings(
	struct line *line, const struct lookalikes *group, const struct mistake *kind)
{
	struct text last = {0};
	size_t put_count = 0, left = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct mistake *mistake = &group->items[i]->mistake;
		struct text text, whole;

		if (!same_kind(mistake, kind))
			continue;
		whole = mistake_print(line->arena, mistake);
		text = spelling(line->arena, mistake, put_count == 0);
		if (whole.ptr && text_eq(whole, last))
			continue;
		last = whole;
		if (put_count == MOST_SPELLINGS) {
			left++;
			continue;
		}
		line_put(line, put_count++ ? TEXT(", ") : TEXT(""));
		line_put(line, text);
	}
	if (left)
		line_put(line, text_format(line->arena, " and %zu more", left));
}

static bool is_first_of_kind(const struct lookalikes *group, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_kind(&group->items[i]->mistake, &group->items[at]->mistake))
			return false;
	return true;
}

size_t lookalikes_kinds(const struct lookalikes *group)
{
	size_t kinds = 0;

	for (size_t i = 0; i < group->count; i++)
		kinds += is_first_of_kind(group, i);
	return kinds;
}

void lookalikes_spell(struct line *line, const struct separation *s, const struct lookalikes *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct mistake *kind = &group->items[i]->mistake;

		if (!is_first_of_kind(group, i))
			continue;
		line_put(line, line->count ? TEXT(" | ") : TEXT(""));
		if (is_duration(kind))
			put_ranges(line, s, group, kind);
		else
			put_spellings(line, group, kind);
	}
}

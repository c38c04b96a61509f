/* The mistakes of a step by the fingerprints of their tables. The parameters of one mistake are one line:
 * neighbours among those that were tried make a range. */
#include "daemon/grade/separate.h"

#include <errno.h>
#include <stdlib.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* ---- grouping ---- */

static bool same_table(
	const struct catalogue *catalogue, const struct catalogued *a, const struct catalogued *b)
{
	return catalogue->shapes[a->shape].form == catalogue->shapes[b->shape].form &&
	       a->updates == b->updates && fingerprint_equal(&a->print, &b->print);
}

static bool takes_part(const struct catalogued *item, size_t query)
{
	return item->query == query && !item->mistake.far && !item->refused && !item->unknown;
}

static int add_item(
	struct arena *arena, struct lookalikes *group, size_t most, const struct catalogued *item)
{
	if (!group->items)
		group->items = arena_array(arena, most, sizeof(*group->items));
	if (!group->items)
		return -ENOMEM;
	group->items[group->count++] = item;
	return 0;
}

int separate_query(struct arena *arena, const struct catalogue *catalogue, size_t query,
	bool any_mode, struct separation *ret)
{
	struct separation s = {
		.groups = arena_array(arena, catalogue->count + 1, sizeof(*s.groups)), .count = 1};
	const struct table *asked = mutator_table(catalogue->mutator, query);
	bool updates = table_is_corrected(asked);
	struct fingerprint right;

	if (!s.groups || fingerprint_of(arena, asked, &right))
		return -ENOMEM;
	s.groups[0].right = true;
	for (size_t i = 0; i < catalogue->count; i++) {
		const struct catalogued *item = &catalogue->items[i];
		size_t at = 0;

		if (!takes_part(item, query))
			continue;
		s.mistakes++;
		if (!fingerprint_equal(&item->print, &right) || item->updates != updates ||
			(!any_mode && catalogue->shapes[item->shape].form != asked->form))
			for (at = 1; at < s.count; at++)
				if (same_table(catalogue, s.groups[at].items[0], item))
					break;
		s.count += at == s.count;
		if (add_item(arena, &s.groups[at], catalogue->count - i + 1, item))
			return -ENOMEM;
	}
	*ret = s;
	return 0;
}

/* ---- the report ---- */

#define LINE_WIDTH 100

struct report {
	struct arena *arena;
	char *bytes;
	size_t count, room;
	size_t column; /* in the line */
	bool nomem;
};

static void put(struct report *report, struct text text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (arena_grow(report->arena, &report->bytes, report->count, &report->room, 1)) {
			report->nomem = true;
			return;
		}
		report->bytes[report->count++] = text.ptr[i];
		report->column = text.ptr[i] == '\n' ? 0 : report->column + 1;
	}
}

/* A word behind a blank, on a new line where it does not fit. */
static void put_word(struct report *report, struct text word)
{
	if (report->column + 1 + word.len > LINE_WIDTH)
		put(report, TEXT("\n     "));
	put(report, TEXT(" "));
	put(report, word);
}

static void put_words(struct report *report, struct text words)
{
	while (words.len) {
		size_t blank = text_find(words, TEXT(" "));

		put_word(report, text_slice(words, 0, blank));
		words = blank < words.len ? text_slice(words, blank + 1, words.len)
					  : (struct text){0};
	}
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

struct step_report {
	struct report *report;
	const struct catalogued **all; /* that take part */
	size_t count;
};

static struct text duration_text(struct report *report, int64_t ms)
{
	struct param param = {.kind = PARAM_DURATION, .number = ms};
	struct text text = param_print(report->arena, &param);

	report->nomem = report->nomem || !text.ptr;
	return text;
}

/* "delay=1s to 48s, 1h" */
static void put_ranges(
	struct step_report *step, const struct lookalikes *group, const struct mistake *kind)
{
	struct report *report = step->report;
	size_t count, tried, first = 0, at = 0;
	int64_t *mine = durations(report->arena, kind, group->items, group->count, &count),
		*all = durations(report->arena, kind, step->all, step->count, &tried);

	if (!mine || !all) {
		report->nomem = true;
		return;
	}
	put(report, text_format(report->arena, " %s=", kind->causes[0].id));
	while (first < count) {
		size_t last = first;

		while (all[at] != mine[first])
			at++;
		while (last + 1 < count && at + 1 < tried && all[at + 1] == mine[last + 1]) {
			last++;
			at++;
		}
		put(report, first ? TEXT(", ") : TEXT(""));
		put(report, duration_text(report, mine[first]));
		if (last > first)
			put_words(report, text_format(report->arena, "to %.*s",
						  TEXT_ARG(duration_text(report, mine[last]))));
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
	struct report *report, const struct lookalikes *group, const struct mistake *kind)
{
	struct text last = {0};
	size_t put_count = 0, left = 0;

	for (size_t i = 0; i < group->count; i++) {
		struct text text;

		if (!same_kind(&group->items[i]->mistake, kind))
			continue;
		text = spelling(report->arena, &group->items[i]->mistake, put_count == 0);
		report->nomem = report->nomem || !text.ptr;
		if (text_eq(text, last))
			continue;
		last = text;
		if (put_count == MOST_SPELLINGS) {
			left++;
			continue;
		}
		if (put_count++)
			put(report, TEXT(","));
		put_words(report, text);
	}
	if (left)
		put_words(report, text_format(report->arena, "and %zu more", left));
}

static bool is_first_of_kind(const struct lookalikes *group, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_kind(&group->items[i]->mistake, &group->items[at]->mistake))
			return false;
	return true;
}

static size_t kinds_of(const struct lookalikes *group)
{
	size_t kinds = 0;

	for (size_t i = 0; i < group->count; i++)
		kinds += is_first_of_kind(group, i);
	return kinds;
}

static void put_group(struct step_report *step, const struct lookalikes *group)
{
	bool first = true;

	put(step->report, group->right ? TEXT("  as the right answer:") : TEXT("  alike:"));
	for (size_t i = 0; i < group->count; i++) {
		const struct mistake *kind = &group->items[i]->mistake;

		if (!is_first_of_kind(group, i))
			continue;
		if (!first)
			put_word(step->report, TEXT("|"));
		first = false;
		if (is_duration(kind))
			put_ranges(step, group, kind);
		else
			put_spellings(step->report, group, kind);
	}
	put(step->report, TEXT("\n"));
}

static size_t told_apart(const struct separation *s)
{
	size_t count = 0;

	for (size_t i = 1; i < s->count; i++)
		if (kinds_of(&s->groups[i]) == 1)
			count += s->groups[i].count;
	return count;
}

static int put_query(struct report *report, const struct step *step,
	const struct catalogue *catalogue, size_t query)
{
	struct separation s;
	struct step_report all = {.report = report};
	int err = separate_query(report->arena, catalogue, query, step->form.mode == FORM_FREE, &s);

	if (err < 0)
		return err;
	all.all = arena_array(report->arena, s.mistakes + 1, sizeof(*all.all));
	if (!all.all)
		return -ENOMEM;
	for (size_t i = 0; i < catalogue->count; i++)
		if (takes_part(&catalogue->items[i], query))
			all.all[all.count++] = &catalogue->items[i];
	put(report, step->id);
	if (mutator_count(catalogue->mutator) > 1)
		put(report, text_format(report->arena, "[%zu]", query + 1));
	put(report, text_format(report->arena, ": %zu of %zu mistakes are told by the table\n",
			    told_apart(&s), s.mistakes));
	for (size_t i = 0; i < s.count; i++)
		if (s.groups[i].right ? s.groups[i].count > 0 : kinds_of(&s.groups[i]) > 1)
			put_group(&all, &s.groups[i]);
	return report->nomem ? -ENOMEM : 0;
}

static int put_step(struct report *report, const struct step *step,
	const struct lab_files *lab_files, const struct sim_files *data, struct diag *reterr)
{
	struct arena arena;
	struct catalogue catalogue;
	struct text sql;
	int err = lab_files->read(lab_files->ctx, report->arena, step->reference, &sql, reterr);

	if (err < 0)
		return err;
	arena_init(&arena, LIMIT_GRADE_ARENA);
	err = catalogue_open(&arena, sql, data, &catalogue, reterr);
	if (err == 0)
		err = catalogue_make(&catalogue, MUTANTS_NEAR, INT64_MAX);
	for (size_t i = 0; err == 0 && i < mutator_count(catalogue.mutator); i++)
		err = put_query(report, step, &catalogue, i);
	arena_finish(&arena);
	if (err == -ENOMEM)
		return diag_nomem(reterr);
	return err;
}

int separate_lab(struct arena *arena, const struct lab *lab, const struct lab_files *lab_files,
	const struct sim_files *data, struct text *ret, struct diag *reterr)
{
	struct report report = {.arena = arena};
	int err = 0;

	for (size_t i = 0; i < lab->step_count && err == 0; i++)
		if (lab->steps[i].kind == STEP_TABLES)
			err = put_step(&report, &lab->steps[i], lab_files, data, reterr);
	if (err == 0)
		*ret = (struct text){report.bytes ? report.bytes : "", report.count};
	return err;
}

/* The report: mistakes that give one table, each such group once with all steps that have it, and what data
 * would tell. The parameters of one mistake are one line: neighbours among those that were tried make a
 * range. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/grade/separate.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

#define LINE_WIDTH 100

/* Text that grows. */
struct line {
	struct arena *arena;
	char *bytes;
	size_t count, room;
	bool nomem;
};

static void put(struct line *line, struct text text)
{
	for (size_t i = 0; i < text.len && !line->nomem; i++) {
		line->nomem = arena_grow(line->arena, &line->bytes, line->count, &line->room, 1);
		if (!line->nomem)
			line->bytes[line->count++] = text.ptr[i];
	}
	line->nomem = line->nomem || !text.ptr;
}

static struct text line_text(const struct line *line)
{
	return (struct text){line->bytes ? line->bytes : "", line->count};
}

/* ---- spelling a group ---- */

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

	put(line, param_print(line->arena, &param));
}

/* "delay=1s to 48s, 1h" */
static void put_ranges(struct line *line, const struct separation *s,
	const struct lookalikes *group, const struct mistake *kind)
{
	size_t count, tried, first = 0, at = 0;
	int64_t *mine = durations(line->arena, kind, group->items, group->count, &count),
		*all = durations(line->arena, kind, s->all, s->mistakes, &tried);

	line->nomem = line->nomem || !mine || !all;
	put(line, text_format(line->arena, "%s=", kind->causes[0].id));
	while (!line->nomem && first < count) {
		size_t last = first;

		while (all[at] != mine[first])
			at++;
		while (last + 1 < count && at + 1 < tried && all[at + 1] == mine[last + 1]) {
			last++;
			at++;
		}
		put(line, first ? TEXT(", ") : TEXT(""));
		put_duration(line, mine[first]);
		put(line, last > first ? TEXT(" to ") : TEXT(""));
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
		put(line, put_count++ ? TEXT(", ") : TEXT(""));
		put(line, text);
	}
	if (left)
		put(line, text_format(line->arena, " and %zu more", left));
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

static void put_group(struct line *line, const struct separation *s, const struct lookalikes *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct mistake *kind = &group->items[i]->mistake;

		if (!is_first_of_kind(group, i))
			continue;
		put(line, line->count ? TEXT(" | ") : TEXT(""));
		if (is_duration(kind))
			put_ranges(line, s, group, kind);
		else
			put_spellings(line, group, kind);
	}
}

/* ---- what data would tell ---- */

/* Ids that begin so, and what tells such a mistake from the right answer. */
static const struct {
	const char *ids[4];
	const char *tells;
} advices[] = {
	{{"delay", "interval", "no-watermark"},
		"rows that are dropped at one and kept at the other (the property \"dropped\" with "
		"\"kept\"); where nothing is dropped, as in batch, no data can"},
	{{"sorted-input", "parallelism", "filter"}, "more late rows (\"late\", \"dropped\")"},
	{{"late-cmp"}, "a late row whose time is exactly the watermark"},
	{{"agg-function"}, "a value that stands twice in a window (\"repeats\"); for a column "
			   "whose values are "
			   "unique no data can"},
	{{"window", "offset", "args"},
		"rows on edges and windows without a row (\"edge\", \"empty-window\")"},
	{{"session"}, "neighbours just near enough and just too far (\"touching\", \"apart\")"},
	{{"topn"}, "windows with more rows than are kept, in another order than they come"},
	{{"limit"}, "more rows in the result"},
};

#define ADVICE_COUNT (sizeof(advices) / sizeof(advices[0]))

static bool is_about(size_t advice, const char *id)
{
	for (size_t i = 0; i < 4 && advices[advice].ids[i]; i++)
		if (text_starts(text_of(id), text_of(advices[advice].ids[i])))
			return true;
	return false;
}

/* ---- the report ---- */

/* A group, and the steps that have it: "w5, sweep[1]". */
struct entry {
	bool right;
	struct text text;
	struct text steps;
};

struct report {
	struct arena *arena;
	struct line counts; /* "batch 137 of 309, w5 223 of 343" */
	struct entry *entries;
	size_t count, room;
	struct line advised[ADVICE_COUNT]; /* the ids that each is for */
};

static int add_entry(struct report *report, bool right, struct text text, struct text step)
{
	for (size_t i = 0; i < report->count; i++) {
		struct entry *entry = &report->entries[i];

		if (entry->right != right || !text_eq(entry->text, text))
			continue;
		entry->steps = text_format(
			report->arena, "%.*s, %.*s", TEXT_ARG(entry->steps), TEXT_ARG(step));
		return entry->steps.ptr ? 0 : -ENOMEM;
	}
	if (arena_grow(report->arena, &report->entries, report->count, &report->room,
		    sizeof(*report->entries)))
		return -ENOMEM;
	report->entries[report->count++] = (struct entry){right, text, step};
	return 0;
}

/* The advice for each mistake that gives a right answer. */
static void advise(struct report *report, const struct lookalikes *group)
{
	for (size_t i = 0; i < group->count; i++)
		for (size_t k = 0; k < ADVICE_COUNT; k++) {
			struct text id = text_of(group->items[i]->mistake.causes[0].id);
			struct line *ids = &report->advised[k];

			if (!is_about(k, id.ptr) || text_find(line_text(ids), id) < ids->count)
				continue;
			ids->arena = report->arena;
			put(ids, ids->count ? TEXT(", ") : TEXT(""));
			put(ids, id);
		}
}

static size_t told_apart(const struct separation *s)
{
	size_t count = 0;

	for (size_t i = 1; i < s->count; i++)
		if (kinds_of(&s->groups[i]) == 1)
			count += s->groups[i].count;
	return count;
}

static int report_query(struct report *report, struct text name, const struct separation *s)
{
	put(&report->counts, report->counts.count ? TEXT(", ") : TEXT(""));
	put(&report->counts, text_format(report->arena, "%.*s %zu of %zu", TEXT_ARG(name),
				     told_apart(s), s->mistakes));
	for (size_t i = 0; i < s->count; i++) {
		const struct lookalikes *group = &s->groups[i];
		struct line line = {.arena = report->arena};

		if (group->right ? group->count == 0 : kinds_of(group) < 2)
			continue;
		put_group(&line, s, group);
		if (line.nomem || add_entry(report, group->right, line_text(&line), name))
			return -ENOMEM;
		if (group->right)
			advise(report, group);
	}
	return report->counts.nomem ? -ENOMEM : 0;
}

/* ---- printing ---- */

/* Words on lines of the width, behind so many blanks, and on those behind the first behind more. */
static void put_wrapped(struct line *out, size_t indent, struct text words)
{
	size_t column = 0;

	for (; column < indent; column++)
		put(out, TEXT(" "));
	while (words.len) {
		size_t blank = text_find(words, TEXT(" "));
		struct text word = text_slice(words, 0, blank);

		if (column > indent && column + 1 + word.len > LINE_WIDTH) {
			put(out, TEXT("\n     "));
			column = 5;
		}
		put(out, column > indent ? TEXT(" ") : TEXT(""));
		column += word.len + (column > indent);
		put(out, word);
		words = blank < words.len ? text_slice(words, blank + 1, words.len)
					  : (struct text){0};
	}
	put(out, TEXT("\n"));
}

static void put_entries(struct line *out, const struct report *report, bool right, const char *head)
{
	bool any = false;

	for (size_t i = 0; i < report->count; i++) {
		const struct entry *entry = &report->entries[i];

		if (entry->right != right)
			continue;
		if (!any)
			put_wrapped(out, 0, text_of(head));
		any = true;
		put_wrapped(out, 2,
			text_format(out->arena, "%.*s: %.*s", TEXT_ARG(entry->steps),
				TEXT_ARG(entry->text)));
	}
}

static void put_advice(struct line *out, const struct report *report)
{
	bool any = false;

	for (size_t k = 0; k < ADVICE_COUNT; k++) {
		const struct line *ids = &report->advised[k];

		if (!ids->count)
			continue;
		if (!any)
			put_wrapped(out, 0, TEXT("What would tell them from the right answer:"));
		any = true;
		put_wrapped(out, 2,
			text_format(out->arena, "%.*s: %s", TEXT_ARG(line_text(ids)),
				advices[k].tells));
	}
}

static struct text print(const struct report *report)
{
	struct line out = {.arena = report->arena};

	if (report->counts.count)
		put_wrapped(&out, 0,
			text_format(report->arena, "Mistakes that the data tell for certain: %.*s",
				TEXT_ARG(line_text(&report->counts))));
	put_entries(&out, report, true, "These give the right answer, and pass:");
	put_entries(&out, report, false,
		"These give one wrong table, so that a learner is told of several causes:");
	put_advice(&out, report);
	return out.nomem ? (struct text){0} : line_text(&out);
}

/* ---- all steps ---- */

static int report_step(struct report *report, const struct step *step,
	const struct lab_files *lab_files, const struct sim_files *data, struct diag *reterr)
{
	struct arena arena;
	struct catalogue catalogue;
	struct text sql, name = step->id;
	int err = lab_files->read(lab_files->ctx, report->arena, step->reference, &sql, reterr);

	if (err < 0)
		return err;
	arena_init(&arena, LIMIT_GRADE_ARENA);
	err = catalogue_open(&arena, sql, data, &catalogue, reterr);
	if (err == 0)
		err = catalogue_make(&catalogue, MUTANTS_NEAR, INT64_MAX);
	for (size_t i = 0; err == 0 && i < mutator_count(catalogue.mutator); i++) {
		struct separation s;

		if (mutator_count(catalogue.mutator) > 1)
			name = text_format(report->arena, "%.*s[%zu]", TEXT_ARG(step->id), i + 1);
		err = separate_query(&arena, &catalogue, i, step->form.mode == FORM_FREE, &s);
		if (err == 0)
			err = report_query(report, name, &s);
	}
	arena_finish(&arena);
	return err == -ENOMEM ? diag_nomem(reterr) : err;
}

int separate_lab(struct arena *arena, const struct lab *lab, const struct lab_files *lab_files,
	const struct sim_files *data, struct text *ret, struct diag *reterr)
{
	struct report report = {.arena = arena, .counts = {.arena = arena}};
	struct text text;
	int err = 0;

	for (size_t i = 0; i < lab->step_count && err == 0; i++)
		if (lab->steps[i].kind == STEP_TABLES)
			err = report_step(&report, &lab->steps[i], lab_files, data, reterr);
	if (err)
		return err;
	text = print(&report);
	if (!text.ptr)
		return diag_nomem(reterr);
	*ret = text;
	return 0;
}

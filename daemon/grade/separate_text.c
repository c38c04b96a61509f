/* The report: mistakes that give one table, each such group once with all steps that have it, and
 * what data would tell. */
#include <errno.h>

#include "daemon/grade/separating.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

#define LINE_WIDTH 100

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
			line_put(ids, ids->count ? TEXT(", ") : TEXT(""));
			line_put(ids, id);
		}
}

static size_t told_apart(const struct separation *s)
{
	size_t count = 0;

	for (size_t i = 1; i < s->count; i++)
		if (lookalikes_kinds(&s->groups[i]) == 1)
			count += s->groups[i].count;
	return count;
}

static int report_query(struct report *report, struct text name, const struct separation *s)
{
	line_put(&report->counts, report->counts.count ? TEXT(", ") : TEXT(""));
	line_put(&report->counts, text_format(report->arena, "%.*s %zu of %zu", TEXT_ARG(name),
					  told_apart(s), s->mistakes));
	for (size_t i = 0; i < s->count; i++) {
		const struct lookalikes *group = &s->groups[i];
		struct line line = {.arena = report->arena};

		if (group->right ? group->count == 0 : lookalikes_kinds(group) < 2)
			continue;
		lookalikes_spell(&line, s, group);
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
		line_put(out, TEXT(" "));
	while (words.len) {
		size_t blank = text_find(words, TEXT(" "));
		struct text word = text_slice(words, 0, blank);

		if (column > indent && column + 1 + word.len > LINE_WIDTH) {
			line_put(out, TEXT("\n     "));
			column = 5;
		}
		line_put(out, column > indent ? TEXT(" ") : TEXT(""));
		column += word.len + (column > indent);
		line_put(out, word);
		words = blank < words.len ? text_slice(words, blank + 1, words.len)
					  : (struct text){0};
	}
	line_put(out, TEXT("\n"));
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
	put_entries(&out, report, true,
		"These give the right rows: they pass, or are partial where the step asks for that "
		"part of the query:");
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
		err = catalogue_make(&catalogue, MUTANTS_NEAR, &(int64_t){INT64_MAX});
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

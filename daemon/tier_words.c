/* Tiers in words: what each says, and what of it stands in the sentence after a save. */
#include "daemon/tier_words.h"

#include "daemon/tiers.h"
#include "parser/arena.h"
#include "parser/encoding.h"

/* The lab's hints of one tier: the first is told with the second tier, or else with the others. */
static void add_hints(const struct sheet *sheet, const struct status_step *step, int64_t tier,
	struct lines *lines)
{
	size_t first = tier_hints(TIER_CONCEPT, &step->verdict, step->hint_count);
	size_t from = tier == TIER_ROW ? first : 0,
	       to = tier == TIER_ROW ? step->hint_count : first;

	for (size_t i = from; i < to; i++) {
		struct text hint = sheet_text(sheet, &step->hints[i]);
		if (hint.len)
			lines_add(sheet, lines,
				text_format(sheet->arena, tr("Hint: %.*s"), TEXT_ARG(hint)));
	}
}

static void add_links(
	const struct sheet *sheet, const struct status_step *step, struct lines *lines)
{
	for (size_t i = 0; i < step->link_count; i++)
		lines_add(sheet, lines,
			text_format(sheet->arena, tr("Read more: %.*s, %.*s"),
				TEXT_ARG(sheet_text(sheet, &step->links[i].title)),
				TEXT_ARG(step->links[i].url)));
}

/* The command that shows it. */
static void add_look(const struct sheet *sheet, const struct status_step *step, struct lines *lines)
{
	const struct look *look = &step->look;
	struct text select = TEXT(""), command;

	if (!look_found(look))
		return;
	if (look->select)
		select = text_format(sheet->arena, "--select %lld ", (long long)look->select);
	if (look->row) {
		command = text_format(sheet->arena, "ewin-sim explain %.*s--row %lld %.*s",
			TEXT_ARG(select), (long long)look->row, TEXT_ARG(step->sql.name));
		lines_add(sheet, lines,
			text_format(sheet->arena, tr("Look at row %lld of the data: %.*s"),
				(long long)look->row, TEXT_ARG(command)));
	} else {
		command = text_format(sheet->arena, "ewin-sim explain %.*s--window '%s' %.*s",
			TEXT_ARG(select), look->window, TEXT_ARG(step->sql.name));
		lines_add(sheet, lines,
			text_format(sheet->arena, tr("Look at the window of %s: %.*s"),
				look->window, TEXT_ARG(command)));
	}
}

static void add_tier(const struct sheet *sheet, const struct status_step *step, int64_t tier,
	enum beside beside, struct lines *lines)
{
	size_t before = lines->count;

	if (tier == TIER_ROW)
		add_look(sheet, step, lines);
	add_hints(sheet, step, tier, lines);
	if (tier == TIER_CONCEPT && lines->count == before)
		lines_add_causes(sheet, &step->verdict, beside, lines);
	if (tier == TIER_ROW)
		add_links(sheet, step, lines);
	if (lines->count == before && (tier == TIER_ROW || !tier_has_cause(&step->verdict)))
		lines_add(sheet, lines, text_of(tr("There is no further hint to this step.")));
}

void lines_add_tier(const struct sheet *sheet, const struct status_step *step, int64_t tier,
	struct lines *lines)
{
	if (tier == TIER_CONCEPT || tier == TIER_ROW)
		add_tier(sheet, step, tier, BESIDE_NOTHING, lines);
}

static struct text dropped_text(const struct sheet *sheet, const struct lesson_run *run)
{
	if (run->batch)
		return text_of(tr("A batch run sees all rows before it answers: none is late."));
	if (!run->windowed)
		return TEXT("");
	if (!run->dropped.told)
		return text_of(tr("Rows that come when all their windows are closed are dropped."));
	if (!run->dropped.number)
		return text_of(tr("No row was dropped: each came before its last window closed."));
	return text_format(sheet->arena,
		tr("Dropped: %lld rows, since all their windows were closed when they came."),
		(long long)run->dropped.number);
}

static struct text filtered_text(const struct sheet *sheet, const struct lesson_run *run)
{
	if (!run->filtered.told || !run->filtered.number)
		return TEXT("");
	return text_format(sheet->arena, tr("Taken out by WHERE: %lld rows."),
		(long long)run->filtered.number);
}

/* What the run did, and how to see each row of it. */
static void add_lesson(
	const struct sheet *sheet, const struct status_step *step, struct lines *lines)
{
	for (size_t i = 0; i < step->lesson.count; i++) {
		struct text parts[] = {dropped_text(sheet, &step->lesson.runs[i]),
			filtered_text(sheet, &step->lesson.runs[i])};
		for (size_t k = 0; k < 2; k++)
			lines_add(sheet, lines,
				parts[k].len && step->lesson.count > 1
					? text_format(sheet->arena, tr("Table %d: %.*s"),
						  (int)i + 1, TEXT_ARG(parts[k]))
					: parts[k]);
	}
	if (step->lesson.count && step->sql.state == FILE_THERE)
		lines_add(sheet, lines,
			text_format(sheet->arena, tr("Each row: ewin-sim explain %.*s"),
				TEXT_ARG(step->sql.name)));
}

/* That the data have changed is no hint, but news: nobody has to be wrong twice to hear it. */
static int64_t open_tier(const struct status_step *step)
{
	const struct verdict *verdict = &step->verdict;

	if (step->hint_tier < TIER_CONCEPT && verdict->diagnosis_count == 1 &&
		verdict->diagnosis[0].id == DIAG_OTHER_DATA &&
		text_eq(verdict->diagnosis[0].param, TEXT("newer")))
		return TIER_CONCEPT;
	return step->hint_tier;
}

void lines_add_tiers(const struct sheet *sheet, const struct status_step *step, struct lines *lines)
{
	for (int64_t tier = TIER_CONCEPT;
		tier_applies(&step->verdict) && tier <= open_tier(step) && tier <= TIER_ROW; tier++)
		add_tier(sheet, step, tier, BESIDE_VERDICT, lines);
	lines_add(sheet, lines, sheet_text(sheet, &step->learned));
	add_lesson(sheet, step, lines);
	if (step->verdict.kind == VERDICT_PASS)
		add_links(sheet, step, lines);
}

static bool contains(struct text whole, struct text part)
{
	return text_find(whole, part) < whole.len;
}

bool tiers_tell_more(
	const struct sheet *sheet, const struct status_step *step, struct text sentence)
{
	const struct text none = text_of(tr("There is no further hint to this step."));
	struct lines lines = {0};

	lines_add_tiers(sheet, step, &lines);
	for (size_t i = 0; i < lines.count; i++) {
		bool said = contains(sentence, lines.items[i]) || text_eq(lines.items[i], none);

		for (size_t k = 0; !said && k < step->hint_count; k++) {
			struct text hint = sheet_text(sheet, &step->hints[k]);

			said = hint.len && text_ends(lines.items[i], hint) &&
			       contains(sentence, hint);
		}
		if (!said)
			return true;
	}
	return false;
}

/* Two sentences in a row. Behind the full stop of Japanese and Chinese stands no blank. */
static struct text join_sentences(struct arena *arena, struct text first, struct text second)
{
	bool parted = first.len && second.len && !text_ends(first, TEXT("。"));

	return text_format(
		arena, "%.*s%s%.*s", TEXT_ARG(first), parted ? " " : "", TEXT_ARG(second));
}

static struct text concept(
	const struct sheet *sheet, const struct status_step *step, enum beside beside)
{
	struct text all = TEXT("");
	struct lines lines = {0};

	if (step->verdict.kind == VERDICT_PASS)
		return sheet_text(sheet, &step->learned);
	if (!tier_applies(&step->verdict) || open_tier(step) < TIER_CONCEPT)
		return all;
	if (!tier_has_cause(&step->verdict))
		return step->hint_count ? sheet_text(sheet, &step->hints[0]) : all;
	lines_add_causes(sheet, &step->verdict, beside, &lines);
	for (size_t i = 0; i < lines.count; i++)
		all = join_sentences(sheet->arena, all, lines.items[i]);
	return all;
}

/* The same in fewer words. */
static struct text concept_in_short(const struct sheet *sheet, const struct status_step *step)
{
	if (!tier_applies(&step->verdict) || open_tier(step) < TIER_CONCEPT ||
		!tier_has_cause(&step->verdict))
		return TEXT("");
	return cause_in_short(sheet, &step->verdict);
}

/* Causes that lead back to the place: without it they say nothing. */
static bool is_of_place(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		if (verdict->diagnosis[i].id == DIAG_UNRECOGNISED ||
			verdict->diagnosis[i].id == DIAG_EDITED_BY_HAND)
			return true;
	return false;
}

/* Where it is off, and what fits behind it; a cause that leads back to the place is told, if it
 * takes a third line. */
static struct text place_first(const struct sheet *sheet, const struct status_step *step,
	struct text summary, struct text more, size_t columns)
{
	struct text whole = join_sentences(sheet->arena, summary, more);
	struct text brief = join_sentences(sheet->arena, summary, concept_in_short(sheet, step));

	if (client_width(whole) <= columns || is_of_place(&step->verdict))
		return whole;
	return client_width(brief) <= columns ? brief : summary;
}

struct text tier_news(const struct sheet *sheet, const struct status_step *step,
	struct text summary, size_t columns)
{
	struct text more = concept(sheet, step, BESIDE_SUMMARY);
	struct text choices[] = {join_sentences(sheet->arena, summary, more),
		concept(sheet, step, BESIDE_NOTHING), concept_in_short(sheet, step)};
	enum verdict_kind kind = step->verdict.kind;

	/* What the lab says of the whole step tells nobody what is off. */
	if (kind == VERDICT_PARTIAL || is_of_place(&step->verdict) ||
		(kind == VERDICT_FAIL && !tier_has_cause(&step->verdict)))
		return more.len ? place_first(sheet, step, summary, more, columns) : summary;

	for (size_t i = 0; more.len && i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i].len && client_width(choices[i]) <= columns)
			return choices[i];
	/* A cause that is due is told, if it takes a third line. */
	if (more.len && tier_has_cause(&step->verdict))
		return choices[2].len ? choices[2] : choices[1];
	return summary;
}

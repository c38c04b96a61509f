/* Tiers in words. A parameter is quoted where it is something that the learner wrote or set, never where
 * it names what the task asks for: a missing key, a missing column. */
#include "daemon/tier_words.h"

#include "daemon/grade/saying.h"
#include "daemon/tiers.h"
#include "parser/arena.h"
#include "parser/encoding.h"

/* No line twice. */
static void add(const struct sheet *sheet, struct lines *lines, struct text line)
{
	for (size_t i = 0; i < lines->count; i++)
		if (text_eq(lines->items[i], line))
			return;
	if (!line.len || arena_grow(sheet->arena, &lines->items, lines->count, &lines->room,
				 sizeof(*lines->items)) < 0)
		return;
	lines->items[lines->count++] = line;
}

static bool is_own(enum diagnosis_id id)
{
	switch (id) {
	case DIAG_DELAY:
	case DIAG_PARALLELISM:
	case DIAG_INTERVAL:
	case DIAG_WINDOW_KIND:
	case DIAG_WINDOW_SIZE:
	case DIAG_WINDOW_SLIDE:
	case DIAG_SESSION_GAP:
	case DIAG_OFFSET:
	case DIAG_NO_WINDOW:
	case DIAG_GROUP_KEY_EXTRA:
	case DIAG_AGG_FUNCTION:
	case DIAG_AGG_COLUMN:
	case DIAG_COLUMN_EXTRA:
	case DIAG_LIMIT:
	case DIAG_ORDER_BY:
	case DIAG_LATE_CMP:
	case DIAG_TOPN_N:
	case DIAG_TIME_ZONE:
	case DIAG_NO_TIME_ATTRIBUTE:
	case DIAG_ERROR_UNKNOWN_NAME: return true;
	default: return false;
	}
}

/* COUNT-DISTINCT:reading, as the catalogue has it, is written COUNT(DISTINCT reading). */
static struct text call_text(const struct sheet *sheet, struct text param)
{
	const struct text mark = TEXT("-DISTINCT");
	size_t colon = text_find(param, TEXT(":"));
	struct text name = text_slice(param, 0, colon);
	struct text column = colon < param.len ? text_slice(param, colon + 1, param.len) : TEXT("");

	if (!column.len)
		return param;
	if (!text_ends(name, mark))
		return text_format(sheet->arena, "%.*s(%.*s)", TEXT_ARG(name), TEXT_ARG(column));
	name = text_slice(name, 0, name.len - mark.len);
	return text_format(sheet->arena, "%.*s(DISTINCT %.*s)", TEXT_ARG(name), TEXT_ARG(column));
}

/* "none" and its like are words of the catalogue, not of the learner. */
static struct text quoted_of(const struct sheet *sheet, const struct diagnosis *cause)
{
	if (!is_own(cause->id) || text_eq(cause->param, TEXT("none")))
		return TEXT("");
	if (cause->id == DIAG_AGG_FUNCTION)
		return call_text(sheet, cause->param);
	if (cause->id == DIAG_LATE_CMP && cause->param.len)
		return text_format(sheet->arena, "\"%.*s\"", TEXT_ARG(cause->param));
	return cause->param;
}

/* Is this the same cause as an earlier one of the alternatives, with another parameter? */
static bool is_told(const struct verdict *verdict, size_t i)
{
	const struct diagnosis *cause = &verdict->diagnosis[i];

	for (size_t j = 0; cause->ambiguous && j < i; j++)
		if (verdict->diagnosis[j].ambiguous && verdict->diagnosis[j].id == cause->id)
			return true;
	return false;
}

/* Its parameter, and those of the alternatives that are the same cause: "0s or 2s". */
static struct text all_quoted(const struct sheet *sheet, const struct verdict *verdict, size_t i)
{
	const struct diagnosis *cause = &verdict->diagnosis[i];
	struct text all = quoted_of(sheet, cause);

	for (size_t j = i + 1; cause->ambiguous && all.len && j < verdict->diagnosis_count; j++) {
		const struct diagnosis *other = &verdict->diagnosis[j];
		struct text quoted = quoted_of(sheet, other);
		if (!other->ambiguous || other->id != cause->id || !quoted.len ||
			text_eq(other->param, cause->param))
			continue;
		all = text_format(
			sheet->arena, tr("%.*s or %.*s"), TEXT_ARG(all), TEXT_ARG(quoted));
	}
	return all;
}

/* The key of a report that the cause is of; the other parameters are words of the catalogue. */
static struct text report_key(const struct diagnosis *cause)
{
	size_t colon = text_find(cause->param, TEXT(":"));

	switch (cause->id) {
	case DIAG_REPORT_TYPE:
		return colon < cause->param.len ? text_slice(cause->param, 0, colon) : TEXT("");
	case DIAG_REPORT_NOT_DIFFERENCE:
		return text_eq(cause->param, TEXT("sign")) ? TEXT("") : cause->param;
	case DIAG_REPORT_SWAPPED:
	case DIAG_REPORT_FROM_OTHER:
	case DIAG_REPORT_LATE_FOR_DROPPED:
	case DIAG_REPORT_COUNTED_LINES:
	case DIAG_REPORT_UNIT:
	case DIAG_REPORT_WRONG: return cause->param;
	default: return TEXT("");
	}
}

/* Its sentence, with the key that it is of. */
static struct text sentence(
	const struct sheet *sheet, const struct verdict *verdict, const struct diagnosis *cause)
{
	struct text key = report_key(cause), line = text_of(tr(saying_of(verdict, cause)));

	return key.len ? text_format(sheet->arena, tr("%.*s: %.*s"), TEXT_ARG(key), TEXT_ARG(line))
		       : line;
}

static struct text cause_text(const struct sheet *sheet, const struct verdict *verdict, size_t i)
{
	const struct diagnosis *cause = &verdict->diagnosis[i];
	struct text quoted = all_quoted(sheet, verdict, i);
	struct text line = sentence(sheet, verdict, cause);

	if (quoted.len)
		line = text_format(
			sheet->arena, tr("%.*s Yours: %.*s."), TEXT_ARG(line), TEXT_ARG(quoted));
	if (cause->table && !cause->ambiguous)
		line = text_format(
			sheet->arena, tr("Table %d: %.*s"), cause->table, TEXT_ARG(line));
	return line;
}

/* Causes that say no more than a message of the verdict does. */
static const struct {
	enum diagnosis_id cause;
	enum message_id message;
} same[] = {{DIAG_BATCH_MODE, MSG_BATCH_RUN}, {DIAG_STREAMING_MODE, MSG_STREAMING_RUN},
	{DIAG_NO_WATERMARK, MSG_NO_WATERMARK}, {DIAG_COLUMN_MISSING, MSG_COLUMN_MISSING},
	{DIAG_COLUMN_MISSING, MSG_COLUMN_NOT_THERE}, {DIAG_COLUMN_EXTRA, MSG_COLUMN_EXTRA},
	{DIAG_COLUMN_NAMES, MSG_COLUMN_NAMES}, {DIAG_COLUMN_NAMES, MSG_COLUMN_UNNAMED},
	{DIAG_COLUMN_ORDER, MSG_COLUMN_ORDER}, {DIAG_TABLE_REPEATED, MSG_TABLE_REPEATED},
	{DIAG_TABLE_EXTRA, MSG_TABLE_EXTRA}, {DIAG_ORDER_OF_TABLES, MSG_TABLES_SWAPPED},
	{DIAG_TRUNCATED, MSG_TRUNCATED}, {DIAG_INTERRUPTED, MSG_INTERRUPTED},
	{DIAG_EDITED_BY_HAND, MSG_EDITED}, {DIAG_EMPTY_FILE, MSG_EMPTY_FILE},
	{DIAG_REPORT_SHAPE, MSG_REPORT_SHAPE}, {DIAG_REPORT_TYPE, MSG_REPORT_FORM},
	{DIAG_REPORT_MISSING_KEY, MSG_REPORT_KEY}};

static bool says(const struct message *message, enum diagnosis_id cause)
{
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (same[i].cause == cause && same[i].message == message->id)
			return true;
	return false;
}

/* Is the cause said by what is printed of the verdict already? */
static bool is_said(
	const struct verdict *verdict, const struct diagnosis *cause, enum beside beside)
{
	bool said = beside != BESIDE_NOTHING && says(&verdict->summary, cause->id);

	for (size_t i = 0; beside == BESIDE_VERDICT && i < verdict->remark_count; i++)
		said = said || says(&verdict->remarks[i], cause->id);
	return said && !cause->ambiguous;
}

/* How many sentences the alternatives are. */
static size_t count_alternatives(const struct verdict *verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		count += verdict->diagnosis[i].ambiguous && !is_told(verdict, i);
	return count;
}

void lines_add_causes(const struct sheet *sheet, const struct verdict *verdict, enum beside beside,
	struct lines *lines)
{
	size_t alternatives = count_alternatives(verdict), told = 0;

	for (size_t i = 0; i < verdict->diagnosis_count; i++) {
		struct text line;
		if (is_told(verdict, i) || is_said(verdict, &verdict->diagnosis[i], beside))
			continue;
		line = cause_text(sheet, verdict, i);
		if (verdict->diagnosis[i].ambiguous && alternatives > 1)
			line = told++ ? text_format(sheet->arena, tr("Or: %.*s"), TEXT_ARG(line))
				      : text_format(
						sheet->arena, tr("Either: %.*s"), TEXT_ARG(line));
		add(sheet, lines, line);
	}
}

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
			add(sheet, lines,
				text_format(sheet->arena, tr("Hint: %.*s"), TEXT_ARG(hint)));
	}
}

static void add_links(
	const struct sheet *sheet, const struct status_step *step, struct lines *lines)
{
	for (size_t i = 0; i < step->link_count; i++)
		add(sheet, lines,
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
		add(sheet, lines,
			text_format(sheet->arena, tr("Look at row %lld of the data: %.*s"),
				(long long)look->row, TEXT_ARG(command)));
	} else {
		command = text_format(sheet->arena, "ewin-sim explain %.*s--window '%s' %.*s",
			TEXT_ARG(select), look->window, TEXT_ARG(step->sql.name));
		add(sheet, lines,
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
		add(sheet, lines, text_of(tr("There is no further hint to this step.")));
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
			add(sheet, lines,
				parts[k].len && step->lesson.count > 1
					? text_format(sheet->arena, tr("Table %d: %.*s"),
						  (int)i + 1, TEXT_ARG(parts[k]))
					: parts[k]);
	}
	if (step->lesson.count && step->sql.state == FILE_THERE)
		add(sheet, lines,
			text_format(sheet->arena, tr("Each row: ewin-sim explain %.*s"),
				TEXT_ARG(step->sql.name)));
}

void lines_add_tiers(const struct sheet *sheet, const struct status_step *step, struct lines *lines)
{
	for (int64_t tier = TIER_CONCEPT;
		tier_applies(&step->verdict) && tier <= step->hint_tier && tier <= TIER_ROW; tier++)
		add_tier(sheet, step, tier, BESIDE_VERDICT, lines);
	add(sheet, lines, sheet_text(sheet, &step->learned));
	add_lesson(sheet, step, lines);
	if (step->verdict.kind == VERDICT_PASS)
		add_links(sheet, step, lines);
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
	if (!tier_applies(&step->verdict) || step->hint_tier < TIER_CONCEPT)
		return all;
	if (!tier_has_cause(&step->verdict))
		return step->hint_count ? sheet_text(sheet, &step->hints[0]) : all;
	lines_add_causes(sheet, &step->verdict, beside, &lines);
	for (size_t i = 0; i < lines.count; i++)
		all = join_sentences(sheet->arena, all, lines.items[i]);
	return all;
}

/* The same in fewer words: the first cause, without what the learner wrote. */
static struct text concept_in_short(const struct sheet *sheet, const struct status_step *step)
{
	const struct verdict *verdict = &step->verdict;

	if (!tier_applies(verdict) || step->hint_tier < TIER_CONCEPT || !tier_has_cause(verdict) ||
		count_alternatives(verdict) > 1)
		return TEXT("");
	return sentence(sheet, verdict, &verdict->diagnosis[0]);
}

struct text tier_news(const struct sheet *sheet, const struct status_step *step,
	struct text summary, size_t columns)
{
	struct text more = concept(sheet, step, BESIDE_SUMMARY);
	struct text choices[] = {join_sentences(sheet->arena, summary, more),
		concept(sheet, step, BESIDE_NOTHING), concept_in_short(sheet, step)};

	for (size_t i = 0; more.len && i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i].len && client_width(choices[i]) <= columns)
			return choices[i];
	/* A cause that is due is told, if it takes a third line. */
	if (more.len && tier_has_cause(&step->verdict))
		return choices[2].len ? choices[2] : choices[1];
	return summary;
}

/* Causes in words. A parameter is quoted where it is something that the learner wrote or set,
 * never where it names what the task asks for: a missing key, a missing column. */
#include "daemon/cause_words.h"

#include "daemon/grade/saying.h"
#include "parser/arena.h"

void lines_add(const struct sheet *sheet, struct lines *lines, struct text line)
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
		lines_add(sheet, lines, line);
	}
}

struct text cause_in_short(const struct sheet *sheet, const struct verdict *verdict)
{
	return count_alternatives(verdict) > 1 ? TEXT("")
					       : sentence(sheet, verdict, &verdict->diagnosis[0]);
}

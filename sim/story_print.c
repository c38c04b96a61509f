/* Story in words: aligned columns, and one of a few constant sentences a row, with names in
 * braces that are filled in. Sentences are said in the reader's language; names of columns and of
 * kinds, which are words of the command line too, are not. */
#include "sim/story_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parser/calendar.h"

#define LINE_SIZE    512
#define NUMBER_WIDTH 6
#define KIND_WIDTH   8

const char *row_kind_name(enum row_kind kind)
{
	static const char *const names[] = {"counted", "partly", "dropped", "filtered", "outside"};

	return names[kind];
}

/* ---- times ---- */

struct text story_full_time(char *buf, int64_t local_ms)
{
	static const struct sql_type type = {.kind = SQL_TIMESTAMP, .precision = 3};

	return value_text(&type, &(struct value){.i = local_ms}, buf);
}

struct text story_time(char *buf, const struct story_clock *clock, int64_t local_ms, int digits)
{
	struct text full = story_full_time(buf, local_ms);
	int64_t ms;

	full.len -= (size_t)(strlen("00:00:00.000") - (size_t)digits);
	if (calendar_split_ms(local_ms, &ms) == clock->day)
		return text_slice(full, strlen("2026-07-06 "), full.len);
	return full;
}

/* Of a row or a watermark; the latter may not be there yet. */
static struct text moment(char *buf, const struct story_clock *clock, bool there, int64_t time_ms)
{
	if (!there)
		return TEXT("-");
	return story_time(buf, clock, zone_local_ms(clock->zone, time_ms), clock->millis ? 12 : 8);
}

static struct text watermark(char *buf, const struct story_clock *clock, int64_t wm_ms)
{
	return moment(buf, clock, wm_ms != WATERMARK_NONE, wm_ms);
}

/* ---- sentences ---- */

/* {row} {wm}: who closed, and with which watermark; {n} {of}: windows closed, of how many. */
static const char *const open_until[] = {
	[CLOSER_UNKNOWN] = N_("open"),
	[CLOSER_ROW] = N_("open until row {row} (watermark {wm})"),
	[CLOSER_EARLIER] = N_("open until row {row} at the latest"),
	[CLOSER_END] = N_("open to the end of the input"),
};
static const char *const late_but_open[] = {
	[CLOSER_UNKNOWN] = N_("late, still open"),
	[CLOSER_ROW] = N_("late, open until row {row} (watermark {wm})"),
	[CLOSER_EARLIER] = N_("late, open until row {row} at the latest"),
	[CLOSER_END] = N_("late, open to the end of the input"),
};
static const char *const was_closed[] = {
	[CLOSER_UNKNOWN] = N_("was closed"),
	[CLOSER_ROW] = N_("was closed by row {row} (watermark {wm})"),
	[CLOSER_EARLIER] = N_("was closed by row {row} or one before it"),
	[CLOSER_END] = N_("was closed"),
};
static const char *const all_closed[] = {
	[CLOSER_UNKNOWN] = N_("all {of} closed"),
	[CLOSER_ROW] = N_("all {of} closed, the last by row {row}"),
	[CLOSER_EARLIER] = N_("all {of} closed, the last by row {row} or one before it"),
	[CLOSER_END] = N_("all {of} closed"),
};
static const char *const some_closed[] = {
	[CLOSER_UNKNOWN] = N_("{n} of {of} closed"),
	[CLOSER_ROW] = N_("{n} of {of} closed, the last by row {row}"),
	[CLOSER_EARLIER] = N_("{n} of {of} closed, the last by row {row} or one before it"),
	[CLOSER_END] = N_("{n} of {of} closed"),
};
static const char *const session_closed[] = {
	[CLOSER_UNKNOWN] = N_("joins no open session; its own was over already"),
	[CLOSER_ROW] =
		N_("joins no open session; its own was over since row {row} (watermark {wm})"),
	[CLOSER_EARLIER] = N_("joins no open session; its own was over since row {row} or before"),
	[CLOSER_END] = N_("joins no open session; its own was over already"),
};

static const char *filtered_reason(const struct observed_plan *about, const struct story_row *row)
{
	if (about->reads_watermark && row->seen.wm_ms == WATERMARK_NONE)
		return N_("taken out by WHERE (CURRENT_WATERMARK was NULL)");
	return row->late ? N_("late, and taken out by WHERE") : N_("taken out by WHERE");
}

static const char *dropped_reason(const struct observed_plan *about, const struct story_row *row)
{
	switch (about->judge) {
	case JUDGE_SESSION: return session_closed[row->last.kind];
	case JUDGE_SORT: return N_("ORDER BY has already let out a row of its time or above");
	case JUDGE_LATE: return N_("late: ROW_NUMBER waits for no row behind the watermark");
	default: break;
	}
	return row->taken > 1 ? all_closed[row->last_closed.kind]
			      : was_closed[row->last_closed.kind];
}

static const char *counted_reason(const struct observed_plan *about, const struct story_row *row)
{
	if (about->judge == JUDGE_WINDOW || about->judge == JUDGE_SESSION)
		return row->late ? late_but_open[row->last.kind] : open_until[row->last.kind];
	if (about->batch)
		return N_("batch: no row is late");
	if (!about->has_watermark)
		return N_("no watermark: no row is late");
	if (row->seen.wm_ms == WATERMARK_NONE)
		return N_("no watermark yet: not late");
	if (about->judge == JUDGE_SORT && row->late)
		return N_("late, but nothing of its time or above has been let out");
	return row->late ? N_("late: not above the watermark; nothing drops it") : N_("not late");
}

static const char *sentence_of(const struct observed_plan *about, const struct story_row *row)
{
	switch (row->kind) {
	case ROW_FILTERED: return filtered_reason(about, row);
	case ROW_DROPPED: return dropped_reason(about, row);
	case ROW_PARTLY: return some_closed[row->last_closed.kind];
	case ROW_OUTSIDE:
		return row->seen.untimed ? N_("its time is NULL") : N_("between two windows");
	default: return counted_reason(about, row);
	}
}

/* What a name in braces stands for, as text in buf. */
static struct text value_of(
	struct text name, char *buf, const struct story_clock *clock, const struct story_row *row)
{
	const struct closer *closer = row->kind == ROW_COUNTED ? &row->last : &row->last_closed;
	int64_t number = text_eq(name, TEXT("row")) ? closer->row
			 : text_eq(name, TEXT("n")) ? row->closed
						    : row->taken;

	if (text_eq(name, TEXT("wm")))
		return watermark(buf, clock, closer->wm_ms);
	return (struct text){buf, (size_t)snprintf(buf, STORY_TIME, "%" PRId64, number)};
}

static size_t append(char *buf, size_t len, struct text text)
{
	if (text.len > STORY_SENTENCE - len)
		text.len = STORY_SENTENCE - len;
	memcpy(buf + len, text.ptr, text.len);
	return len + text.len;
}

struct text story_reason(char *buf, const struct story_clock *clock,
	const struct observed_plan *about, const struct story_row *row)
{
	struct text rest = text_of(words_say(clock->words, sentence_of(about, row)));
	char value[STORY_TIME];
	size_t len = 0;

	while (rest.len) {
		size_t open = text_find(rest, TEXT("{")), close = text_find(rest, TEXT("}"));

		len = append(buf, len, text_slice(rest, 0, open));
		if (open == rest.len)
			break;
		len = append(
			buf, len, value_of(text_slice(rest, open + 1, close), value, clock, row));
		rest = text_slice(rest, close + 1, rest.len);
	}
	return (struct text){buf, len};
}

/* ---- lines ---- */

/* "09:01-09:02"; of several windows from the first start to the last end, and how many they are. */
static int print_windows(
	char *buf, size_t size, const struct story_clock *clock, const struct story_row *row)
{
	char start[STORY_TIME], end[STORY_TIME];
	int64_t first = 0, last = row->windows.count - 1;
	struct text from, to;

	while (first < last && !story_taken(row, first))
		first++;
	while (first < last && !story_taken(row, last))
		last--;
	if (last < 0 || row->taken == 0)
		return snprintf(buf, size, "-");
	from = story_time(
		start, clock, window_row_at(&row->windows, first).start_ms, clock->window_digits);
	to = story_time(
		end, clock, window_row_at(&row->windows, last).end_ms, clock->window_digits);
	if (row->taken == 1)
		return snprintf(buf, size, "%.*s-%.*s", TEXT_ARG(from), TEXT_ARG(to));
	return snprintf(
		buf, size, "%.*s-%.*s (%" PRId64 ")", TEXT_ARG(from), TEXT_ARG(to), row->taken);
}

static int time_width(const struct story_clock *clock)
{
	return clock->millis ? 12 : 9;
}

/* A cell, padded to the column's width. */
static void print_cell(struct writer *out, struct text text, int width)
{
	writer_text(out, text);
	if (text.len < (size_t)width)
		writer_repeat(out, ' ', (size_t)width - text.len);
	writer_text(out, TEXT("  "));
}

static void print_line(struct writer *out, const struct story_clock *clock,
	const struct text cells[5], struct text reason)
{
	if (cells[0].len < NUMBER_WIDTH)
		writer_repeat(out, ' ', NUMBER_WIDTH - cells[0].len);
	print_cell(out, cells[0], 0);
	print_cell(out, cells[1], time_width(clock));
	print_cell(out, cells[2], time_width(clock));
	print_cell(out, cells[3], clock->window_width);
	print_cell(out, cells[4], KIND_WIDTH);
	writer_text(out, reason);
	writer_text(out, TEXT("\n"));
}

void story_print_header(struct writer *out, const struct story_clock *clock)
{
	const struct text names[] = {
		TEXT("row"), TEXT("rowtime"), TEXT("watermark"), TEXT("window"), TEXT("kind")};
	char day[STORY_TIME], line[LINE_SIZE];
	int len;

	if (clock->has_day) {
		story_full_time(day, clock->day * MS_PER_DAY);
		len = snprintf(line, sizeof(line),
			words_say(clock->words, N_("Times without a date are of %.10s.\n")), day);
		writer_text(out, (struct text){line, (size_t)len});
	}
	if (clock->several)
		writer_text(out, text_of(words_say(clock->words,
					 N_("A window with (2) behind it is two: from the "
					    "first one's start to the last one's end.\n"))));
	print_line(out, clock, names, TEXT("reason"));
}

void story_print_no_row(struct writer *out, const struct words *words, int64_t row)
{
	char line[LINE_SIZE];
	int len = snprintf(line, sizeof(line),
		words_say(words, N_("There is no row %lld: the input ends before it.\n")),
		(long long)row);

	writer_text(out, (struct text){line, (size_t)len});
}

void story_print_row(struct writer *out, const struct story_clock *clock,
	const struct observed_plan *about, const struct story_row *row)
{
	char number[STORY_TIME], time[STORY_TIME], wm[STORY_TIME], windows[128];
	char reason[STORY_SENTENCE];
	struct text cells[5] = {{number, 0},
		moment(time, clock, row->seen.has_time, row->seen.time_ms),
		watermark(wm, clock, row->seen.wm_ms), {windows, 0},
		text_of(row_kind_name(row->kind))};

	cells[0].len = (size_t)snprintf(number, sizeof(number), "%" PRId64, row->seen.number);
	cells[3].len = (size_t)print_windows(windows, sizeof(windows), clock, row);
	print_line(out, clock, cells, story_reason(reason, clock, about, row));
}

/* ---- totals ---- */

/* Only what can occur: a row is partly counted where it has several windows. */
static bool may_occur(const struct observed_plan *about, enum row_kind kind, int64_t count)
{
	if (kind == ROW_PARTLY)
		return count || (about->window && (about->window->kind == WINDOW_HOP ||
							  about->window->kind == WINDOW_CUMULATE));
	return kind != ROW_OUTSIDE || count;
}

static void print_sum(struct writer *out, const struct observed_plan *about, const char *name,
	const int64_t *kinds)
{
	char line[LINE_SIZE];
	int64_t sum = 0;
	int len;

	for (int kind = 0; kind < ROW_KINDS; kind++)
		sum += kinds[kind];
	len = snprintf(line, sizeof(line), "%s %" PRId64 " =", name, sum);
	for (int kind = 0; kind < ROW_KINDS; kind++)
		if (may_occur(about, kind, kinds[kind]))
			len += snprintf(line + len, sizeof(line) - (size_t)len, "%s %s %" PRId64,
				kind ? " +" : "", row_kind_name(kind), kinds[kind]);
	writer_text(out, (struct text){line, (size_t)len});
	writer_text(out, TEXT("\n"));
}

static void print_sentence(struct writer *out, const struct words *words, const char *english)
{
	writer_text(out, text_of(words_say(words, english)));
}

void story_print_no_start(struct writer *out, const struct words *words)
{
	print_sentence(out, words, N_("No window that starts then has such a row.\n"));
}

void story_print_totals(struct writer *out, const struct words *words,
	const struct observed_plan *about, const struct story_totals *totals)
{
	if (about->batch)
		print_sentence(
			out, words, N_("Batch: there is no watermark, and no row is late.\n"));
	else if (!about->has_watermark)
		print_sentence(
			out, words, N_("The table declares no watermark: no row is late.\n"));
	else if (totals)
		print_sum(out, about, "late", totals->late_kinds);
	if (about->goes_on)
		print_sentence(out, words,
			N_("What stands behind that in the query is not shown here.\n"));
	if (totals)
		print_sum(out, about, "in", totals->kinds);
}

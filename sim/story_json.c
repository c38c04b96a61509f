/* Story as JSON: an object a row, written as it comes, since a tree of millions of rows would not
 * fit. No text in it needs escaping: names and sentences are our own. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/story_row.h"

static void add(struct writer *out, const char *text)
{
	writer_text(out, text_of(text));
}

static void add_number(struct writer *out, const char *name, int64_t number)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "\"%s\":%" PRId64, name, number);
	add(out, buf);
}

/* A time as clocks show it, or null. */
static void add_time(struct writer *out, const char *name, bool there, int64_t local_ms)
{
	char buf[STORY_TIME];

	add(out, "\"");
	add(out, name);
	add(out, there ? "\":\"" : "\":null");
	if (!there)
		return;
	writer_text(out, story_full_time(buf, local_ms));
	add(out, "\"");
}

static void add_closer(struct writer *out, const struct story_clock *clock, struct closer closer)
{
	if (closer.kind == CLOSER_UNKNOWN)
		return;
	add(out, ",");
	if (closer.kind == CLOSER_END) {
		add(out, "\"closed_by\":null");
		return;
	}
	if (closer.kind == CLOSER_EARLIER) {
		add_number(out, "closed_at_latest_by", closer.row);
		return;
	}
	add_number(out, "closed_by", closer.row);
	add(out, ",");
	add_time(out, "closed_at", true, zone_local_ms(clock->zone, closer.wm_ms));
}

static void add_window(struct writer *out, struct window_span span, bool counted)
{
	add(out, "{");
	add_time(out, "start", true, span.start_ms);
	add(out, ",");
	add_time(out, "end", true, span.end_ms);
	add(out, counted ? ",\"counted\":true" : ",\"counted\":false");
}

static void add_windows(struct writer *out, const struct story *story,
	const struct story_clock *clock, const struct observed_plan *about,
	const struct story_row *row)
{
	bool first = true;

	for (int64_t i = 0; i < row->windows.count; i++) {
		struct window_span span = window_row_at(&row->windows, i);
		bool closed = row->kind == ROW_DROPPED;

		if (!story_taken(row, i))
			continue;
		if (about->judge == JUDGE_WINDOW)
			closed = window_closed(about->window, span.end_ms, row->seen.wm_ms);
		add(out, first ? "" : ",");
		first = false;
		add_window(out, span, !closed);
		if (about->judge == JUDGE_SESSION)
			add_closer(out, clock, row->last);
		else if (about->judge == JUDGE_WINDOW)
			add_closer(out, clock, story_closer(story, span.end_ms));
		add(out, "}");
	}
}

void story_json_row(struct writer *out, const struct story *story, const struct story_clock *clock,
	const struct observed_plan *about, const struct story_row *row)
{
	const struct observed_row *seen = &row->seen;
	char reason[STORY_SENTENCE];

	add(out, "{");
	add_number(out, "row", seen->number);
	add(out, ",");
	add_time(out, "rowtime", seen->has_time, zone_local_ms(clock->zone, seen->time_ms));
	add(out, ",");
	add_time(out, "watermark", seen->wm_ms != WATERMARK_NONE,
		zone_local_ms(clock->zone, seen->wm_ms));
	add(out, row->late ? ",\"late\":true" : ",\"late\":false");
	add(out, ",\"kind\":\"");
	add(out, row_kind_name(row->kind));
	add(out, "\",\"windows\":[");
	add_windows(out, story, clock, about, row);
	add(out, "],\"reason\":\"");
	writer_text(out, story_reason(reason, clock, about, row));
	add(out, "\"}\n");
}

static void add_sums(struct writer *out, const struct story_totals *totals)
{
	char name[32];
	int64_t late = 0;

	add_number(out, "in", totals->in);
	for (int kind = 0; kind < ROW_KINDS; kind++) {
		add(out, ",");
		add_number(out, row_kind_name(kind), totals->kinds[kind]);
		late += totals->late_kinds[kind];
	}
	add(out, ",");
	add_number(out, "late", late);
	for (int kind = 0; kind < ROW_KINDS; kind++) {
		snprintf(name, sizeof(name), "late_%s", row_kind_name(kind));
		add(out, ",");
		add_number(out, name, totals->late_kinds[kind]);
	}
	add(out, ",");
}

void story_json_totals(
	struct writer *out, const struct observed_plan *about, const struct story_totals *totals)
{
	add(out, "{");
	if (totals)
		add_sums(out, totals);
	add(out, about->batch ? "\"batch\":true" : "\"batch\":false");
	add(out, about->goes_on ? ",\"whole\":false}\n" : ",\"whole\":true}\n");
}

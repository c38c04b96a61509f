/* One row of a story, ready to be printed; between story.c and story_print.c. */
#ifndef EWIN_SIM_STORY_ROW_H
#define EWIN_SIM_STORY_ROW_H

#include "sim/op.h"
#include "sim/story.h"

/* Which row's watermark closed a window. */
enum closer_kind {
	CLOSER_UNKNOWN, /* not yet, and the line waits no longer */
	CLOSER_ROW,
	CLOSER_EARLIER, /* that row or one before it: those closings are forgotten */
	CLOSER_END	/* the end of the input */
};

struct closer {
	enum closer_kind kind;
	int64_t row, wm_ms;
};

struct story_row {
	struct observed_row seen;
	enum row_kind kind;
	bool late;
	struct window_row windows; /* count 0: it has none */
	int64_t taken, closed; /* of them: those that no WHERE took out; those that were closed */
	struct closer last;    /* of the last window that is taken, or of the session */
	struct closer last_closed; /* of the last window that was closed as the row came */
};

struct story_totals {
	int64_t in, kinds[ROW_KINDS], late_kinds[ROW_KINDS];
};

/* How times are written: those of `day` without a date. */
struct story_clock {
	int64_t day; /* since 1970 */
	bool has_day;
	const struct zone *zone;
	bool several;		   /* a row may have several windows */
	bool millis;		   /* of rows and watermarks */
	int window_width;	   /* of the column */
	const struct words *words; /* NULL: English */
	int window_digits; /* of a window's bounds: 5 "09:01", 8 with seconds, 12 with milliseconds */
};

/* The row that closed the window with this end. */
struct closer story_closer(const struct story *story, int64_t end_ms);

/* Is this the start that is wanted? */
bool story_start_matches(const struct start_wanted *wanted, int64_t start_ms);

/* Is this window of the row, by its number, one that no WHERE took out? */
bool story_taken(const struct story_row *row, int64_t number);

void story_print_header(struct writer *out, const struct story_clock *clock);
/* The row that was asked for did not come. */
void story_print_no_row(struct writer *out, const struct words *words, int64_t row);
void story_print_no_start(struct writer *out, const struct words *words);
void story_print_row(struct writer *out, const struct story_clock *clock,
	const struct observed_plan *about, const struct story_row *row);
/* How it ends; totals NULL: without the sums. */
void story_print_totals(struct writer *out, const struct words *words,
	const struct observed_plan *about, const struct story_totals *totals);

void story_json_row(struct writer *out, const struct story *story, const struct story_clock *clock,
	const struct observed_plan *about, const struct story_row *row);
void story_json_totals(
	struct writer *out, const struct observed_plan *about, const struct story_totals *totals);

/* Why a row fared so: one of a few sentences, filled in; the room of buf is STORY_SENTENCE. */
#define STORY_SENTENCE 400
struct text story_reason(char *buf, const struct story_clock *clock,
	const struct observed_plan *about, const struct story_row *row);

/* "counted", ... */
const char *row_kind_name(enum row_kind kind);

/* A time in full, and as short as the clock allows; room for STORY_TIME. Times before the first
 * watermark are "-". */
#define STORY_TIME VALUE_TEXT
struct text story_full_time(char *buf, int64_t local_ms);
struct text story_time(char *buf, const struct story_clock *clock, int64_t local_ms, int digits);

#endif

/* Story: what became of each row, in words and as JSON, a line a row in the order of arrival; see
 * observe.h. Which row closes a window is known only later, so lines wait for that, but not for
 * ever: at most STORY_HELD rows wait, and at most STORY_CLOSINGS watermarks that closed a window
 * are kept. Beyond that a line says less, and nothing wrong. */
#ifndef EWIN_SIM_STORY_H
#define EWIN_SIM_STORY_H

#include "parser/translate.h"
#include "sim/observe.h"
#include "sim/writer.h"

struct arena;

#define STORY_HELD     (1u << 15)
#define STORY_CLOSINGS (1u << 16)

/* Each row is of exactly one kind. */
enum row_kind {
	ROW_COUNTED,  /* in all of its windows, or there is nothing that would drop it */
	ROW_PARTLY,   /* some of its windows were closed */
	ROW_DROPPED,  /* all were closed, or it was too late for another operator */
	ROW_FILTERED, /* a WHERE took it out */
	ROW_OUTSIDE,  /* it has no window: its time is NULL, or lies between two windows */
	ROW_KINDS
};

#define ONLY_LATE (1u << ROW_KINDS) /* of `only`: rows that are late, of whatever kind */

/* Where a window starts: at a time, or at a time of any day. */
struct start_wanted {
	bool set, has_day;
	int64_t ms; /* as clocks show it; without a day: of the day */
};

struct story_options {
	bool json;
	unsigned only; /* a bit a kind, or ONLY_LATE; 0: all */
	int64_t row;   /* only this one; 0: all */
	struct start_wanted start;
	const struct words *words; /* the language of what is no JSON; NULL: English */
};

/* "counted", "partly", "dropped", "filtered", "outside", "late": false where it is none of them. */
bool story_only(struct text name, unsigned *ret);

/* "2026-07-06 09:01", "09:01", "09:01:30.500": false where it is no time. */
bool story_start(struct text text, struct start_wanted *ret);

struct story;

/* Lines go to the writer; the options must outlive the story. NULL: no memory. */
struct story *story_new(
	struct arena *arena, const struct story_options *options, struct writer *out);

struct observer story_observer(struct story *story);

/* Writes what waits, and the totals: of all rows, shown or not; none where one row or window is
 * asked for. 0 or -errno. */
int story_finish(struct story *story);

#endif

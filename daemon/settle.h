/* Settle: when may a file be graded? Pure; knows nothing of files, only what happened when. */
#ifndef EWIN_DAEMON_SETTLE_H
#define EWIN_DAEMON_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

enum settle_event {
	SETTLE_MADE,	/* a name appeared: a writer opened it, or a link, which is never closed */
	SETTLE_WRITTEN, /* a writer holds it */
	SETTLE_CLOSED,	/* a writer closed it, it was renamed into place, its mode changed */
	SETTLE_GONE,	/* removed or renamed away */
	SETTLE_FOUND,	/* a scan saw a file that is not the one read last */
	SETTLE_LOST	/* events were lost: whatever was awaited may have happened */
};

enum settle_state {
	SETTLE_IDLE,	/* graded, nothing has happened since */
	SETTLE_LOOK,	/* to be read now: if it is complete it is graded, else it waits */
	SETTLE_HELD,	/* running */
	SETTLE_WAITING, /* closed, but without an end */
	SETTLE_DUE	/* to be graded now, as it is */
};

/* Times are of a monotonic clock; 0 in a settle that is all zeros is idle. */
struct settle {
	enum settle_state state;
	bool written;	    /* seen to be written, so a close will follow */
	bool pieces;	    /* opened anew for each piece that is appended */
	int64_t held_ms;    /* since when it is held */
	int64_t first_ms;   /* the first close since it was graded; 0: none */
	int64_t last_ms;    /* the last event */
	int64_t preview_ms; /* while held: when the rows are to be counted next; INT64_MAX: not yet */
	int64_t again_ms;   /* while held: not before */
};

/* Takes in an event. */
void settle_event(struct settle *settle, enum settle_event event, int64_t now_ms);

/* It was found to go on where a close left it, so there may be more to come; before
 * settle_looked(). */
void settle_goes_on(struct settle *settle);

/* The answer to SETTLE_LOOK. What is complete is due; else it waits where it was closed, and is
 * held where it was only made or found. */
void settle_looked(struct settle *settle, bool complete, int64_t now_ms);

/* Behind settle_looked(): nobody has written to it for so long by now. What is held for other
 * reasons than that it was seen written is held since then. */
void settle_untouched(struct settle *settle, int64_t age_ms, int64_t now_ms);

/* It changed while it was read, whatever was thought of it before: it is held. */
void settle_moving(struct settle *settle, int64_t now_ms);

/* It cannot be graded yet, though it is due: later, as soon as the caller comes again. */
void settle_postponed(struct settle *settle);

/* It was graded, or the same bytes had been before. */
void settle_graded(struct settle *settle);

/* Are the rows of a file that is written in pieces to be counted with the piece that was read
 * now? */
bool settle_piece_due(const struct settle *settle, int64_t now_ms);

/* The rows were counted: again after more was written. */
void settle_previewed(struct settle *settle, int64_t now_ms);

/* Lets time pass: what waited long enough becomes due. */
void settle_tick(struct settle *settle, int64_t now_ms);

/* Are the rows to be counted now? */
bool settle_preview_due(const struct settle *settle, int64_t now_ms);

/* When settle_tick() or a preview has something to do next; INT64_MAX: only after an event. */
int64_t settle_deadline(const struct settle *settle);

/* Is a verdict owed: for what was closed, or for what a writer holds? The close of the latter moves
 * no modification time, and a JVM closes long after its last write. */
bool settle_pending(const struct settle *settle);

#endif

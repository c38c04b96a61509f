/* Journal: what instructors and administrators read later. */
#ifndef EWIN_DAEMON_JOURNAL_H
#define EWIN_DAEMON_JOURNAL_H

#include "daemon/grade/grade.h"

struct arena;
struct diag;

enum journal_level {
	JOURNAL_ERROR = 3,
	JOURNAL_WARNING = 4,
	JOURNAL_NOTICE = 5,
	JOURNAL_INFO = 6,
	JOURNAL_DEBUG = 7
};

struct journal {
	bool structured; /* records go to journald; else lines to stderr */
};

/* A verdict that changed. */
struct journal_verdict {
	struct text lab, step;
	const struct verdict *verdict;
	struct text file; /* as the learner sees it, with its folder */
	struct text sha256;
	int64_t attempt;
	int64_t hint_tier; /* see tiers.h */
	int64_t seq;
	int64_t latency_usec; /* from the event's arrival until the status is put in place */
};

/* Is stderr connected to journald, and is it to be used? */
struct journal journal_open(bool foreground);

struct record;

/* A record of a verdict, made ready in the arena, so that to send it takes no more than a system
 * call. NULL: no memory. Its message can be read alone, EWIN_DIAG has its causes:
 * "delay=10s,limit=10" where all are there, "delay=10s|interval=1h" where it is one of them, the
 * summary's id where none is known. */
struct record *journal_verdict(struct arena *arena, const struct journal_verdict *verdict);

/* Sends it. Failures are ignored: there is nowhere to tell them. */
void journal_send(const struct journal *journal, const struct record *record);

/* A hint that was asked for. */
struct journal_hint {
	struct text lab, step;
	int64_t hint_tier, attempt;
};

void journal_hint(const struct journal *journal, const struct journal_hint *hint);

/* What an operator has to know, and perhaps to do; `journalctl -x` explains each of these kinds. */
enum journal_trouble {
	JOURNAL_LAB_BROKEN, /* a lab cannot be graded */
	JOURNAL_CLOSED,	    /* what a learner saved may not be read */
	JOURNAL_POLLING,    /* files are looked at again and again instead of watched */
	JOURNAL_LOST,	    /* events of files were lost */
	JOURNAL_MOVED	    /* what was mounted is elsewhere by now: another start is needed */
};

/* A warning, or an error, of this kind. `format` is a key of daemon/po. */
void journal_warn(const struct journal *journal, enum journal_trouble trouble, const char *format,
	...) __attribute__((format(printf, 3, 4)));

/* The same, of a sentence in the language that was opened. */
void journal_line(
	const struct journal *journal, enum journal_trouble trouble, struct text sentence);

/* What else is worth knowing: a folder that cannot be watched, a lab that does not load. `format`
 * is a key of daemon/po. On stderr nothing of JOURNAL_DEBUG. */
void journal_say(const struct journal *journal, enum journal_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As journal_say(), from a diagnostic. */
void journal_diag(const struct journal *journal, enum journal_level level, const struct diag *diag);

#endif

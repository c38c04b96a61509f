/* Causes in words: the causes of a verdict as a learner reads them. */
#ifndef EWIN_DAEMON_CAUSE_WORDS_H
#define EWIN_DAEMON_CAUSE_WORDS_H

#include "daemon/grade/grade.h"
#include "daemon/sheet.h"

struct lines {
	struct text *items;
	size_t count, room;
};

/* Adds a line that is not empty and not there yet; one that there is no memory for is left out. */
void lines_add(const struct sheet *sheet, struct lines *lines, struct text line);

/* What of a verdict is printed beside its causes: a cause that says no more is left out. */
enum beside {
	BESIDE_NOTHING,
	BESIDE_SUMMARY,
	BESIDE_VERDICT /* its remarks, too */
};

/* A sentence a cause, with what the learner wrote quoted behind it, or a report's key before it;
 * causes of which the evidence cannot tell which it was are told as alternatives. No line comes
 * twice. What there is no memory for is left out. */
void lines_add_causes(const struct sheet *sheet, const struct verdict *verdict, enum beside beside,
	struct lines *lines);

/* The first cause of at least one, without what the learner wrote; empty: it is one of several
 * alternatives. */
struct text cause_in_short(const struct sheet *sheet, const struct verdict *verdict);

#endif

/* Tiers: how much of a step's hints is open. A step that is wrong opens them one after another,
 * by a further attempt that is wrong or by asking; a pass opens the explanation, and what was
 * open is closed.
 *
 * No tier holds an expected value of a step that has not passed. */
#ifndef EWIN_DAEMON_TIERS_H
#define EWIN_DAEMON_TIERS_H

#include "daemon/grade/grade.h"

enum tier {
	TIER_NONE,    /* nothing is wrong, or nothing was saved yet */
	TIER_WHERE,   /* which part is off: the summary and the evidence */
	TIER_CONCEPT, /* what to think about: the causes, else the lab's first hint */
	TIER_ROW,     /* which row to look at, and the lab's further hints */
	TIER_WHOLE    /* after a pass alone: what is to be learned, and what became of all rows */
};

/* Is there something to give hints about? */
bool tier_applies(const struct verdict *verdict);

/* The tier once a verdict is booked; `attempt`: it is of a new save. */
int64_t tier_after(int64_t tier, const struct verdict *verdict, bool attempt);

/* Does the verdict name a cause that is worth thinking about? */
bool tier_has_cause(const struct verdict *verdict);

/* How many of the lab's hints are open, of so many. */
size_t tier_hints(int64_t tier, const struct verdict *verdict, size_t count);

#endif

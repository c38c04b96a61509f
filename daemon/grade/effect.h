/* Effect: how many rows of the asked result one difference alone changes. The asked query is put
 * together anew from its profile with the learner's part in it, and run. */
#ifndef EWIN_DAEMON_GRADE_EFFECT_H
#define EWIN_DAEMON_GRADE_EFFECT_H

#include "daemon/grade/differing.h"

/* Sets cause->changes for each of the causes, as far as it can be told; 0 too where the simulator
 * refuses the learner's part, and the saved table shows nothing that it could have done. 0 or
 * -ENOMEM. */
int effects_measure(struct differing *d, struct causes *causes);

/* Puts the cause's part of the learner's profile into *hybrid, a copy of the asked one. False: it
 * has none. */
bool effect_put(struct differing *d, const struct diagnosis *cause, struct profile *hybrid);

/* Does the saved table show what the cause, whose part cannot be run, could have done to the table
 * that is there without it? 0 and *ret, or -ENOMEM. */
int effect_is_seen(
	struct differing *d, const struct diagnosis *cause, const struct table *without, bool *ret);

/* The rows that only one of two tables has: the larger number of both. Negative: -ENOMEM. */
int64_t rows_apart(struct arena *arena, const struct table *a, const struct table *b);

#endif

/* Look: the row that shows a learner what is wrong. A row of the data that fares otherwise in
 * their SQL than in the reference, in the first window that is off. It is a place in their own
 * data, never an expected value. */
#ifndef EWIN_DAEMON_GRADE_LOOK_H
#define EWIN_DAEMON_GRADE_LOOK_H

#include "daemon/grade/grade.h"

/* What it may take, as nobody waits for it: a tenth of a second, some 10 ns a step, and so many
 * rows of data. A larger fixture has no row to look at. */
#define LIMIT_LOOK_STEPS INT64_C(10000000)
#define LIMIT_LOOK_ROWS	 100000

struct look {
	int64_t row; /* of its arrival, from 1; 0: none */
	char window
		[32]; /* its start, where no row differs: "2026-07-06 09:00:00.000"; empty: none */
	int64_t select; /* of the SQL, from 1; 0: it has one SELECT only */
};

/* Is there something to look at? */
bool look_found(const struct look *look);

/* Looks at the SQL beside the output, where it yields what was saved. Nothing is found where it
 * does not, where it is not simulated, or where that takes too long. The verdict is of
 * grade_step() over the same submissions. 0 or -ENOMEM. */
int look_find(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, const struct verdict *verdict, struct look *ret,
	struct diag *reterr);

#endif

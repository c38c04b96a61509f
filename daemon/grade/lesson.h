/* Lesson: what the query of a step that has passed did with the rows of the data. Its numbers
 * come from the run itself. One that a report still asks for is kept back until that has passed
 * too. */
#ifndef EWIN_DAEMON_GRADE_LESSON_H
#define EWIN_DAEMON_GRADE_LESSON_H

#include "daemon/grade/grade.h"

/* How many rows. */
struct lesson_count {
	bool told;	/* else a report still asks for this number */
	int64_t number; /* 0 where it is not told */
};

/* One SELECT. */
struct lesson_run {
	bool batch, windowed;
	struct lesson_count rows, filtered,
		dropped; /* read; of them taken out by a WHERE; in no window */
};

struct lesson {
	struct lesson_run *runs; /* a SELECT each, in the order of the step's tables */
	size_t count;
};

/* The numbers that reports ask for which have not passed. */
struct owed {
	int64_t *items;
	size_t count, room;
};

/* `passed` has an entry a step. In the arena. 0 or -ENOMEM. */
int owed_read(
	struct arena *arena, const struct grader *grader, const bool *passed, struct owed *ret);

/* `own` is what the learner's SQL does; NULL, or of another number of SELECTs: the reference's
 * runs are told. Nothing is told of a step without tables. In the arena. 0 or -ENOMEM. */
int lesson_read(struct arena *arena, const struct grader *grader, size_t step,
	const struct script *own, const struct owed *owed, struct lesson *ret);

#endif

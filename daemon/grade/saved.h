/* The tables of a saved output that queries printed, and whether the SQL beside it prints them. */
#ifndef EWIN_DAEMON_GRADE_SAVED_H
#define EWIN_DAEMON_GRADE_SAVED_H

#include "daemon/grade/causes.h"
#include "daemon/grade/grader.h"

struct saved {
	const struct result **items; /* results of queries, in file order */
	size_t count;
};

/* 0 or -ENOMEM. */
int saved_find(const struct grading *grading, struct saved *ret);

/* Does the script beside the output yield one of these tables? */
bool saved_yielded(const struct grading *grading, const struct saved *saved, struct causes *causes);

#endif

/* Mutations of a report's expression: the same sum taken in another way. */
#ifndef EWIN_DAEMON_GRADE_REPORT_MUTATE_H
#define EWIN_DAEMON_GRADE_REPORT_MUTATE_H

#include "daemon/grade/diagnosis.h"
#include "daemon/grade/report_source.h"

struct report_mutation {
	struct arena *arena;
	const struct lab *lab;
	const struct grader *grader;
	const struct report_tables *tables;
	int64_t wanted; /* the value to be explained */
	bool hits[DIAGNOSIS_COUNT];
	bool turned; /* DIAG_REPORT_NOT_DIFFERENCE: the sign alone */
	bool nomem;
};

/* Notes in hits[] each kind of mutation that yields the wanted value. */
void report_mutate(struct report_mutation *mutation, const struct report_expr *expr);

/* Was one noted? */
bool report_found(const struct report_mutation *mutation);

/* The same of mutations that are less likely: sums and counts of any table. */
void report_mutate_far(struct report_mutation *mutation, const struct report_expr *expr);

/* The value of the expression where each mention of from's table is one of to's; where `to` is a
 * number, it stands for the aggregate `from` itself. False: there is none, or it has no value. */
bool report_instead(const struct report_mutation *mutation, const struct report_expr *expr,
	const struct report_expr *from, const struct report_expr *to, int64_t *ret);

/* A copy that may be changed; NULL: no memory. */
struct report_expr *report_copy(struct arena *arena, const struct report_expr *expr);

bool report_is_leaf(const struct report_expr *expr);

#endif

/* What a report is held against: tables for its expressions, and the numbers in it. */
#ifndef EWIN_DAEMON_GRADE_REPORT_SOURCE_H
#define EWIN_DAEMON_GRADE_REPORT_SOURCE_H

#include "daemon/grade/choose.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/report.h"

struct json;

/* The lab's tables, or the learner's, behind the expressions. Its get() is report_source_get(). */
struct report_source {
	struct grading *grading;
	const struct submission *submissions; /* NULL: the lab's own */
	struct choice *choices;		      /* an entry a step, read when first asked for */
	const struct table ***typed; /* its tables as expressions read them; NULL: not yet */
	bool *read;
	bool nomem;
};

/* submissions: an entry a step, or NULL for the lab's own tables. 0 or -ENOMEM. */
int report_source_init(struct report_source *source, struct grading *grading,
	const struct submission *submissions);

/* The n-th asked table (from 1) of a step; ctx is the source. */
const struct table *report_source_get(void *ctx, struct text step, size_t number);

/* The table that stands for an asked one (from 0), as it was printed; NULL: none. */
const struct table *report_source_raw(struct report_source *source, size_t step, size_t number);

/* The whole number that a JSON value is, or is another spelling of: "15", 15.0, 1.5e1; *form: it
 * is written as one. 0 or -EINVAL. */
int report_value(const struct json *value, int64_t *ret, bool *form);

#endif

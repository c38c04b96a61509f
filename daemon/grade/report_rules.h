/* Wrong numbers of a report, explained by the quantity that they equal. */
#ifndef EWIN_DAEMON_GRADE_REPORT_RULES_H
#define EWIN_DAEMON_GRADE_REPORT_RULES_H

#include "daemon/grade/causes.h"
#include "daemon/grade/report_source.h"

/* Adds a cause for each value that is not the asked one: what rules yield exactly it. 0 or
 * -ENOMEM. */
int report_rules(struct grading *grading, const struct submission *submissions,
	const struct json *root, struct causes *causes);

#endif

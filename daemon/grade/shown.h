/* Shown: what an output itself shows of the statements behind it. The client echoes a statement
 * up to its last closing bracket, and none that has no bracket. So whatever a query calls,
 * windows and CURRENT_WATERMARK alike, stands in its echo or nowhere, as long as no statement
 * without an echo may have changed what it reads. */
#ifndef EWIN_DAEMON_GRADE_SHOWN_H
#define EWIN_DAEMON_GRADE_SHOWN_H

#include "daemon/grade/grader.h"

/* What the client does not show of a statement: all that stands behind its last closing bracket. */
struct text shown_behind(struct text source);

/* The CREATE TABLE whose result stands right before a described table, where no other statement
 * is shown before; ptr NULL: there is none. No statement that is not echoed can stand between. */
struct text shown_created(const struct grading *grading, const struct result *described);

/* The facts of the shown query behind a saved table of this number, from 0: all but settings.
 * False where its echo, by itself or with the reference's end, does not yield that table. */
bool shown_facts(struct grading *grading, size_t number, const struct result *result,
	struct query_facts *ret);

#endif

/* Diagnosis: which belief about event time yields exactly what was saved. Read in this order:
 *
 *	the file          tell-tales of how it was saved, errors that the client printed
 *	the SQL beside it where it yields the saved tables, what sets it apart from the reference
 *	the tables alone  which mistakes of the catalogue, made in the reference, yield them
 *
 * A cause is named only where it alone, or with the others named, gives what was saved. */
#ifndef EWIN_DAEMON_GRADE_DIAGNOSE_H
#define EWIN_DAEMON_GRADE_DIAGNOSE_H

#include "daemon/grade/grade.h"

/* An output of more bytes is not diagnosed: 50,000 rows are far from what a lab asks. */
#define LIMIT_DIAGNOSE_BYTES (4u << 20)

/* Nor is a step whose data has more rows: the search holds them several times over. */
#define LIMIT_DIAGNOSE_ROWS 100000

/* Memory of a search; one that takes more is ended. */
#define LIMIT_DIAGNOSE_ARENA (256u << 20)

/* Nor one of more results: each is held against statements, tables and steps. A lab asks for
 * ten. */
#define LIMIT_DIAGNOSE_RESULTS 200

/* Adds the causes behind a verdict of grade_step() over the same submissions to it; a pass gets
 * none. A search that would take too long, or too much memory, is ended, and a remark says so. 0
 * or -ENOMEM. */
int diagnose_step(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, struct verdict *verdict, struct diag *reterr);

#endif

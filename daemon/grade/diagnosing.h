/* The inside of a diagnosis: a kind of evidence each. Each adds what it finds to the causes; 0 or
 * -ENOMEM. */
#ifndef EWIN_DAEMON_GRADE_DIAGNOSING_H
#define EWIN_DAEMON_GRADE_DIAGNOSING_H

#include "daemon/grade/causes.h"
#include "daemon/grade/grader.h"

/* Profiles of all queries of a step's reference, by its number; NULL: no memory. */
const struct profiles *grading_profiles(struct grading *grading, size_t step);

/* How the file was saved: empty, cut, interrupted, edited, not the client's. */
void diagnose_file(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* A name that the client made of two words. */
void diagnose_names(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* What the client refused, and why; what it did not run. */
void diagnose_error(const struct grading *grading, struct causes *causes);

/* A result that is missing although nothing was refused. */
void diagnose_unrun(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* Several result tables: whose place or source is another than asked. */
void diagnose_order(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* Rows that the SQL beside them does not yield: another step's, or changed by hand. */
void diagnose_foreign(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* Are the saved tables, or the definition, what another step asks for? */
bool diagnose_is_another(const struct grading *grading, struct causes *causes);

/* Another step's rows where there is no SQL that speaks against it: an alternative to what was
 * found. */
void diagnose_alike(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* Rows that neither the SQL beside them nor a mistake in it explains: of an older text, or of
 * other data. */
void diagnose_stale(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* What is left to say where no cause was found. */
void diagnose_unknown(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* The SQL beside the output: what sets it apart from the reference, where it yields what was
 * saved. */
int diagnose_sql(struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* The same by the statements that the output itself shows. */
int diagnose_echo(struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* The same by the definition that DESCRIBE prints. */
int diagnose_described(
	struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* The tables alone: the mistakes that, made in the reference, yield what was saved. */
int diagnose_tables(struct grading *grading, const struct verdict *verdict, struct causes *causes);

/* report.json: its form, and the quantities that wrong values equal. 0 or -ENOMEM. */
int diagnose_report(
	struct grading *grading, const struct submission *submissions, struct causes *causes);

#endif

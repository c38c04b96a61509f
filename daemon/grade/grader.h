/* The inside of a grader, shared by the kinds of steps. */
#ifndef EWIN_DAEMON_GRADE_GRADER_H
#define EWIN_DAEMON_GRADE_GRADER_H

#include "daemon/grade/choose.h"
#include "daemon/grade/findings.h"
#include "daemon/grade/grade.h"
#include "daemon/grade/script.h"
#include "parser/transcript.h"

/* What a step asks: the tables that its reference prints. */
struct expected {
	struct text sql;		/* the reference itself */
	struct script_result **results; /* SELECTs, or the one DESCRIBE, of the reference */
	const struct table **tables;	/* theirs */
	size_t count;
	struct text error; /* STEP_ERROR: the reference's refusal, "class: message" */
	bool batch;	   /* STEP_ERROR: of a batch query */
	int64_t steps;	   /* that the reference took */
};

struct profiles;

struct grader {
	const struct lab *lab;
	const struct sim_files *data;
	struct expected *expected;	/* an entry a step; empty for a report */
	struct line_patterns *patterns; /* for every transcript */
	int64_t steps;			/* of the reference that took the most (sim/op.h) */
};

/* One file being graded. */
struct grading {
	struct arena *arena;
	const struct grader *grader;
	const struct step *step;
	const struct expected *expected;
	const struct submission *submission;
	struct transcript transcript;
	bool has_script; /* the .sql is there and was run */
	struct script script;
	struct findings findings;
	/* Of a diagnosis: the saved tables that stand for the asked ones, and which of them are
	 * right. */
	struct choice choice;
	bool *right;
	/* Likewise: an entry a step, read when it is first asked for by grading_profiles(). */
	struct profiles **profiles;
};

/* Runs the reference of a step, no report: what it asks. 0, or -errno; the diag has the place in
 * its file, where that is known. */
int grader_reference(struct arena *arena, const struct step *step,
	const struct lab_files *lab_files, const struct sim_files *data, struct expected *ret,
	struct diag *reterr);

/* Do the references that were run take more work than all of a lab's may? *dearest: the step
 * whose takes the most. */
bool grader_overworks(const struct grader *grader, size_t *dearest);

#define WORK_BEYOND "it takes the most of what is too much work for all of the lab's references"

/* Reads the saved output, and runs the SQL beside it unless a writer still holds the output. 0;
 * -ENOMEM; else the file is not text, and the diag says why. */
int grading_read(struct grading *grading, struct diag *reterr);

/* Each adds what it finds to grading->findings; 0 or -ENOMEM. */
int grade_tables(struct grading *grading);
int grade_describe(struct grading *grading);
int grade_error(struct grading *grading);
int grade_report(struct grading *grading, const struct submission *submissions);

/* Is it what DESCRIBE prints? */
bool result_is_describe(const struct result *result);

/* Is it SOURCE_WATERMARK(), as DESCRIBE prints it: no delay, but left to the source? */
bool watermark_is_of_source(struct text watermark);

/* Do both describe the same columns, with the same types and watermarks? */
bool describes_same(const struct table *a, const struct table *b);

/* What a form that is not as asked makes of right values; VERDICT_PASS: nothing. */
enum verdict_kind form_verdict(enum strictness strictness);

/* Does a text of the client's tell of a cluster that is ill, not of a query that is wrong? */
bool grade_is_cluster_down(struct text error);

/* No table of the kind asked is there: says why, as far as the transcript tells. */
void grade_no_result(struct grading *grading, enum message_id otherwise);

/* Where the facts of a query are from, and so how far they go. */
enum known_by {
	KNOWN_BY_NOTHING,
	KNOWN_BY_TABLE, /* the definition that the output shows: the table's parts alone */
	KNOWN_BY_ECHO,	/* the query that the output shows: all but the settings */
	KNOWN_BY_SQL	/* the .sql, which yields the saved table */
};

/* What is known of the query behind a saved result beside its rows: from the .sql where it yields
 * that result (used: an entry a script result, taken ones are skipped), else from the definition
 * that is echoed. */
enum known_by query_facts(
	struct grading *grading, const struct result *result, bool *used, struct query_facts *ret);

/* Compares the parts of the query that the step asks for, as far as they are known; adds a
 * partial finding for each that differs. */
void grade_query(struct grading *grading, const struct query_facts *asked,
	const struct query_facts *found, enum known_by known);

#endif

/* Grading: a saved file, the SQL beside it and the lab's truth become a verdict.
 * Pure: bytes in, values out; `ewind` and `ewin-check` share it. */
#ifndef EWIN_DAEMON_GRADE_GRADE_H
#define EWIN_DAEMON_GRADE_GRADE_H

#include "daemon/grade/diagnosis.h"
#include "daemon/grade/lab.h"
#include "daemon/grade/message.h"
#include "daemon/grade/script.h"
#include "parser/text.h"
#include "sim/session.h"

struct arena;
struct diag;
struct line_patterns;

enum verdict_kind {
	VERDICT_PASS,
	VERDICT_PARTIAL,
	VERDICT_FAIL,
	VERDICT_CANNOT_TELL,
	VERDICT_MISSING
};

/* "pass", "partial", "fail", "cannot-tell", "missing" */
const char *verdict_name(enum verdict_kind kind);

enum evidence_kind { EVIDENCE_VALUE, EVIDENCE_MISSING, EVIDENCE_EXTRA };

/* "value", "missing", "extra" */
const char *evidence_name(enum evidence_kind kind);

/* Where a saved table differs. Never holds an expected value. */
struct evidence {
	enum evidence_kind kind;
	int table; /* from 1, among the tables asked; 0: none in particular */
	struct text
		window_start; /* as printed, or the first cell of the row; empty: no row is named */
	struct text key;      /* the column of that cell; empty: it is a window's start */
	struct text column;   /* name as asked, or a report's key; empty: the whole row */
	bool rows;	      /* rows are missing whose names the learner is still to find */
};

/* How sentences name its row: "event_id 7", and of a window its start alone. In the arena. */
struct text evidence_row(struct arena *arena, const struct evidence *evidence);

struct verdict {
	enum verdict_kind kind;
	struct message summary;	 /* one sentence, without an expected value */
	struct message *remarks; /* what else is worth saying; may stand beside a pass */
	size_t remark_count;
	struct evidence *evidence;
	size_t evidence_count;
	struct diagnosis *diagnosis; /* the causes; those that are ambiguous stand for one */
	size_t diagnosis_count;
};

enum file_state {
	FILE_MISSING,
	FILE_THERE,
	FILE_UNREADABLE,  /* no permission, or an input/output error */
	FILE_NOT_REGULAR, /* a folder, a symlink, a FIFO, a device */
	FILE_TOO_LARGE
};

struct saved_file {
	enum file_state state;
	struct text bytes; /* FILE_THERE */
	int64_t mtime_ns;  /* since the epoch; a hint only */
};

/* What a learner saved for one step. */
struct submission {
	struct saved_file out;	     /* the .out, or report.json */
	struct saved_file sql;	     /* the .sql beside it */
	const struct script *script; /* what script_run() made of its bytes; NULL: it is run */
	bool open; /* a writer may still hold the .out: a file without its end is not "interrupted" */
	bool data_newer; /* the lab's data was written after the .out: that may be of other rows */
};

/* A lab with its expected tables, computed from the fixture that is on this machine. */
struct grader;

/* Reads the lab's own files: a path within the lab's folder ("ref/w5.sql"). 0 or -errno. */
struct lab_files {
	int (*read)(void *ctx, struct arena *arena, struct text path, struct text *ret,
		struct diag *reterr);
	void *ctx;
};

/* Runs the reference SQL of every step over the fixture. The lab, the arena and both readers must
 * outlive the grader. 0, or -errno with a diag that names the step. */
int grader_open(struct arena *arena, const struct lab *lab, const struct lab_files *lab_files,
	const struct sim_files *data, struct grader **ret, struct diag *reterr);

/* The steps (sim/op.h) that a learner's script may take over this lab's data: what takes more is
 * far from what is asked, and not simulated. For sim_files.steps of the data, which the grader is
 * not to be without. */
int64_t grader_script_steps(const struct grader *grader);

/* The compiled patterns that the grader reads transcripts with; they live as long as it. */
const struct line_patterns *grader_patterns(const struct grader *grader);

/* Grades one step. `submissions` has an entry a step of the lab, in its order: a report is checked
 * against the saved outputs too, and a step that is wrong "cannot be told" where one that it
 * builds on is. step_needs() says which entries are read; the others may be missing. The
 * verdict's texts are in `arena`. 0 or -ENOMEM. */
int grade_step(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, struct verdict *ret, struct diag *reterr);

/* Is the submission of `other` read when `step` is graded? */
bool step_needs(const struct lab *lab, size_t step, size_t other);

/* The verdict of a file whose grading took more memory than there is: too large, whatever its size.
 * The arena has room again. 0 or -ENOMEM. */
int grade_too_large(struct arena *arena, const struct grader *grader, size_t step,
	struct verdict *ret, struct diag *reterr);

#endif

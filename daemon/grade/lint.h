/* Lint: what is wrong with a lab, as far as a program can see it, for its author. All of it is
 * English. */
#ifndef EWIN_DAEMON_GRADE_LINT_H
#define EWIN_DAEMON_GRADE_LINT_H

#include "daemon/grade/fixture_new.h"
#include "daemon/grade/grader.h"

struct arena;
struct json;

enum lint_kind {
	LINT_ERROR,  /* the lab does not work, or not as it says */
	LINT_WARNING /* it works, and a learner is told too much, too little, or the wrong thing */
};

struct lint_finding {
	enum lint_kind kind;
	struct text file; /* in the lab's folder: "lab.json", "ref/w5.sql" */
	int line, col;	  /* 0: not known */
	struct text text; /* one sentence without a full stop */
};

struct lint {
	struct arena *arena;
	struct lint_finding *items;
	size_t count, room;
	bool nomem;
	bool large; /* there are so many data that they were not looked at */
};

#define LINT_LAB_FILE TEXT("lab.json")

void lint_add(struct lint *lint, enum lint_kind kind, int line, int col, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The finding that a diag is; in lab.json where it names no file. */
void lint_add_diag(struct lint *lint, enum lint_kind kind, const struct diag *diag);

/* By file, lab.json first, and place. */
void lint_sort(struct lint *lint);

/* Looks at a lab that lab_parse() has read from this text: its texts, its data, what each
 * reference prints, and how that is graded. 0 or -ENOMEM. */
int lint_lab(struct lint *lint, const struct fixture_source *source, struct text json);

/* ---- between the files of lint ---- */

/* A lab being looked at. */
struct linting {
	struct lint *lint;
	const struct fixture_source *source;
	const struct json *steps; /* their list in lab.json */
	struct grader grader;	  /* what each reference gives */
	bool *runs;		  /* does it? An entry a step */
	struct saved_file *sql,
		*out; /* of each: the reference, and what it prints; or the report */
};

/* The member of a step, or the step itself where it has none. */
const struct json *linting_member(const struct linting *linting, size_t step, const char *name);

/* Each text is there in each declared language, and can be shown. */
void lint_texts(struct lint *lint, const struct lab *lab);

/* Runs each reference: fills grader, runs, sql and out. 0 or -ENOMEM. */
int lint_references(struct linting *linting);

/* The expressions of reports over the references' tables, and the reports themselves: out. 0 or
 * -ENOMEM. */
int lint_reports(struct linting *linting);

/* Tables of references that read a fixture in other types than lab.json declares. 0 or -ENOMEM. */
int lint_types(struct linting *linting);

/* What a step asks and its reference does not show. */
void lint_asks(struct linting *linting);

/* Each right answer passes its own step and no other. 0 or -ENOMEM. */
int lint_verdicts(struct linting *linting);

/* No hint gives away what is asked. */
void lint_hints(struct linting *linting);

#endif

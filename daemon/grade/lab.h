/* A lab as data: what lab.json says. Nothing of a lab is in C; the format is described in
 * contrib/labs/README.md. */
#ifndef EWIN_DAEMON_GRADE_LAB_H
#define EWIN_DAEMON_GRADE_LAB_H

#include "parser/text.h"

struct arena;
struct diag;
struct report_expr;

enum step_kind {
	STEP_TABLES,   /* the result tables of the reference's SELECTs, in order */
	STEP_DESCRIBE, /* a table definition, as DESCRIBE shows it */
	STEP_REPORT    /* a flat JSON object of integers */
};

/* Parts of a query that a step asks for beside its rows (lab.json "asks"). */
enum query_part {
	PART_DELAY = 1 << 0,
	PART_INTERVAL = 1 << 1,
	PART_LATE_FILTER = 1 << 2,
	PART_PATH = 1 << 3,
	PART_FORMAT = 1 << 4,
	PART_TABLE_NAME = 1 << 5,
	PART_WINDOW = 1 << 6
};

/* What follows where the form is not as asked; the values are right. */
enum strictness {
	FORM_FREE,   /* anything goes */
	FORM_PARTIAL /* partial */
};

struct report_key {
	struct text name;
	struct text source;	  /* the expression as written */
	struct report_expr *expr; /* see daemon/grade/report.h */
};

struct step {
	struct text id;
	enum step_kind kind;
	struct text file;      /* what the learner saves: "w5.out" */
	struct text sql;       /* what it was made from: "w5.sql"; empty for a report */
	struct text reference; /* path of the reference SQL within the lab; empty for a report */
	enum strictness names, order, extra;
	unsigned asks; /* of enum query_part */
	struct report_key *keys;
	size_t key_count;
};

struct lab {
	struct text name;
	struct text folder;    /* where the learner works: "/root/flink/watermark" */
	struct text *fixtures; /* absolute paths of the lab's data */
	size_t fixture_count;
	struct step *steps; /* in the order of lab.json */
	size_t step_count;
};

/* Reads lab.json. Every key is checked: one that is missing, unknown, twice or of the wrong type is
 * an error. 0, -EINVAL with line and column where they are known, or -ENOMEM. */
int lab_parse(struct arena *arena, struct text json, struct lab *ret, struct diag *reterr);

/* Index of the step with this id or file name, or step_count. */
size_t lab_step(const struct lab *lab, struct text name);

#endif

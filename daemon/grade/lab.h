/* A lab as data: what lab.json says. Nothing of a lab is in C; the format is described in
 * contrib/labs/README.md. Texts lie in the arena that the lab was read into. */
#ifndef EWIN_DAEMON_GRADE_LAB_H
#define EWIN_DAEMON_GRADE_LAB_H

#include "parser/text.h"

struct arena;
struct diag;
struct json;
struct report_expr;

enum step_kind {
	STEP_TABLES,   /* the result tables of the reference's SELECTs, in order */
	STEP_DESCRIBE, /* a table definition, as DESCRIBE shows it */
	STEP_ERROR,    /* Flink's refusal of the reference's last statement */
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
	FORM_FREE,    /* "free": anything goes */
	FORM_PARTIAL, /* "asked": partial */
	FORM_FAIL     /* "must": fail */
};

/* How strict a step is about the form of its tables. */
struct form {
	enum strictness names, order, extra; /* columns: their names, their order, ones too many */
	enum strictness rows;		     /* the order of the rows */
	enum strictness mode;		     /* streaming or batch, as the reference runs */
	enum strictness missing;	     /* a column that is not there; FORM_FAIL by default */
	enum strictness types; /* describe: of columns but the rowtime; FORM_FAIL by default */
};

/* One text in several languages. */
struct lab_text {
	struct text language; /* "en" */
	struct text text;
	int line, col; /* in lab.json */
};

struct lab_texts {
	struct lab_text *items; /* in the order of lab.json; one is "en" */
	size_t count;		/* 0: the lab has no such text */
	int line, col;
};

/* The text in this language; in English where it has none in this; empty where it has none at
 * all. */
struct text lab_text_get(const struct lab_texts *texts, struct text language);

/* Calls see() for each TEXTS of the lab, in the order of lab.json. */
struct lab;
void lab_texts_each(
	const struct lab *lab, void (*see)(void *ctx, const struct lab_texts *texts), void *ctx);

struct lab_link {
	struct lab_texts title;
	struct text url;
};

struct lab_column {
	struct text name;
	struct text type; /* SQL: "TIMESTAMP(3)" */
	int line, col;
};

/* What a lab needs of its data: an entry of "properties". */
struct lab_property {
	struct text is;
	const struct json *json; /* the whole object; its other members are the property's own */
};

struct fixture {
	struct text path; /* absolute: where the data lies on the learner's machine */
	struct text data; /* path of the copy that ships in the lab's folder; may be empty */
	struct lab_column *columns; /* in the order of the file */
	size_t column_count;
	size_t rowtime; /* index of the column with the event time; column_count: none */
	struct lab_property *properties;
	size_t property_count;
	int line, col;
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
	struct form form;
	unsigned asks; /* of enum query_part */
	size_t *after; /* indices of the earlier steps that this one builds on */
	size_t after_count;
	struct report_key *keys;
	size_t key_count;
	struct lab_texts title;
	struct lab_texts *hints; /* the first is the most general */
	size_t hint_count;
	struct lab_texts learned; /* said after a pass */
	struct lab_link *links;
	size_t link_count;
	int line, col;
};

struct lab {
	struct text name;
	struct text *languages; /* that its texts are written in; the first is "en" */
	size_t language_count;
	struct lab_texts title;
	struct text folder; /* where the learner works: "/root/flink/watermark" */
	struct fixture *fixtures;
	size_t fixture_count;
	struct step *steps; /* in the order of lab.json */
	size_t step_count;
};

/* What is wrong with a lab.json. */
struct lab_fault {
	struct text text; /* one sentence without a full stop */
	int line, col;
};

struct lab_faults {
	struct lab_fault *items; /* in the order of reading, which need not be that of the file */
	size_t count, room;
};

/* Reads lab.json. Every key is checked: one that is missing, unknown, twice or of the wrong type is
 * an error. Each text must be there in English, other languages may be missing. 0, -EINVAL with
 * line and column where they are known, or -ENOMEM. */
int lab_parse(struct arena *arena, struct text json, struct lab *ret, struct diag *reterr);

/* The same, and all faults that can be found at once; what is no JSON has one. 0, -EINVAL: there
 * are faults, or -ENOMEM. */
int lab_parse_all(
	struct arena *arena, struct text json, struct lab *ret, struct lab_faults *faults);

/* Index of the step with this id or file name, or step_count. */
size_t lab_step(const struct lab *lab, struct text name);

#endif

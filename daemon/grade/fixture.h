/* Fixtures: the rows of a lab's data file, what the lab needs of them (lab.json "properties"),
 * and other rows that have it as well. What late, dropped and closed mean is the simulator's. */
#ifndef EWIN_DAEMON_GRADE_FIXTURE_H
#define EWIN_DAEMON_GRADE_FIXTURE_H

#include "daemon/grade/lab.h"
#include "parser/table.h"

struct arena;
struct diag;
struct lab_files;
struct sim_files;

/* The rows of a CSV file, typed, in the order of the file. */
struct fixture_rows {
	struct table table;
	size_t rowtime; /* column of the event time; column_count: none */
};

/* Reads a file's bytes by the fixture's columns, as Flink's csv format does. 0; -EINVAL: a type
 * that is none, a bad row, or no row at all, with the place: in the file that the lab ships,
 * where it does and the fault is in there, else in lab.json, of which the diag then names no
 * file; -ENOMEM. */
int fixture_read(struct arena *arena, const struct fixture *fixture, struct text csv,
	struct fixture_rows *ret, struct diag *reterr);

/* The type of a column, as lab.json spells it. 0; -EINVAL: it is none of a CSV file's; -ENOMEM. */
int fixture_type(struct arena *arena, struct text type, struct sql_type *ret);

/* The rows as a CSV file. 0 or -ENOMEM. */
int fixture_write(struct arena *arena, const struct fixture_rows *rows, struct text *ret);

/* In the order in which a new fixture gets them: what moves many rows comes before what moves
 * one. */
enum property_kind {
	PROPERTY_EMPTY_WINDOW,
	PROPERTY_STEPS,
	PROPERTY_LATE,
	PROPERTY_DROPPED,
	PROPERTY_EDGE,
	PROPERTY_TOUCHING,
	PROPERTY_APART,
	PROPERTY_UNIQUE,
	PROPERTY_REPEATS,
	PROPERTY_NO_TIES
};

/* Flink's own watermark interval. */
#define FIXTURE_INTERVAL_MS 200

#define PROPERTY_NO_COLUMN SIZE_MAX
#define PROPERTY_NO_LIMIT  INT64_MAX

/* A property counts something in the rows; the number must be within its bounds. */
struct property {
	enum property_kind kind;
	int64_t delay_ms, interval_ms; /* of the watermark */
	int64_t kept_ms;	 /* DROPPED: a delay at which the row is not; -1: none is asked */
	int64_t size_ms;	 /* of windows; STEPS: the largest that is too small */
	int64_t gap_ms, more_ms; /* between neighbours; APART: gap and more */
	size_t column, by;	 /* PROPERTY_NO_COLUMN: none */
	bool sum;		 /* NO_TIES: of the column, by the other */
	int64_t min, max;
	int line, col; /* in lab.json */
};

struct properties {
	struct property *items; /* in the order of enum property_kind */
	size_t count;
};

/* Reads lab.json's properties for these rows. 0; -EINVAL with line and column; -ENOMEM. */
int properties_parse(struct arena *arena, const struct fixture *fixture,
	const struct fixture_rows *rows, struct properties *ret, struct diag *reterr);

/* What a property counts, and the last row that was counted (row_count: none). */
struct property_count {
	int64_t count;
	size_t row;
};

/* 0 or -ENOMEM; scratch is what it takes memory from. */
int property_count(struct arena *scratch, const struct fixture_rows *rows,
	const struct property *property, struct property_count *ret);

/* How far a count is from what is allowed; 0: it is allowed. */
int64_t property_off(const struct property *property, int64_t count);

/* The watermark that each row meets, WATERMARK_NONE before the first. 0 or -ENOMEM. */
int fixture_watermarks(struct arena *arena, const struct fixture_rows *rows, int64_t delay_ms,
	int64_t interval_ms, int64_t **ret_ms);

/* A fact for the author, or something that is not as it must be. */
struct fixture_finding {
	bool wrong;
	struct text text; /* one sentence without a full stop; English, since it is for authors */
	struct text file; /* of the lab; empty: lab.json */
	int line, col;	  /* in it; 0: not known */
};

struct fixture_findings {
	struct fixture_finding *items;
	size_t count, room;
};

/* One finding a property: what was counted, and whether it is allowed. 0 or -ENOMEM. */
int fixture_check(struct arena *arena, const struct fixture_rows *rows,
	const struct properties *properties, struct fixture_findings *findings);

#endif

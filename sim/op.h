/* Operators: what a query is made of at run time. Rows and watermarks are pushed from the source
 * through a chain of operators, as in Flink: a row goes down the whole chain before the watermark
 * that it causes. An operator's struct begins with a struct op. */
#ifndef EWIN_SIM_OP_H
#define EWIN_SIM_OP_H

#include <errno.h>

#include "parser/table.h"

struct observer;

/* Before any watermark, and behind the last one. */
#define WATERMARK_NONE INT64_MIN
#define WATERMARK_END  INT64_MAX

struct op {
	/* Takes a row; the cells are valid only during the call. 0 or -errno, which ends the
	 * run. */
	int (*row)(struct op *op, enum row_op kind, const struct value *cells);
	/* Takes a watermark; all rows that it lets out go down before the watermark itself.
	 * WATERMARK_END comes exactly once, as the last call. 0 or -errno. */
	int (*watermark)(struct op *op, int64_t wm_ms);
	struct op *down;
};

/* What a run counts, and the words of Flink where it fails. -EBADMSG is the errno of such a
 * fault. */
struct run {
	int64_t rows_in;       /* rows that the source let in */
	int64_t lines;	       /* of its file, as far as LIMIT_COUNTED_LINES; 0: not counted */
	int64_t rows_filtered; /* taken out by a WHERE in front of the window */
	int64_t rows_dropped;  /* counted in no window, since all of theirs were closed */
	int64_t rows_late;     /* dropped without a window, since the watermark was behind them */
	int64_t rows_tied;     /* of a window's first N, those that the next one equals */
	struct text fault;     /* "class: message" */
	bool row_fault;	       /* the fault is of the row that the source is reading */
	size_t fault_column;   /* of the table, from 1; 0: of no column alone */
	struct text place;     /* where such a row is: "x.csv: row 2, line 2, column 'ts'" */
	const char *refused;   /* of -ENOTSUP: what is not simulated */
	int64_t *steps;	       /* that may still be taken, or NULL: as many as it takes */
	bool (*more)(
		void *ctx); /* puts more of them there where they are used up; NULL: there are no more */
	void *more_ctx;
	const struct observer *observer; /* NULL: nobody listens */
};

/* Lines of the file, rows or not, as Flink's planner counts them: exact where they are few. */
static inline int64_t run_lines(const struct run *run)
{
	return run->lines > run->rows_in ? run->lines : run->rows_in;
}

/* A legacy window, as a SESSION, sets a second timer, which is never before 1970 and stirs the
 * heap of timers, and so the order of keys. Recorded: more_sim/legacy_before_1970. */
#define EARLY_WINDOW "A legacy window or a SESSION of several keys that ends before 1970"

/* What work costs, in steps of some 10 ns. Cells and bytes of a result are kept: their
 * memory counts. */
#define STEPS_ROW   10
#define STEPS_SLICE 2
#define STEPS_GROUP 50
#define STEPS_CELL  100
#define STEPS_BYTE  4
#define STEPS_QUERY 300

#define STEPS_BEYOND "So much work"

/* Takes steps. 0, or -ENOTSUP where that many are not left. */
static inline int run_spend(struct run *run, int64_t steps)
{
	if (!run->steps || (*run->steps -= steps) >= 0)
		return 0;
	if (run->more && run->more(run->more_ctx))
		return 0;
	*run->steps = 0;
	run->refused = STEPS_BEYOND;
	return -ENOTSUP;
}

static inline int op_row(struct op *op, enum row_op kind, const struct value *cells)
{
	return op->row(op, kind, cells);
}

static inline int op_watermark(struct op *op, int64_t wm_ms)
{
	return op->watermark(op, wm_ms);
}

#endif

/* Report expressions: how a number of report.json follows from saved outputs, as lab.json says it:
 *
 *	sum(batch.cnt) - sum(sweep[2].cnt)      rows(late)      2 * rows(hop)
 *
 * A table is a step's id, with [n] the n-th of its result tables (from 1; 1 where left out). */
#ifndef EWIN_DAEMON_GRADE_REPORT_H
#define EWIN_DAEMON_GRADE_REPORT_H

#include "parser/table.h"

struct arena;
struct diag;

enum report_op { REPORT_NUMBER, REPORT_SUM, REPORT_ROWS, REPORT_ADD, REPORT_SUB, REPORT_MUL };

struct report_expr {
	enum report_op op;
	int64_t number;
	struct text step;   /* REPORT_SUM, REPORT_ROWS */
	size_t table;	    /* from 1 */
	struct text column; /* REPORT_SUM */
	struct report_expr *left, *right;
};

/* 0; -EINVAL with the column of the expression's text in the diag; -ENOMEM. */
int report_parse(
	struct arena *arena, struct text source, struct report_expr **ret, struct diag *reterr);

/* Gives the n-th result table (from 1) of a step, or NULL where there is none. */
struct report_tables {
	const struct table *(*get)(void *ctx, struct text step, size_t table);
	void *ctx;
};

/* The value over these tables. 0; -ENOENT: a table is not there, or has no such column; -EINVAL: a
 * cell is no integer; -ERANGE: it does not fit 64 bits. */
int report_eval(const struct report_expr *expr, const struct report_tables *tables, int64_t *ret);

/* Calls see() for each step that the expression reads, in its order. */
void report_steps(
	const struct report_expr *expr, void (*see)(void *ctx, struct text step), void *ctx);

#endif

/* Report expressions: how a number of report.json follows from saved outputs, as lab.json says it:
 *
 *	sum(batch.cnt) - sum(sweep[2].cnt)
 *	max(session.window_end - session.window_start) / 1000
 *	rows(cumulate where window_start = min(window_start))
 *
 * contrib/labs/README.md has the grammar. A table is a step's id, with [n] the n-th of its result
 * tables (from 1; 1 where left out). */
#ifndef EWIN_DAEMON_GRADE_REPORT_H
#define EWIN_DAEMON_GRADE_REPORT_H

#include "parser/table.h"

struct arena;
struct diag;

enum report_op {
	REPORT_NUMBER,
	REPORT_ADD,
	REPORT_SUB,
	REPORT_MUL,
	REPORT_DIV, /* toward zero, as SQL divides integers */
	/* of the rows of a table: */
	REPORT_ROWS,
	REPORT_SUM,
	REPORT_MIN,
	REPORT_MAX,
	REPORT_FIRST, /* of the row with the smallest window_end; without such a column, the first */
	REPORT_LAST   /* of the row with the greatest window_end; the last */
};

enum report_operand { OPERAND_COLUMN, OPERAND_LITERAL, OPERAND_MIN, OPERAND_MAX };

/* column = operand. Minimum and maximum are those of the whole table. */
struct report_condition {
	struct text column;
	enum report_operand kind;
	struct text operand; /* a column's name, or the literal's text */
};

struct report_expr {
	enum report_op op;
	int64_t number;
	struct report_expr *left, *right;
	struct text step;
	size_t table;	    /* from 1 */
	struct text column; /* none of REPORT_ROWS */
	struct text minus;  /* the column that is taken off it; empty: none */
	struct report_condition *where;
	size_t where_count, where_room;
};

/* 0; -EINVAL with the column of the expression's text in the diag; -ENOMEM. */
int report_parse(
	struct arena *arena, struct text source, struct report_expr **ret, struct diag *reterr);

/* Gives the n-th result table (from 1) of a step, with typed cells and its changes folded, or NULL
 * where there is none. */
struct report_tables {
	const struct table *(*get)(void *ctx, struct text step, size_t table);
	void *ctx;
};

/* The value over these tables; times count in milliseconds. 0; -ENOENT: a table is not there, or
 * has no such column; -EINVAL: a cell is no whole number, or a literal is none of its column's
 * type; -ENODATA: no row to take a value from; -EDOM: a division by zero; -ERANGE: it does not
 * fit 64 bits. */
int report_eval(const struct report_expr *expr, const struct report_tables *tables, int64_t *ret);

/* Calls see() for each step that the expression reads, in its order. */
void report_steps(
	const struct report_expr *expr, void (*see)(void *ctx, struct text step), void *ctx);

#endif

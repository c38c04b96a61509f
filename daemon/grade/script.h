/* Running a .sql file through the simulator: what each of its queries would print, and what the
 * query is like. Used for the reference and for what a learner wrote. */
#ifndef EWIN_DAEMON_GRADE_SCRIPT_H
#define EWIN_DAEMON_GRADE_SCRIPT_H

#include "parser/diag.h"
#include "parser/sql.h"
#include "parser/table.h"
#include "sim/session.h"

struct arena;

struct script_result {
	enum sql_statement_kind kind; /* STMT_SELECT, STMT_DESCRIBE, STMT_SHOW ... */
	size_t statement;	      /* its place in the script, from 0 */
	struct text name;	      /* STMT_DESCRIBE: of the table */
	struct table table;
	struct query_facts facts; /* of the query, or of the described table */
	bool has_facts;
};

struct script {
	struct script_result *results; /* the tables that were printed, in order */
	size_t count, room;
	int64_t parallelism; /* the highest that a query found in force; 1 */
	bool whole;	     /* every statement was simulated to its end */
	bool query_refused;  /* a query was not simulated */
	int64_t interval_ms; /* the watermark interval in force at the last such query */
	bool show_refused;   /* a SHOW was not simulated */
	bool syntax;	     /* the syntax of a statement is refused: the script ends there */
	struct diag refused; /* where it is not whole: the first that was not, and why */
	struct text
		error; /* where Flink would refuse a statement: its text; the script ends there */
	struct text error_place;  /* the row of a file that it is about; empty: none */
	struct sql_pos error_pos; /* what it is about; else where the statement begins */
	bool error_batch;	  /* the refused statement is a batch query */
	size_t last;		  /* the last statement that was reached, from 0 */
	int64_t steps;		  /* that it took (sim/op.h) */
};

/* Runs the script in a session where the client's result mode is tableau from the start, as a lab's
 * Flink configuration may have it. A statement that is not simulated is skipped, and noted. 0 or
 * -ENOMEM. */
int script_run(
	struct arena *arena, struct text sql, const struct sim_files *files, struct script *ret);

/* A copy of what was found, texts included, in the arena: nothing of the run stays behind it. 0
 * or -ENOMEM. */
int script_keep(struct arena *arena, const struct script *script, struct script *ret);

/* Does it end at a table whose file is not here? Where rows were saved it was there. */
bool script_lacks_file(const struct script *script);

#endif

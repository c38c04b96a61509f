/* One statement under way, between session.c and query.c. */
#ifndef EWIN_SIM_STATEMENT_H
#define EWIN_SIM_STATEMENT_H

#include "parser/arena.h"
#include "sim/op.h"
#include "sim/planner.h"
#include "sim/session.h"

struct session {
	struct arena *arena;
	const struct sim_files *files;
	struct options options;
	struct catalog catalog;
	enum flink_release release;
	bool bounded;
	int64_t steps; /* left, where it is bounded */
};

/* One statement under way. */
struct statement_run {
	struct session *session;
	const struct sql_statement *statement;
	const struct sim_sink *sink;
	struct outcome *outcome;
	struct diag *diag;
	struct arena arena; /* of this statement alone */
	struct run run;
	struct planner planner;
};

/* A fault of this class and text, with a value behind it. -EBADMSG or -ENOMEM. */
int statement_fail(
	struct statement_run *run, const char *class, const char *text, struct text value);

/* Runs a SELECT, INSERT, DESCRIBE or SHOW COLUMNS. 0, -EBADMSG with the planner's fault, -ENOTSUP with a diag, or
 * another -errno. */
int run_select(struct statement_run *run);
int run_insert(struct statement_run *run);
int run_describe(struct statement_run *run);

#endif

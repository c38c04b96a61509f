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
	struct text zone_name;		 /* of zone; its ptr is NULL before the first query */
	const struct zone *zone;	 /* NULL: UTC */
	const struct observer *observer; /* NULL: nobody listens */
	bool bounded;
	int64_t steps;	     /* left, where it is bounded */
	int64_t steps_later; /* and those that are handed out where these are used up */
	bool in_set;	     /* between BEGIN STATEMENT SET and END */
	size_t set_size;
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

/* The facts of a query on this table, should it not be planned. */
void statement_note_facts(struct statement_run *run, const struct catalog_entry *source);

/* Plans a query; then whether the plan can be run, or submitted as a job whose rows nobody sees;
 * then runs it. As below. */
int statement_plan(struct statement_run *run, const struct sql_query *query, struct plan **ret);
int statement_check(struct statement_run *run, const struct plan *plan, bool submitted);
int statement_rows(struct statement_run *run, const struct plan *plan, const struct sim_sink *sink);

/* Runs a SELECT, INSERT, CREATE TABLE AS, DESCRIBE or SHOW COLUMNS. 0, -EBADMSG with the planner's
 * fault, -ENOTSUP with a diag, or another -errno. Of what writes, *kind tells what became of it. */
int run_select(struct statement_run *run);
int run_insert(struct statement_run *run, enum outcome_kind *kind);
int run_create_as(struct statement_run *run, enum outcome_kind *kind);
int run_describe(struct statement_run *run);

/* BEGIN STATEMENT SET, END, EXECUTE STATEMENT SET, and whatever comes while a set is open. As
 * above. */
int run_set_statement(struct statement_run *run, enum outcome_kind *kind);

#endif

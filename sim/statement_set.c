/* Statement sets: INSERTs that are submitted as one job. While a set is open the gateway takes
 * nothing else; what the client does by itself, it still does. Recorded:
 * format/stmt_statement_set, format/stmt_select_in_set, more_sim/set_*. */
#include "sim/statement.h"

#include <errno.h>

#include "parser/diag.h"
#include "sim/fault.h"

#define FAULT_GATEWAY "org.apache.flink.table.gateway.service.utils.SqlExecutionException: "

static enum outcome_kind job_kind(const struct statement_run *run)
{
	return options_true(&run->session->options, "table.dml-sync") ? OUTCOME_JOB_DONE
								      : OUTCOME_JOB;
}

/* What Flink would say at the end of the set only is not known here. */
static int check_fault(struct statement_run *run, struct sql_pos pos, int err)
{
	if (err != -EBADMSG || text_starts(run->planner.fault, TEXT(FAULT_CALCITE)) ||
		text_starts(run->planner.fault, TEXT(FAULT_VALIDATION "Cannot find table")))
		return err;
	return refuse(&run->planner, pos, "An INSERT that fails in a statement set");
}

static bool is_insert(const struct sql_statement *statement)
{
	return statement->kind == STMT_INSERT ||
	       (statement->kind == STMT_CREATE_TABLE && statement->create->as);
}

static int add_insert(struct statement_run *run)
{
	enum outcome_kind kind;
	int err = run->statement->kind == STMT_INSERT ? run_insert(run, &kind)
						      : run_create_as(run, &kind);

	err = check_fault(run, run->statement->pos, err);

	run->session->set_size += err == 0;
	return err;
}

static int run_members(struct statement_run *run)
{
	const struct sql_statement *set = run->statement;
	enum outcome_kind kind;
	int err = 0;

	for (size_t i = 0; i < set->member_count && err == 0; i++) {
		run->statement = &set->members[i];
		err = check_fault(run, run->statement->pos, run_insert(run, &kind));
	}
	run->statement = set;
	return err;
}

static int end_set(struct statement_run *run, enum outcome_kind *kind)
{
	struct session *session = run->session;

	if (!session->in_set)
		return plan_fault(&run->planner,
			FAULT_GATEWAY "No Statement Set to submit. 'END' statement should be used "
				      "after 'BEGIN STATEMENT SET'.");
	*kind = session->set_size ? job_kind(run) : OUTCOME_DONE;
	session->in_set = false;
	session->set_size = 0;
	return 0;
}

int run_set_statement(struct statement_run *run, enum outcome_kind *kind)
{
	struct session *session = run->session;

	*kind = OUTCOME_DONE;
	if (run->statement->kind == STMT_END_SET)
		return end_set(run, kind);
	if (session->in_set && is_insert(run->statement))
		return add_insert(run);
	if (session->in_set)
		return plan_fault(&run->planner,
			FAULT_GATEWAY "Only 'INSERT/CREATE TABLE AS' statement is allowed in "
				      "Statement Set or use 'END' statement to submit Statement "
				      "Set.");
	if (run->statement->kind == STMT_EXECUTE_SET) {
		*kind = job_kind(run);
		return run_members(run);
	}
	session->in_set = true;
	return 0;
}

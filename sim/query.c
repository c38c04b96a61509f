/* Queries: a SELECT is planned, checked, run and forgotten: its memory is its own. DESCRIBE is a
 * plan that is not run. Recorded: semantics/errors_mode_default,
 * semantics/errors_batch_switch_max_ts. */
#include "sim/statement.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/connector.h"
#include "sim/describe.h"
#include "sim/facts.h"
#include "sim/fault.h"
#include "sim/run.h"
#include "sim/session_zone.h"
#include "sim/switched.h"

int statement_fail(
	struct statement_run *run, const char *class, const char *text, struct text value)
{
	return fault_set(
		&run->arena, &run->planner.fault, "%s%s%.*s", class, text, TEXT_ARG(value));
}

/* The client prints rows from a file only in one result mode, which it looks at when the job runs.
 * Recorded: more_sim/use_other. */
static int check_result_mode(struct statement_run *run)
{
	struct text mode =
		options_get(&run->session->options, "sql-client.execution.result-mode", "table");

	if (text_ieq(mode, TEXT("tableau")))
		return 0;
	if (!text_ieq(mode, TEXT("table")) && !text_ieq(mode, TEXT("changelog")))
		return statement_fail(run, FAULT_ARGUMENT,
			FAULT_ENUM
			"org.apache.flink.table.client.config.ResultMode. Expected one of: "
			"[[TABLE, CHANGELOG, TABLEAU]]",
			TEXT(""));
	return statement_fail(run, "org.apache.flink.table.client.gateway.SqlExecutionException: ",
		"In non-interactive mode, it only supports to use TABLEAU as value of "
		"sql-client.execution.result-mode when execute query. Please add 'SET "
		"sql-client.execution.result-mode=TABLEAU;' in the sql file.",
		TEXT(""));
}

/* Settings under which Flink runs another plan than the one that is simulated. */
static int check_options(struct statement_run *run)
{
	const struct options *options = &run->session->options;

	if (options_true(options, "table.exec.mini-batch.enabled"))
		return refuse(&run->planner, run->statement->pos, "table.exec.mini-batch.enabled");
	return 0;
}

/* Window Top-N over SESSION windows does not know their zone. */
static int check_zone(struct statement_run *run, const struct plan *plan)
{
	for (; plan && run->planner.zone; plan = plan->input)
		if (plan->kind == PLAN_RANK && !plan->input->window)
			return refuse(&run->planner, run->statement->pos,
				"Window Top-N over SESSION outside UTC");
	return 0;
}

static int check_switched(struct statement_run *run, const struct plan *plan)
{
	if (!switched_breaks(plan, run->planner.batch))
		return 0;
	return refuse(&run->planner, run->statement->pos, SWITCHED);
}

static int begin_rows(struct statement_run *run, const struct plan *plan)
{
	struct table shape = {.form = run->planner.batch ? TABLE_BATCH : TABLE_CHANGELOG,
		.column_count = plan->column_count};

	shape.columns =
		arena_array(run->session->arena, plan->column_count + 1, sizeof(*shape.columns));
	if (!shape.columns)
		return diag_nomem(run->diag);
	for (size_t i = 0; i < plan->column_count; i++) {
		shape.columns[i].name = text_copy(run->session->arena, plan->columns[i].name);
		shape.columns[i].type = plan->columns[i].type;
		if (!shape.columns[i].name.ptr)
			return diag_nomem(run->diag);
	}
	return run->sink->begin(run->sink->ctx, &shape);
}

/* Flink stops reading where LIMIT is reached, before what is bad perhaps. */
static bool has_limit(const struct plan *plan)
{
	while (plan && plan->kind != PLAN_LIMIT)
		plan = plan->input;
	return plan != NULL;
}

static struct run_settings settings_of(const struct statement_run *run)
{
	return (struct run_settings){.batch = run->planner.batch,
		.interval_ms = options_interval_ms(&run->session->options),
		.files = run->session->files,
		.zone = run->planner.zone};
}

/* Runs the plan. What the rows come to is the sink's. */
int statement_rows(struct statement_run *run, const struct plan *plan, const struct sim_sink *sink)
{
	struct run_settings settings = settings_of(run);
	struct query_facts *facts = &run->outcome->facts;
	const struct run *counts = &run->run;
	int err = run_plan(&run->arena, plan, &settings, sink, &run->run, run->diag);

	facts->rows_in = counts->rows_in;
	facts->rows_filtered = counts->rows_filtered;
	facts->rows_dropped = counts->rows_dropped;
	facts->rows_tied = counts->rows_tied;
	run->planner.fault = counts->fault;
	if (err == -ENOMEM)
		return diag_nomem(run->diag);
	if (err == -EBADMSG && run->planner.batch && has_limit(plan))
		return refuse(&run->planner, run->statement->pos, "A failure behind LIMIT");
	if (err == -ENOTSUP && counts->refused)
		return refuse(&run->planner, run->statement->pos, counts->refused);
	return err;
}

int statement_plan(struct statement_run *run, const struct sql_query *query, struct plan **ret)
{
	const struct options *options = &run->session->options;
	struct plan *plan;
	int err = check_options(run);

	if (err == 0)
		err = session_zone(run);
	if (err == 0)
		err = plan_query(&run->planner, query, &plan);
	if (err == 0 && run->planner.late_fault.len && plan->rows != ROWS_ANY)
		return refuse(&run->planner, query->where ? query->where->pos : query->pos,
			"An error in a query that has no rows");
	if (err == 0 && run->planner.late_fault.len) {
		run->planner.fault = run->planner.late_fault;
		run->planner.fault_pos = run->planner.late_pos;
		err = -EBADMSG;
	}
	if (err < 0)
		return err;
	run->outcome->facts = facts_of(plan, options, run->planner.legacy_window);
	if (plan_mark_needed(&run->arena, plan, !run->planner.batch) < 0)
		return diag_nomem(run->diag);
	*ret = plan;
	return 0;
}

int statement_check(struct statement_run *run, const struct plan *plan, bool submitted)
{
	struct run_settings settings = settings_of(run);
	int err;

	settings.submitted = submitted;
	err = run_check(&run->arena, plan, &settings, &run->planner.fault, run->diag);

	if (err == 0)
		err = check_zone(run, plan);
	return err ? err : check_switched(run, plan);
}

void statement_note_facts(struct statement_run *run, const struct catalog_entry *source)
{
	run->outcome->facts = facts_unplanned(&run->session->options, source);
	run->outcome->has_facts = true;
}

/* Whose rows an observer can be told one by one. */
static int check_observed(struct statement_run *run, const struct plan *plan)
{
	if (!run->session->observer)
		return 0;
	if (!plan_source(plan))
		return refuse(&run->planner, run->statement->pos,
			"Explaining a query that reads no table");
	if (run->outcome->facts.parallelism > 1)
		return refuse(&run->planner, run->statement->pos,
			"Explaining rows with a parallelism above 1");
	run->run.observer = run->session->observer;
	return 0;
}

int run_select(struct statement_run *run)
{
	struct plan *plan;
	int err;

	statement_note_facts(run, source_by_syntax(&run->session->catalog, run->statement->query));
	err = statement_plan(run, run->statement->query, &plan);
	if (err == 0)
		err = statement_check(run, plan, false);
	if (err == 0)
		err = check_result_mode(run);
	if (err == 0)
		err = check_observed(run, plan);
	if (err == 0)
		err = begin_rows(run, plan);
	return err ? err : statement_rows(run, plan, run->sink);
}

int run_describe(struct statement_run *run)
{
	struct catalog_entry *entry =
		catalog_find(&run->session->catalog, TEXT(""), run->statement->name);
	struct plan *plan;
	int err;

	if (!entry)
		return plan_fault(&run->planner,
			FAULT_VALIDATION "Tables or views with the identifier "
					 "'default_catalog.%.*s.%.*s' doesn't exist.",
			TEXT_ARG(run->session->catalog.database), TEXT_ARG(run->statement->name));
	statement_note_facts(run,
		entry->is_view ? source_by_syntax(&run->session->catalog, entry->query) : entry);
	err = entry->is_view ? plan_view(&run->planner, entry, &plan)
			     : plan_table(&run->planner, entry, &plan);
	if (err == 0) {
		run->outcome->facts = facts_of(plan, &run->session->options, false);
		err = describe_plan(run->session->arena, plan, run->statement, run->sink);
	}
	if (err == -ENOTSUP)
		return refuse(&run->planner, run->statement->pos, "DESCRIBE of such a type");
	return err;
}

/* A session of the SQL client: statements one after another over a catalog and options. A SELECT is
 * planned, checked, run and forgotten: its memory is its own.
 * Recorded: semantics/errors_mode_default, semantics/errors_mode_interval_wrong,
 * semantics/errors_batch_switch_max_ts, watermark/mistakes/ddl_describe_first. */
#include "sim/session.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/define.h"
#include "sim/describe.h"
#include "sim/facts.h"
#include "sim/fault.h"
#include "sim/planner.h"
#include "sim/run.h"

struct session {
	struct arena *arena;
	const struct sim_files *files;
	struct options options;
	struct catalog catalog;
};

/* One statement under way. */
struct statement_run {
	struct session *session;
	const struct sql_statement *statement;
	const struct sim_sink *sink;
	struct outcome *outcome;
	struct diag *diag;
	struct arena arena; /* of this statement alone */
	struct planner planner;
};

struct session *session_new(struct arena *arena, const struct sim_files *files)
{
	struct session *session = ARENA_NEW(arena, struct session);

	if (!session)
		return NULL;
	*session = (struct session){.arena = arena, .files = files};
	session->options.arena = arena;
	session->catalog.arena = arena;
	return session;
}

int session_option(struct session *session, struct text key, struct text value)
{
	return options_set(&session->options, key, value);
}

struct text session_get(const struct session *session, const char *key, const char *otherwise)
{
	return options_get(&session->options, key, otherwise);
}

int64_t session_interval_ms(const struct session *session)
{
	return options_interval_ms(&session->options);
}

static int fail(struct statement_run *run, const char *class, const char *text, struct text value)
{
	return fault_set(
		&run->arena, &run->planner.fault, "%s%s%.*s", class, text, TEXT_ARG(value));
}

#define ENUM_FAULT "Could not parse value for enum class "

/* Two options are read when they are set. */
static int check_set(struct statement_run *run, struct text key, struct text value)
{
	int64_t interval_ms;
	int err;

	if (text_eq(key, TEXT("execution.runtime-mode")) && !text_ieq(value, TEXT("streaming")) &&
		!text_ieq(value, TEXT("batch")) && !text_ieq(value, TEXT("automatic")))
		return fail(run, FAULT_ARGUMENT,
			ENUM_FAULT
			"org.apache.flink.api.common.RuntimeExecutionMode. Expected one of: "
			"[[STREAMING, BATCH, AUTOMATIC]]",
			TEXT(""));
	if (!text_eq(key, TEXT("pipeline.auto-watermark-interval")))
		return 0;
	err = duration_parse(value, &interval_ms);
	if (err == -EINVAL)
		return fail(run, FAULT_NUMBER,
			"text does not start with a number, and is not a valid ISO-8601 duration "
			"format: ",
			value);
	return err ? refuse(&run->planner, run->statement->pos, "This duration") : 0;
}

static int run_set(struct statement_run *run)
{
	const struct sql_statement *statement = run->statement;
	int err;

	if (!statement->key.len)
		return refuse(&run->planner, statement->pos, "SET without a key");
	err = check_set(run, statement->key, statement->value);
	return err ? err : options_set(&run->session->options, statement->key, statement->value);
}

/* The client prints rows from a file only in one result mode. */
static int check_result_mode(struct statement_run *run)
{
	struct text mode =
		options_get(&run->session->options, "sql-client.execution.result-mode", "table");

	if (text_ieq(mode, TEXT("tableau")))
		return 0;
	if (!text_ieq(mode, TEXT("table")) && !text_ieq(mode, TEXT("changelog")))
		return fail(run, FAULT_ARGUMENT,
			ENUM_FAULT
			"org.apache.flink.table.client.config.ResultMode. Expected one of: "
			"[[TABLE, CHANGELOG, TABLEAU]]",
			TEXT(""));
	return fail(run, "org.apache.flink.table.client.gateway.SqlExecutionException: ",
		"In non-interactive mode, it only supports to use TABLEAU as value of "
		"sql-client.execution.result-mode when execute query. Please add 'SET "
		"sql-client.execution.result-mode=TABLEAU;' in the sql file.",
		TEXT(""));
}

/* Settings under which Flink runs another plan than the one that is simulated. */
static int check_options(struct statement_run *run)
{
	const struct options *options = &run->session->options;

	if (text_ieq(options_get(options, "execution.runtime-mode", ""), TEXT("automatic")))
		return refuse(
			&run->planner, run->statement->pos, "execution.runtime-mode = automatic");
	if (options_true(options, "table.exec.mini-batch.enabled"))
		return refuse(&run->planner, run->statement->pos, "table.exec.mini-batch.enabled");
	return 0;
}

/* TIMESTAMP_LTZ prints, and is cut into windows, in the session's zone. */
static int check_zone(struct statement_run *run, const struct plan *plan)
{
	if (options_utc(&run->session->options))
		return 0;
	for (; plan; plan = plan->input)
		for (size_t i = 0; i < plan->column_count; i++)
			run->planner.zone_met |= plan->columns[i].type.kind == SQL_TIMESTAMP_LTZ;
	if (run->planner.zone_met)
		return refuse(&run->planner, run->statement->pos, "TIMESTAMP_LTZ outside UTC");
	return 0;
}

/* A table that was made in streaming mode keeps its time attribute: batch mode's planner then fails
 * in words of its own over an aggregate of that column. */
static int check_switched(struct statement_run *run, const struct plan *plan)
{
	const struct plan *scan = plan_source(plan);

	if (!run->planner.batch || !scan || scan->scan.table->made_in_batch ||
		!scan->scan.table->has_watermark)
		return 0;
	for (; plan; plan = plan->input) {
		if (plan->kind != PLAN_WINDOW_AGG && plan->kind != PLAN_GROUP_AGG)
			continue;
		for (size_t i = 0; i < plan->agg.spec.call_count; i++)
			if (type_is_time(&plan->agg.spec.calls[i].argument_type))
				return refuse(&run->planner, run->statement->pos,
					"A batch aggregate of a time attribute");
	}
	return 0;
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

static int run_rows(
	struct statement_run *run, const struct plan *plan, const struct run_settings *settings)
{
	struct query_facts *facts = &run->outcome->facts;
	struct run counts = {0};
	int err = begin_rows(run, plan);

	if (err == 0)
		err = run_plan(&run->arena, plan, settings, run->sink, &counts, run->diag);
	facts->rows_in = counts.rows_in;
	facts->rows_filtered = counts.rows_filtered;
	facts->rows_dropped = counts.rows_dropped;
	run->planner.fault = counts.fault;
	if (err == -ENOMEM)
		return diag_nomem(run->diag);
	if (err == -EBADMSG && run->planner.batch && has_limit(plan))
		return refuse(&run->planner, run->statement->pos, "A failure behind LIMIT");
	if (err == -ENOTSUP && counts.refused)
		return refuse(&run->planner, run->statement->pos, counts.refused);
	return err;
}

static int run_select(struct statement_run *run)
{
	const struct options *options = &run->session->options;
	struct run_settings settings = {
		run->planner.batch, options_interval_ms(options), run->session->files};
	struct plan *plan;
	int err = check_result_mode(run);

	run->outcome->facts = facts_unplanned(
		options, source_by_syntax(&run->session->catalog, run->statement->query));
	run->outcome->has_facts = true;
	if (err == 0)
		err = check_options(run);
	if (err == 0)
		err = plan_query(&run->planner, run->statement->query, &plan);
	if (err == 0 && run->planner.late_fault.len) {
		run->planner.fault = run->planner.late_fault;
		err = -EBADMSG;
	}
	if (err < 0)
		return err;
	run->outcome->facts = facts_of(plan, options, run->planner.legacy_window);
	if (plan_mark_needed(&run->arena, plan) < 0)
		return diag_nomem(run->diag);
	err = run_check(&run->arena, plan, &settings, &run->planner.fault, run->diag);
	if (err == 0)
		err = check_zone(run, plan);
	if (err == 0)
		err = check_switched(run, plan);
	return err ? err : run_rows(run, plan, &settings);
}

static int run_describe(struct statement_run *run)
{
	struct catalog_entry *entry = catalog_find(&run->session->catalog, run->statement->name);
	struct plan *plan;
	int err;

	if (!entry)
		return fault_set(&run->arena, &run->planner.fault,
			FAULT_VALIDATION "Tables or views with the identifier "
					 "'default_catalog.default_database.%.*s' doesn't exist.",
			TEXT_ARG(run->statement->name));
	run->outcome->facts = facts_unplanned(&run->session->options,
		entry->is_view ? source_by_syntax(&run->session->catalog, entry->query) : entry);
	run->outcome->has_facts = true;
	err = entry->is_view ? plan_query(&run->planner, entry->query, &plan)
			     : plan_table(&run->planner, entry, &plan);
	if (err == 0) {
		run->outcome->facts = facts_of(plan, &run->session->options, false);
		err = describe_plan(run->session->arena, plan, run->sink);
	}
	if (err == -ENOTSUP)
		return refuse(&run->planner, run->statement->pos, "DESCRIBE of such a type");
	return err;
}

static int run_show(struct statement_run *run)
{
	struct session *session = run->session;

	if (text_eq(run->statement->what, TEXT("TABLES")))
		return show_tables(session->arena, &session->catalog, false, run->sink);
	if (text_eq(run->statement->what, TEXT("VIEWS")))
		return show_tables(session->arena, &session->catalog, true, run->sink);
	return refuse(&run->planner, run->statement->pos, "This SHOW");
}

static int dispatch(struct statement_run *run, enum outcome_kind *kind)
{
	struct session *session = run->session;
	const struct sql_statement *statement = run->statement;
	struct planner *planner = &run->planner;

	*kind = OUTCOME_DONE;
	switch (statement->kind) {
	case STMT_SET: return run_set(run);
	case STMT_RESET: options_reset(&session->options, statement->key); return 0;
	case STMT_CREATE_TABLE: return define_table(planner, &session->catalog, statement);
	case STMT_CREATE_VIEW: return define_view(planner, &session->catalog, statement);
	case STMT_ALTER_WATERMARK: return define_watermark(planner, &session->catalog, statement);
	case STMT_DROP: return define_drop(planner, &session->catalog, statement);
	case STMT_QUIT: *kind = OUTCOME_QUIT; return 0;
	default: break;
	}
	*kind = OUTCOME_ROWS;
	switch (statement->kind) {
	case STMT_SELECT: return run_select(run);
	case STMT_DESCRIBE: return run_describe(run);
	case STMT_SHOW: return run_show(run);
	case STMT_EXPLAIN: return refuse(planner, statement->pos, "EXPLAIN");
	case STMT_INSERT: return refuse(planner, statement->pos, "INSERT");
	default: return refuse(planner, statement->pos, "This statement");
	}
}

int session_run(struct session *session, const struct sql_statement *statement,
	const struct sim_sink *sink, struct outcome *ret, struct diag *reterr)
{
	struct outcome outcome = {0};
	struct statement_run run = {.session = session,
		.statement = statement,
		.sink = sink,
		.outcome = &outcome,
		.diag = reterr};
	int err;

	arena_init(&run.arena, LIMIT_RUN_BYTES);
	run.planner = (struct planner){.arena = &run.arena,
		.catalog = &session->catalog,
		.options = &session->options,
		.batch = options_batch(&session->options),
		.diag = reterr};
	err = dispatch(&run, &outcome.kind);
	if (err == -EBADMSG) {
		outcome.kind = OUTCOME_ERROR;
		outcome.error = text_copy(session->arena, run.planner.fault);
		err = outcome.error.ptr ? 0 : diag_nomem(reterr);
	}
	arena_finish(&run.arena);
	*ret = outcome;
	return err;
}

/* INSERT and CREATE TABLE AS: jobs, whose rows nobody sees here. A job is submitted, and how it
 * ends is told only with table.dml-sync, where the client waits for it. Recorded:
 * format/stmt_insert_print, more_sim/create_as, more_sim/batch_insert_print,
 * more_sim/insert_columns, more_sim/insert_types, more_sim/insert_sync. */
#include "sim/statement.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/connector.h"
#include "sim/define.h"
#include "sim/facts.h"
#include "sim/fault.h"
#include "sim/key.h"

/* Does a value of this type go into a column of the other one without CAST? */
static bool fits(const struct sql_type *from, const struct sql_type *to)
{
	if (type_is_integer(from) && type_is_integer(to))
		return from->kind <= to->kind;
	if (type_is_text(from) && to->kind == SQL_VARCHAR)
		return true;
	if (from->kind == SQL_NULL)
		return true;
	return from->kind == to->kind;
}

/* Pairs of types of which nobody has seen whether they fit. */
static bool is_unknown_pair(const struct sql_type *from, const struct sql_type *to)
{
	bool numbers = type_is_number(from) && type_is_number(to);
	bool times = from->kind >= SQL_DATE && from->kind <= SQL_TIMESTAMP_LTZ &&
		     to->kind >= SQL_DATE && to->kind <= SQL_TIMESTAMP_LTZ;

	return from->kind != to->kind &&
	       ((numbers && !(type_is_integer(from) && type_is_integer(to))) || times ||
		       from->kind == SQL_OTHER || to->kind == SQL_OTHER);
}

/* "[a: INT, b: STRING]" of a query's columns. */
static struct text query_schema(struct arena *arena, const struct plan *plan)
{
	struct text list = TEXT("");

	for (size_t i = 0; i < plan->column_count && list.ptr; i++) {
		struct text type = type_summary(arena, &plan->columns[i].type);

		if (!type.ptr)
			return type;
		list = text_format(arena, "%.*s%s%.*s: %.*s", TEXT_ARG(list), i ? ", " : "",
			TEXT_ARG(plan->columns[i].name), TEXT_ARG(type));
	}
	return list;
}

static struct text sink_schema(
	struct arena *arena, const struct sql_column *const *columns, size_t count)
{
	struct text list = TEXT("");

	for (size_t i = 0; i < count && list.ptr; i++) {
		struct text type = type_summary(arena, &columns[i]->type);

		if (!type.ptr)
			return type;
		list = text_format(arena, "%.*s%s%.*s: %.*s", TEXT_ARG(list), i ? ", " : "",
			TEXT_ARG(columns[i]->name), TEXT_ARG(type));
	}
	return list;
}

/* The columns of the sink that the query's go into, in their order. */
struct target {
	const struct catalog_entry *sink;
	const struct sql_column **columns;
	size_t count;
};

static int mismatch(struct statement_run *run, const struct plan *plan, const struct target *target,
	struct text cause)
{
	struct arena *arena = &run->arena;
	struct text from = query_schema(arena, plan);
	struct text to = sink_schema(arena, target->columns, target->count);

	if (!from.ptr || !to.ptr || !cause.ptr)
		return diag_nomem(run->diag);
	return fault_set(arena, &run->planner.fault,
		FAULT_VALIDATION "Column types of query result and sink for "
				 "'default_catalog.%.*s.%.*s' do not match.\nCause: %.*s\n\n"
				 "Query schema: [%.*s]\nSink schema:  [%.*s]",
		TEXT_ARG(target->sink->database), TEXT_ARG(target->sink->name), TEXT_ARG(cause),
		TEXT_ARG(from), TEXT_ARG(to));
}

static int check_types(
	struct statement_run *run, const struct plan *plan, const struct target *target)
{
	if (plan->column_count != target->count)
		return mismatch(run, plan, target, TEXT("Different number of columns."));
	for (size_t i = 0; i < target->count; i++) {
		const struct sql_type *from = &plan->columns[i].type;
		const struct sql_column *to = target->columns[i];

		if (is_unknown_pair(from, &to->type))
			return refuse(&run->planner, run->statement->pos,
				"INSERT of a column with another type");
		if (!fits(from, &to->type))
			return mismatch(run, plan, target,
				text_format(&run->arena,
					"Incompatible types for sink column '%.*s' at position "
					"%zu.",
					TEXT_ARG(to->name), i + 1));
	}
	return 0;
}

/* The columns that INSERT INTO t (a, b) lists. */
static int listed_columns(struct statement_run *run, struct target *target)
{
	const struct sql_statement *statement = run->statement;

	for (size_t i = 0; i < statement->column_count; i++) {
		const struct sql_column *column =
			catalog_column(target->sink, statement->columns[i]);

		if (!column)
			return plan_fault(&run->planner,
				FAULT_CALCITE "Unknown target column '%.*s'",
				TEXT_ARG(statement->columns[i]));
		for (size_t j = 0; j < i; j++)
			if (target->columns[j] == column)
				return plan_fault(&run->planner,
					FAULT_CALCITE
					"Target column '%.*s' is assigned more than once",
					TEXT_ARG(column->name));
		target->columns[target->count++] = column;
	}
	for (size_t i = 0; i < target->sink->column_count; i++)
		if (target->sink->columns[i].type.not_null)
			return refuse(&run->planner, statement->pos,
				"INSERT with a list of columns into this table");
	return 0;
}

static int target_columns(struct statement_run *run, struct target *target)
{
	const struct catalog_entry *sink = target->sink;

	target->columns = arena_array(&run->arena,
		sink->column_count + run->statement->column_count + 1, sizeof(*target->columns));
	if (!target->columns)
		return diag_nomem(run->diag);
	for (size_t i = 0; i < sink->column_count; i++)
		if (sink->columns[i].kind != COLUMN_PHYSICAL)
			return refuse(&run->planner, run->statement->pos,
				"INSERT into a table with computed columns");
	if (run->statement->column_count)
		return listed_columns(run, target);
	for (size_t i = 0; i < sink->column_count; i++)
		target->columns[target->count++] = &sink->columns[i];
	return 0;
}

/* Only connectors that take every row are known, with no option that Flink could refuse. */
static int check_sink(struct statement_run *run, const struct catalog_entry *sink)
{
	struct text database = run->statement->database;
	int err;

	if (!database.len)
		database = run->session->catalog.database;
	if (!sink)
		return plan_fault(&run->planner,
			FAULT_VALIDATION
			"Cannot find table '`default_catalog`.`%.*s`.`%.*s`' in any "
			"of the catalogs [default_catalog], nor as a temporary "
			"table.",
			TEXT_ARG(database), TEXT_ARG(run->statement->name));
	if (sink->is_view)
		return plan_fault(&run->planner,
			FAULT_TABLE "Sink 'default_catalog.%.*s.%.*s' does not exists",
			TEXT_ARG(sink->database), TEXT_ARG(sink->name));
	err = connector_check_sink(&run->arena, sink, &run->planner.fault, run->diag);
	if (err == -ENOTSUP && !run->diag->line)
		return refuse(&run->planner, run->statement->pos, "INSERT into this");
	if (err < 0)
		return err;
	if (run->statement->overwrite)
		return plan_fault(&run->planner,
			FAULT_VALIDATION
			"INSERT OVERWRITE requires that the underlying DynamicTableSink of table "
			"'default_catalog.%.*s.%.*s' implements the SupportsOverwrite interface.",
			TEXT_ARG(sink->database), TEXT_ARG(sink->name));
	return 0;
}

static int drop_row(void *ctx, enum row_op op, const struct value *cells)
{
	(void)ctx;
	(void)op;
	(void)cells;
	return 0;
}

/* A job that is waited for is run, as it may fail. */
static int run_job(struct statement_run *run, const struct plan *plan, enum outcome_kind *kind)
{
	struct sim_sink nowhere = {.row = drop_row};
	struct text sync = options_get(&run->session->options, "table.dml-sync", "false");
	bool waits = text_ieq(text_trim(sync), TEXT("true"));
	int err = statement_check(run, plan, !waits);

	*kind = OUTCOME_JOB;
	if (err == 0 && !waits && !text_ieq(text_trim(sync), TEXT("false")))
		return plan_fault(&run->planner,
			FAULT_ARGUMENT "Unrecognized option for boolean: %.*s. Expected either "
				       "true or false(case insensitive)",
			TEXT_ARG(sync));
	if (err < 0 || !waits)
		return err;
	*kind = OUTCOME_JOB_DONE;
	return statement_rows(run, plan, &nowhere);
}

int run_insert(struct statement_run *run, enum outcome_kind *kind)
{
	struct target target = {catalog_find(&run->session->catalog, run->statement->database,
					run->statement->name),
		NULL, 0};
	struct plan *plan;
	int err;

	statement_note_facts(run, source_by_syntax(&run->session->catalog, run->statement->query));
	err = target.sink && !target.sink->is_view ? target_columns(run, &target) : 0;
	if (err == 0 && (target.sink || run->statement->column_count == 0))
		err = statement_plan(run, run->statement->query, &plan);
	if (err == 0)
		err = check_sink(run, target.sink);
	if (err == 0)
		err = check_types(run, plan, &target);
	return err ? err : run_job(run, plan, kind);
}

/* A table with the columns of CREATE and those of the query behind them. */
static int add_columns(
	struct statement_run *run, const struct plan *plan, struct sql_statement *ret)
{
	const struct sql_create_table *create = run->statement->create;
	struct sql_create_table *made = ARENA_NEW(run->session->arena, struct sql_create_table);
	size_t count = create->column_count + plan->column_count, n = 0;
	struct sql_column *columns = arena_array(run->session->arena, count + 1, sizeof(*columns));

	if (!made || !columns)
		return diag_nomem(run->diag);
	for (; n < create->column_count; n++)
		columns[n] = create->columns[n];
	for (size_t i = 0; i < plan->column_count; i++) {
		columns[n] = (struct sql_column){
			.name = text_copy(run->session->arena, plan->columns[i].name),
			.type = plan->columns[i].type,
			.pos = run->statement->pos};
		if (!columns[n++].name.ptr)
			return diag_nomem(run->diag);
	}
	*made = *create;
	made->as = NULL;
	made->columns = columns;
	made->column_count = count;
	*ret = *run->statement;
	ret->create = made;
	return 0;
}

int run_create_as(struct statement_run *run, enum outcome_kind *kind)
{
	const struct sql_create_table *create = run->statement->create;
	struct catalog *catalog = &run->session->catalog;
	struct sql_statement statement;
	struct plan *plan;
	int err;

	statement_note_facts(run, source_by_syntax(catalog, create->as));
	if (create->if_not_exists && catalog_find(catalog, TEXT(""), run->statement->name))
		return refuse(&run->planner, run->statement->pos,
			"CREATE TABLE AS of a table that is there");
	err = statement_plan(run, create->as, &plan);
	if (err == 0)
		err = add_columns(run, plan, &statement);
	if (err == 0)
		err = define_table(&run->planner, catalog, &statement);
	if (err == 0)
		err = check_sink(run, catalog_find(catalog, TEXT(""), run->statement->name));
	return err ? err : run_job(run, plan, kind);
}

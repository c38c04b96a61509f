/* A session of the SQL client: statements one after another over a catalog and options. What runs
 * a query is in query.c.
 * Recorded: semantics/errors_mode_interval_wrong, watermark/mistakes/ddl_describe_first,
 * more_sim/slow_set_blank_key, more_sim/batch_set_automatic. */
#include "sim/session.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "parser/zone.h"
#include "sim/database.h"
#include "sim/define.h"
#include "sim/fault.h"
#include "sim/key.h"
#include "sim/show.h"
#include "sim/statement.h"

/* Steps between two questions whether there is something more urgent: a few milliseconds. */
#define STEPS_A_TURN INT64_C(500000)

/* Takes steps for what goes to the sink behind it. */
struct counted_sink {
	const struct sim_sink *sink;
	struct statement_run *run;
	struct table shape;
	struct value *local; /* the cells of a row as clocks show them; NULL: as they are */
};

/* The client prints a TIMESTAMP_LTZ as the clocks of the session's zone show it. */
static bool shows_clocks(const struct counted_sink *counted)
{
	for (size_t i = 0; counted->run->planner.zone && i < counted->shape.column_count; i++)
		if (counted->shape.columns[i].type.kind == SQL_TIMESTAMP_LTZ)
			return true;
	return false;
}

static int counted_begin(void *ctx, const struct table *shape)
{
	struct counted_sink *counted = ctx;

	counted->shape = *shape;
	if (shows_clocks(counted)) {
		counted->local = arena_array(
			&counted->run->arena, shape->column_count, sizeof(struct value));
		if (!counted->local)
			return -ENOMEM;
	}
	return counted->sink->begin(counted->sink->ctx, shape);
}

static int counted_row(void *ctx, enum row_op op, const struct value *cells)
{
	const struct counted_sink *counted = ctx;
	const struct table *shape = &counted->shape;
	int64_t steps = (int64_t)shape->column_count * STEPS_CELL;

	for (size_t i = 0; i < shape->column_count; i++)
		if (type_is_text(&shape->columns[i].type) && !cells[i].null)
			steps += (int64_t)cells[i].s.len * STEPS_BYTE;
	if (run_spend(&counted->run->run, steps) < 0)
		return -ENOTSUP;
	for (size_t i = 0; counted->local && i < shape->column_count; i++) {
		counted->local[i] = cells[i];
		if (shape->columns[i].type.kind == SQL_TIMESTAMP_LTZ && !cells[i].null)
			counted->local[i].i = zone_local_ms(counted->run->planner.zone, cells[i].i);
	}
	return counted->sink->row(counted->sink->ctx, op, counted->local ? counted->local : cells);
}

/* A session of statements that read nothing has no files. */
static const struct sim_pause *session_pause(const struct session *session)
{
	return session->files ? session->files->pause : NULL;
}

struct session *session_new(struct arena *arena, const struct sim_files *files)
{
	struct session *session = ARENA_NEW(arena, struct session);

	if (!session)
		return NULL;
	*session = (struct session){.arena = arena, .files = files, .release = FLINK_2_3};
	session_bound(session, files && files->steps ? files->steps : LIMIT_SESSION_STEPS);
	session->options.arena = arena;
	session->catalog.arena = arena;
	session->catalog.database = TEXT(DATABASE);
	return session;
}

void session_unbounded(struct session *session)
{
	session->bounded = false;
}

void session_bound(struct session *session, int64_t steps)
{
	session->bounded = true;
	session->steps = session_pause(session) ? 0 : steps;
	session->steps_later = steps - session->steps;
}

/* Hands out the next steps, unless there is something more urgent to do. */
static bool more_steps(void *ctx)
{
	struct session *session = ctx;
	const struct sim_pause *pause = session_pause(session);

	if (session->steps_later && pause->asked(pause->ctx))
		session->steps_later = 0;
	while (session->steps < 0 && session->steps_later) {
		int64_t steps =
			session->steps_later < STEPS_A_TURN ? session->steps_later : STEPS_A_TURN;

		session->steps += steps;
		session->steps_later -= steps;
	}
	return session->steps >= 0;
}

int64_t session_steps(const struct session *session)
{
	return session->steps + session->steps_later;
}

void session_observe(struct session *session, const struct observer *observer)
{
	session->observer = observer;
}

void session_release(struct session *session, enum flink_release release)
{
	session->release = release;
}

int session_option(struct session *session, struct text key, struct text value)
{
	return options_set(&session->options, key, value);
}

struct text session_get(const struct session *session, const char *key, const char *otherwise)
{
	return options_get(&session->options, key, otherwise);
}

const struct catalog *session_catalog(const struct session *session)
{
	return &session->catalog;
}

int64_t session_interval_ms(const struct session *session)
{
	return options_interval_ms(&session->options);
}

/* Some options are read when they are set. */
static int unknown_duration(struct statement_run *run, struct text value)
{
	struct text label = duration_bad_label(value);

	if (!label.len)
		return refuse(&run->planner, run->statement->pos, "This duration");
	return fault_set(&run->arena, &run->planner.fault,
		FAULT_ARGUMENT
		"Time interval unit label '%.*s' does not match any of the recognized units: "
		"DAYS: (d | day | days), HOURS: (h | hour | hours), MINUTES: (min | m | minute | "
		"minutes), SECONDS: (s | sec | secs | second | seconds), MILLISECONDS: (ms | milli "
		"| millis | millisecond | milliseconds), MICROSECONDS: (\302\265s | micro | micros "
		"| microsecond | microseconds), NANOSECONDS: (ns | nano | nanos | nanosecond | "
		"nanoseconds)",
		TEXT_ARG(label));
}

static int check_mode(struct statement_run *run, struct text value)
{
	if (text_ieq(value, TEXT("automatic")))
		return statement_fail(run, FAULT_TABLE,
			"Unsupported mode 'AUTOMATIC' for 'execution.runtime-mode'. Only an "
			"explicit BATCH or STREAMING mode is supported in Table API.",
			TEXT(""));
	if (text_ieq(value, TEXT("streaming")) || text_ieq(value, TEXT("batch")))
		return 0;
	return statement_fail(run, FAULT_ARGUMENT,
		FAULT_ENUM "org.apache.flink.api.common.RuntimeExecutionMode. Expected one of: "
			   "[[STREAMING, BATCH, AUTOMATIC]]",
		TEXT(""));
}

static int check_set(struct statement_run *run, struct text key, struct text value)
{
	int64_t interval_ms, parallelism;
	int err;

	if (text_eq(key, TEXT("execution.runtime-mode")))
		return check_mode(run, value);
	if (text_eq(key, TEXT("parallelism.default")) &&
		text_to_int64(text_trim(value), &parallelism) < 0)
		return statement_fail(run, FAULT_NUMBER, "For input string: ",
			text_format(&run->arena, "\"%.*s\"", TEXT_ARG(value)));
	if (!text_eq(key, TEXT("pipeline.auto-watermark-interval")))
		return 0;
	err = duration_parse(value, &interval_ms);
	if (err == -EINVAL)
		return statement_fail(run, FAULT_NUMBER,
			"text does not start with a number, and is not a valid ISO-8601 duration "
			"format: ",
			value);
	return err ? unknown_duration(run, value) : 0;
}

/* Blanks around a key do not count. */
static int run_set(struct statement_run *run)
{
	const struct sql_statement *statement = run->statement;
	struct text key = text_trim(statement->key);
	int err;

	if (!key.len)
		return refuse(&run->planner, statement->pos, "SET without a key");
	if (run->session->options.count >= LIMIT_OPTIONS)
		return refuse(&run->planner, statement->pos, "SET of so many options");
	err = check_set(run, key, statement->value);
	return err ? err : options_set(&run->session->options, key, statement->value);
}

static int no_database(struct statement_run *run, const struct sql_path *path)
{
	switch (run->statement->kind) {
	case STMT_SELECT:
		return plan_fault(&run->planner, FAULT_CALCITE "Object '%.*s' not found",
			TEXT_ARG(path->catalog.len ? path->catalog : path->database));
	case STMT_DESCRIBE: return 0;
	case STMT_CREATE_TABLE:
		if (path->catalog.len || run->statement->create->as ||
			run->statement->create->like.len)
			break;
		return plan_fault(&run->planner,
			"org.apache.flink.table.catalog.exceptions.DatabaseNotExistException: "
			"Database %.*s does not exist in Catalog default_catalog.",
			TEXT_ARG(path->database));
	default: break;
	}
	return refuse(&run->planner, path->pos, "A database that is not there");
}

/* A name may say where it is, as long as that is there.
 * Recorded: more_sim/use_select_missing, more_sim/use_create_missing. */
static int check_paths(struct statement_run *run, const struct sql_statement *statement)
{
	const struct catalog *catalog = &run->session->catalog;
	int err = 0;

	for (const struct sql_path *path = statement->paths; path && err == 0; path = path->next)
		if (path->catalog.len && !text_eq(path->catalog, TEXT(CATALOG)))
			err = refuse(&run->planner, path->pos, "A catalog that is not there");
		else if (!catalog_has_database(catalog, path->database))
			err = no_database(run, path);
	for (size_t i = 0; i < statement->member_count && err == 0; i++)
		err = check_paths(run, &statement->members[i]);
	return err;
}

/* What the client does by itself. */
static bool is_clients_own(enum sql_statement_kind statement, enum outcome_kind *kind)
{
	switch (statement) {
	case STMT_QUIT: *kind = OUTCOME_QUIT; return true;
	case STMT_HELP: *kind = OUTCOME_HELP; return true;
	case STMT_CLEAR: *kind = OUTCOME_CLEAR; return true;
	default: return false;
	}
}

static int run_definition(struct statement_run *run)
{
	struct catalog *catalog = &run->session->catalog;
	const struct sql_statement *statement = run->statement;
	struct planner *planner = &run->planner;

	switch (statement->kind) {
	case STMT_SET: return run_set(run);
	case STMT_RESET: options_reset(&run->session->options, statement->key); return 0;
	case STMT_CREATE_TABLE: return define_table(planner, catalog, statement);
	case STMT_CREATE_VIEW: return define_view(planner, catalog, statement);
	case STMT_ALTER_WATERMARK: return define_watermark(planner, catalog, statement);
	case STMT_ALTER_NO_WATERMARK: return define_no_watermark(planner, catalog, statement);
	case STMT_ALTER_OPTIONS: return define_options(planner, catalog, statement);
	case STMT_ALTER_RENAME: return define_name(planner, catalog, statement);
	case STMT_ALTER_VIEW: return define_view_anew(planner, catalog, statement);
	case STMT_DROP: return define_drop(planner, catalog, statement);
	default: return use_database(planner, catalog, statement);
	}
}

static int run_outside_set(struct statement_run *run, enum outcome_kind *kind)
{
	const struct sql_statement *statement = run->statement;
	struct planner *planner = &run->planner;

	*kind = OUTCOME_ROWS;
	switch (statement->kind) {
	case STMT_SELECT: return run_select(run);
	case STMT_DESCRIBE: return run_describe(run);
	case STMT_SHOW:
		if (text_eq(statement->what, TEXT("COLUMNS")) && !statement->more)
			return run_describe(run);
		return show(planner, statement, run->sink);
	case STMT_EXPLAIN: return refuse(planner, statement->pos, "EXPLAIN");
	case STMT_INSERT: return run_insert(run, kind);
	case STMT_BEGIN_SET:
	case STMT_END_SET:
	case STMT_EXECUTE_SET: return run_set_statement(run, kind);
	case STMT_CREATE_TABLE:
		if (statement->create->as)
			return run_create_as(run, kind);
		break;
	default: break;
	}
	*kind = OUTCOME_DONE;
	return run_definition(run);
}

/* A definition and what shows one work in the database of their name; the names of a query that
 * goes with it are looked up in the one in use. */
static int run_in_database(struct statement_run *run, enum outcome_kind *kind)
{
	const struct sql_statement *statement = run->statement;
	struct catalog *catalog = &run->session->catalog;
	struct text in_use = catalog->database;
	bool queries = statement->query || (statement->create && statement->create->as);
	int err;

	if (!statement->database.len || statement->kind == STMT_INSERT)
		return run_outside_set(run, kind);
	if (!text_eq(statement->database, in_use) && queries)
		return refuse(&run->planner, statement->pos, "A query for another database");
	if (statement->new_database.len && !text_eq(statement->new_database, statement->database))
		return refuse(&run->planner, statement->pos, "RENAME into another database");
	catalog->database = statement->database;
	err = run_outside_set(run, kind);
	catalog->database = in_use;
	return err;
}

static int dispatch(struct statement_run *run, enum outcome_kind *kind)
{
	int err = check_paths(run, run->statement);

	if (err < 0 || is_clients_own(run->statement->kind, kind))
		return err;
	return run->session->in_set ? run_set_statement(run, kind) : run_in_database(run, kind);
}

/* What failed below without knowing its place, a table's file perhaps, failed in this statement. */
static void place_failure(struct diag *diag, struct sql_pos pos)
{
	if (!diag || diag->line)
		return;
	diag->line = pos.line;
	diag->col = pos.col;
}

int session_run(struct session *session, const struct sql_statement *statement,
	const struct sim_sink *sink, struct outcome *ret, struct diag *reterr)
{
	struct outcome outcome = {0};
	struct counted_sink counted = {.sink = sink};
	struct sim_sink counting = {counted_begin, counted_row, &counted};
	struct statement_run run = {.session = session,
		.statement = statement,
		.sink = &counting,
		.outcome = &outcome,
		.diag = reterr};
	int err;

	arena_init(&run.arena, session->bounded ? LIMIT_SESSION_BYTES : LIMIT_RUN_BYTES);
	counted.run = &run;
	run.run.steps = session->bounded ? &session->steps : NULL;
	run.run.more = session->bounded && session_pause(session) ? more_steps : NULL;
	run.run.more_ctx = session;
	run.planner = (struct planner){.arena = &run.arena,
		.catalog = &session->catalog,
		.options = &session->options,
		.release = session->release,
		.batch = options_batch(&session->options),
		.run = &run.run,
		.diag = reterr};
	err = dispatch(&run, &outcome.kind);
	if (err == -ENOTSUP && session->bounded && session->steps == 0)
		err = refuse(&run.planner, statement->pos, STEPS_BEYOND);
	if (err == -ENOMEM && session->bounded)
		err = refuse(&run.planner, statement->pos, "A statement of so much memory");
	if (err == -EBADMSG) {
		outcome.kind = OUTCOME_ERROR;
		outcome.error = text_copy(session->arena, run.planner.fault);
		outcome.place = text_copy(session->arena, run.run.place);
		outcome.pos = run.planner.fault_pos.line ? run.planner.fault_pos : statement->pos;
		err = outcome.error.ptr && outcome.place.ptr ? 0 : diag_nomem(reterr);
	}
	if (err < 0)
		place_failure(reterr, statement->pos);
	arena_finish(&run.arena);
	*ret = outcome;
	return err;
}

/* Running a script statement by statement. What the client does with the file (cutting it, stopping
 * at the first error) is followed here; what a statement does is the simulator's. */
#include "daemon/grade/script.h"

#include <errno.h>

#include "parser/arena.h"

struct running {
	struct arena *arena;
	struct session *session;
	struct script *script;
	struct sql_pos start; /* of the statement */
	bool ended;
};

static int note_refusal(struct script *script, int err, const struct diag *diag)
{
	if (err == -ENOMEM)
		return err;
	if (script->whole)
		script->refused = *diag;
	script->whole = false;
	return 0;
}

/* A query whose rows are not known: its settings are. */
static int note_refused_query(struct running *r, int err, const struct diag *diag)
{
	r->script->query_refused = true;
	r->script->interval_ms = session_interval_ms(r->session);
	return note_refusal(r->script, err, diag);
}

static bool prints_table(const struct sql_statement *statement)
{
	return statement->kind == STMT_SELECT || statement->kind == STMT_DESCRIBE ||
	       statement->kind == STMT_SHOW || statement->kind == STMT_EXPLAIN;
}

static int keep_result(struct running *r, const struct sql_statement *statement,
	const struct table *table, const struct outcome *outcome)
{
	struct script *s = r->script;
	struct script_result *result;

	if (arena_grow(r->arena, &s->results, s->count, &s->room, sizeof(*s->results)))
		return -ENOMEM;
	result = &s->results[s->count++];
	*result = (struct script_result){.kind = statement->kind,
		.statement = s->last,
		.name = statement->name,
		.table = *table,
		.facts = outcome->facts,
		.has_facts = outcome->has_facts};
	return 0;
}

static int run_statement(struct running *r, const struct sql_statement *statement)
{
	struct table table = {0};
	struct table_sink keep;
	struct sim_sink sink = table_sink_init(&keep, r->arena, &table);
	struct outcome outcome = {0};
	struct diag diag = {0};
	int err = session_run(r->session, statement, &sink, &outcome, &diag);

	if (err && statement->kind == STMT_SELECT)
		return note_refused_query(r, err, &diag);
	if (err && statement->kind == STMT_SHOW)
		r->script->show_refused = true;
	if (err)
		return note_refusal(r->script, err, &diag);
	if (outcome.kind == OUTCOME_ERROR) {
		r->script->error = outcome.error;
		r->script->error_place = outcome.place;
		r->script->error_pos = outcome.pos.line ? outcome.pos : r->start;
		r->script->error_batch = outcome.has_facts && outcome.facts.batch;
	}
	r->ended = outcome.kind == OUTCOME_ERROR || outcome.kind == OUTCOME_QUIT;
	if (outcome.kind == OUTCOME_ROWS && prints_table(statement))
		return keep_result(r, statement, &table, &outcome);
	return 0;
}

/* Keeps the highest parallelism that a statement of the script finds in force. SQL's own setting
 * goes before the default one. */
static void note_parallelism(struct running *r)
{
	static const char *const keys[] = {
		"table.exec.resource.default-parallelism", "parallelism.default"};
	int64_t parallelism = 0;

	for (size_t i = 0; parallelism < 1 && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (text_to_int64(text_trim(session_get(r->session, keys[i], "0")), &parallelism))
			parallelism = 0;
	if (parallelism > r->script->parallelism)
		r->script->parallelism = parallelism;
}

/* Where the first character of a statement stands, behind blanks and empty lines. */
static struct sql_pos start_of(const struct sql_piece *piece)
{
	struct text blanks =
		text_slice(piece->source, 0, piece->source.len - text_trim_left(piece->source).len);
	struct sql_pos pos = {piece->line, piece->col};

	for (size_t i = 0; i < blanks.len; i++) {
		bool ends = blanks.ptr[i] == '\n';

		pos = (struct sql_pos){pos.line + ends, ends ? 1 : pos.col + 1};
	}
	return pos;
}

static int run_piece(struct running *r, const struct sql_piece *piece)
{
	struct sql_statement statement = {0};
	struct diag diag = {0};
	int err = sql_parse(r->arena, piece, &statement, &diag);

	r->start = start_of(piece);
	if (err || statement.kind == STMT_SELECT)
		note_parallelism(r);
	if (err == -EINVAL)
		r->ended = r->script->syntax = true; /* the client stops at an error */
	if (err)
		return note_refusal(r->script, err, &diag);
	return run_statement(r, &statement);
}

int script_run(
	struct arena *arena, struct text sql, const struct sim_files *files, struct script *ret)
{
	struct script script = {.whole = true, .parallelism = 1};
	struct running running = {
		.arena = arena, .session = session_new(arena, files), .script = &script};
	struct sql_script pieces;
	struct diag diag = {0};
	int64_t steps = running.session ? session_steps(running.session) : 0;
	int err;

	if (!running.session || session_option(running.session,
					TEXT("sql-client.execution.result-mode"), TEXT("tableau")))
		return -ENOMEM;
	err = sql_split(arena, sql, &pieces, &diag);
	if (err) {
		*ret = script;
		return note_refusal(ret, err, &diag);
	}
	for (size_t i = 0; !running.ended && i < pieces.count && pieces.pieces[i].run; i++) {
		script.last = i;
		if (run_piece(&running, &pieces.pieces[i]))
			return -ENOMEM;
	}
	script.steps = steps - session_steps(running.session);
	*ret = script;
	return 0;
}

bool script_lacks_file(const struct script *script)
{
	const struct text mark = TEXT("FileNotFoundException");

	return text_find(script->error, mark) < script->error.len;
}

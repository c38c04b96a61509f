/* Explaining: the statements before the SELECT run without anybody looking at their rows; the
 * SELECT's own result is made and dropped, since its operators are what is watched. */
#include "sim/explain.h"

#include <errno.h>
#include <inttypes.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

struct explaining {
	struct arena *arena;
	const struct observing *what;
	struct session *session;
	struct sql_statement *statements;
	size_t count;
	size_t select; /* its index */
};

static int ignore_shape(void *ctx, const struct table *shape)
{
	(void)ctx;
	(void)shape;
	return 0;
}

static int ignore_row(void *ctx, enum row_op op, const struct value *cells)
{
	(void)ctx;
	(void)op;
	(void)cells;
	return 0;
}

/* Reads the statements up to the one that is asked for. Which one is the last is known at the end
 * only. */
static int read_statements(
	struct explaining *explaining, const struct sql_script *script, struct diag *reterr)
{
	int64_t wanted = explaining->what->select, found = 0;
	int err;

	explaining->statements =
		arena_array(explaining->arena, script->count + 1, sizeof(struct sql_statement));
	if (!explaining->statements)
		return diag_nomem(reterr);
	for (size_t i = 0; i < script->count && script->pieces[i].run; i++) {
		struct sql_statement *statement = &explaining->statements[explaining->count];

		err = sql_parse(explaining->arena, &script->pieces[i], statement, reterr);
		if (err < 0)
			return err;
		if (statement->kind == STMT_SELECT) {
			explaining->select = explaining->count;
			found++;
		}
		explaining->count++;
		if (wanted && found == wanted)
			return 0;
	}
	if (found && !wanted)
		return 0;
	return diag_set(reterr, -ENOENT, 0, 0,
		"There is no such SELECT to explain: the script has %" PRId64 ".", found);
}

static int fail(
	const struct sql_statement *statement, const struct outcome *outcome, struct diag *reterr)
{
	struct sql_pos pos = outcome->pos.line ? outcome->pos : statement->pos;

	return diag_set(reterr, -EBADMSG, pos.line, pos.col, "Flink says: %.*s%s%.*s",
		TEXT_ARG(fault_summary(outcome->error)), outcome->place.len ? " at " : "",
		TEXT_ARG(outcome->place));
}

static const struct sql_statement *select_of(const struct explaining *explaining)
{
	return &explaining->statements[explaining->select];
}

/* What changes nothing for those behind it: where it is not simulated it is passed over. */
static bool is_shown_only(const struct sql_statement *statement)
{
	return statement->kind == STMT_SELECT || statement->kind == STMT_DESCRIBE ||
	       statement->kind == STMT_SHOW || statement->kind == STMT_EXPLAIN;
}

static int run_statement(
	struct explaining *explaining, const struct sql_statement *statement, struct diag *reterr)
{
	struct sim_sink nobody = {ignore_shape, ignore_row, NULL};
	struct outcome outcome = {0};
	int err = session_run(explaining->session, statement, &nobody, &outcome, reterr);

	if (err == -ENOTSUP && is_shown_only(statement) && statement != select_of(explaining))
		return 0;
	if (err < 0)
		return err;
	if (outcome.kind == OUTCOME_ERROR)
		return fail(statement, &outcome, reterr);
	if (outcome.kind == OUTCOME_QUIT)
		return diag_set(reterr, -ENOENT, statement->pos.line, statement->pos.col,
			"The script ends before the SELECT.");
	return 0;
}

static int run_select(
	struct explaining *explaining, const struct observer *observer, struct diag *reterr)
{
	int err;

	session_observe(explaining->session, observer);
	err = run_statement(explaining, select_of(explaining), reterr);
	session_observe(explaining->session, NULL);
	return err;
}

int observe_script(struct arena *arena, const struct observing *what, struct text script,
	const struct sim_files *files, const struct observer *observer, struct diag *reterr)
{
	struct explaining explaining = {
		.arena = arena, .what = what, .session = session_new(arena, files)};
	struct sql_script pieces;
	int err;

	if (!explaining.session ||
		session_option(explaining.session, TEXT("sql-client.execution.result-mode"),
			TEXT("tableau")) < 0)
		return diag_nomem(reterr);
	if (what->unbounded)
		session_unbounded(explaining.session);
	else if (what->steps)
		session_bound(explaining.session, what->steps);
	err = sql_split(arena, script, &pieces, reterr);
	if (err == 0)
		err = read_statements(&explaining, &pieces, reterr);
	for (size_t i = 0; i < explaining.select && err == 0; i++)
		err = run_statement(&explaining, &explaining.statements[i], reterr);
	return err ? err : run_select(&explaining, observer, reterr);
}

int explain_script(struct arena *arena, const struct explain *explain, struct text script,
	const struct sim_files *files, struct writer *out, struct diag *reterr)
{
	const struct observing what = {.select = explain->select, .unbounded = explain->unbounded};
	struct story *story = story_new(arena, &explain->story, out);
	struct observer observer;
	int err, shown;

	if (!story)
		return diag_nomem(reterr);
	observer = story_observer(story);
	err = observe_script(arena, &what, script, files, &observer, reterr);
	shown = story_finish(story);
	return err ? err : shown;
}

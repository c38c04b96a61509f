/* A scene is a script whose statements are run one behind the other, but for those that the target
 * does not need. What goes wrong on the way is told of the mutant: a query that Flink refuses, one
 * that is not simulated, one that the judge ended. */
#include "sim/scene_run.h"

#include <errno.h>

#include "parser/arena.h"

struct session *scene_session(
	struct arena *arena, const struct sim_files *files, const struct scene *scene)
{
	struct session *session = session_new(arena, files);

	if (!session ||
		session_option(session, TEXT("sql-client.execution.result-mode"), TEXT("tableau")))
		return NULL;
	for (size_t i = 0; scene && i < scene->setting_count; i++)
		if (session_option(
			    session, text_of(scene->settings[i].key), scene->settings[i].value))
			return NULL;
	return session;
}

static bool is_overruled(const struct scene *scene, struct text key)
{
	for (size_t i = 0; i < scene->setting_count; i++)
		if (text_eq(text_trim(key), text_of(scene->settings[i].key)))
			return true;
	return false;
}

/* Statements that the query does not need: other queries, and settings that are overruled. */
static bool is_idle(const struct scene *scene, size_t index)
{
	const struct sql_statement *statement = &scene->statements[index];

	switch (statement->kind) {
	case STMT_SELECT: return index != scene->target;
	case STMT_SET:
	case STMT_RESET: return is_overruled(scene, statement->key);
	case STMT_CREATE_TABLE:
	case STMT_CREATE_VIEW:
	case STMT_ALTER_WATERMARK:
	case STMT_ALTER_NO_WATERMARK:
	case STMT_ALTER_OPTIONS:
	case STMT_ALTER_RENAME:
	case STMT_ALTER_VIEW:
	case STMT_DROP:
	case STMT_OTHER: return false;
	default: return true;
	}
}

/* Keeps a mutant's table as far as the judge lets it come. */
struct judged_sink {
	const struct mutant_judge *judge;
	struct sim_sink keep;
};

static int judged_begin(void *ctx, const struct table *shape)
{
	const struct judged_sink *sink = ctx;

	if (sink->judge && !sink->judge->begin(sink->judge->ctx, shape))
		return -ECANCELED;
	return sink->keep.begin(sink->keep.ctx, shape);
}

static int judged_row(void *ctx, enum row_op op, const struct value *cells)
{
	const struct judged_sink *sink = ctx;

	if (sink->judge && !sink->judge->row(sink->judge->ctx, op, cells))
		return -ECANCELED;
	return sink->keep.row(sink->keep.ctx, op, cells);
}

int scene_run(const struct scene_run *run, const struct scene *scene, struct mutant *ret)
{
	struct session *session = scene_session(scene->arena, run->files, scene);
	struct kept_rows *kept = run->files->kept;
	struct table_sink keep;
	struct judged_sink judged = {run->judge, table_sink_init(&keep, scene->arena, &ret->table)};
	struct sim_sink sink = {judged_begin, judged_row, &judged};

	if (!session)
		return -ENOMEM;
	session_bound(session, run->steps);
	kept->change = scene->change;
	kept->first_rows = scene->first_rows;
	for (size_t i = 0; i <= scene->target && !ret->refused && !ret->unknown && !ret->ended;
		i++) {
		struct outcome outcome = {0};
		int err = is_idle(scene, i) ? 0
					    : session_run(session, &scene->statements[i], &sink,
						      &outcome, NULL);

		if (err == -ENOMEM)
			return err;
		ret->ended = err == -ECANCELED;
		ret->unknown = err < 0 && !ret->ended;
		ret->refused = outcome.kind == OUTCOME_ERROR;
		ret->rows_tied += outcome.facts.rows_tied;
	}
	kept->change = INPUT_AS_IS;
	ret->steps = run->steps - session_steps(session);
	return 0;
}

/* Profiles of a script: its statements are gone through as the client does, and each query is
 * looked at with the tables, views and settings that it finds. Only what changes them is run. */
#include "daemon/grade/profile.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/options.h"

struct walking {
	struct arena *arena;
	struct session *session;
	const struct lab *lab;
	struct profiles *profiles;
	size_t statement;
	struct text repeated; /* by CREATE TABLE IF NOT EXISTS */
	bool ended;
};

static bool is_true(const struct session *session, const char *key)
{
	return text_ieq(text_trim(session_get(session, key, "false")), TEXT("true"));
}

/* Options that make a window print before or after its one result. */
static struct text emit_of(const struct session *session)
{
	if (is_true(session, "table.exec.emit.early-fire.enabled"))
		return TEXT("early-fire");
	if (is_true(session, "table.exec.emit.late-fire.enabled"))
		return TEXT("late-fire");
	if (session_get(session, "table.exec.emit.allow-lateness", "").len)
		return TEXT("allow-lateness");
	return (struct text){0};
}

static int64_t parallelism_of(const struct session *session)
{
	static const char *const keys[] = {
		"table.exec.resource.default-parallelism", "parallelism.default"};
	int64_t parallelism = 0;

	for (size_t i = 0; parallelism < 1 && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (text_to_int64(text_trim(session_get(session, keys[i], "0")), &parallelism))
			parallelism = 0;
	return parallelism < 1 ? 1 : parallelism;
}

static struct profile_settings settings_of(struct arena *arena, const struct session *session)
{
	struct text mode = session_get(session, "execution.runtime-mode", "streaming");
	struct text result = session_get(session, "sql-client.execution.result-mode", "table");

	return (struct profile_settings){.batch = text_ieq(mode, TEXT("batch")),
		.tableau = text_ieq(result, TEXT("tableau")),
		.interval_set =
			session_get(session, "pipeline.auto-watermark-interval", "").len > 0,
		.interval_ms = session_interval_ms(session),
		.parallelism = parallelism_of(session),
		.zone = text_copy(arena, session_get(session, "table.local-time-zone", "")),
		.emit = emit_of(session)};
}

static int add_profile(
	struct walking *w, const struct sql_statement *statement, struct profile **ret)
{
	struct profiles *all = w->profiles;

	if (arena_grow(w->arena, &all->items, all->count, &all->room, sizeof(*all->items)))
		return -ENOMEM;
	*ret = &all->items[all->count++];
	**ret = (struct profile){.statement = w->statement,
		.kind = statement->kind,
		.pos = statement->pos,
		.known = true,
		.key = statement->create ? statement->create->name : statement->key,
		.value = statement->value,
		.settings = settings_of(w->arena, w->session)};
	return 0;
}

static int take_query(struct walking *w, const struct sql_statement *statement)
{
	struct profile_builder builder = {.arena = w->arena,
		.catalog = session_catalog(w->session),
		.lab = w->lab,
		.repeated = w->repeated};
	struct profile *profile;

	if (add_profile(w, statement, &profile))
		return -ENOMEM;
	if (statement->query)
		profile_query(&builder, statement->query, profile);
	else if (statement->kind == STMT_DESCRIBE)
		profile_table(&builder,
			catalog_find(builder.catalog, statement->database, statement->name),
			profile);
	else
		profile->known = false;
	return builder.nomem ? -ENOMEM : 0;
}

/* A statement that is refused: of a table, what it would have been. */
static int take_refused(struct walking *w, const struct sql_statement *statement)
{
	struct profile_builder builder = {
		.arena = w->arena, .catalog = session_catalog(w->session), .lab = w->lab};
	struct catalog_entry *entry = ARENA_NEW(w->arena, struct catalog_entry);
	struct profile *profile;
	struct text fault = {0};

	if (!entry || add_profile(w, statement, &profile))
		return -ENOMEM;
	profile->failed = true;
	if (statement->kind != STMT_CREATE_TABLE || statement->create->like.len)
		return 0;
	if (catalog_define(w->arena, statement->create, NULL, entry, &fault) == -ENOMEM)
		return -ENOMEM;
	entry->name = statement->create->name;
	profile_table(&builder, entry, profile);
	return builder.nomem ? -ENOMEM : 0;
}

static bool is_query(const struct sql_statement *statement)
{
	return statement->kind == STMT_SELECT || statement->kind == STMT_EXPLAIN ||
	       statement->kind == STMT_INSERT || statement->kind == STMT_DESCRIBE;
}

static bool is_kept(const struct sql_statement *statement)
{
	return statement->kind == STMT_SET || statement->kind == STMT_RESET ||
	       statement->kind == STMT_CREATE_TABLE;
}

static int keep_nothing(void *ctx, const struct table *shape)
{
	(void)ctx, (void)shape;
	return 0;
}

static int keep_no_row(void *ctx, enum row_op op, const struct value *cells)
{
	(void)ctx, (void)op, (void)cells;
	return 0;
}

static int take_statement(struct walking *w, const struct sql_statement *statement)
{
	struct sim_sink sink = {keep_nothing, keep_no_row, NULL};
	struct outcome outcome = {0};
	struct profile *profile;
	struct diag diag;
	int err;

	if (is_query(statement))
		return take_query(w, statement);
	if (statement->kind == STMT_CREATE_TABLE && statement->create->if_not_exists &&
		catalog_find(
			session_catalog(w->session), statement->database, statement->create->name))
		w->repeated = statement->create->name;
	err = session_run(w->session, statement, &sink, &outcome, &diag);
	if (err == -ENOMEM)
		return err;
	w->ended = !err && (outcome.kind == OUTCOME_ERROR || outcome.kind == OUTCOME_QUIT);
	if (!err && outcome.kind == OUTCOME_ERROR)
		return take_refused(w, statement);
	return is_kept(statement) ? add_profile(w, statement, &profile) : 0;
}

static int take_piece(struct walking *w, const struct sql_piece *piece)
{
	struct sql_statement *statement = ARENA_NEW(w->arena, struct sql_statement);
	struct diag diag;
	int err;

	if (!statement)
		return -ENOMEM;
	err = sql_parse(w->arena, piece, statement, &diag);
	if (err == -ENOMEM)
		return err;
	w->ended = err == -EINVAL;
	return err ? 0 : take_statement(w, statement);
}

int profiles_read(struct arena *arena, struct text sql, const struct sim_files *files,
	const struct lab *lab, struct profiles *ret)
{
	struct profiles profiles = {0};
	struct walking walking = {.arena = arena,
		.session = session_new(arena, files),
		.lab = lab,
		.profiles = &profiles};
	struct sql_script script;
	struct diag diag;
	int err;

	if (!walking.session)
		return -ENOMEM;
	err = sql_split(arena, sql, &script, &diag);
	if (err)
		script.count = 0;
	for (size_t i = 0; err != -ENOMEM && !walking.ended && i < script.count; i++) {
		if (!script.pieces[i].run)
			break;
		walking.statement = i;
		err = take_piece(&walking, &script.pieces[i]);
	}
	*ret = profiles;
	return err == -ENOMEM ? err : 0;
}

const struct profile *profiles_find(const struct profiles *profiles, size_t statement)
{
	for (size_t i = 0; i < profiles->count; i++)
		if (profiles->items[i].statement == statement)
			return &profiles->items[i];
	return NULL;
}

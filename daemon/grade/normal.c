/* A profile is run: as a CREATE TABLE, settings and one SELECT. */
#include "daemon/grade/normal.h"

#include <errno.h>

#include "daemon/grade/lateness.h"
#include "parser/arena.h"
#include "parser/diag.h"

static bool has_normal_form(const struct profile *p)
{
	const struct profile_rank *rank = &p->rank;

	if (p->kind != STMT_SELECT || !p->known || !p->has_table || p->other || p->order.count ||
		p->distinct || (p->window.kind.len && (!p->window.sizes_known || !p->window.time)))
		return false;
	for (size_t i = 0; i < p->item_count; i++)
		if (!p->items[i].expr)
			return false;
	return !rank->function.len || (rank->order.count && rank_bound(p) && !p->limited);
}

static int run_statement(
	struct session *session, const struct sql_statement *statement, const struct sim_sink *sink)
{
	struct outcome outcome;
	struct diag diag;
	int err = session_run(session, statement, sink, &outcome, &diag);

	if (err && err != -ENOMEM)
		return -ENOTSUP;
	return !err && outcome.kind == OUTCOME_ERROR ? -EBADMSG : err;
}

static int set_up(struct arena *arena, struct session *session, const struct profile *p)
{
	struct text interval = text_format(arena, "%lld ms", (long long)p->settings.interval_ms);

	if (!interval.ptr ||
		session_option(session, TEXT("execution.runtime-mode"),
			p->settings.batch ? TEXT("batch") : TEXT("streaming")) ||
		session_option(session, TEXT("pipeline.auto-watermark-interval"), interval) ||
		session_option(session, TEXT("sql-client.execution.result-mode"), TEXT("tableau")))
		return -ENOMEM;
	return 0;
}

int normal_run(struct arena *arena, const struct profile *p, const struct sim_files *files,
	int64_t *steps, struct table *ret)
{
	const struct catalog_entry *table = &p->table;
	struct session *session = session_new(arena, files);
	struct sql_create_table create = {.name = table->name,
		.columns = table->columns,
		.column_count = table->column_count,
		.has_watermark = table->has_watermark,
		.watermark_column = table->watermark_column,
		.watermark = (struct sql_expr *)table->watermark,
		.options = table->options,
		.option_count = table->option_count};
	struct sql_statement *made = ARENA_NEW(arena, struct sql_statement),
			     *select = ARENA_NEW(arena, struct sql_statement);
	struct table_sink keep;
	struct sim_sink sink = table_sink_init(&keep, arena, ret);
	int err;

	if (!has_normal_form(p))
		return -ENOTSUP;
	if (!session || !made || !select || set_up(arena, session, p))
		return -ENOMEM;
	session_bound(session, *steps);
	*made = (struct sql_statement){
		.kind = STMT_CREATE_TABLE, .name = table->name, .create = &create};
	*select = (struct sql_statement){.kind = STMT_SELECT, .query = normal_query(arena, p)};
	if (!select->query)
		return -ENOMEM;
	err = run_statement(session, made, &sink);
	if (!err)
		err = run_statement(session, select, &sink);
	*steps = session_steps(session);
	return err;
}

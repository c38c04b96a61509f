/* What is left to say where no cause was found: that rows correct themselves, that nothing was
 * refused, or that no known mistake gives these rows. */
#include "daemon/grade/compare.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/refusal.h"
#include "daemon/grade/saved.h"
#include "parser/arena.h"

/* Does a table of the answer's columns take rows back? */
static bool corrects(const struct grading *g)
{
	for (size_t i = 0; i < g->expected->count; i++)
		if (g->choice.tables[i] && table_is_corrected(&g->choice.tables[i]->table))
			return true;
	return false;
}

static bool groups_by_window(const struct sql_query *query)
{
	for (size_t i = 0; query && i < query->group_count; i++)
		if (query->group[i]->kind == EXPR_CALL &&
			(text_eq(query->group[i]->name, TEXT("TUMBLE")) ||
				text_eq(query->group[i]->name, TEXT("HOP")) ||
				text_eq(query->group[i]->name, TEXT("SESSION"))))
			return true;
	return false;
}

/* A window that fires more than once does so by a setting, and only one of the old spelling obeys
 * it. */
static void name_emit(const struct grading *g, struct causes *causes)
{
	static const struct {
		const char *key, *name;
	} options[] = {{"table.exec.emit.early-fire.enabled", "early-fire"},
		{"table.exec.emit.late-fire.enabled", "late-fire"},
		{"table.exec.emit.allow-lateness", "late-fire"}};
	struct written written = {0};
	size_t from = causes->count;

	if (written_sql(g->arena, g->submission->sql.bytes, &written))
		causes->nomem = true;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct text value = written_setting(&written, written.count, options[i].key);

		if (value.len && !text_ieq(text_trim(value), TEXT("false")))
			causes_add(causes, DIAG_EMIT_OPTIONS, text_of(options[i].name));
	}
	for (size_t i = 0; causes->count > from && i < written.count; i++)
		if (!written.items[i].err && written.items[i].tree.kind == STMT_SELECT &&
			groups_by_window(written.items[i].tree.query))
			causes_add(causes, DIAG_LEGACY_WINDOW, (struct text){0});
}

struct shape {
	struct text window; /* name of the function in FROM */
	size_t keys;
};

static struct shape shape_of(const struct grading *g, struct text sql, struct causes *causes)
{
	struct written written = {0};
	struct shape shape = {0};

	if (written_sql(g->arena, sql, &written))
		causes->nomem = true;
	for (size_t i = 0; i < written.count; i++) {
		const struct sql_query *query = written_query(&written.items[i]);

		if (query && query->from && query->from->call)
			shape = (struct shape){query->from->call->name, query->group_count};
	}
	return shape;
}

/* Rows, where a refusal is asked: of the other mode, or of the same query whose arguments work. */
static void not_refused(
	const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct text sql = g->has_script ? g->submission->sql.bytes : (struct text){0};
	struct shape mine = shape_of(g, sql, causes);
	struct shape asked = shape_of(g, g->expected->sql, causes);

	if (verdict->summary.id == MSG_BATCH_RUN)
		causes_add(causes, DIAG_BATCH_MODE, (struct text){0});
	else if (verdict->summary.id == MSG_STREAMING_RUN)
		causes_add(causes, DIAG_STREAMING_MODE, (struct text){0});
	else if (verdict->summary.id == MSG_NOT_REFUSED && text_eq(mine.window, asked.window) &&
		 mine.keys == asked.keys)
		causes_add(causes, DIAG_NOT_REFUSED, (struct text){0});
}

static bool asks_aggregate(const struct grading *g)
{
	struct written written = {0};
	const struct sql_query *query = NULL;

	if (written_sql(g->arena, g->expected->sql, &written))
		return false;
	for (size_t i = 0; i < written.count; i++)
		query = written_query(&written.items[i]) ? written_query(&written.items[i]) : query;
	return query && query->grouped;
}

/* Are all saved rows asked ones, and some of those not there? Where each counts others, and counts
 * them right, a condition on the result held rows back. Rows of the data may be lost otherwise:
 * a sort drops late ones. */
static bool lacks_only(const struct grading *g, const struct verdict *verdict)
{
	bool rows = false;

	if (!asks_aggregate(g))
		return false;
	for (size_t i = 0; i < verdict->evidence_count; i++)
		if (verdict->evidence[i].kind != EVIDENCE_MISSING)
			return false;
	for (size_t i = 0; i < g->expected->count; i++)
		rows = rows || (g->choice.tables[i] && g->choice.tables[i]->table.row_count);
	return rows && verdict->evidence_count && g->choice.found == g->expected->count;
}

void diagnose_unknown(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	bool rows = false, corrected, known;
	struct saved saved = {0};

	if (g->step->kind == STEP_ERROR && causes->count == 0)
		not_refused(g, verdict, causes);
	if (g->step->kind == STEP_ERROR && causes->count == 1 &&
		causes->items[0].id == DIAG_LEGACY_WINDOW &&
		verdict->summary.id == MSG_NOT_REFUSED) {
		causes_add(causes, DIAG_NOT_REFUSED, (struct text){0}); /* the old ones take more */
		causes_either(causes, 0);
	}
	if (g->step->kind != STEP_TABLES || causes->count || verdict->kind != VERDICT_FAIL)
		return;
	if (saved_find(g, &saved))
		causes->nomem = true;
	known = g->has_script && g->script.whole && saved_yielded(g, &saved, causes);
	corrected = !known && corrects(g);
	if (corrected && g->has_script)
		name_emit(g, causes);
	if (causes->count)
		return;
	for (size_t i = 0; i < verdict->evidence_count; i++)
		rows = rows || verdict->evidence[i].kind != EVIDENCE_MISSING ||
		       verdict->evidence[i].window_start.len || verdict->evidence[i].rows;
	if (corrected)
		causes_add(causes, DIAG_CHANGELOG, (struct text){0});
	else if (rows) {
		if (!g->has_script && lacks_only(g, verdict))
			causes_add(causes, DIAG_WHERE_EXTRA, (struct text){0});
		causes_add(causes, DIAG_UNRECOGNISED, (struct text){0});
		causes_either(causes, 0);
	}
}

/* Rows that do not come from the SQL beside them. They are another step's where they equal its reference; they
 * were changed by hand where the script yields the same table but for a few cells; and where nothing is found,
 * that is said, with no theory. */
#include <errno.h>

#include "daemon/grade/choose.h"
#include "daemon/grade/compare.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"

/* One cell in so many may be changed by hand. */
#define CELLS_PER_EDIT 8

struct saved {
	const struct result **items; /* results of queries, in file order */
	size_t count;
};

static int find_saved(const struct grading *g, struct saved *ret)
{
	const struct transcript *t = &g->transcript;
	struct saved saved = {.items = arena_array(g->arena, t->count + 1, sizeof(*saved.items))};

	if (!saved.items)
		return -ENOMEM;
	for (size_t i = 0; i < t->count; i++)
		if (t->results[i].kind == RESULT_TABLE && t->results[i].table.form != TABLE_CATALOG)
			saved.items[saved.count++] = &t->results[i];
	*ret = saved;
	return 0;
}

static bool equals(const struct grading *g, const struct table *asked, const struct table *saved,
	struct causes *causes)
{
	struct comparison c = {0};

	if (asked->form != saved->form)
		return false;
	if (compare_tables(g->arena, asked, saved, 1, &c))
		causes->nomem = true;
	return c.equal && c.map.found == asked->column_count && c.map.extra == 0 && c.map.named;
}

/* Does the SQL beside the output yield one of these tables? */
static bool is_yielded(const struct grading *g, const struct saved *saved, struct causes *causes)
{
	for (size_t i = 0; i < saved->count; i++)
		for (size_t k = 0; k < g->script.count; k++) {
			const struct table *table = &g->script.results[k].table;
			bool equal = false;

			if (g->script.results[k].kind != STMT_SELECT ||
				table->form != saved->items[i]->table.form)
				continue;
			if (tables_equal(g->arena, table, &saved->items[i]->table, &equal))
				causes->nomem = true;
			if (equal)
				return true;
		}
	return false;
}

/* Are the saved tables those of that step, each once, or all of them its only one? */
static bool is_step(const struct grading *g, const struct expected *other,
	const struct saved *saved, struct causes *causes)
{
	if (other->count == 0 || saved->count == 0 ||
		(other->count > 1 && other->count != saved->count))
		return false;
	for (size_t i = 0; i < saved->count; i++) {
		size_t k = other->count > 1 ? i : 0;

		if (!equals(g, other->tables[k], &saved->items[i]->table, causes))
			return false;
	}
	return true;
}

static void find_step(const struct grading *g, const struct saved *saved, struct causes *causes)
{
	const struct lab *lab = g->grader->lab;
	size_t from = causes->count;

	for (size_t i = 0; i < lab->step_count; i++)
		if (&lab->steps[i] != g->step && lab->steps[i].kind == STEP_TABLES &&
			is_step(g, &g->grader->expected[i], saved, causes))
			causes_add(causes, DIAG_ANOTHER_STEP, lab->steps[i].id);
	causes_either(causes, from);
}

/* Cells that differ between two tables of the same rows; more than `most`: so many that it does not matter. */
static size_t count_changes(const struct grading *g, const struct table *asked,
	const struct table *saved, struct causes *causes)
{
	struct comparison c = {0};

	if (compare_tables(g->arena, asked, saved, 1, &c))
		causes->nomem = true;
	if (c.equal || !c.map.named || c.evidence_count == EVIDENCE_LIMIT)
		return SIZE_MAX;
	for (size_t i = 0; i < c.evidence_count; i++)
		if (c.evidence[i].kind != EVIDENCE_VALUE)
			return SIZE_MAX;
	return c.evidence_count;
}

/* The client's own output of this very SQL, but for some cells. */
static void find_edits(const struct grading *g, const struct saved *saved, struct causes *causes)
{
	struct written written = {0};

	if (written_sql(g->arena, g->submission->sql.bytes, &written)) {
		causes->nomem = true;
		return;
	}
	if (g->script.parallelism > 1 || !written_matches(&written, &g->transcript))
		return;
	for (size_t i = 0; i < saved->count; i++)
		for (size_t k = 0; k < g->script.count; k++) {
			const struct table *mine = &g->script.results[k].table;
			size_t cells = mine->row_count * mine->column_count;

			if (g->script.results[k].kind == STMT_SELECT &&
				count_changes(g, mine, &saved->items[i]->table, causes) <=
					cells / CELLS_PER_EDIT)
				causes_add(causes, DIAG_EDITED_BY_HAND, (struct text){0});
		}
}

/* The refusal that another step asks for, where the SQL beside it is not refused so. */
static void find_refusal(const struct grading *g, struct causes *causes)
{
	const struct lab *lab = g->grader->lab;
	size_t from = causes->count;

	for (size_t i = 0; i < lab->step_count; i++) {
		struct text error = g->grader->expected[i].error;

		if (&lab->steps[i] == g->step || lab->steps[i].kind != STEP_ERROR ||
			text_eq(g->script.error, error) || text_eq(g->expected->error, error))
			continue;
		for (size_t k = 0; k < g->transcript.count; k++)
			if (g->transcript.results[k].kind == RESULT_ERROR &&
				text_eq(g->transcript.results[k].text, error))
				causes_add(causes, DIAG_ANOTHER_STEP, lab->steps[i].id);
	}
	causes_either(causes, from);
}

void diagnose_foreign(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct saved saved;

	if (verdict->kind != VERDICT_FAIL || !g->has_script || !g->script.whole)
		return;
	if (g->step->kind == STEP_ERROR)
		find_refusal(g, causes);
	if (g->step->kind != STEP_TABLES)
		return;
	if (find_saved(g, &saved)) {
		causes->nomem = true;
		return;
	}
	if (is_yielded(g, &saved, causes))
		return;
	find_step(g, &saved, causes);
	if (causes->count == 0)
		find_edits(g, &saved, causes);
}

/* Does a table of the answer's columns take rows back? */
static bool corrects(const struct grading *g, struct causes *causes)
{
	struct choice choice = {0};

	if (choose_tables(
		    g->arena, &g->transcript, g->expected->tables, g->expected->count, &choice))
		causes->nomem = true;
	for (size_t i = 0; choice.found && i < g->expected->count; i++)
		for (size_t k = 0; choice.tables[i] && k < choice.tables[i]->table.row_count; k++)
			if (choice.tables[i]->table.rows[k].op != OP_INSERT)
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

/* A window that fires more than once does so by a setting, and only one of the old spelling obeys it. */
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

void diagnose_unknown(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	bool rows = false, corrected, known;
	struct saved saved = {0};

	if (g->step->kind == STEP_ERROR && causes->count == 0)
		not_refused(g, verdict, causes);
	if (g->step->kind != STEP_TABLES || causes->count || verdict->kind != VERDICT_FAIL)
		return;
	if (find_saved(g, &saved))
		causes->nomem = true;
	known = g->has_script && g->script.whole && is_yielded(g, &saved, causes);
	corrected = !known && corrects(g, causes);
	if (corrected && g->has_script)
		name_emit(g, causes);
	if (causes->count)
		return;
	for (size_t i = 0; i < verdict->evidence_count; i++)
		rows = rows || verdict->evidence[i].kind != EVIDENCE_MISSING ||
		       verdict->evidence[i].window_start.len;
	if (corrected)
		causes_add(causes, DIAG_CHANGELOG, (struct text){0});
	else if (rows)
		causes_add(causes, DIAG_UNRECOGNISED, (struct text){0});
}

/* Rows that do not come from the SQL beside them. They are another step's where they equal its
 * reference; they were changed by hand, or are of another run, where the script yields the same
 * table but for a few cells; and where nothing is found, that is said, with no theory. */
#include <errno.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/saved.h"
#include "daemon/grade/written.h"
#include "parser/arena.h"

/* One cell, or one row, in so many may be changed by hand. */
#define CELLS_PER_EDIT 8

static bool equals(const struct grading *g, const struct table *asked, const struct table *saved,
	const struct form *form, struct causes *causes)
{
	struct column_map map = {0};
	bool equal = false;

	if (asked->form != saved->form || table_is_corrected(asked) != table_is_corrected(saved))
		return false;
	if (map_columns(g->arena, asked, saved, &map))
		causes->nomem = true;
	if (!map.named || (map.extra && form->extra != FORM_FREE))
		return false;
	if (rows_equal(g->arena, asked, saved, map.of, &equal))
		causes->nomem = true;
	return equal;
}

/* Are the saved tables those of that step, each once, or all of them its only one? */
static bool is_step(const struct grading *g, const struct expected *other, const struct form *form,
	const struct saved *saved, struct causes *causes)
{
	if (other->count == 0 || saved->count == 0 ||
		(other->count > 1 && other->count != saved->count))
		return false;
	for (size_t i = 0; i < saved->count; i++) {
		size_t k = other->count > 1 ? i : 0;

		if (!equals(g, other->tables[k], &saved->items[i]->table, form, causes))
			return false;
	}
	return true;
}

/* Is there the definition that a step of kind "describe" asks for? */
static bool is_definition(
	const struct grading *g, const struct expected *other, struct causes *causes)
{
	for (size_t i = 0; i < g->transcript.count; i++) {
		const struct result *result = &g->transcript.results[i];
		bool equal = false;

		if (result->kind != RESULT_TABLE || result->table.form != TABLE_CATALOG ||
			other->count == 0)
			continue;
		if (tables_equal(g->arena, other->tables[0], &result->table, &equal))
			causes->nomem = true;
		if (equal)
			return true;
	}
	return false;
}

static void find_step(const struct grading *g, const struct saved *saved, struct causes *causes)
{
	const struct lab *lab = g->grader->lab;
	size_t from = causes->count;

	for (size_t i = 0; i < lab->step_count; i++) {
		const struct expected *other = &g->grader->expected[i];

		if (&lab->steps[i] == g->step)
			continue;
		if (lab->steps[i].kind == STEP_TABLES
				? is_step(g, other, &lab->steps[i].form, saved, causes)
				: lab->steps[i].kind == STEP_DESCRIBE && saved->count == 0 &&
					  is_definition(g, other, causes))
			causes_add(causes, DIAG_ANOTHER_STEP, lab->steps[i].id);
	}
	causes_either(causes, from);
}

bool diagnose_is_another(const struct grading *g, struct causes *causes)
{
	struct causes found;
	struct saved saved;

	causes_init(&found, g->arena);
	if (saved_find(g, &saved))
		found.nomem = true;
	else
		find_step(g, &saved, &found);
	causes->nomem |= found.nomem;
	return found.count > 0;
}

/* How a saved table differs from the one that the script yields. */
struct changes {
	bool few;  /* some cells, or some rows: of other data most would be others */
	bool torn; /* in a row one number changed, and another did not */
};

static size_t count_numbers(const struct table *table)
{
	size_t count = 0;

	for (size_t i = 0; i < table->column_count; i++)
		count += table->columns[i].type.kind >= SQL_TINYINT &&
			 table->columns[i].type.kind <= SQL_BIGINT;
	return count;
}

static struct changes find_changes(const struct grading *g, const struct table *mine,
	const struct table *saved, struct causes *causes)
{
	struct comparison c = {0};
	struct changes changes = {0};

	if (compare_tables(g->arena, mine, saved, 1, &c))
		causes->nomem = true;
	if (c.equal || !c.map.named || c.evidence_count == EVIDENCE_LIMIT)
		return changes;
	changes.few = c.differing <= mine->row_count / CELLS_PER_EDIT;
	for (size_t i = 0; i < c.evidence_count; i++) {
		size_t in_row = 0;

		if (c.evidence[i].kind != EVIDENCE_VALUE)
			return changes;
		for (size_t k = 0; k < c.evidence_count; k++)
			in_row += text_eq(c.evidence[i].window_start, c.evidence[k].window_start);
		changes.torn = changes.torn || in_row < count_numbers(mine);
	}
	changes.few |= c.evidence_count <= mine->row_count * mine->column_count / CELLS_PER_EDIT;
	return changes;
}

/* What was changed in the client's own output of this very SQL; few is false where it is not
 * known. */
static struct changes all_changes(
	const struct grading *g, const struct saved *saved, struct causes *causes)
{
	struct written written = {0};
	struct changes all = {0};

	if (written_sql(g->arena, g->submission->sql.bytes, &written))
		causes->nomem = true;
	if (g->script.parallelism > 1 || !written_matches(&written, &g->transcript))
		return all;
	for (size_t i = 0; i < saved->count; i++)
		for (size_t k = 0; k < g->script.count; k++) {
			struct changes changes = {0};

			if (g->script.results[k].kind == STMT_SELECT)
				changes = find_changes(g, &g->script.results[k].table,
					&saved->items[i]->table, causes);
			all.few = all.few || changes.few;
			all.torn = all.torn || (changes.few && changes.torn);
		}
	return all;
}

/* Rows that this very SQL may have printed from the data as it was: nobody is told of another
 * cause then. */
static bool is_of_older_data(
	const struct grading *g, const struct saved *saved, struct causes *causes)
{
	struct written written = {0};

	if (!g->submission->data_newer || !saved->count || g->script.parallelism > 1)
		return false;
	if (written_sql(g->arena, g->submission->sql.bytes, &written))
		causes->nomem = true;
	return written_matches(&written, &g->transcript);
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

/* Does the script beside the output print what was saved, of this step's kind or another? */
static bool explains(const struct grading *g, const struct saved *saved, struct causes *causes)
{
	if (saved_yielded(g, saved, causes))
		return true;
	for (size_t i = 0; saved->count == 0 && i < g->script.count; i++)
		if (g->script.results[i].kind == STMT_DESCRIBE)
			return true;
	return false;
}

/* An echo of what the SQL beside it does not hold: it was changed since. */
static bool is_older(const struct written *written, const struct transcript *transcript)
{
	for (size_t i = 0; written->count && i < transcript->count; i++)
		if (!written_has(written, transcript->results[i].echo))
			return true;
	return false;
}

/* Another step's SQL may differ from this one only in what no output shows, as SET: then it may
 * as well be the output of an older text of this SQL. */
static void find_older(const struct grading *g, struct causes *causes)
{
	struct written written = {0};

	if (!causes_have(causes, DIAG_ANOTHER_STEP))
		return;
	if (written_sql(g->arena, g->submission->sql.bytes, &written))
		causes->nomem = true;
	if (!written.count || is_older(&written, &g->transcript))
		return;
	causes_add(causes, DIAG_STALE_OUTPUT, (struct text){0});
	causes_either(causes, 0);
}

void diagnose_foreign(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct saved saved;

	if (verdict->kind != VERDICT_FAIL || !g->has_script || !g->script.whole)
		return;
	if (g->step->kind == STEP_ERROR)
		find_refusal(g, causes);
	if (saved_find(g, &saved)) {
		causes->nomem = true;
		return;
	}
	if (explains(g, &saved, causes))
		return;
	if (causes->count == 0) {
		find_step(g, &saved, causes);
		if (saved.count)
			find_older(g, causes);
	}
	if (causes->count || g->step->kind != STEP_TABLES)
		return;
	if (is_of_older_data(g, &saved, causes))
		causes_add(causes, DIAG_OTHER_DATA, TEXT("newer"));
	else if (all_changes(g, &saved, causes).torn)
		causes_add(causes, DIAG_EDITED_BY_HAND, (struct text){0});
}

/* Without SQL the output of another step may be one of this step's mistakes as well. */
void diagnose_alike(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct saved saved;
	size_t before = causes->count;

	if (verdict->kind != VERDICT_FAIL || g->has_script || g->step->kind != STEP_TABLES)
		return;
	for (size_t i = 0; i < before; i++)
		if (before > 1 && !causes->items[i].ambiguous)
			return;
	if (saved_find(g, &saved))
		causes->nomem = true;
	else
		find_step(g, &saved, causes);
	if (causes->count > before)
		causes_either(causes, 0);
}

/* Of a file that lost a table's frame, the echo may have lost as much. */
static bool is_torn(const struct saved *saved)
{
	for (size_t i = 0; i < saved->count; i++)
		if (!saved->items[i]->framed)
			return true;
	return false;
}

void diagnose_stale(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct written written = {0};
	struct saved saved;
	bool known =
		causes_have(causes, DIAG_ANOTHER_STEP) || causes_have(causes, DIAG_EDITED_BY_HAND);

	if (verdict->kind != VERDICT_FAIL || !g->has_script || known ||
		g->step->kind != STEP_TABLES)
		return;
	if (saved_find(g, &saved) || written_sql(g->arena, g->submission->sql.bytes, &written)) {
		causes->nomem = true;
		return;
	}
	if (saved.count == 0 || is_torn(&saved) || saved_yielded(g, &saved, causes))
		return;
	if (is_older(&written, &g->transcript)) {
		causes_add(causes, DIAG_STALE_OUTPUT, (struct text){0});
	} else if (causes->count == 0 && g->script.whole && g->script.parallelism == 1 &&
		   written_matches(&written, &g->transcript)) {
		causes_add(causes,
			all_changes(g, &saved, causes).few ? DIAG_EDITED_BY_HAND : DIAG_OTHER_DATA,
			(struct text){0});
		causes_add(causes, DIAG_UNRECOGNISED, (struct text){0});
		causes_either(causes, 0);
	}
}

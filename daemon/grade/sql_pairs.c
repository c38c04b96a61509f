/* A saved result is a query's where the simulation of the .sql yields it, rows or refusal; where
 * the query is not simulated, or chance has its part, where the echo in front of it is the
 * query's text. */
#include "daemon/grade/sql_pairs.h"

#include <errno.h>

#include "daemon/grade/choose.h"
#include "daemon/grade/compare.h"
#include "daemon/grade/written.h"
#include "parser/arena.h"
#include "sim/source.h"

/* ---- which statement a result is of ---- */

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* Equal but for blanks? */
static bool same_text(struct text a, struct text b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.len && is_blank(a.ptr[i]))
			i++;
		while (k < b.len && is_blank(b.ptr[k]))
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if (a.ptr[i++] != b.ptr[k++])
			return false;
	}
}

/* The part of a statement that the client shows: up to its last closing bracket. */
static struct text shown(struct text source)
{
	while (source.len && source.ptr[source.len - 1] != ')' &&
		source.ptr[source.len - 1] != ']' && source.ptr[source.len - 1] != '}')
		source.len--;
	return source;
}

static bool is_echoed(const struct evidence_of_sql *e, size_t statement, const struct result *saved)
{
	return saved->echo.len && statement < e->pieces.count &&
	       same_text(shown(e->pieces.pieces[statement].source), shown(saved->echo));
}

static bool is_simulated(const struct script *script, size_t statement)
{
	for (size_t i = 0; i < script->count; i++)
		if (script->results[i].statement == statement)
			return true;
	return script->error.len && script->last == statement;
}

static struct text asked_path(const struct evidence_of_sql *e)
{
	const struct profiles *asked = e->asked;

	for (size_t i = 0; i < asked->count; i++)
		if (asked->items[i].has_table)
			return source_path(&asked->items[i].table);
	return (struct text){0};
}

/* Does it read another file than asked, and shows the output that very table? The file may have
 * been another one then, or a folder, whose files come in any order. */
static bool reads_elsewhere(const struct evidence_of_sql *e, const struct profile *profile)
{
	struct text path = asked_path(e);
	struct written written = {0};

	if (!profile->has_table || !path.len || text_eq(source_path(&profile->table), path))
		return false;
	if (written_sql(e->g->arena, e->g->submission->sql.bytes, &written)) {
		e->causes->nomem = true;
		return false;
	}
	for (size_t i = 0; i < e->g->transcript.count; i++)
		if (!written_has(&written, e->g->transcript.results[i].echo))
			return false;
	return true;
}

/* Where chance has its part, or other files, the simulation says nothing about a run. */
static bool may_differ(const struct evidence_of_sql *e, const struct profile *profile)
{
	return profile->settings.parallelism > 1 ||
	       !is_simulated(&e->g->script, profile->statement) ||
	       (e->g->script.last == profile->statement && script_lacks_file(&e->g->script)) ||
	       reads_elsewhere(e, profile);
}

static bool is_query(const struct profile *profile)
{
	return profile->kind == STMT_SELECT || profile->kind == STMT_DESCRIBE;
}

/* The script's result that is the same table; of several the one whose statement the output
 * shows. */
static const struct profile *by_table(struct evidence_of_sql *e, const struct result *saved)
{
	size_t found = e->g->script.count;
	bool shown = false;

	for (size_t i = 0; !shown && i < e->g->script.count; i++) {
		const struct script_result *result = &e->g->script.results[i];
		bool equal = false;

		if (e->used[i] || result->table.form != saved->table.form)
			continue;
		if (tables_equal(e->g->arena, &result->table, &saved->table, &equal))
			e->causes->nomem = true;
		shown = equal && is_echoed(e, result->statement, saved);
		if (shown || (equal && found == e->g->script.count))
			found = i;
	}
	if (found == e->g->script.count)
		return NULL;
	e->used[found] = true;
	return profiles_find(&e->script, e->g->script.results[found].statement);
}

/* "Empty set": of a query without rows. */
static const struct profile *by_empty(struct evidence_of_sql *e)
{
	for (size_t i = 0; i < e->g->script.count; i++) {
		const struct script_result *result = &e->g->script.results[i];

		if (!e->used[i] && result->kind == STMT_SELECT && result->table.row_count == 0)
			return profiles_find(&e->script, result->statement);
	}
	return NULL;
}

static const struct profile *by_echo(struct evidence_of_sql *e, const struct result *saved)
{
	for (size_t i = 0; i < e->script.count; i++)
		if (is_query(&e->script.items[i]) && may_differ(e, &e->script.items[i]) &&
			is_echoed(e, e->script.items[i].statement, saved))
			return &e->script.items[i];
	return NULL;
}

/* A refusal: the simulated one, or that of a statement whose echo is there. */
static const struct profile *by_error(struct evidence_of_sql *e, const struct result *saved)
{
	const struct script *script = &e->g->script;
	struct text first, error = saved->text;

	if (script->error.len && text_next_line(&error, &first) &&
		text_starts(script->error, text_trim(first)))
		return profiles_find(&e->script, script->last);
	for (size_t i = 0; i < e->script.count; i++)
		if (is_echoed(e, e->script.items[i].statement, saved))
			return &e->script.items[i];
	return NULL;
}

static const struct profile *find_mine(struct evidence_of_sql *e, const struct result *saved)
{
	const struct profile *mine;

	if (saved->kind == RESULT_ERROR)
		return by_error(e, saved);
	mine = saved->kind == RESULT_EMPTY ? by_empty(e) : by_table(e, saved);
	return mine ? mine : by_echo(e, saved);
}

/* ---- pairs ---- */

static bool is_table(const struct result *result, bool catalog)
{
	return result->kind == RESULT_TABLE && (result->table.form == TABLE_CATALOG) == catalog;
}

static const struct result *last_error(const struct grading *g)
{
	for (size_t i = g->transcript.count; i > 0; i--)
		if (g->transcript.results[i - 1].kind == RESULT_ERROR)
			return &g->transcript.results[i - 1];
	return NULL;
}

/* An asked table and a result that was not chosen for it. */
static int compare_unchosen(struct evidence_of_sql *e, size_t number, struct pair *pair)
{
	const struct table *asked = e->g->expected->tables[number];
	struct comparison c = {0};

	if (e->g->step->kind == STEP_DESCRIBE || pair->saved->kind != RESULT_TABLE)
		return 0;
	if (compare_tables(e->g->arena, asked, &pair->saved->table, (int)number + 1, &c))
		return -ENOMEM;
	pair->right = c.equal && c.map.found == asked->column_count;
	return 0;
}

/* The result of this number, from 0, of those that are no answer but stand there. */
static const struct result *any_table(const struct grading *g, size_t number, bool catalog)
{
	for (size_t i = 0; i < g->transcript.count; i++)
		if ((is_table(&g->transcript.results[i], catalog) ||
			    (!catalog && g->transcript.results[i].kind == RESULT_EMPTY)) &&
			number-- == 0)
			return &g->transcript.results[i];
	return NULL;
}

int pair_tables(struct evidence_of_sql *e)
{
	struct grading *g = e->g;
	bool catalog = g->step->kind == STEP_DESCRIBE;
	bool refused = false;

	for (size_t i = 0; i < e->count; i++) {
		struct pair *pair = &e->pairs[i];
		bool chosen = !catalog && g->choice.tables[i];

		pair->asked = profiles_find(e->asked, g->expected->results[i]->statement);
		pair->saved = chosen ? g->choice.tables[i] : NULL;
		pair->right = chosen && g->right[i];
		if (!pair->saved && (catalog || g->choice.found == 0))
			pair->saved = any_table(g, i, catalog);
		if (!pair->saved && !refused) {
			pair->saved = last_error(g);
			refused = true;
		}
		if (!pair->saved)
			continue;
		if (!chosen && compare_unchosen(e, i, pair))
			return -ENOMEM;
		if (pair->saved->kind == RESULT_TABLE && pair->saved->end == END_ERROR &&
			last_error(g))
			pair->saved = last_error(g);
		pair->mine = find_mine(e, pair->saved);
	}
	return 0;
}

void pair_refusal(struct evidence_of_sql *e)
{
	const struct grading *g = e->g;
	const struct profiles *asked = e->asked;
	struct pair *pair = &e->pairs[0];

	for (size_t i = 0; i < asked->count; i++)
		if (asked->items[i].kind == STMT_SELECT)
			pair->asked = &asked->items[i];
	for (size_t i = g->transcript.count; !pair->saved && i > 0; i--)
		if (g->transcript.results[i - 1].kind == RESULT_ERROR ||
			is_table(&g->transcript.results[i - 1], false))
			pair->saved = &g->transcript.results[i - 1];
	if (pair->saved)
		pair->mine = find_mine(e, pair->saved);
}

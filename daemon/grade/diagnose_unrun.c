/* A result that is not there although the client refused nothing: its statement was never run,
 * another kind of statement was, or the result went elsewhere. What the last buffer of a file
 * held that never became a statement, the client echoes at its end. */
#include "daemon/grade/choose.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/written.h"
#include "parser/arena.h"

struct unrun {
	const struct grading *grading;
	struct causes *causes;
	struct written written;
};

static void name(struct unrun *u, enum diagnosis_id id, struct text param)
{
	causes_add(u->causes, id, param);
}

static bool has_text(const struct transcript *transcript, enum result_kind kind, const char *text)
{
	for (size_t i = 0; i < transcript->count; i++)
		if (transcript->results[i].kind == kind &&
			text_find(transcript->results[i].text, text_of(text)) <
				transcript->results[i].text.len)
			return true;
	return false;
}

static bool has_kind(const struct transcript *transcript, enum result_kind kind)
{
	return has_text(transcript, kind, "");
}

/* The one cell of an EXPLAIN starts with a title; SHOW CREATE TABLE has such a cell as well. */
static bool is_plan(const struct result *result)
{
	const struct table *table = &result->table;
	struct text cell;

	if (result->kind != RESULT_TABLE || table->form == TABLE_CHANGELOG ||
		table->column_count != 1 || table->row_count == 0 || table->rows[0].cells[0].null)
		return false;
	cell = table->rows[0].cells[0].s;
	return text_starts(text_trim(cell), TEXT("==")) ||
	       text_find(cell, TEXT("Logical")) < cell.len;
}

static bool has_plan(const struct transcript *transcript)
{
	for (size_t i = 0; i < transcript->count; i++)
		if (is_plan(&transcript->results[i]))
			return true;
	return false;
}

static bool has_query_table(const struct transcript *transcript)
{
	for (size_t i = 0; i < transcript->count; i++) {
		const struct result *result = &transcript->results[i];

		if (result->kind == RESULT_EMPTY ||
			(result->kind == RESULT_TABLE && result->table.form != TABLE_CATALOG &&
				!is_plan(result)))
			return true;
	}
	return false;
}

/* The buffer that never became a statement: a comment behind its ';', or a quote that stays
 * open. */
static void name_unfinished(struct unrun *u, struct text buffer, bool whole)
{
	size_t from = u->causes->count;
	size_t semicolon = buffer.len, comment;

	while (semicolon > 0 && buffer.ptr[semicolon - 1] != ';')
		semicolon--;
	comment = text_find(text_slice(buffer, semicolon, buffer.len), TEXT("--"));
	if (whole && text_count(buffer, '\'') % 2 &&
		(!semicolon || comment == buffer.len - semicolon)) {
		name(u, DIAG_ERROR_SYNTAX, TEXT("quote"));
		return;
	}
	name(u, DIAG_COMMENT_AFTER_SEMICOLON, (struct text){0});
	if (!whole && text_count(buffer, '\'') % 2) {
		name(u, DIAG_ERROR_SYNTAX, TEXT("quote"));
		causes_either(u->causes, from);
	}
}

static const struct written_statement *not_run(const struct unrun *u)
{
	const struct written *w = &u->written;

	return w->whole && w->count && !w->items[w->count - 1].piece.run ? &w->items[w->count - 1]
									 : NULL;
}

/* A buffer of comments alone is no statement that anybody misses. */
static bool is_comment(struct text buffer)
{
	struct text line;

	while (text_next_line(&buffer, &line)) {
		line = text_trim(line);
		if (line.len && !text_starts(line, TEXT("--")))
			return false;
		if (!buffer.ptr)
			break;
	}
	return true;
}

static bool say_unfinished(struct unrun *u)
{
	const struct written_statement *last = not_run(u);
	struct text echo = u->grading->transcript.echo;

	if (last && !is_comment(last->piece.source))
		name_unfinished(u, last->piece.source, true);
	else if (!last && text_trim(echo).len && u->grading->transcript.complete)
		name_unfinished(u, echo, false);
	else
		return false;
	return true;
}

/* The frame of a run without one prompt: the client found no file to read. */
static bool found_no_file(const struct grading *g)
{
	struct text bytes = g->submission->out.bytes;

	return g->transcript.count == 0 && g->transcript.complete &&
	       text_find(bytes, TEXT("Flink SQL>")) == bytes.len;
}

static void say_why(struct unrun *u)
{
	const struct transcript *transcript = &u->grading->transcript;
	bool describe = u->grading->step->kind == STEP_DESCRIBE;

	if (found_no_file(u->grading))
		name(u, DIAG_QUERY_MISSING, TEXT("file"));
	else if (say_unfinished(u))
		return;
	else if (describe)
		name(u, DIAG_QUERY_MISSING, TEXT("DESCRIBE"));
	else if (has_kind(transcript, RESULT_JOB) ||
		 has_text(transcript, RESULT_MESSAGE, "SQL update statement"))
		name(u, DIAG_SINK_ONLY, (struct text){0});
	else if (has_plan(transcript))
		name(u, DIAG_PLAN_ONLY, (struct text){0});
	else if (!has_query_table(transcript))
		name(u, DIAG_QUERY_MISSING, TEXT("SELECT"));
}

/* Does a query of the script put several tables together? */
static bool joins(const struct sql_query *query)
{
	return query && (query->kind == QUERY_UNION || query->kind == QUERY_UNION_ALL ||
				(query->from && query->from->kind == REL_JOIN));
}

static bool is_joined(const struct unrun *u)
{
	for (size_t i = 0; i < u->written.count; i++)
		if (!u->written.items[i].err && u->written.items[i].tree.kind == STMT_SELECT &&
			joins(u->written.items[i].tree.query))
			return true;
	return false;
}

static void say_columns(struct unrun *u, const struct choice *choice)
{
	const struct table *asked = u->grading->expected->tables[0], *saved = NULL;

	for (size_t i = 0; i < u->grading->expected->count; i++)
		saved = choice->tables[i] ? &choice->tables[i]->table : saved;
	for (size_t i = 0; saved && i < saved->column_count; i++)
		if (table_column(asked, saved->columns[i].name) == asked->column_count &&
			saved->column_count > asked->column_count)
			name(u, DIAG_COLUMN_EXTRA, saved->columns[i].name);
}

/* Some of the asked tables are there. */
static void say_missing(struct unrun *u, const struct choice *choice)
{
	if (is_joined(u)) {
		causes_add(u->causes, DIAG_TABLE_MISSING, TEXT("joined"));
		say_columns(u, choice);
		return;
	}
	for (size_t i = 0; i < u->grading->expected->count; i++)
		if (!choice->tables[i])
			causes_add_at(u->causes, DIAG_TABLE_MISSING,
				text_format(u->grading->arena, "%zu", i + 1), (int)i + 1);
}

static void look_for_tables(struct unrun *u)
{
	const struct grading *g = u->grading;

	if (g->choice.found == 0)
		say_why(u);
	else if (g->choice.found < g->expected->count && !say_unfinished(u))
		say_missing(u, &g->choice);
}

static bool has_message(const struct verdict *verdict, enum message_id id)
{
	bool has = verdict->summary.id == id;

	for (size_t i = 0; i < verdict->remark_count; i++)
		has = has || verdict->remarks[i].id == id;
	return has;
}

void diagnose_unrun(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct unrun u = {.grading = g, .causes = causes};
	struct text sql = g->has_script ? g->submission->sql.bytes : (struct text){0};
	size_t failed;

	if (has_kind(&g->transcript, RESULT_ERROR))
		return;
	if (written_of(g->arena, sql, &g->transcript, &u.written, &failed)) {
		causes->nomem = true;
		return;
	}
	if (g->step->kind == STEP_TABLES)
		look_for_tables(&u);
	else if (has_message(verdict, MSG_NO_DESCRIBE))
		say_why(&u);
	else if (has_message(verdict, MSG_SHOW_CREATE))
		name(&u, DIAG_QUERY_MISSING, TEXT("DESCRIBE"));
}

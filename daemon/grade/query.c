/* The query behind right rows: delay, interval, place of the late filter, path, format. The .sql
 * beside an output is evidence only where it yields that output; where it does not, the echoed
 * CREATE TABLE in the output itself is. A query that is not simulated leaves open what it yields:
 * the interval in force at it counts all the same, since no output shows a SET. */
#include <errno.h>
#include <string.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/grader.h"
#include "parser/arena.h"

/* The script's result that is the same table as the saved one. */
static bool script_facts(
	struct grading *g, const struct result *result, bool *used, struct query_facts *ret)
{
	for (size_t i = 0; g->has_script && i < g->script.count; i++) {
		const struct script_result *candidate = &g->script.results[i];
		bool equal = false;

		if (used[i] || !candidate->has_facts ||
			tables_equal(g->arena, &candidate->table, &result->table, &equal) || !equal)
			continue;
		used[i] = true;
		*ret = candidate->facts;
		return true;
	}
	return false;
}

/* Does the text hold this name as a word of its own? */
static bool mentions(struct text t, struct text name)
{
	for (size_t at = 0; at + name.len <= t.len; at++) {
		if ((at && text_is_word(t.ptr[at - 1])) ||
			(at + name.len < t.len && text_is_word(t.ptr[at + name.len])))
			continue;
		if (text_ieq(text_slice(t, at, at + name.len), name))
			return true;
	}
	return false;
}

/* The table whose CREATE is echoed, or an empty name. */
static struct text created_name(struct grading *g, struct text echo)
{
	struct sql_piece piece = {.source = echo, .line = 1, .col = 1, .run = true};
	struct sql_statement statement = {0};

	if (sql_parse(g->arena, &piece, &statement, NULL) || statement.kind != STMT_CREATE_TABLE)
		return (struct text){0};
	return statement.create->name;
}

/* The echoed CREATE TABLE that the result's own echo speaks of; the only one, where it speaks of
 * none (the echo of a query ends at its last bracket). */
static const struct result *echoed_create(
	struct grading *g, const struct result *result, struct text *name)
{
	const struct result *found = NULL, *only = NULL;
	size_t created = 0;

	for (const struct result *r = g->transcript.results; r < result; r++) {
		struct text table = created_name(g, r->echo);

		if (table.len == 0)
			continue;
		created++;
		only = r;
		if (mentions(result->echo, table)) {
			found = r;
			*name = table;
		}
	}
	if (found || created != 1)
		return found;
	*name = created_name(g, only->echo);
	return only;
}

/* A statement without a bracket is not echoed: it may have been ALTER TABLE. */
static bool may_be_altered(const struct result *create, const struct result *result)
{
	const struct text set = TEXT("Session property");

	for (const struct result *r = create + 1; r < result; r++)
		if (r->kind == RESULT_MESSAGE && r->echo.len == 0 &&
			text_find(r->text, set) == r->text.len)
			return true;
	return false;
}

static bool is_alter(const struct result *result)
{
	struct text word = text_slice(text_trim(result->echo), 0, TEXT("ALTER").len);

	return result->kind == RESULT_MESSAGE && text_ieq(word, TEXT("ALTER"));
}

/* Runs CREATE, ALTER and DESCRIBE: the simulator knows what a watermark expression means. */
static bool echo_facts(struct grading *g, const struct result *result, struct query_facts *ret)
{
	struct text name = {0}, sql;
	const struct result *create = echoed_create(g, result, &name);
	struct script script;

	if (!create || may_be_altered(create, result))
		return false;
	sql = text_format(g->arena, "%.*s;\n", TEXT_ARG(create->echo));
	for (const struct result *r = create + 1; r < result; r++)
		if (is_alter(r))
			sql = text_format(
				g->arena, "%.*s%.*s;\n", TEXT_ARG(sql), TEXT_ARG(r->echo));
	sql = text_format(g->arena, "%.*sDESCRIBE `%.*s`;\n", TEXT_ARG(sql), TEXT_ARG(name));
	if (!sql.ptr || script_run(g->arena, sql, g->grader->data, &script)) {
		g->findings.nomem = true;
		return false;
	}
	if (script.count != 1 || !script.results[0].has_facts)
		return false;
	*ret = script.results[0].facts;
	return true;
}

enum known_by query_facts(
	struct grading *g, const struct result *result, bool *used, struct query_facts *ret)
{
	if (script_facts(g, result, used, ret))
		return KNOWN_BY_SQL;
	if (!echo_facts(g, result, ret))
		return KNOWN_BY_NOTHING;
	if (g->script.query_refused)
		ret->interval_ms = g->script.interval_ms;
	return KNOWN_BY_TABLE;
}

static void partial(struct grading *g, enum message_id id, struct text arg)
{
	findings_add(&g->findings, VERDICT_PARTIAL, id, arg, (struct text){0}, (struct text){0});
}

static void grade_filter(struct grading *g, enum late_filter asked, enum late_filter found)
{
	if (asked == found)
		return;
	partial(g, asked == LATE_FILTER_NONE ? MSG_FILTER_EXTRA : MSG_FILTER_MISSING,
		(struct text){0});
}

static void grade_delay(
	struct grading *g, const struct query_facts *asked, const struct query_facts *found)
{
	bool known = asked->delay_known && found->delay_known;

	if (known && asked->delay_ms != found->delay_ms)
		partial(g, g->step->kind == STEP_DESCRIBE ? MSG_DESCRIBED_DELAY : MSG_DELAY,
			text_duration(g->arena, found->delay_ms, " "));
}

/* An option of the table; `none`: it is not there at all. */
static void grade_option(struct grading *g, struct text asked, struct text found,
	enum message_id other, enum message_id none)
{
	if (!text_eq(asked, found))
		partial(g, found.len ? other : none, found);
}

void grade_query(struct grading *g, const struct query_facts *asked,
	const struct query_facts *found, enum known_by known)
{
	unsigned asks = g->step->asks;
	bool confirmed = known == KNOWN_BY_SQL, shown = known >= KNOWN_BY_ECHO;

	if (asks & PART_DELAY)
		grade_delay(g, asked, found);
	if ((asks & PART_INTERVAL) && (confirmed || g->script.query_refused) &&
		asked->interval_ms != found->interval_ms)
		partial(g, MSG_INTERVAL, text_duration(g->arena, found->interval_ms, " "));
	if ((asks & PART_LATE_FILTER) && shown)
		grade_filter(g, asked->late_filter, found->late_filter);
	if (shown && asked->has_source && !found->has_source)
		partial(g, MSG_NO_SOURCE, (struct text){0});
	else if ((asks & PART_WINDOW) && shown && asked->windowed && !found->windowed)
		partial(g, MSG_NO_WINDOW, (struct text){0});
	if (asks & PART_PATH)
		grade_option(g, asked->path, found->path, MSG_PATH, MSG_NO_PATH);
	if (asks & PART_FORMAT) {
		grade_option(g, asked->format, found->format, MSG_FORMAT, MSG_NO_FORMAT);
		grade_option(
			g, asked->connector, found->connector, MSG_CONNECTOR, MSG_NO_CONNECTOR);
	}
}

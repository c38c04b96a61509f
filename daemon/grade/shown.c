/* The echoes of an output are run as a script: recorded in watermark/more/batch_floor_end (the
 * whole query is shown), slow_filter_view_1h (a view, and the query up to its GROUP BY). */
#include "daemon/grade/shown.h"

#include "daemon/grade/compare.h"
#include "parser/arena.h"
#include "parser/diag.h"

struct text shown_behind(struct text source)
{
	size_t from = source.len;

	while (from && source.ptr[from - 1] != ')' && source.ptr[from - 1] != ']' &&
		source.ptr[from - 1] != '}')
		from--;
	return text_slice(source, from, source.len);
}

struct text shown_created(const struct grading *g, const struct result *described)
{
	const struct result *results = g->transcript.results;
	size_t at = (size_t)(described - results);

	if (at == 0 || results[at - 1].kind != RESULT_MESSAGE || described->echo.len)
		return (struct text){0};
	for (size_t i = 0; i + 1 < at; i++)
		if (results[i].echo.len)
			return (struct text){0};
	return results[at - 1].echo;
}

/* The definitions before a result; ptr NULL: something that is not shown may have changed one of
 * them. */
static struct text definitions(struct grading *g, const struct result *result)
{
	struct text sql = TEXT("");

	for (const struct result *r = g->transcript.results; sql.ptr && r < result; r++) {
		if (r->kind == RESULT_ERROR ||
			(r->kind == RESULT_MESSAGE && sql.len && !r->echo.len))
			return (struct text){0};
		if (r->kind == RESULT_MESSAGE && r->echo.len)
			sql = text_format(
				g->arena, "%.*s%.*s;\n", TEXT_ARG(sql), TEXT_ARG(r->echo));
	}
	return sql.len ? sql : (struct text){0};
}

/* The settings that no output shows are the reference's. */
static struct text settings(struct grading *g, size_t number, const struct result *result)
{
	const struct query_facts *asked = &g->expected->results[number]->facts;

	return text_format(g->arena,
		"SET 'execution.runtime-mode' = '%s';\n"
		"SET 'pipeline.auto-watermark-interval' = '%lld ms';\n",
		result->table.form == TABLE_BATCH ? "batch" : "streaming",
		(long long)asked->interval_ms);
}

/* The end of the reference's query. */
static struct text reference_end(struct grading *g, size_t number)
{
	size_t statement = g->expected->results[number]->statement;
	struct sql_script reference;
	struct diag diag;

	if (sql_split(g->arena, g->expected->sql, &reference, &diag) ||
		statement >= reference.count)
		return TEXT("");
	return shown_behind(reference.pieces[statement].source);
}

static bool yields(
	struct grading *g, struct text sql, const struct result *result, struct query_facts *ret)
{
	struct script script;
	const struct script_result *last;
	bool equal = false;

	if (!sql.ptr || script_run(g->arena, sql, g->grader->data, &script)) {
		g->findings.nomem = true;
		return false;
	}
	if (!script.whole || script.error.len || script.count == 0)
		return false;
	last = &script.results[script.count - 1];
	if (!last->has_facts || tables_equal(g->arena, &last->table, &result->table, &equal) ||
		!equal)
		return false;
	*ret = last->facts;
	return true;
}

bool shown_facts(
	struct grading *g, size_t number, const struct result *result, struct query_facts *ret)
{
	struct text before, set, ends[2];

	if (!result->echo.len)
		return false;
	before = definitions(g, result);
	if (!before.ptr)
		return false;
	set = settings(g, number, result);
	ends[0] = TEXT("");
	ends[1] = reference_end(g, number);
	for (size_t i = 0; i < 2; i++)
		if (yields(g,
			    text_format(g->arena, "%.*s%.*s%.*s%.*s;\n", TEXT_ARG(set),
				    TEXT_ARG(before), TEXT_ARG(result->echo), TEXT_ARG(ends[i])),
			    result, ret))
			return true;
	return false;
}

/* Diagnosis from the echo: where there is no .sql, or it does not yield what was saved, the output itself shows its
 * statements up to their last closing bracket. What no output shows, settings and what stands behind that
 * bracket, is taken from the reference. Such a script is evidence as a .sql is: where it yields the saved tables. */
#include <errno.h>

#include "daemon/grade/diagnosing.h"
#include "daemon/grade/profile.h"
#include "parser/arena.h"
#include "parser/diag.h"

struct echoing {
	struct grading *g;
	struct sql_script reference;
	struct text sql;
	size_t selects; /* so far */
	bool nomem;
};

static void add_text(struct echoing *e, struct text statement, struct text tail)
{
	e->sql = text_format(e->g->arena, "%.*s%.*s%.*s;\n", TEXT_ARG(e->sql), TEXT_ARG(statement),
		TEXT_ARG(tail));
	e->nomem |= !e->sql.ptr;
}

/* What the client does not show of a statement: all that stands behind its last closing bracket. */
static struct text behind_bracket(struct text source)
{
	size_t from = source.len;

	while (from && source.ptr[from - 1] != ')' && source.ptr[from - 1] != ']' &&
		source.ptr[from - 1] != '}')
		from--;
	return text_slice(source, from, source.len);
}

/* The source of the reference's query of this number, or of its last one. */
static struct text reference_source(const struct echoing *e, size_t number)
{
	const struct expected *expected = e->g->expected;
	size_t last = expected->count - 1, statement;

	statement = expected->results[number < last ? number : last]->statement;
	return statement < e->reference.count ? e->reference.pieces[statement].source
					      : (struct text){0};
}

static void add_settings(struct echoing *e)
{
	const struct expected *expected = e->g->expected;
	const struct profiles *profiles =
		grading_profiles(e->g, (size_t)(e->g->step - e->g->grader->lab->steps));
	const struct profile *asked =
		profiles ? profiles_find(profiles, expected->results[0]->statement) : NULL;
	enum table_form form = expected->tables[0]->form;

	for (size_t i = 0; i < e->g->transcript.count; i++)
		if (e->g->transcript.results[i].kind == RESULT_TABLE &&
			e->g->transcript.results[i].table.form != TABLE_CATALOG)
			form = e->g->transcript.results[i].table.form;
	add_text(e, TEXT("SET 'execution.runtime-mode' = "),
		form == TABLE_BATCH ? TEXT("'batch'") : TEXT("'streaming'"));
	e->nomem |= !profiles;
	if (asked && asked->settings.interval_set)
		add_text(e, TEXT("SET 'pipeline.auto-watermark-interval' = "),
			text_format(
				e->g->arena, "'%lld ms'", (long long)asked->settings.interval_ms));
}

static void add_result(struct echoing *e, const struct result *result)
{
	bool query = result->kind == RESULT_TABLE && result->table.form != TABLE_CATALOG;

	if (result->echo.len == 0 || result->kind == RESULT_ERROR ||
		(result->kind == RESULT_TABLE && !query))
		return;
	add_text(e, result->echo,
		query ? behind_bracket(reference_source(e, e->selects++)) : (struct text){0});
}

static bool lacks_file(const struct script *script)
{
	const struct text mark = TEXT("FileNotFoundException");

	return text_find(script->error, mark) < script->error.len;
}

int diagnose_echo(struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct echoing e = {.g = g, .sql = TEXT("")};
	struct submission submission = *g->submission;
	struct grading echoed = *g;
	struct diag diag;

	if (g->step->kind != STEP_TABLES || g->expected->count == 0)
		return 0;
	if (sql_split(g->arena, g->expected->sql, &e.reference, &diag) == -ENOMEM)
		return -ENOMEM;
	add_settings(&e);
	for (size_t i = 0; i < g->transcript.count && !e.nomem; i++)
		add_result(&e, &g->transcript.results[i]);
	if (e.nomem || script_run(g->arena, e.sql, g->grader->data, &echoed.script))
		return -ENOMEM;
	/* What is not simulated, or refused, cannot be held against the rows that were saved; but a file that is not
	 * here was there. */
	if (e.selects == 0 || !echoed.script.whole ||
		(echoed.script.error.len && !lacks_file(&echoed.script)))
		return 0;
	submission.sql = (struct saved_file){.state = FILE_THERE, .bytes = e.sql};
	echoed.submission = &submission;
	echoed.has_script = true;
	return diagnose_sql(&echoed, verdict, causes);
}

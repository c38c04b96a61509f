/* Diagnosis from a described table: DESCRIBE prints a definition, which is written as SQL again.
 * The name and the options that it does not print are the reference's. That is evidence where it
 * describes the same table, and where the output does not show that it was changed by hand. */
#include <errno.h>

#include "daemon/grade/diagnosing.h"
#include "daemon/grade/profile.h"
#include "daemon/grade/shown.h"
#include "daemon/grade/written.h"
#include "parser/arena.h"

struct defining {
	struct grading *g;
	const struct table *table;
	struct text sql;
	size_t parts;
	bool nomem;
};

static struct text cell(const struct defining *d, size_t row, const char *column)
{
	size_t i = table_column(d->table, text_of(column));

	return i == d->table->column_count || d->table->rows[row].cells[i].null
		       ? (struct text){TEXT("").ptr, 0}
		       : d->table->rows[row].cells[i].s;
}

static void add(struct defining *d, struct text a, struct text b, struct text c)
{
	d->sql = text_format(d->g->arena, "%.*s%s%.*s %.*s %.*s", TEXT_ARG(d->sql),
		d->parts++ ? ",\n" : "", TEXT_ARG(a), TEXT_ARG(b), TEXT_ARG(c));
	d->nomem |= !d->sql.ptr;
}

static struct text quoted(struct defining *d, struct text name)
{
	struct text t = text_format(d->g->arena, "`%.*s`", TEXT_ARG(name));

	d->nomem |= !t.ptr;
	return t.ptr ? t : TEXT("");
}

/* `ts` TIMESTAMP(3); `day` AS ...; `at` TIMESTAMP(3) METADATA ... */
static void add_column(struct defining *d, size_t row)
{
	struct text type = cell(d, row, "type"), extras = cell(d, row, "extras");
	bool computed = text_starts(extras, TEXT("AS "));

	type = text_slice(type, 0, text_find(type, TEXT(" *")));
	if (text_eq(cell(d, row, "null"), TEXT("FALSE")) && !computed)
		extras = TEXT("NOT NULL");
	add(d, quoted(d, cell(d, row, "name")), computed ? TEXT("") : type, extras);
}

static void add_watermark(struct defining *d, size_t row)
{
	struct text watermark = cell(d, row, "watermark");

	if (watermark.len)
		add(d, TEXT("WATERMARK FOR"), quoted(d, cell(d, row, "name")),
			text_format(d->g->arena, "AS %.*s", TEXT_ARG(watermark)));
}

static void add_options(struct defining *d, const struct catalog_entry *asked)
{
	d->parts = 0;
	for (size_t i = 0; i < asked->option_count; i++)
		add(d,
			text_format(d->g->arena, "'%.*s' = '%.*s'", TEXT_ARG(asked->options[i].key),
				TEXT_ARG(asked->options[i].value)),
			TEXT(""), TEXT(""));
}

static void write_definition(struct defining *d, const struct catalog_entry *asked)
{
	struct text name = quoted(d, asked->name);

	d->sql = text_format(d->g->arena, "CREATE TABLE %.*s (\n", TEXT_ARG(name));
	for (size_t i = 0; i < d->table->row_count; i++)
		add_column(d, i);
	for (size_t i = 0; i < d->table->row_count; i++)
		add_watermark(d, i);
	d->sql = text_format(d->g->arena, "%.*s) WITH (\n", TEXT_ARG(d->sql));
	add_options(d, asked);
	d->sql = text_format(
		d->g->arena, "%.*s);\nDESCRIBE %.*s;\n", TEXT_ARG(d->sql), TEXT_ARG(name));
	d->nomem |= !d->sql.ptr;
}

static const struct result *only_described(const struct grading *g)
{
	const struct result *found = NULL;

	for (size_t i = 0; i < g->transcript.count; i++) {
		const struct result *result = &g->transcript.results[i];

		if (result->kind != RESULT_TABLE || !result_is_describe(result))
			continue;
		if (found)
			return NULL;
		found = result;
	}
	return found;
}

static const struct profile *asked_table(struct grading *g)
{
	const struct profiles *asked =
		grading_profiles(g, (size_t)(g->step - g->grader->lab->steps));

	for (size_t i = 0; asked && i < asked->count; i++)
		if (asked->items[i].kind == STMT_DESCRIBE && asked->items[i].has_table)
			return &asked->items[i];
	return NULL;
}

static bool is_of_source(const struct defining *d)
{
	for (size_t i = 0; i < d->table->row_count; i++)
		if (watermark_is_of_source(cell(d, i, "watermark")))
			return true;
	return false;
}

/* Was the described table changed by hand? The statement shown before it makes another one. */
static int find_edit(const struct grading *g, const struct result *described, bool *ret)
{
	struct text echo = shown_created(g, described), sql;
	const struct sql_create_table *create;
	struct written written = {0};
	struct script script;

	if (!echo.len || described->cut_cells || described->wrapped)
		return 0;
	if (written_sql(g->arena, echo, &written))
		return -ENOMEM;
	create = written.count == 1 && !written.items[0].err ? written.items[0].tree.create : NULL;
	if (!create || create->if_not_exists)
		return 0;
	sql = text_format(
		g->arena, "%.*s;\nDESCRIBE `%.*s`;\n", TEXT_ARG(echo), TEXT_ARG(create->name));
	if (!sql.ptr || script_run(g->arena, sql, g->grader->data, &script))
		return -ENOMEM;
	*ret = script.whole && script.count == 1 &&
	       !describes_same(&script.results[0].table, &described->table);
	return 0;
}

int diagnose_described(struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	const struct result *described = only_described(g);
	struct defining d = {.g = g, .table = described ? &described->table : NULL};
	const struct profile *asked = asked_table(g);
	struct submission submission = *g->submission;
	struct grading written = *g;
	bool edited = false;

	if (g->step->kind != STEP_DESCRIBE || !described || !asked)
		return 0;
	if (find_edit(g, described, &edited))
		return -ENOMEM;
	if (edited)
		causes_add(causes, DIAG_EDITED_BY_HAND, (struct text){0});
	else if (is_of_source(&d) && verdict->summary.id == MSG_WATERMARK)
		causes_add(causes, DIAG_DELAY, (struct text){0});
	if (causes->count)
		return 0;
	write_definition(&d, &asked->table);
	if (d.nomem || script_run(g->arena, d.sql, g->grader->data, &written.script))
		return -ENOMEM;
	if (!written.script.whole || written.script.error.len)
		return 0;
	submission.sql = (struct saved_file){.state = FILE_THERE, .bytes = d.sql};
	written.submission = &submission;
	written.has_script = true;
	return diagnose_sql(&written, verdict, causes);
}

/* What a file tells of how it was saved. Grading has looked at it: here its findings become
 * causes, with what the bytes and the SQL beside them add. */
#include "daemon/grade/choose.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/written.h"
#include "parser/arena.h"

struct looking {
	const struct grading *grading;
	const struct verdict *verdict;
	struct causes *causes;
};

static void name(struct looking *look, enum diagnosis_id id, struct text param)
{
	causes_add(look->causes, id, param);
}

static void empty(struct looking *look)
{
	name(look, DIAG_EMPTY_FILE, (struct text){0});
}

/* Lines of a stack trace, or what the client says on its other channel. */
static bool is_stderr(struct text bytes)
{
	static const char *const signs[] = {"org.jline.utils.Log logr",
		"Unable to create a system terminal", "\n\tat ", "Exception in thread "};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (text_find(bytes, text_of(signs[i])) < bytes.len)
			return true;
	return false;
}

/* Statements that SQL starts with, and nothing that is refused. */
static bool is_sql(const struct grading *g, struct text bytes, struct causes *causes)
{
	struct written written = {0};
	size_t good = 0;

	if (written_sql(g->arena, bytes, &written))
		causes->nomem = true;
	for (size_t i = 0; i < written.count; i++)
		good += written.items[i].err == 0;
	return good > 0 && 2 * good >= written.count;
}

static void not_client(struct looking *look)
{
	struct text bytes = look->grading->submission->out.bytes;

	if (text_trim(bytes).len == 0)
		empty(look);
	else if (is_stderr(bytes))
		name(look, DIAG_NOT_CLIENT_OUTPUT, TEXT("stderr"));
	else if (is_sql(look->grading, bytes, look->causes))
		name(look, DIAG_NOT_CLIENT_OUTPUT, TEXT("sql"));
	else
		name(look, DIAG_NOT_CLIENT_OUTPUT, (struct text){0});
}

/* A source that looks for new files for ever: its query ends only where it is stopped. */
static bool is_unbounded(const struct grading *g, struct causes *causes)
{
	struct text sql = g->has_script ? g->submission->sql.bytes : (struct text){0};
	struct written written = {0};
	size_t failed;

	if (written_of(g->arena, sql, &g->transcript, &written, &failed))
		causes->nomem = true;
	for (size_t i = 0; i < written.count; i++) {
		const struct sql_create_table *table =
			written.items[i].err ? NULL : written.items[i].tree.create;

		for (size_t k = 0; table && k < table->option_count; k++)
			if (text_eq(table->options[k].key, TEXT("source.monitor-interval")))
				return true;
	}
	return false;
}

static bool lacks_frames(const struct transcript *transcript)
{
	for (size_t i = 0; i < transcript->count; i++)
		if (transcript->results[i].kind == RESULT_TABLE && !transcript->results[i].framed)
			return true;
	return false;
}

static void stopped(struct looking *look)
{
	if (is_unbounded(look->grading, look->causes))
		name(look, DIAG_UNBOUNDED_SOURCE, (struct text){0});
	name(look, DIAG_INTERRUPTED, (struct text){0});
}

static void cut(struct looking *look)
{
	if (is_unbounded(look->grading, look->causes))
		stopped(look);
	else
		name(look, DIAG_TRUNCATED,
			lacks_frames(&look->grading->transcript) ? TEXT("grep") : (struct text){0});
}

/* Fewer rows than the footer says: the beginning is gone where the header is. */
static void edited(struct looking *look)
{
	if (lacks_frames(&look->grading->transcript))
		name(look, DIAG_TRUNCATED, (struct text){0});
	else
		name(look, DIAG_EDITED_BY_HAND, (struct text){0});
}

static void narrow(struct looking *look)
{
	name(look, DIAG_TRUNCATED, TEXT("width"));
}

static void cluster(struct looking *look)
{
	const struct grading *g = look->grading;

	name(look, DIAG_CLUSTER_DOWN, (struct text){0});
	if (g->has_script && g->script.parallelism > 1)
		name(look, DIAG_PARALLELISM,
			text_format(g->arena, "%lld", (long long)g->script.parallelism));
}

static struct text appended(const struct looking *look)
{
	return look->grading->transcript.remarks & REMARK_SESSIONS ? TEXT("appended")
								   : (struct text){0};
}

/* A table too many explains no wrong one. */
static void repeated(struct looking *look)
{
	if (look->verdict->kind != VERDICT_FAIL)
		name(look, DIAG_TABLE_REPEATED, appended(look));
}

static void extra(struct looking *look)
{
	if (look->verdict->kind != VERDICT_FAIL)
		name(look, DIAG_TABLE_EXTRA, appended(look));
}

static const struct {
	enum message_id message;
	void (*see)(struct looking *look);
} signs[] = {
	{MSG_EMPTY_FILE, empty},
	{MSG_NOT_TEXT, not_client},
	{MSG_NOT_CLIENT, not_client},
	{MSG_BY_HAND, not_client},
	{MSG_EDITED, edited},
	{MSG_INTERRUPTED, stopped},
	{MSG_TRUNCATED, cut},
	{MSG_NO_REFUSAL, cut},
	{MSG_CUT_CELLS, narrow},
	{MSG_WRAPPED, narrow},
	{MSG_CLUSTER_DOWN, cluster},
	{MSG_TABLE_REPEATED, repeated},
	{MSG_TABLE_EXTRA, extra},
	{MSG_TOO_MANY_TABLES, extra},
};

static void take_sign(struct looking *look, const struct message *message)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (signs[i].message == message->id)
			signs[i].see(look);
}

void diagnose_file(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct looking look = {.grading = g, .verdict = verdict, .causes = causes};

	take_sign(&look, &verdict->summary);
	for (size_t i = 0; i < verdict->remark_count; i++)
		take_sign(&look, &verdict->remarks[i]);
}

/* Names that are looked for in SQL; a cell may hold a megabyte. */
#define LONGEST_NAME 64

/* Is this the name, with TABs in it? */
static bool begins_glued(struct text sql, struct text name)
{
	size_t i = 0, tabs = 0;

	for (size_t k = 0; i < name.len && k < sql.len; k++) {
		if (i > 0 && sql.ptr[k] == '\t')
			tabs++;
		else if (sql.ptr[k] != name.ptr[i++])
			return false;
	}
	return i == name.len && tabs > 0;
}

/* Do these words stand in the SQL with nothing but TABs between them? */
static bool is_glued(struct text sql, struct text name)
{
	for (size_t at = 0; name.len && name.len <= LONGEST_NAME && at < sql.len; at++)
		if (begins_glued(text_slice(sql, at, sql.len), name))
			return true;
	return false;
}

static bool is_about_names(enum message_id id)
{
	return id == MSG_COLUMN_NAMES || id == MSG_COLUMN_MISSING || id == MSG_COLUMN_NOT_THERE ||
	       id == MSG_COLUMN_EXTRA || id == MSG_NO_WATERMARK;
}

/* Is one of the table's columns, or of the columns that it describes, called by two words? */
static bool has_glued(const struct table *table, struct text sql)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (is_glued(sql, table->columns[i].name))
			return true;
	for (size_t i = 0; table->form == TABLE_CATALOG && i < table->row_count; i++)
		if (!table->rows[i].cells[0].null && is_glued(sql, table->rows[i].cells[0].s))
			return true;
	return false;
}

void diagnose_names(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct text sql = g->has_script ? g->submission->sql.bytes : (struct text){0};

	if (!is_about_names(verdict->summary.id) || text_find(sql, TEXT("\t")) == sql.len)
		return;
	for (size_t i = 0; i < g->transcript.count; i++)
		if (g->transcript.results[i].kind == RESULT_TABLE &&
			has_glued(&g->transcript.results[i].table, sql))
			causes_add(causes, DIAG_TAB_GLUED, (struct text){0});
}

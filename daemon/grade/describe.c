/* Steps of kind "describe": a table's definition as DESCRIBE shows it. Names and order of the
 * columns, types and the watermark count; keys and comments do not. The watermark expression has
 * many spellings: what it means is worked out by the simulator. */
#include <errno.h>

#include "daemon/grade/grader.h"
#include "daemon/grade/shown.h"
#include "parser/arena.h"

static void add(struct grading *g, enum verdict_kind kind, enum message_id id, struct text arg)
{
	findings_add(&g->findings, kind, id, arg, (struct text){0}, (struct text){0});
}

static void off(struct grading *g, enum verdict_kind kind, enum message_id id, struct text column,
	enum evidence_kind evidence_kind)
{
	struct evidence evidence = {.kind = evidence_kind, .table = 1, .column = column};

	add(g, kind, id, column);
	findings_evidence(&g->findings, &evidence, 1);
}

bool result_is_describe(const struct result *result)
{
	static const char *const head[] = {"name", "type", "null", "key", "extras", "watermark"};
	const size_t count = sizeof(head) / sizeof(head[0]);

	if (result->kind != RESULT_TABLE || result->table.column_count < count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!text_eq(result->table.columns[i].name, text_of(head[i])))
			return false;
	return true;
}

static struct text cell(const struct table *table, size_t row, const char *column)
{
	size_t i = table_column(table, text_of(column));
	const struct value *value = &table->rows[row].cells[i];

	return i == table->column_count || value->null ? (struct text){0} : value->s;
}

/* The row of a column: by exactly its name, else in other case. */
static size_t find_row(const struct table *table, struct text name)
{
	size_t other_case = table->row_count;

	for (size_t i = 0; i < table->row_count; i++) {
		struct text found = cell(table, i, "name");

		if (text_eq(found, name))
			return i;
		if (text_ieq(found, name) && other_case == table->row_count)
			other_case = i;
	}
	return other_case;
}

/* Types of one family hold the same values here: VARCHAR(10) for STRING, BIGINT for INT. */
static int family(struct text type)
{
	static const struct {
		const char *start;
		int family;
	} families[] = {{"STRING", 1}, {"VARCHAR", 1}, {"CHAR", 1}, {"TINYINT", 2}, {"SMALLINT", 2},
		{"INT", 2}, {"BIGINT", 2}};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (text_starts(type, text_of(families[i].start)) &&
			!text_starts(type, TEXT("INTERVAL")))
			return families[i].family;
	return 0;
}

static void grade_type(struct grading *g, struct text name, struct text asked, struct text found)
{
	bool related = family(asked) != 0 && family(asked) == family(found);
	bool time = text_find(asked, TEXT("*ROWTIME*")) < asked.len;
	enum strictness types = g->step->form.types;

	if (text_eq(asked, found) || (types == FORM_FREE && !time))
		return;
	off(g,
		related ? VERDICT_PARTIAL
		: time	? VERDICT_FAIL
			: form_verdict(types),
		MSG_COLUMN_TYPE, name, EVIDENCE_VALUE);
}

/* The facts of a table with this watermark, by way of a definition that has nothing else in it. */
static int watermark_facts(struct grading *g, struct text column, struct text type,
	struct text watermark, struct query_facts *ret)
{
	size_t mark = text_find(type, TEXT(" *ROWTIME*"));
	struct script script;
	struct text sql = text_format(g->arena,
		"CREATE TABLE t (`%.*s` %.*s, WATERMARK FOR `%.*s` AS %.*s) WITH ('connector' = "
		"'filesystem');\nDESCRIBE t;\n",
		TEXT_ARG(column), (int)mark, type.ptr, TEXT_ARG(column), TEXT_ARG(watermark));

	if (!sql.ptr || script_run(g->arena, sql, g->grader->data, &script))
		return -ENOMEM;
	*ret = (struct query_facts){0};
	if (script.count == 1 && script.results[0].has_facts)
		*ret = script.results[0].facts;
	return 0;
}

bool watermark_is_of_source(struct text watermark)
{
	return text_eq(watermark, TEXT("`SOURCE_WATERMARK`()")) ||
	       text_eq(watermark, TEXT("SOURCE_WATERMARK()"));
}

static int grade_watermark(struct grading *g, const struct table *asked, size_t row,
	const struct table *found, size_t found_row)
{
	struct text want = cell(asked, row, "watermark"),
		    have = cell(found, found_row, "watermark");
	struct text name = cell(asked, row, "name");
	struct query_facts facts, asked_facts;

	if (!(g->step->asks & PART_DELAY) || want.len == 0 || text_eq(want, have))
		return 0;
	if (have.len == 0) {
		off(g, VERDICT_FAIL, MSG_NO_WATERMARK, name, EVIDENCE_MISSING);
		return 0;
	}
	if (watermark_is_of_source(want) != watermark_is_of_source(have)) {
		off(g, VERDICT_FAIL, MSG_WATERMARK, name, EVIDENCE_VALUE);
		return 0;
	}
	if (watermark_facts(g, name, cell(asked, row, "type"), want, &asked_facts) ||
		watermark_facts(g, cell(found, found_row, "name"), cell(found, found_row, "type"),
			have, &facts))
		return -ENOMEM;
	if (!asked_facts.delay_known || !facts.delay_known)
		add(g, VERDICT_CANNOT_TELL, MSG_WATERMARK_UNKNOWN, have);
	else if (asked_facts.delay_ms != facts.delay_ms)
		off(g, VERDICT_FAIL, MSG_WATERMARK, name, EVIDENCE_VALUE);
	return 0;
}

/* The row for an asked column: by its name, else the one in its place with its type, since a
 * file's columns are told by their places; but not where names must be as asked. */
static size_t find_column(
	const struct grading *g, const struct table *asked, size_t i, const struct table *found)
{
	size_t row = find_row(found, cell(asked, i, "name"));

	if (row < found->row_count || g->step->form.names == FORM_FAIL || i >= found->row_count)
		return row;
	if (find_row(asked, cell(found, i, "name")) < asked->row_count ||
		!text_eq(cell(asked, i, "type"), cell(found, i, "type")))
		return row;
	return i;
}

static void miss_column(struct grading *g, const struct table *asked, size_t i)
{
	struct text type = cell(asked, i, "type");
	bool time = text_find(type, TEXT("*ROWTIME*")) < type.len;
	enum strictness missing = time ? FORM_FAIL : g->step->form.missing;

	if (missing != FORM_FREE && g->step->form.names == FORM_FREE)
		add(g, form_verdict(missing), MSG_COLUMN_NOT_THERE, (struct text){0});
	else if (missing != FORM_FREE)
		off(g, form_verdict(missing), MSG_COLUMN_MISSING, cell(asked, i, "name"),
			EVIDENCE_MISSING);
}

/* DESCRIBE prints its reference as typed cells of STRING; a transcript's are ANY: both are text. */
static int grade_columns(struct grading *g, const struct table *asked, const struct table *found)
{
	size_t last = 0, extra = found->row_count;
	const struct form *form = &g->step->form;
	struct text misnamed = {0};
	bool in_order = true;

	for (size_t i = 0; i < asked->row_count; i++) {
		struct text name = cell(asked, i, "name");
		size_t row = find_column(g, asked, i, found);

		if (row == found->row_count) {
			miss_column(g, asked, i);
			continue;
		}
		extra--;
		in_order = in_order && row >= last;
		last = row;
		if (misnamed.len == 0 && !text_eq(name, cell(found, row, "name")))
			misnamed = cell(found, row, "name");
		/* First: a column has another type where it has no watermark, too. */
		if (grade_watermark(g, asked, i, found, row))
			return -ENOMEM;
		grade_type(g, name, cell(asked, i, "type"), cell(found, row, "type"));
	}
	if (form->names != FORM_FREE && misnamed.len)
		add(g, form_verdict(form->names), MSG_COLUMN_NAMES, misnamed);
	if (form->order != FORM_FREE && !in_order)
		add(g, form_verdict(form->order), MSG_COLUMN_ORDER, (struct text){0});
	for (size_t i = 0; extra && form->extra != FORM_FREE && i < found->row_count; i++)
		if (find_row(asked, cell(found, i, "name")) == asked->row_count)
			add(g, form_verdict(form->extra), MSG_COLUMN_EXTRA, cell(found, i, "name"));
	return 0;
}

/* How many columns of the described table are as asked: tells the right one of several. */
static size_t likeness(const struct table *asked, const struct table *found)
{
	size_t like = 0;

	for (size_t i = 0; i < asked->row_count; i++) {
		size_t row = find_row(found, cell(asked, i, "name"));

		if (row == found->row_count)
			continue;
		like += 1 + text_eq(cell(asked, i, "type"), cell(found, row, "type"));
		like += text_eq(cell(asked, i, "watermark"), cell(found, row, "watermark"));
	}
	return like;
}

bool describes_same(const struct table *a, const struct table *b)
{
	return a->row_count == b->row_count && likeness(a, b) == 3 * a->row_count;
}

static const struct result *find_described(const struct grading *g, const struct table *asked)
{
	const struct result *best = NULL;

	for (size_t i = 0; i < g->transcript.count; i++) {
		const struct result *result = &g->transcript.results[i];

		if (result_is_describe(result) &&
			(!best || likeness(asked, &result->table) >= likeness(asked, &best->table)))
			best = result;
	}
	return best;
}

/* A definition may be shown by other statements: SHOW CREATE TABLE prints it as SQL. */
static int grade_shown_sql(struct grading *g, const struct table *asked, bool *ret)
{
	for (size_t i = 0; i < g->transcript.count; i++) {
		const struct result *result = &g->transcript.results[i];
		struct script script;
		struct text sql;

		if (result->kind != RESULT_TABLE || result->table.column_count != 1 ||
			result->table.row_count != 1 || result->table.rows[0].cells[0].null)
			continue;
		sql = text_format(g->arena, "%.*s;\nDESCRIBE `%.*s`;\n",
			TEXT_ARG(result->table.rows[0].cells[0].s),
			TEXT_ARG(g->expected->results[0]->name));
		if (!sql.ptr || script_run(g->arena, sql, g->grader->data, &script))
			return -ENOMEM;
		if (script.count != 1)
			continue;
		*ret = true;
		add(g, VERDICT_PARTIAL, MSG_SHOW_CREATE, (struct text){0});
		return grade_columns(g, asked, &script.results[0].table);
	}
	return 0;
}

/* The statement that the learner's script described with: the same table again. */
static const struct script_result *script_described(
	const struct grading *g, const struct table *found)
{
	for (size_t i = g->has_script ? g->script.count : 0; i > 0; i--) {
		const struct script_result *result = &g->script.results[i - 1];

		if (result->kind != STMT_SELECT && describes_same(&result->table, found))
			return result;
	}
	return NULL;
}

/* Is the saved table that of a SHOW COLUMNS, which prints what DESCRIBE does? So it is where the
 * script shows something and describes nothing. */
static bool is_shown(const struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		if (script->results[i].kind == STMT_DESCRIBE)
			return false;
	return script->show_refused;
}

/* Without a .sql: the name of the described table, where the output shows that it was created
 * right before; empty: it does not. */
static struct text created_name(struct grading *g, const struct result *described)
{
	struct sql_piece piece = {.line = 1, .col = 1, .run = true};
	struct sql_statement statement = {0};

	if (g->has_script || !result_is_describe(described))
		return (struct text){0};
	piece.source = shown_created(g, described);
	if (!piece.source.len || sql_parse(g->arena, &piece, &statement, NULL) ||
		statement.kind != STMT_CREATE_TABLE || statement.create->if_not_exists)
		return (struct text){0};
	return statement.create->name;
}

/* What the table does not show: its name, path and format. */
static void grade_definition(struct grading *g, const struct result *result)
{
	const struct script_result *asked = g->expected->results[0];
	const struct script_result *mine = script_described(g, &result->table);
	bool *used = arena_array(g->arena, g->script.count + 1, sizeof(*used));
	struct text name = mine ? mine->name : created_name(g, result);
	struct query_facts facts;
	enum known_by known;

	if (!used) {
		g->findings.nomem = true;
		return;
	}
	if (name.len && (g->step->asks & PART_TABLE_NAME) && !text_eq(name, asked->name))
		add(g, VERDICT_PARTIAL, MSG_TABLE_NAME, name);
	if (mine ? mine->kind != STMT_DESCRIBE : is_shown(&g->script))
		add(g, VERDICT_PARTIAL, MSG_SHOW_CREATE, (struct text){0});
	if (g->has_script && (g->script.whole || g->script.syntax) && !mine)
		add(g, VERDICT_PASS, MSG_STALE, g->step->sql);
	if (mine && mine->has_facts)
		grade_query(g, &asked->facts, &mine->facts, KNOWN_BY_SQL);
	else if ((known = query_facts(g, result, used, &facts)))
		grade_query(g, &asked->facts, &facts, known);
}

int grade_describe(struct grading *g)
{
	const struct table *asked = g->expected->tables[0];
	const struct result *found = find_described(g, asked);
	bool shown = false;

	if (!found) {
		if (grade_shown_sql(g, asked, &shown))
			return -ENOMEM;
		if (!shown)
			grade_no_result(g, MSG_NO_DESCRIBE);
		return 0;
	}
	if (found->left_aligned) {
		add(g, VERDICT_CANNOT_TELL, MSG_BY_HAND, g->step->file);
		return 0;
	}
	if (grade_columns(g, asked, &found->table))
		return -ENOMEM;
	if (found->end != END_FOOTER)
		add(g, VERDICT_PARTIAL, MSG_TRUNCATED, g->step->file);
	grade_definition(g, found);
	return 0;
}

/* Steps of kind "tables": the results of the reference's queries, in order. */
#include <errno.h>

#include "daemon/grade/choose.h"
#include "daemon/grade/compare.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/shown.h"
#include "parser/arena.h"

static void add(struct grading *g, enum verdict_kind kind, enum message_id id)
{
	findings_add(&g->findings, kind, id, (struct text){0}, (struct text){0}, (struct text){0});
}

static void add_text(struct grading *g, enum verdict_kind kind, enum message_id id, struct text arg)
{
	findings_add(&g->findings, kind, id, arg, (struct text){0}, (struct text){0});
}

static struct text number_text(struct grading *g, size_t number)
{
	return text_format(g->arena, "%zu", number);
}

bool grade_is_cluster_down(struct text error)
{
	static const char *const signs[] = {
		"NoResourceAvailableException",
		"Could not acquire the minimum required resources",
		"java.net.ConnectException",
		"Connection refused",
		"TimeoutException",
		"Failed to get response",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (text_find(error, text_of(signs[i])) < error.len)
			return true;
	return false;
}

static const struct result *last_error(const struct grading *g)
{
	for (size_t i = g->transcript.count; i > 0; i--)
		if (g->transcript.results[i - 1].kind == RESULT_ERROR)
			return &g->transcript.results[i - 1];
	return NULL;
}

/* Did the run end because the cluster was ill? */
static bool cluster_failed(const struct grading *g)
{
	const struct result *error = last_error(g);

	return error && grade_is_cluster_down(error->text);
}

/* Was a query's result printed of which no whole table can be read? It was wrapped into something
 * else, or its lines were changed or sorted. */
static bool prints_unread(const struct grading *g)
{
	struct text bytes = g->submission->out.bytes;

	for (size_t i = 0; i < g->transcript.count; i++)
		if (g->transcript.results[i].kind == RESULT_TABLE &&
			g->transcript.results[i].framed)
			return false;
	return text_find(bytes, TEXT("Received a total of ")) < bytes.len ||
	       text_find(bytes, TEXT(" rows in set (")) < bytes.len;
}

void grade_no_result(struct grading *g, enum message_id otherwise)
{
	const struct result *error = last_error(g);

	if (cluster_failed(g))
		add_text(g, VERDICT_CANNOT_TELL, MSG_CLUSTER_DOWN, error->text);
	else if (error)
		add_text(g, VERDICT_FAIL, MSG_CLIENT_ERROR, error->text);
	else if (prints_unread(g) || (!g->transcript.client && g->transcript.count == 0))
		add_text(g, VERDICT_FAIL, MSG_NOT_CLIENT, g->step->file);
	else if (g->transcript.count == 0 && !g->transcript.complete)
		add(g, VERDICT_FAIL, MSG_INTERRUPTED);
	else
		add(g, VERDICT_FAIL, otherwise);
}

static void report_missing(struct grading *g, size_t number)
{
	struct evidence evidence = {.kind = EVIDENCE_MISSING, .table = (int)number + 1};

	findings_evidence(&g->findings, &evidence, 1);
	if (last_error(g))
		grade_no_result(g, MSG_NO_RESULT);
	if (!cluster_failed(g))
		add_text(g, VERDICT_FAIL, MSG_TABLE_MISSING, number_text(g, number + 1));
}

/* Where names are free, the reference's are not the task's: a column is called as it was saved. */
static void call_as_saved(const struct grading *g, const struct table *asked,
	const struct table *saved, const struct comparison *c)
{
	for (size_t i = 0; g->step->form.names == FORM_FREE && i < c->evidence_count; i++) {
		struct evidence *evidence = &c->evidence[i];
		size_t column = table_column(asked, evidence->column);

		if (evidence->column.len && column < asked->column_count)
			evidence->column = saved->columns[c->map.of[column]].name;
	}
}

/* Names the first thing that is off; the evidence has the rest. */
static void report_rows(struct grading *g, const struct comparison *c)
{
	static const enum message_id ids[] = {[EVIDENCE_VALUE] = MSG_VALUE,
		[EVIDENCE_MISSING] = MSG_ROW_MISSING,
		[EVIDENCE_EXTRA] = MSG_ROW_EXTRA};
	static const enum message_id unnamed[] = {[EVIDENCE_VALUE] = MSG_COLUMN_WRONG,
		[EVIDENCE_MISSING] = MSG_ROWS_MISSING,
		[EVIDENCE_EXTRA] = MSG_ROWS_EXTRA};
	const struct evidence *first = c->evidence;
	struct text table = number_text(g, (size_t)first->table);

	findings_evidence(&g->findings, c->evidence, c->evidence_count);
	if (first->window_start.len)
		findings_add(&g->findings, VERDICT_FAIL, ids[first->kind], table,
			evidence_row(g->arena, first), first->column);
	else
		findings_add(&g->findings, VERDICT_FAIL, unnamed[first->kind], table, first->column,
			(struct text){0});
}

/* A column that is not there: its name is the task's only where names are asked. */
static void miss_column(struct grading *g, enum verdict_kind kind, struct text name)
{
	if (g->step->form.names == FORM_FREE)
		add(g, kind, MSG_COLUMN_NOT_THERE);
	else
		add_text(g, kind, MSG_COLUMN_MISSING, name);
}

static void report_columns(
	struct grading *g, const struct table *asked, const struct comparison *c, int number)
{
	bool named = g->step->form.names != FORM_FREE, told = false;

	for (size_t i = 0; i < asked->column_count; i++) {
		struct evidence evidence = {.kind = EVIDENCE_MISSING,
			.table = number,
			.column = asked->columns[i].name};

		if (c->map.of[i] != NO_COLUMN || (told && !named))
			continue;
		told = true;
		if (named)
			findings_evidence(&g->findings, &evidence, 1);
		miss_column(g, VERDICT_FAIL, evidence.column);
	}
}

static enum message_id run_message(enum table_form form)
{
	return form == TABLE_BATCH ? MSG_BATCH_RUN : MSG_STREAMING_RUN;
}

static bool contradicts_footer(const struct result *saved)
{
	return saved->footer_rows >= 0 && (size_t)saved->footer_rows != saved->table.row_count;
}

/* The values are not the asked ones: why, from the most telling sign on. */
static void grade_wrong(struct grading *g, const struct table *asked, const struct result *saved,
	const struct comparison *c, int number)
{
	if (saved->wrapped) {
		add(g, VERDICT_CANNOT_TELL, MSG_WRAPPED);
		return;
	}
	if (c->cut) {
		add(g, VERDICT_CANNOT_TELL, MSG_CUT_CELLS);
		return;
	}
	if (saved->table.form != asked->form && g->step->form.mode != FORM_FREE)
		add(g, VERDICT_FAIL, run_message(saved->table.form));
	if (c->map.found < asked->column_count)
		report_columns(g, asked, c, number);
	if (saved->end == END_ERROR)
		grade_no_result(g, MSG_NO_RESULT);
	if (contradicts_footer(saved))
		add_text(g, VERDICT_FAIL, MSG_EDITED, g->step->file);
	if (saved->end == END_NONE || saved->end == END_TERMINATED)
		add_text(g, VERDICT_FAIL,
			g->transcript.interrupted ? MSG_INTERRUPTED : MSG_TRUNCATED, g->step->file);
	if (c->evidence_count) {
		call_as_saved(g, asked, &saved->table, c);
		report_rows(g, c);
	}
}

static struct text extra_column(
	const struct table *saved, const struct column_map *map, size_t count)
{
	for (size_t i = 0; i < saved->column_count; i++) {
		size_t k = 0;

		while (k < count && map->of[k] != i)
			k++;
		if (k == count)
			return saved->columns[i].name;
	}
	return (struct text){0};
}

static struct text misnamed_column(
	const struct table *asked, const struct table *saved, const struct column_map *map)
{
	for (size_t i = 0; i < asked->column_count; i++)
		if (map->of[i] != NO_COLUMN &&
			!text_eq(asked->columns[i].name, saved->columns[map->of[i]].name))
			return saved->columns[map->of[i]].name;
	return (struct text){0};
}

/* A column that Flink has named itself, since the query gave it no name; none is empty. */
static struct text unnamed_column(
	const struct table *asked, const struct table *saved, const struct column_map *map)
{
	for (size_t i = 0; i < asked->column_count; i++) {
		struct text name = map->of[i] == NO_COLUMN ? (struct text){0}
							   : saved->columns[map->of[i]].name;

		if (text_starts(name, TEXT("EXPR$")) && !text_eq(name, asked->columns[i].name))
			return name;
	}
	return (struct text){0};
}

/* Nothing but tables was pasted: no prompt, no message, no closing lines. */
static bool is_pasted(const struct transcript *transcript)
{
	for (size_t i = 0; i < transcript->count; i++)
		if (transcript->results[i].kind != RESULT_TABLE)
			return false;
	return !transcript->complete;
}

/* A table ends in its footer; of a pasted one its frame is enough. */
static bool is_whole(const struct grading *g, const struct result *saved)
{
	if (!saved->framed)
		return false;
	return saved->end == END_FOOTER ||
	       (saved->end == END_NONE && saved->closed && is_pasted(&g->transcript));
}

enum verdict_kind form_verdict(enum strictness strictness)
{
	static const enum verdict_kind kinds[] = {[FORM_FREE] = VERDICT_PASS,
		[FORM_PARTIAL] = VERDICT_PARTIAL,
		[FORM_FAIL] = VERDICT_FAIL};

	return kinds[strictness];
}

/* Adds what is not as asked; where the lab leaves it free, nothing. */
static void add_form(
	struct grading *g, enum strictness strictness, enum message_id id, struct text arg)
{
	if (strictness != FORM_FREE)
		add_text(g, form_verdict(strictness), id, arg);
}

static void grade_columns(struct grading *g, const struct table *asked, const struct table *saved,
	const struct column_map *map)
{
	const struct form *form = &g->step->form;
	struct text unnamed = unnamed_column(asked, saved, map);

	for (size_t i = 0; i < asked->column_count; i++)
		if (map->of[i] == NO_COLUMN && form->missing != FORM_FREE)
			miss_column(g, form_verdict(form->missing), asked->columns[i].name);
	if (!map->named && form->names != FORM_FREE)
		add_form(g, form->names, MSG_COLUMN_NAMES, misnamed_column(asked, saved, map));
	else if (unnamed.len)
		add_text(g, VERDICT_PARTIAL, MSG_COLUMN_UNNAMED, unnamed);
	if (!map->in_order)
		add_form(g, form->order, MSG_COLUMN_ORDER, (struct text){0});
	if (map->extra)
		add_form(g, form->extra, MSG_COLUMN_EXTRA,
			extra_column(saved, map, asked->column_count));
}

static int grade_row_order(struct grading *g, const struct table *asked, const struct table *saved,
	const struct comparison *c)
{
	bool same = true;

	if (g->step->form.rows == FORM_FREE)
		return 0;
	if (rows_in_order(g->arena, asked, saved, c->map.of, &same))
		return -ENOMEM;
	if (!same)
		add_form(g, g->step->form.rows, MSG_ROW_ORDER, (struct text){0});
	return 0;
}

/* The values are right; is the form? */
static int grade_form(struct grading *g, const struct table *asked, const struct result *saved,
	const struct comparison *c)
{
	const struct step *step = g->step;

	if (saved->table.form != asked->form)
		add_form(g, step->form.mode, run_message(saved->table.form), (struct text){0});
	if (c->corrected)
		add(g, VERDICT_PARTIAL, MSG_CHANGELOG);
	if (saved->wrapped)
		add(g, VERDICT_CANNOT_TELL, MSG_WRAPPED);
	if (!is_whole(g, saved))
		add_text(g, VERDICT_PARTIAL,
			g->transcript.interrupted ? MSG_INTERRUPTED : MSG_TRUNCATED, step->file);
	if (contradicts_footer(saved))
		add_text(g, VERDICT_PARTIAL, MSG_EDITED, step->file);
	if (saved->framed)
		grade_columns(g, asked, &saved->table, &c->map);
	return grade_row_order(g, asked, &saved->table, c);
}

/* Are the values right? One column may be missing where the lab says so. */
static bool is_right(const struct step *step, const struct table *asked, const struct comparison *c)
{
	size_t missing = asked->column_count - c->map.found;

	if (!c->equal || missing == 0)
		return c->equal;
	return step->form.missing != FORM_FAIL && missing == 1 && asked->column_count > 2 &&
	       !c->corrected;
}

/* Parallelism above 1 spreads rows over several inputs of the window operator; where any row may be
 * dropped there, which ones are is a matter of chance. Then neither right nor wrong rows prove
 * anything, unless the query is wrong at parallelism 1 already. */
static int is_chance(struct grading *g, size_t number, bool equal, bool *ret)
{
	const struct script_result *asked = g->expected->results[number];
	bool right = !g->script.whole;

	*ret = false;
	if (!g->has_script || g->script.parallelism < 2 || asked->facts.rows_dropped == 0)
		return 0;
	for (size_t i = 0; !right && i < g->script.count; i++)
		if (g->script.results[i].kind == STMT_SELECT &&
			tables_equal(g->arena, &asked->table, &g->script.results[i].table, &right))
			return -ENOMEM;
	*ret = equal || right;
	return 0;
}

/* Nothing is late in a batch run, whatever its parallelism. */
static void grade_parallelism(struct grading *g, bool chance, bool batch)
{
	if (g->has_script && g->script.parallelism > 1 && !batch)
		add_text(g, chance ? VERDICT_CANNOT_TELL : VERDICT_PASS, MSG_PARALLELISM,
			text_format(g->arena, "%lld", (long long)g->script.parallelism));
}

static int grade_table(struct grading *g, size_t number, const struct result *saved, bool *used)
{
	const struct table *asked = g->expected->tables[number];
	struct comparison c;
	struct query_facts facts;
	enum known_by known;
	bool chance, right;

	if (compare_tables(g->arena, asked, &saved->table, (int)number + 1, &c))
		return -ENOMEM;
	right = is_right(g->step, asked, &c);
	if (!right && saved->end == END_ERROR && cluster_failed(g)) {
		grade_no_result(g, MSG_NO_RESULT); /* the rows that are not there prove nothing */
		return 0;
	}
	if (is_chance(g, number, right, &chance))
		return -ENOMEM;
	grade_parallelism(g, chance, saved->table.form == TABLE_BATCH);
	if (chance)
		return 0;
	if (!right) {
		grade_wrong(g, asked, saved, &c, (int)number + 1);
		return 0;
	}
	if (grade_form(g, asked, saved, &c))
		return -ENOMEM;
	/* What a query shows says more than its table does. */
	if (!g->has_script && shown_facts(g, number, saved, &facts))
		known = KNOWN_BY_ECHO;
	else
		known = query_facts(g, saved, used, &facts);
	if (known)
		grade_query(g, &g->expected->results[number]->facts, &facts, known);
	if (g->has_script && (g->script.whole || g->script.syntax) && known != KNOWN_BY_SQL)
		add_text(g, VERDICT_PASS, MSG_STALE, g->step->sql);
	return 0;
}

/* Was the client's error told already, as what ended a table? */
static bool tells_error(const struct grading *g)
{
	for (size_t i = 0; i < g->findings.count; i++)
		if (g->findings.items[i].message.id == MSG_CLIENT_ERROR ||
			g->findings.items[i].message.id == MSG_CLUSTER_DOWN)
			return true;
	return false;
}

/* Does the error stand behind the tables that count? One of a run before them is over. */
static bool is_behind(const struct result *error, const struct choice *choice, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!choice->tables[i] || choice->tables[i] > error)
			return false;
	return true;
}

static void grade_choice(struct grading *g, const struct choice *choice)
{
	if (choice->repeated)
		add(g, VERDICT_PARTIAL, MSG_TABLE_REPEATED);
	if (choice->extra || (choice->other && g->step->form.extra != FORM_FREE))
		add(g, VERDICT_PARTIAL, MSG_TABLE_EXTRA);
	else if (choice->other)
		add(g, VERDICT_PASS, MSG_TABLE_EXTRA);
	if (last_error(g) && is_behind(last_error(g), choice, g->expected->count) &&
		!tells_error(g))
		add_text(g, VERDICT_PASS, MSG_ERROR_BEHIND, last_error(g)->text);
}

int grade_tables(struct grading *g)
{
	struct choice choice;
	bool *used = arena_array(g->arena, g->script.count + 1, sizeof(*used));
	int err = 0;

	if (!used || choose_tables(g->arena, &g->transcript, g->expected->tables,
			     g->expected->count, &choice))
		return -ENOMEM;
	if (choice.found == 0) {
		grade_no_result(g, MSG_NO_RESULT);
		return 0;
	}
	if (choice.ambiguous) {
		add_text(g, VERDICT_CANNOT_TELL, MSG_TOO_MANY_TABLES,
			number_text(g, choice.ambiguous));
		return 0;
	}
	if (choice.swapped) {
		add(g, VERDICT_FAIL, MSG_TABLES_SWAPPED);
		return 0;
	}
	for (size_t i = 0; !err && i < g->expected->count; i++) {
		if (choice.tables[i])
			err = grade_table(g, i, choice.tables[i], used);
		else
			report_missing(g, i);
	}
	grade_choice(g, &choice);
	return err;
}

/* Diagnosis from the echo: where there is no .sql, or it does not yield what was saved, the
 * output itself shows its statements up to their last closing bracket. What no output shows is
 * tried: settings are the reference's, or another interval, and behind the bracket stands what the
 * reference has there, nothing, that with another number, GROUP BY all that is selected and no
 * aggregate, or what the reference has and a LIMIT of as many rows as there are.
 * Such a script is evidence as a .sql is: where it yields the saved tables. */
#include <errno.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/profile.h"
#include "daemon/grade/saved.h"
#include "daemon/grade/shown.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast.h"

/* What may stand behind the last bracket. */
enum tail { TAIL_REFERENCE, TAIL_NONE, TAIL_KEYS, TAIL_NUMBER, TAIL_LIMIT };

/* Numbers that are tried in the reference's place: 1, 2 ... */
#define MOST_NUMBER 10

struct echoing {
	struct grading *g;
	struct sql_script reference;
	struct text sql;
	size_t selects; /* so far */
	struct text created;
	enum tail tail;
	int number;	     /* TAIL_NUMBER */
	bool interval_set;   /* by the reference */
	bool no_set;	     /* it is left out */
	int64_t interval_ms; /* in its place; 0: the reference's */
	size_t rows;	     /* TAIL_LIMIT: of the table at hand */
	struct text order;   /* TAIL_LIMIT: ORDER BY in front of it; may be empty */
	bool guessed;	     /* a tail is not the reference's */
	bool nomem;
};

static void add_text(struct echoing *e, struct text statement, struct text tail)
{
	e->sql = text_format(e->g->arena, "%.*s%.*s%.*s;\n", TEXT_ARG(e->sql), TEXT_ARG(statement),
		TEXT_ARG(tail));
	e->nomem |= !e->sql.ptr;
}

/* ---- behind the last bracket ---- */

static bool is_select(struct text source)
{
	struct text word = text_slice(text_trim(source), 0, 6);

	return text_ieq(word, TEXT("SELECT")) || text_ieq(text_slice(word, 0, 4), TEXT("WITH"));
}

/* The source of the reference's query of this number, or of its last one. */
static struct text reference_source(const struct echoing *e, size_t number)
{
	struct text found = {0};

	for (size_t i = 0; i < e->reference.count; i++) {
		if (!is_select(e->reference.pieces[i].source))
			continue;
		found = e->reference.pieces[i].source;
		if (number-- == 0)
			break;
	}
	return found;
}

/* GROUP BY what is selected beside aggregates; empty: it is no aggregate, or the brackets hold
 * its GROUP BY. */
static struct text keys_tail(struct echoing *e, struct text echo)
{
	struct sql_piece piece = {.source = echo, .line = 1, .col = 1, .run = true};
	struct sql_statement statement = {0};
	struct text tail = TEXT("");
	size_t keys = 0, aggregates = 0;
	struct diag diag;
	int err = sql_parse(e->g->arena, &piece, &statement, &diag);
	const struct sql_query *query = err ? NULL : statement.query;

	e->nomem |= err == -ENOMEM;
	if (!query || statement.kind != STMT_SELECT || query->grouped)
		return (struct text){0};
	for (size_t i = 0; i < query->item_count; i++) {
		struct text key;

		if (query->items[i].expr->kind == EXPR_STAR)
			return (struct text){0};
		if (ast_has_aggregate(query->items[i].expr)) {
			aggregates++;
			continue;
		}
		key = sql_expr_print(e->g->arena, query->items[i].expr);
		tail = text_format(e->g->arena, "%.*s%s%.*s", TEXT_ARG(tail),
			keys++ ? ", " : "\nGROUP BY ", TEXT_ARG(key));
		e->nomem |= !key.ptr || !tail.ptr;
	}
	return aggregates && keys ? tail : (struct text){0};
}

/* The tail with its last number exchanged; empty: it has none. */
static struct text number_tail(struct echoing *e, struct text tail)
{
	size_t to = tail.len, from;
	struct text other;

	while (to > 0 && (tail.ptr[to - 1] < '0' || tail.ptr[to - 1] > '9'))
		to--;
	from = to;
	while (from > 0 && tail.ptr[from - 1] >= '0' && tail.ptr[from - 1] <= '9')
		from--;
	if (to == 0)
		return (struct text){0};
	other = text_format(e->g->arena, "%.*s%d%.*s", (int)from, tail.ptr, e->number,
		(int)(tail.len - to), tail.ptr + to);
	e->nomem |= !other.ptr;
	return other;
}

static struct text tail_of(struct echoing *e, struct text echo)
{
	struct text tail = shown_behind(reference_source(e, e->selects++)), other = {0};

	if (e->tail == TAIL_NONE) {
		e->guessed = e->guessed || tail.len;
		return TEXT("");
	}
	if (e->tail == TAIL_KEYS)
		other = keys_tail(e, echo);
	else if (e->tail == TAIL_NUMBER)
		other = number_tail(e, tail);
	else if (e->tail == TAIL_LIMIT)
		other = text_format(e->g->arena, "%.*s%.*s\nLIMIT %zu", TEXT_ARG(tail),
			TEXT_ARG(e->order), e->rows);
	e->nomem |= e->tail == TAIL_LIMIT && !other.ptr;
	e->guessed = e->guessed || other.len;
	return other.len ? other : tail;
}

/* ---- the script ---- */

static void add_interval(struct echoing *e)
{
	const struct profiles *profiles =
		grading_profiles(e->g, (size_t)(e->g->step - e->g->grader->lab->steps));
	const struct profile *asked = NULL;

	e->nomem |= !profiles;
	for (size_t i = 0; profiles && i < profiles->count; i++)
		if (profiles->items[i].kind == STMT_SELECT)
			asked = &profiles->items[i];
	e->interval_set = asked && asked->settings.interval_set;
	if (e->interval_ms || (e->interval_set && !e->no_set))
		add_text(e, TEXT("SET 'pipeline.auto-watermark-interval' = "),
			text_format(e->g->arena, "'%lld ms'",
				(long long)(e->interval_ms ? e->interval_ms
							   : asked->settings.interval_ms)));
}

/* Rows that are there in the end. */
static size_t count_rows(const struct table *table)
{
	size_t added = 0;

	for (size_t i = 0; i < table->row_count; i++)
		added += table->rows[i].op == OP_INSERT || table->rows[i].op == OP_UPDATE_AFTER;
	return 2 * added > table->row_count ? 2 * added - table->row_count : 0;
}

static void add_query(struct echoing *e, const struct result *result)
{
	e->rows = count_rows(&result->table);
	add_text(e, TEXT("SET 'execution.runtime-mode' = "),
		result->table.form == TABLE_BATCH ? TEXT("'batch'") : TEXT("'streaming'"));
	add_text(e, result->echo, tail_of(e, result->echo));
}

/* Behind CREATE TABLE, DESCRIBE is of that table: it has no bracket, so that no output shows it. */
static void add_described(struct echoing *e, const struct result *result)
{
	if (result->echo.len || !e->created.len)
		return;
	add_text(e, TEXT("DESCRIBE "), e->created);
	e->selects++;
}

static void note_created(struct echoing *e, struct text echo)
{
	struct sql_piece piece = {.source = echo, .line = 1, .col = 1, .run = true};
	struct sql_statement statement = {0};
	struct diag diag;
	int err = sql_parse(e->g->arena, &piece, &statement, &diag);

	e->nomem |= err == -ENOMEM;
	if (err || statement.kind != STMT_CREATE_TABLE)
		return;
	e->created = text_format(e->g->arena, "`%.*s`", TEXT_ARG(statement.create->name));
	e->nomem |= !e->created.ptr;
}

static void add_result(struct echoing *e, const struct result *result)
{
	if (result->kind == RESULT_ERROR)
		return;
	if (result->kind == RESULT_TABLE && result->table.form == TABLE_CATALOG) {
		add_described(e, result);
	} else if (result->echo.len && result->kind == RESULT_TABLE) {
		add_query(e, result);
	} else if (result->echo.len) {
		note_created(e, result->echo);
		add_text(e, result->echo, TEXT(""));
	}
}

/* Is it the name of a file of the lab's? Under another folder it may well be that file. */
static bool is_lab_file(const struct lab *lab, struct text name)
{
	for (size_t i = 0; i < lab->fixture_count; i++) {
		struct text path = lab->fixtures[i].path;

		if (path.len > name.len && text_ends(path, name) &&
			path.ptr[path.len - name.len - 1] == '/')
			return true;
	}
	return false;
}

/* Of a query that is not simulated its head, which is all that is known, can tell of windows by
 * the clock, and of a file that is none of the lab's: then mistakes over the lab's rows prove
 * nothing. */
static int name_head(struct grading *echoed, const struct verdict *verdict, struct causes *causes)
{
	const struct lab *lab = echoed->grader->lab;
	struct causes found;

	causes_init(&found, echoed->arena);
	if (diagnose_sql(echoed, verdict, &found) || found.nomem)
		return -ENOMEM;
	for (size_t i = 0; i < found.count; i++)
		if (found.items[i].id == DIAG_PROCESSING_TIME ||
			(found.items[i].id == DIAG_OTHER_DATA &&
				!is_lab_file(lab, found.items[i].param)))
			causes_add_measured(causes, &found.items[i]);
	return 0;
}

/* Does it print what was saved? What nothing shows is believed for no less. */
static int yields(const struct grading *echoed, bool *ret, struct causes *causes)
{
	struct saved saved;

	if (saved_find(echoed, &saved))
		return -ENOMEM;
	*ret = !echoed->script.error.len && saved_yielded(echoed, &saved, causes);
	return 0;
}

static int try_tail(struct echoing *e, const struct verdict *verdict, struct causes *causes)
{
	struct grading *g = e->g, echoed = *g;
	struct submission submission = *g->submission;
	bool fits = false;
	int err;

	e->sql = TEXT("");
	e->selects = 0;
	e->guessed = false;
	add_interval(e);
	for (size_t i = 0; i < g->transcript.count && !e->nomem; i++)
		add_result(e, &g->transcript.results[i]);
	if (e->nomem)
		return -ENOMEM;
	if (e->selects == 0 || (e->tail != TAIL_REFERENCE && !e->guessed))
		return 0;
	if (script_run(g->arena, e->sql, g->grader->data, &echoed.script))
		return -ENOMEM;
	submission.sql = (struct saved_file){.state = FILE_THERE, .bytes = e->sql};
	echoed.submission = &submission;
	echoed.has_script = true;
	if (!echoed.script.whole)
		return e->tail == TAIL_REFERENCE ? name_head(&echoed, verdict, causes) : 0;
	/* What is refused cannot be held against the rows that were saved; but a file that is not
	 * here was there. */
	if (echoed.script.error.len && !script_lacks_file(&echoed.script))
		return 0;
	if (e->tail == TAIL_LIMIT || e->interval_ms) {
		err = yields(&echoed, &fits, causes);
		if (err || !fits)
			return err;
	}
	return diagnose_sql(&echoed, verdict, causes);
}

/* Without the interval, which no output shows: named only where the echo shows another cause
 * beside it, since the tables tell which intervals alone give them. */
static int try_no_set(struct echoing *e, const struct verdict *verdict, struct causes *causes)
{
	struct causes found;
	int err;

	if (!e->interval_set)
		return 0;
	causes_init(&found, e->g->arena);
	e->no_set = true;
	err = try_tail(e, verdict, &found);
	e->no_set = false;
	if (err || found.nomem)
		return -ENOMEM;
	if (found.count < 2 || !causes_have(&found, DIAG_INTERVAL_MISSING))
		return 0;
	for (size_t i = 0; i < found.count; i++) {
		if (found.items[i].id == DIAG_INTERVAL_MISSING)
			found.items[i].ambiguous = true;
		causes_add_measured(causes, &found.items[i]);
	}
	causes_add(causes, DIAG_INTERVAL, (struct text){0});
	causes->items[causes->count - 1].ambiguous = true;
	return 0;
}

/* Intervals that people set; one beside another cause that the echo shows. */
static const int64_t usual_intervals_ms[] = {
	1000, 2000, 5000, 10000, 30000, 60000, 120000, 300000, 600000, 1800000, 3600000};

/* Another interval, which no output shows, beside what the echo shows: its value is named where
 * no other gives these rows. */
static int try_intervals(struct echoing *e, const struct verdict *verdict, struct causes *causes)
{
	struct causes found, first = {0};
	size_t fits = 0;

	for (size_t i = 0; i < sizeof(usual_intervals_ms) / sizeof(usual_intervals_ms[0]); i++) {
		causes_init(&found, e->g->arena);
		e->interval_ms = usual_intervals_ms[i];
		if (try_tail(e, verdict, &found) || found.nomem)
			return -ENOMEM;
		if (found.count > 1 && causes_have(&found, DIAG_INTERVAL) && fits++ == 0)
			first = found;
	}
	e->interval_ms = 0;
	for (size_t i = 0; fits && i < first.count; i++) {
		if (first.items[i].id == DIAG_INTERVAL && fits > 1)
			first.items[i].param = TEXT("");
		causes_add_measured(causes, &first.items[i]);
	}
	return 0;
}

/* Rows that a LIMIT leaves of a stream, a condition may leave as well. */
static void leave_open(struct causes *causes)
{
	for (size_t i = 0; i < causes->count; i++)
		if (causes->items[i].id == DIAG_LIMIT) {
			causes->items[i].ambiguous = true;
			causes_add_at(
				causes, DIAG_WHERE_EXTRA, (struct text){0}, causes->items[i].table);
			causes->items[causes->count - 1].ambiguous = true;
			return;
		}
}

/* The first rows of the table, or the first by one of its columns. */
static int try_limits(struct echoing *e, const struct verdict *verdict, struct causes *causes)
{
	const struct result *saved = e->g->choice.tables[0];
	size_t before = causes->count, columns = 0;
	int err;

	if (!saved || !saved->table.row_count)
		return 0;
	e->tail = TAIL_LIMIT;
	e->order = TEXT("");
	err = try_tail(e, verdict, causes);
	if (!err && causes->count > before)
		leave_open(causes);
	if (saved->table.form == TABLE_BATCH || table_is_corrected(&saved->table))
		columns = saved->table.column_count;
	for (size_t i = 0; !err && causes->count == before && i < 2 * columns; i++) {
		e->order = text_format(e->g->arena, "\nORDER BY `%.*s` %s",
			TEXT_ARG(saved->table.columns[i / 2].name), i % 2 ? "ASC" : "DESC");
		err = e->order.ptr ? try_tail(e, verdict, causes) : -ENOMEM;
	}
	return err;
}

static bool has_error(const struct transcript *transcript)
{
	for (size_t i = 0; i < transcript->count; i++)
		if (transcript->results[i].kind == RESULT_ERROR)
			return true;
	return false;
}

int diagnose_echo(struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct echoing e = {.g = g};
	size_t before = causes->count;
	struct diag diag;
	int err;

	/* A refusal is told by its own words. */
	if (g->step->kind == STEP_ERROR && has_error(&g->transcript))
		return 0;
	if (sql_split(g->arena, g->expected->sql, &e.reference, &diag) == -ENOMEM)
		return -ENOMEM;
	err = try_tail(&e, verdict, causes);
	if (diagnose_is_another(g, causes))
		return err; /* no theory beside the plain one */
	if (!err && causes->count == before)
		err = try_no_set(&e, verdict, causes);
	e.tail = TAIL_NONE;
	if (!err && causes->count == before)
		err = try_tail(&e, verdict, causes);
	e.tail = TAIL_KEYS;
	if (!err && causes->count == before)
		err = try_tail(&e, verdict, causes);
	e.tail = TAIL_NUMBER;
	for (e.number = 1; !err && causes->count == before && e.number <= MOST_NUMBER; e.number++)
		err = try_tail(&e, verdict, causes);
	if (before > 0)
		return err; /* of a file that was cut, nothing is believed that it does not show */
	if (!err && causes->count == before && g->expected->count)
		err = try_limits(&e, verdict, causes);
	e.tail = TAIL_REFERENCE;
	return err || causes->count > before ? err : try_intervals(&e, verdict, causes);
}

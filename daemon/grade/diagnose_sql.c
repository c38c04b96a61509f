/* Diagnosis from the SQL. The .sql is evidence for a saved result where its simulation yields
 * that result, or the same refusal; where it is not simulated, or chance has its part, where the
 * echo in the output is its text. Then what sets its query apart from the asked one is the
 * diagnosis. Of rows that are right only what the verdict speaks of is named. */
#include <errno.h>

#include "daemon/grade/diagnosing.h"
#include "daemon/grade/differing.h"
#include "daemon/grade/effect.h"
#include "daemon/grade/sql_pairs.h"
#include "parser/arena.h"
#include "parser/diag.h"

static const struct differ_rule {
	void (*differ)(struct differing *d);
	bool of_query; /* else of the table and the settings: also where a statement is refused */
} rules[] = {
	{differ_mode, false},
	{differ_tableau, false},
	{differ_source, false},
	{differ_columns_declared, false},
	{differ_watermark, false},
	{differ_zone, false},
	{differ_creation, false},
	{differ_union, true},
	{differ_window, true},
	{differ_filter, true},
	{differ_grouping, true},
	{differ_rank, true},
	{differ_limit, true},
	{differ_items, true},
	{differ_interval, false},
	{differ_emit, false},
	{differ_parallelism, false},
};

/* ---- what may be named ---- */

/* Where rows are right: the causes that a message of the verdict is about. */
static const struct {
	enum message_id message;
	enum diagnosis_id causes[10];
} spoken[] = {
	{MSG_DELAY, {DIAG_DELAY}},
	{MSG_DESCRIBED_DELAY, {DIAG_DELAY}},
	{MSG_INTERVAL, {DIAG_INTERVAL, DIAG_INTERVAL_MISSING, DIAG_SET_AFTER_QUERY,
			       DIAG_SET_MISSPELT, DIAG_SET_LOST}},
	{MSG_FILTER_EXTRA, {DIAG_FILTER_EXTRA}},
	{MSG_FILTER_MISSING, {DIAG_FILTER_MISSING, DIAG_FILTER_PLACE, DIAG_LATE_BY}},
	{MSG_NO_WINDOW, {DIAG_NO_WINDOW, DIAG_LEGACY_WINDOW}},
	{MSG_PATH, {DIAG_PATH, DIAG_OTHER_DATA, DIAG_TABLE_OPTION}},
	{MSG_FORMAT, {DIAG_TABLE_OPTION}},
	{MSG_CONNECTOR, {DIAG_TABLE_OPTION}},
	{MSG_NO_PATH, {DIAG_PATH, DIAG_OTHER_DATA, DIAG_TABLE_OPTION}},
	{MSG_NO_FORMAT, {DIAG_TABLE_OPTION}},
	{MSG_NO_CONNECTOR, {DIAG_TABLE_OPTION}},
	{MSG_TABLE_NAME, {DIAG_TABLE_OPTION}},
	{MSG_COLUMN_NAMES, {DIAG_COLUMN_NAMES, DIAG_DDL_COLUMNS}},
	{MSG_COLUMN_UNNAMED, {DIAG_COLUMN_NAMES}},
	{MSG_COLUMN_ORDER, {DIAG_COLUMN_ORDER, DIAG_DDL_COLUMNS}},
	{MSG_COLUMN_EXTRA, {DIAG_COLUMN_EXTRA, DIAG_DDL_COLUMNS}},
	{MSG_COLUMN_MISSING, {DIAG_COLUMN_MISSING, DIAG_DDL_COLUMNS}},
	{MSG_COLUMN_NOT_THERE, {DIAG_COLUMN_MISSING, DIAG_DDL_COLUMNS}},
	{MSG_COLUMN_TYPE, {DIAG_DDL_COLUMNS}},
	{MSG_BATCH_RUN, {DIAG_BATCH_MODE, DIAG_SET_AFTER_QUERY, DIAG_SET_MISSPELT, DIAG_SET_LOST}},
	{MSG_STREAMING_RUN,
		{DIAG_STREAMING_MODE, DIAG_SET_AFTER_QUERY, DIAG_SET_MISSPELT, DIAG_SET_LOST}},
	{MSG_CHANGELOG, {DIAG_NO_WINDOW, DIAG_LIMIT, DIAG_ORDER_BY, DIAG_GROUP_KEY_MISSING,
				DIAG_TOPN_PARTITION}},
	{MSG_PARALLELISM, {DIAG_PARALLELISM}},
	{MSG_INTERRUPTED, {DIAG_UNBOUNDED_SOURCE}},
	{MSG_TRUNCATED, {DIAG_UNBOUNDED_SOURCE}},
};

static bool is_spoken_of(const struct message *message, enum diagnosis_id id)
{
	for (size_t i = 0; i < sizeof(spoken) / sizeof(spoken[0]); i++)
		for (size_t k = 0; spoken[i].message == message->id && k < 10; k++)
			if (spoken[i].causes[k] == id && (k == 0 || id != 0))
				return true;
	return false;
}

static bool is_in_verdict(const struct verdict *verdict, enum diagnosis_id id)
{
	if (is_spoken_of(&verdict->summary, id))
		return true;
	for (size_t i = 0; i < verdict->remark_count; i++)
		if (is_spoken_of(&verdict->remarks[i], id))
			return true;
	return false;
}

/* ---- differences ---- */

/* A refusal comes of the window or of the settings, whatever is selected. */
static bool is_refusal_asked(const struct differing *d)
{
	return d->grading->step->kind == STEP_ERROR;
}

static void differ(struct differing *d, const struct profile *mine)
{
	bool query = mine->known && mine->kind == d->asked->kind && mine->kind == STMT_SELECT;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		bool of_query = query && d->asked->known &&
				(!is_refusal_asked(d) || rules[i].differ == differ_window);

		if (!rules[i].of_query || of_query)
			rules[i].differ(d);
	}
}

/* Is the query the very one of another step, window and table? */
static bool is_of_another_step(struct evidence_of_sql *e, const struct pair *pair)
{
	const struct lab *lab = e->g->grader->lab;

	for (size_t i = 0; i < lab->step_count; i++) {
		const struct profiles *others = grading_profiles(e->g, i);

		e->causes->nomem |= !others;
		if (!others || &lab->steps[i] == e->g->step)
			continue;
		for (size_t k = 0; k < others->count; k++)
			if (others->items[k].kind == STMT_SELECT &&
				profiles_alike(&others->items[k], pair->mine))
				return true;
	}
	return false;
}

static bool is_refused_setting(const struct profile *mine)
{
	return mine->kind == STMT_SET && mine->failed;
}

/* Larger effects first; unknown ones stay where they are. */
static void order_causes(struct causes *causes)
{
	for (size_t i = 1; i < causes->count; i++)
		for (size_t k = i; k > 0; k--) {
			struct diagnosis *a = &causes->items[k - 1], *b = &causes->items[k], c = *a;

			if (a->changes < 0 || b->changes <= a->changes)
				break;
			*a = *b;
			*b = c;
		}
}

/* Causes that may change rows, and need not: what else is there may be all of it. */
static bool is_chance(const struct differing *d, enum diagnosis_id id)
{
	return id == DIAG_PARALLELISM ||
	       (id == DIAG_ORDER_BY && !d->error.len && !d->mine->limited);
}

/* What alone changes nothing is no cause of wrong rows. */
static void keep(struct evidence_of_sql *e, const struct pair *pair, const struct differing *d,
	struct causes *found)
{
	bool wrong = e->verdict->kind == VERDICT_FAIL && !pair->right;

	order_causes(found);
	for (size_t i = 0; i < found->count; i++) {
		const struct diagnosis *cause = &found->items[i];
		bool chance = is_chance(d, cause->id);
		bool old = cause->id == DIAG_LEGACY_WINDOW && e->verdict->kind == VERDICT_PARTIAL &&
			   is_in_verdict(e->verdict, DIAG_COLUMN_NAMES);
		bool idle = cause->changes == 0;

		if (is_in_verdict(e->verdict, cause->id) || old ||
			(wrong && !idle && (!chance || found->count == 1)))
			causes_add_measured(e->causes, cause);
	}
}

static void differ_pair(struct evidence_of_sql *e, size_t number)
{
	const struct pair *pair = &e->pairs[number];
	bool refused = pair->saved && pair->saved->kind == RESULT_ERROR;
	bool table = pair->saved && pair->saved->kind == RESULT_TABLE;
	struct causes found;
	struct differing d = {.arena = e->g->arena,
		.grading = e->g,
		.asked = pair->asked,
		.mine = pair->mine,
		.script = &e->script,
		.error = refused ? pair->saved->text : (struct text){0},
		.saved = table ? &pair->saved->table : NULL,
		.right = pair->right,
		.same_step = pair->mine && is_of_another_step(e, pair),
		.table = e->count > 1 ? (int)number + 1 : 0,
		.causes = &found};

	if (!pair->asked || !pair->mine)
		return;
	causes_init(&found, e->g->arena);
	if (is_refused_setting(pair->mine))
		differ_set(&d);
	else
		differ(&d, pair->mine);
	if (effects_measure(&d, &found))
		e->causes->nomem = true;
	e->causes->nomem |= found.nomem;
	keep(e, pair, &d, &found);
}

/* ---- several tables ---- */

static bool is_swapped(const struct verdict *verdict)
{
	return verdict->summary.id == MSG_TABLES_SWAPPED;
}

/* Does each query read the table of the name that is asked at its place? Then the tables are what
 * is exchanged, not the queries. */
static bool reads_asked_names(const struct evidence_of_sql *e)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct pair *pair = &e->pairs[i];

		if (!pair->asked || !pair->mine || !pair->asked->has_table ||
			!pair->mine->has_table ||
			!text_ieq(pair->asked->table.name, pair->mine->table.name))
			return false;
	}
	return true;
}

/* An earlier query over the very same table, where another one is asked? Its number from 1; 0:
 * none. */
static size_t repeats(const struct evidence_of_sql *e, size_t number)
{
	const struct pair *pair = &e->pairs[number];

	for (size_t i = 0; i < number; i++) {
		const struct pair *before = &e->pairs[i];

		if (pair->mine && before->mine && pair->asked && before->asked &&
			pair->mine->has_table && pair->mine->origin == before->mine->origin &&
			pair->mine->table.watermark == before->mine->table.watermark &&
			pair->asked->origin != before->asked->origin)
			return i + 1;
	}
	return 0;
}

static void differ_pairs(struct evidence_of_sql *e)
{
	if (is_swapped(e->verdict) && !reads_asked_names(e)) {
		causes_add(e->causes, DIAG_ORDER_OF_TABLES, (struct text){0});
		return;
	}
	for (size_t i = 0; i < e->count; i++) {
		size_t first = repeats(e, i);

		if (first)
			causes_add(e->causes, DIAG_TABLE_REPEATED,
				text_format(e->g->arena, "%zu", first));
		else
			differ_pair(e, i);
	}
}

int diagnose_sql(struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct evidence_of_sql e = {
		.g = g, .verdict = verdict, .causes = causes, .count = g->expected->count};
	struct text sql = g->submission->sql.bytes;
	struct diag diag;

	bool refusal = g->step->kind == STEP_ERROR;
	int err;

	if (!g->has_script)
		return 0;
	e.count = refusal ? 1 : e.count;
	e.asked = grading_profiles(g, (size_t)(g->step - g->grader->lab->steps));
	e.used = arena_array(g->arena, g->script.count + 1, sizeof(*e.used));
	e.pairs = arena_array(g->arena, e.count + 1, sizeof(*e.pairs));
	if (!e.asked || !e.used || !e.pairs ||
		sql_split(g->arena, sql, &e.pieces, &diag) == -ENOMEM ||
		profiles_read(g->arena, sql, g->grader->data, g->grader->lab, &e.script))
		return -ENOMEM;
	if (refusal)
		pair_refusal(&e);
	else if ((err = pair_tables(&e)))
		return err;
	differ_pairs(&e);
	return 0;
}

/* Diagnosis from the tables alone, where no SQL says what was done: every mistake of the
 * catalogue that yields a saved table, and no other. Several are told as what they are, answers
 * that the evidence cannot tell apart; a parameter of which many values yield it is left open. */
#include <errno.h>

#include "daemon/grade/catalogue.h"
#include "daemon/grade/choose.h"
#include "daemon/grade/diagnosing.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* Under half a second, some 1 ns each: the catalogue over 10,000 rows. What is not made then is
 * not named. */
#define STEPS_DIAGNOSIS INT64_C(384000000)

/* The catalogue over as many rows: 5 MiB and its mutants, one at a time. */
#define LIMIT_DIAGNOSIS_BYTES (256u << 20)

/* More values of one parameter than that say nothing about it. */
#define MOST_PARAMS 4

struct tables {
	struct grading *g;
	struct causes *causes;
	struct catalogue catalogue;
	int number;  /* of the table at hand, from 1; 0: there is one only */
	bool differ; /* some table has other rows than asked */
};

/* ---- naming ---- */

static bool same_kind(const struct mistake *a, const struct mistake *b)
{
	bool same = a->cause_count == b->cause_count;

	for (size_t i = 0; same && i < a->cause_count; i++)
		same = text_eq(text_of(a->causes[i].id), text_of(b->causes[i].id));
	return same;
}

static const struct mistake *mistake_of(const struct matches *matches, size_t index)
{
	return &matches->items[index].item->mistake;
}

static bool is_first(const struct matches *matches, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_kind(mistake_of(matches, i), mistake_of(matches, index)))
			return false;
	return true;
}

/* Values that the matches of a kind have for one of its causes. */
static size_t count_params(const struct matches *matches, size_t kind, size_t cause)
{
	size_t count = 0;

	for (size_t i = kind; i < matches->count; i++) {
		bool seen = !same_kind(mistake_of(matches, i), mistake_of(matches, kind));

		for (size_t k = kind; !seen && k < i; k++)
			seen = same_kind(mistake_of(matches, k), mistake_of(matches, kind)) &&
			       param_equal(&mistake_of(matches, k)->causes[cause].param,
				       &mistake_of(matches, i)->causes[cause].param);
		count += !seen;
	}
	return count;
}

static void add_cause(struct tables *t, const struct cause *cause, bool with_param)
{
	enum diagnosis_id id = diagnosis_find(text_of(cause->id));
	struct text param = with_param ? param_print(t->g->arena, &cause->param) : TEXT("");

	t->causes->nomem |= !param.ptr;
	/* The text of a parameter is the catalogue's, which does not last. */
	param = text_copy(t->g->arena, param);
	if (id < DIAGNOSIS_COUNT)
		causes_add_at(t->causes, id, param, t->number);
}

/* All matches of one kind. */
static void add_kind(struct tables *t, const struct matches *matches, size_t kind)
{
	for (size_t c = 0; c < mistake_of(matches, kind)->cause_count; c++) {
		bool open = count_params(matches, kind, c) > MOST_PARAMS;

		for (size_t i = kind; i < matches->count; i++)
			if (same_kind(mistake_of(matches, i), mistake_of(matches, kind)))
				add_cause(t, &mistake_of(matches, i)->causes[c], !open);
	}
}

/* Is it one answer, though it may have several causes? */
static bool is_sure(const struct matches *matches)
{
	for (size_t i = 1; i < matches->count; i++)
		if (!is_first(matches, 0) || is_first(matches, i))
			return false;
	for (size_t c = 0; c < mistake_of(matches, 0)->cause_count; c++) {
		size_t params = count_params(matches, 0, c);

		if (params > 1 && params <= MOST_PARAMS)
			return false;
	}
	return true;
}

/* Columns that a saved table has beside the mistake's, where they are of the mistake. */
static void add_columns(struct tables *t, const struct match *match, const struct table *saved)
{
	const struct mistake *mistake = &match->item->mistake;

	for (size_t i = 0; i < mistake->cause_count; i++) {
		const struct text name = mistake->causes[i].param.name;
		struct cause cause = {"column-extra", mistake->causes[i].param};
		const struct shape *shape = &t->catalogue.shapes[match->item->shape];
		bool mine = false;

		for (size_t k = 0; k < shape->column_count; k++)
			mine = mine || text_eq(shape->columns[k].name, name);
		if (name.len && !mine && table_column(saved, name) < saved->column_count)
			add_cause(t, &cause, true);
	}
}

/* ---- another step's answer ---- */

static bool is_answer(struct tables *t, const struct expected *expected, const struct table *saved)
{
	for (size_t i = 0; i < expected->count; i++) {
		const struct table *asked = expected->tables[i];
		struct comparison c = {0};

		if (asked->form != saved->form ||
			table_is_corrected(asked) != table_is_corrected(saved))
			continue;
		if (compare_tables(t->g->arena, asked, saved, 1, &c))
			t->causes->nomem = true;
		if (c.equal && c.map.found == asked->column_count)
			return true;
	}
	return false;
}

static size_t add_steps(struct tables *t, const struct table *saved)
{
	const struct grader *grader = t->g->grader;
	size_t found = 0;

	for (size_t i = 0; i < grader->lab->step_count; i++)
		if (&grader->lab->steps[i] != t->g->step &&
			grader->lab->steps[i].kind == STEP_TABLES &&
			is_answer(t, &grader->expected[i], saved)) {
			causes_add(t->causes, DIAG_ANOTHER_STEP, grader->lab->steps[i].id);
			found++;
		}
	return found;
}

/* ---- a table ---- */

/* Alternatives, also where the others were named for an earlier table. */
static void leave_open(struct causes *causes, size_t from)
{
	for (size_t i = from; i < causes->count; i++)
		causes->items[i].ambiguous = true;
}

/* Do other answers give the saved rows as well as the catalogue's? */
static bool has_likes(const struct matches *matches)
{
	return matches->other_query || matches->condition || matches->data;
}

static void name_matches(struct tables *t, const struct matches *matches, const struct table *saved)
{
	size_t from = t->causes->count, steps = 0;

	for (size_t i = 0; i < matches->count; i++)
		if (is_first(matches, i))
			add_kind(t, matches, i);
	if (matches->other_query) {
		causes_add(t->causes, DIAG_ORDER_OF_TABLES, (struct text){0});
		causes_add(t->causes, DIAG_TABLE_REPEATED, (struct text){0});
		causes_add(t->causes, DIAG_TABLE_MISSING, (struct text){0});
	}
	if (matches->condition)
		causes_add(t->causes, DIAG_WHERE_EXTRA, (struct text){0});
	if (matches->data)
		causes_add(t->causes, DIAG_OTHER_DATA, (struct text){0});
	if (!t->g->has_script)
		steps = add_steps(t, saved);
	if (matches->count == 0 || has_likes(matches) || steps || !is_sure(matches))
		leave_open(t->causes, from);
	if (matches->count)
		add_columns(t, &matches->items[0], saved);
}

static bool is_whole(const struct result *result)
{
	return result && result->kind == RESULT_TABLE && result->end != END_ERROR &&
	       !result->cut_cells && !result->wrapped;
}

static int name_table(struct tables *t, size_t query, const struct result *result)
{
	struct matches matches = {0};
	int err;

	if (!is_whole(result)) {
		t->differ = true;
		return 0;
	}
	err = catalogue_find(
		t->g->arena, &t->catalogue, query, &result->table, STEPS_DIAGNOSIS, &matches);
	if (err < 0 || (matches.right && matches.count == 0))
		return err;
	t->differ = true;
	t->causes->cut = t->causes->cut || matches.cut;
	name_matches(t, &matches, &result->table);
	return 0;
}

/* The file's only table of a query, where none comes near the asked one. */
static const struct result *only_table(const struct grading *g)
{
	const struct result *found = NULL;

	for (size_t i = 0; i < g->transcript.count; i++) {
		const struct result *result = &g->transcript.results[i];

		if (result->kind != RESULT_TABLE || result->table.form == TABLE_CATALOG)
			continue;
		if (found)
			return NULL;
		found = result;
	}
	return found;
}

static int name_tables(struct tables *t)
{
	struct grading *g = t->g;
	const struct choice *choice = &g->choice;
	int err = 0;

	if (choice->ambiguous)
		return 0;
	for (size_t i = 0; err == 0 && i < g->expected->count; i++) {
		t->number = g->expected->count > 1 ? (int)i + 1 : 0;
		err = name_table(t, i,
			choice->tables[i] || g->expected->count > 1 ? choice->tables[i]
								    : only_table(g));
	}
	return err;
}

/* ---- the form ---- */

/* What the verdict says of the form of right rows is the cause. */
static const struct {
	enum message_id message;
	enum diagnosis_id id;
	const char *param; /* NULL: the message's argument */
} forms[] = {{MSG_COLUMN_MISSING, DIAG_COLUMN_MISSING, NULL},
	{MSG_COLUMN_NOT_THERE, DIAG_COLUMN_MISSING, ""},
	{MSG_COLUMN_EXTRA, DIAG_COLUMN_EXTRA, NULL}, {MSG_COLUMN_NAMES, DIAG_COLUMN_NAMES, ""},
	{MSG_COLUMN_UNNAMED, DIAG_COLUMN_NAMES, "EXPR$"}, {MSG_COLUMN_ORDER, DIAG_COLUMN_ORDER, ""},
	{MSG_BATCH_RUN, DIAG_BATCH_MODE, ""}, {MSG_STREAMING_RUN, DIAG_STREAMING_MODE, ""}};

static void name_form(struct causes *causes, const struct message *message)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].message == message->id)
			causes_add(causes, forms[i].id,
				forms[i].param ? text_of(forms[i].param) : message->args[0]);
}

static void name_forms(struct causes *causes, const struct verdict *verdict)
{
	name_form(causes, &verdict->summary);
	for (size_t i = 0; i < verdict->remark_count; i++)
		name_form(causes, &verdict->remarks[i]);
}

int diagnose_tables(struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct tables t = {.g = g, .causes = causes};
	struct arena arena;
	struct diag diag = {0};
	int err;

	if (g->step->kind != STEP_TABLES || g->transcript.count == 0 ||
		(verdict->kind != VERDICT_FAIL && verdict->kind != VERDICT_PARTIAL))
		return 0;
	arena_init(&arena, LIMIT_DIAGNOSIS_BYTES);
	err = catalogue_open(&arena, g->expected->sql, g->grader->data, &t.catalogue, &diag);
	if (err == 0)
		err = name_tables(&t);
	arena_finish(&arena);
	if (err == 0 && !t.differ && causes->count == 0 && !g->has_script)
		name_forms(causes, verdict);
	return err == -ENOMEM ? err : 0;
}

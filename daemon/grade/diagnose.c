/* Diagnosis: the order in which evidence is looked at. */
#include "daemon/grade/diagnose.h"

#include <errno.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/profile.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* A grader keeps no syntax trees: a diagnosis reads those that it needs, in less than 0.1 ms a
 * reference. */
const struct profiles *grading_profiles(struct grading *g, size_t step)
{
	const struct grader *grader = g->grader;

	if (g->profiles[step])
		return g->profiles[step];
	g->profiles[step] = ARENA_NEW(g->arena, struct profiles);
	if (!g->profiles[step] || profiles_read(g->arena, grader->expected[step].sql, grader->data,
					  grader->lab, g->profiles[step]))
		return NULL;
	return g->profiles[step];
}

/* Root causes first: what was found stands for all that follows from it. */
static void diagnose_saved(struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	size_t of_file = causes->count;

	if (causes->count == 0)
		diagnose_foreign(g, verdict, causes);
	if (causes->count == 0)
		diagnose_error(g, causes);
	if (causes->count == 0)
		diagnose_names(g, verdict, causes);
	if (causes->count == 0)
		diagnose_unrun(g, verdict, causes);
	if (causes->count == 0 && g->has_script)
		diagnose_order(g, verdict, causes);
	if (causes->count == of_file)
		causes->nomem |= diagnose_sql(g, verdict, causes) != 0;
	if (causes->count == of_file)
		causes->nomem |= diagnose_echo(g, verdict, causes) != 0;
	if (causes->count == of_file)
		causes->nomem |= diagnose_described(g, verdict, causes) != 0;
	if (causes->count == 0)
		causes->nomem |= diagnose_tables(g, verdict, causes) != 0;
	/* Without SQL, tables that only look exchanged may each be another mistake's. */
	if (causes->count == 0)
		diagnose_order(g, verdict, causes);
	diagnose_alike(g, verdict, causes);
	diagnose_stale(g, verdict, causes);
	diagnose_unknown(g, verdict, causes);
}

/* The verdict with one more remark. */
static int say_cut(struct arena *arena, struct verdict *verdict)
{
	struct message *remarks = arena_array(arena, verdict->remark_count + 1, sizeof(*remarks));

	if (!remarks)
		return -ENOMEM;
	for (size_t i = 0; i < verdict->remark_count; i++)
		remarks[i] = verdict->remarks[i];
	if (message_make(arena, MSG_DIAGNOSIS_CUT, (struct text){0}, (struct text){0},
		    (struct text){0}, &remarks[verdict->remark_count]))
		return -ENOMEM;
	verdict->remarks = remarks;
	verdict->remark_count++;
	return 0;
}

/* Rows of the data that the step's queries read, or print: the most of any. */
static int64_t expected_rows(const struct expected *expected)
{
	int64_t most = 0;

	for (size_t i = 0; i < expected->count; i++) {
		int64_t printed = (int64_t)expected->tables[i]->row_count,
			read = expected->results[i]->facts.rows_in;

		most = read > most ? read : most;
		most = printed > most ? printed : most;
	}
	return most;
}

/* All evidence begins with the same question, which costs more than most of it. */
static int choose(struct grading *g)
{
	const struct expected *e = g->expected;
	int err = choose_tables(g->arena, &g->transcript, e->tables, e->count, &g->choice);

	g->right = arena_array(g->arena, e->count + 1, sizeof(*g->right));
	if (err || !g->right)
		return -ENOMEM;
	for (size_t i = 0; i < e->count; i++) {
		struct comparison c = {0};

		if (!g->choice.tables[i])
			continue;
		if (compare_tables(
			    g->arena, e->tables[i], &g->choice.tables[i]->table, (int)i + 1, &c))
			return -ENOMEM;
		g->right[i] = c.equal && c.map.found == e->tables[i]->column_count;
	}
	return 0;
}

static int diagnose(struct grading *g, const struct submission *submissions,
	const struct verdict *verdict, struct causes *causes)
{
	struct diag diag = {0};

	/* What could not be read is not what was not printed. */
	if (g->submission->out.state != FILE_THERE)
		return 0;
	if (g->submission->out.bytes.len > LIMIT_DIAGNOSE_BYTES ||
		expected_rows(g->expected) > LIMIT_DIAGNOSE_ROWS) {
		causes->cut = true;
		return 0;
	}
	if (g->step->kind != STEP_REPORT && grading_read(g, &diag) == -ENOMEM)
		return -ENOMEM;
	if (g->transcript.count > LIMIT_DIAGNOSE_RESULTS) {
		causes->cut = true;
		return 0;
	}
	if (choose(g))
		return -ENOMEM;
	diagnose_file(g, verdict, causes);
	if (g->step->kind == STEP_REPORT)
		return diagnose_report(g, submissions, causes);
	diagnose_saved(g, verdict, causes);
	return 0;
}

/* The causes, in an arena of the caller that outlives the search. */
static int keep(struct arena *arena, const struct causes *causes, struct verdict *verdict)
{
	struct diagnosis *kept = arena_array(arena, causes->count + 1, sizeof(*kept));

	if (!kept)
		return -ENOMEM;
	for (size_t i = 0; i < causes->count; i++) {
		kept[i] = causes->items[i];
		if (kept[i].param.len)
			kept[i].param = text_copy(arena, kept[i].param);
		if (kept[i].param.len && !kept[i].param.ptr)
			return -ENOMEM;
	}
	verdict->diagnosis = kept;
	verdict->diagnosis_count = causes->count;
	return causes->cut ? say_cut(arena, verdict) : 0;
}

/* -ENOMEM: the search took more memory than it may. */
static int search(struct grading *g, const struct submission *submissions,
	const struct verdict *verdict, struct causes *causes)
{
	int err;

	causes_init(causes, g->arena);
	findings_init(&g->findings, g->arena);
	g->profiles = arena_array(g->arena, g->grader->lab->step_count, sizeof(*g->profiles));
	err = g->profiles ? diagnose(g, submissions, verdict, causes) : -ENOMEM;
	return err == 0 && causes->nomem ? -ENOMEM : err;
}

int diagnose_step(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, struct verdict *verdict, struct diag *reterr)
{
	struct arena searched;
	struct grading g = {.arena = &searched,
		.grader = grader,
		.step = &grader->lab->steps[step],
		.expected = &grader->expected[step],
		.submission = &submissions[step]};
	struct causes causes;
	int err;

	if (verdict->kind == VERDICT_PASS || verdict->kind == VERDICT_MISSING)
		return 0;
	arena_init(&searched, LIMIT_DIAGNOSE_ARENA);
	if (search(&g, submissions, verdict, &causes))
		causes = (struct causes){.cut = true};
	err = keep(arena, &causes, verdict);
	arena_finish(&searched);
	return err ? diag_nomem(reterr) : 0;
}

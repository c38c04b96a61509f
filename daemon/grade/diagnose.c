/* Diagnosis: the order in which evidence is looked at. */
#include "daemon/grade/diagnose.h"

#include <errno.h>

#include "daemon/grade/diagnosing.h"
#include "parser/arena.h"
#include "parser/diag.h"

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
	if (causes->count == 0)
		causes->nomem |= diagnose_tables(g, verdict, causes) != 0;
	/* Without SQL, tables that only look exchanged may each be another mistake's. */
	if (causes->count == 0)
		diagnose_order(g, verdict, causes);
	diagnose_alike(g, verdict, causes);
	diagnose_stale(g, verdict, causes);
	diagnose_unknown(g, verdict, causes);
}

int diagnose_step(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, struct verdict *verdict, struct diag *reterr)
{
	struct grading g = {.arena = arena,
		.grader = grader,
		.step = &grader->lab->steps[step],
		.expected = &grader->expected[step],
		.submission = &submissions[step]};
	struct causes causes;
	struct diag diag = {0};

	if (verdict->kind == VERDICT_PASS || verdict->kind == VERDICT_MISSING)
		return 0;
	causes_init(&causes, arena);
	findings_init(&g.findings, arena);
	if (g.step->kind != STEP_REPORT && grading_read(&g, &diag) == -ENOMEM)
		return diag_nomem(reterr);
	diagnose_file(&g, verdict, &causes);
	if (g.step->kind == STEP_REPORT && diagnose_report(&g, submissions, &causes))
		return diag_nomem(reterr);
	if (g.step->kind != STEP_REPORT)
		diagnose_saved(&g, verdict, &causes);
	if (causes.nomem)
		return diag_nomem(reterr);
	verdict->diagnosis = causes.items;
	verdict->diagnosis_count = causes.count;
	return 0;
}

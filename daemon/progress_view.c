/* Progress, shown: what of a lab stands in the status, and what of it may be said by now. */
#include "daemon/progress.h"

#include <string.h>

#include "daemon/tiers.h"
#include "parser/arena.h"
#include "parser/diag.h"

static struct status_file view_file(struct text name, const struct identity *identity)
{
	return (struct status_file){.name = name,
		.state = identity->state,
		.size = identity->size,
		.mtime_ns = identity->mtime_ns,
		.sha256 = text_of(identity->sha256)};
}

static struct status_step view_step(const struct progress *progress, size_t i)
{
	const struct progress_step *step = &progress->steps[i];
	const struct step *asked = &progress->lab->lab.steps[i];
	const struct state_step *entry =
		state_step(progress->state, progress->lab->name, asked->id);
	int64_t tier = entry ? entry->hint_tier : TIER_NONE;
	struct verdict verdict = step->verdict;

	/* Those of before may be of other SQL. */
	if (step->diagnose)
		verdict.diagnosis_count = 0;
	return (struct status_step){
		.name = asked->id,
		.out = view_file(asked->file, &step->out),
		.sql = view_file(asked->sql, &step->seen_sql),
		.verdict = verdict,
		.running = step->running,
		.rows = step->rows,
		.stale = step->stale,
		.searching = step->diagnose,
		.seq = step->seq,
		.attempt = entry ? entry->attempt : 0,
		.hint_tier = tier,
		.look = tier == TIER_ROW && tier_applies(&step->verdict) ? step->look
									 : (struct look){0},
		.title = asked->title,
		.hints = asked->hints,
		.hint_count = tier_hints(tier, &verdict, asked->hint_count),
		.links = asked->links,
		.link_count = tier >= TIER_ROW ? asked->link_count : 0,
		.learned =
			step->verdict.kind == VERDICT_PASS ? asked->learned : (struct lab_texts){0},
	};
}

/* What the learner's SQL did, if that is kept; it is what was graded last. */
static const struct script *own_script(const struct progress_step *step)
{
	const struct rehearsal *rehearsal = &step->rehearsal;

	return strcmp(rehearsal->sha256, step->sql.sha256) == 0 ? rehearsal->script : NULL;
}

/* What the steps that pass have to teach. */
static int view_lessons(const struct progress *progress, struct arena *arena,
	struct status_step *steps, struct diag *reterr)
{
	bool *passed = arena_array(arena, progress->count, sizeof(*passed)), any = false;
	struct owed owed = {0};

	if (!passed)
		return diag_nomem(reterr);
	for (size_t i = 0; i < progress->count; i++) {
		passed[i] = progress->steps[i].verdict.kind == VERDICT_PASS;
		any = any || passed[i];
	}
	if (any && owed_read(arena, progress->lab->grader, passed, &owed) < 0)
		return diag_nomem(reterr);
	for (size_t i = 0; i < progress->count; i++)
		if (passed[i] &&
			lesson_read(arena, progress->lab->grader, i,
				own_script(&progress->steps[i]), &owed, &steps[i].lesson) < 0)
			return diag_nomem(reterr);
	return 0;
}

/* Why the lab cannot be graded, as one sentence; empty: it can. */
static struct text view_problem(const struct progress *progress, struct arena *arena)
{
	char buf[DIAG_LINE];

	if (progress->lab->grader)
		return TEXT("");
	return text_copy(arena, text_of(diag_format(&progress->lab->problem, buf, sizeof(buf))));
}

int progress_view(const struct progress *progress, struct arena *arena, struct status_lab *ret,
	struct diag *reterr)
{
	struct status_lab view = {.name = progress->lab->name,
		.folder = progress->shown,
		.problem = view_problem(progress, arena),
		.step_count = progress->lab->grader ? progress->count : 0,
		.latest = progress->lab->grader ? progress->latest : 0};

	if (progress->lab->parsed)
		view.title = progress->lab->lab.title;
	view.steps = arena_array(arena, view.step_count, sizeof(*view.steps));
	if (!view.steps || !view.problem.ptr)
		return diag_nomem(reterr);
	for (size_t i = 0; i < view.step_count; i++)
		view.steps[i] = view_step(progress, i);
	*ret = view;
	return progress->lab->grader ? view_lessons(progress, arena, view.steps, reterr) : 0;
}

int progress_notice(const struct progress *progress, struct arena *arena, struct message *ret)
{
	return message_make(arena, MSG_LAB_CHANGED, progress->lab->name, progress->changed_file,
		text_format(arena, "%zu", progress->regraded), ret);
}

int progress_blocked(const struct progress *progress, struct arena *arena, struct message *ret)
{
	return message_make(
		arena, MSG_NO_FOLDER, progress->lab->name, progress->shown, TEXT(""), ret);
}

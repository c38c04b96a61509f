/* Progress, booking: what a verdict that is final for the bytes read means for all that is kept of
 * its step. A different save is an attempt; a step whose verdict changed has those that hang on it
 * graded again; the journal is owed what is news. */
#include "daemon/progress.h"

#include <string.h>

#include "daemon/tiers.h"
#include "daemon/work.h"
#include "parser/diag.h"

/* After a start: was this output made with other SQL than what lies beside it now? The state knows
 * the hash; without it the times must do. */
static void judge_age(struct progress_step *step, const struct state_step *entry)
{
	bool known = entry->sql[0] && strcmp(entry->out, step->out.sha256) == 0;

	if (step->sql.state != FILE_THERE || step->out.state != FILE_THERE)
		return;
	if (known && strcmp(entry->sql, step->sql.sha256) != 0 &&
		progress_is_newer(&step->sql, &step->out)) {
		memcpy(step->sql.sha256, entry->sql, sizeof(entry->sql));
		step->stale = true;
	} else if (!known && progress_is_newer(&step->sql, &step->out)) {
		step->sql.sha256[0] = '\0';
		step->stale = true;
	}
}

/* Counts an attempt where these bytes were not graded before. True where they were not. */
static bool count_attempt(
	struct progress *progress, struct progress_step *step, struct state_step *entry)
{
	bool fresh = step->out.state == FILE_THERE && strcmp(entry->out, step->out.sha256) != 0;
	bool other_sql = strcmp(entry->sql, step->sql.sha256) != 0;

	if (step->out.state != FILE_THERE || (!fresh && !other_sql))
		return false;
	entry->attempt += fresh;
	memcpy(entry->out, step->out.sha256, sizeof(entry->out));
	memcpy(entry->sql, step->sql.sha256, sizeof(entry->sql));
	state_touch(progress->state, entry);
	return fresh;
}

/* A wrong attempt opens the next hints, a pass ends them. */
static void move_tier(struct progress *progress, const struct progress_step *step,
	struct state_step *entry, bool attempt)
{
	int64_t tier = tier_after(entry->hint_tier, &step->verdict, attempt);

	if (tier != entry->hint_tier)
		state_touch(progress->state, entry);
	entry->hint_tier = tier;
}

/* A report hangs on what other steps printed, and a step on those that it builds on. */
static void grade_others_again(struct progress *progress, size_t but)
{
	for (size_t i = 0; i < progress->count; i++)
		if (i != but && step_needs(&progress->lab->lab, i, but) &&
			progress->steps[i].out.state == FILE_THERE)
			progress->steps[i].again = true;
}

/* Is the journal to hear of it? After a start, too, where it was told another verdict or was
 * still to be told of this save. What is closed to us is told by itself (daemon/closed.c). */
static bool is_news(const struct progress_step *step, const struct state_step *entry, bool attempt,
	bool reworded)
{
	if (step->out.state == FILE_UNREADABLE)
		return false;
	return attempt || reworded || state_owes(entry, verdict_name(step->verdict.kind));
}

static void owe_record(struct progress *progress, size_t i, struct state_step *entry)
{
	progress->steps[i].announce = true;
	state_tell(progress->state, entry, TOLD_NOTHING);
}

/* Of a step that is new here, or of a state without this, the journal is taken to know. */
static void assume_told(
	struct progress *progress, const struct progress_step *step, struct state_step *entry)
{
	if (!entry->told && step->out.state != FILE_UNREADABLE)
		state_tell(progress->state, entry, verdict_name(step->verdict.kind));
}

int work_book(struct progress *progress, size_t i, const struct work *work, const struct news *news,
	struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];
	const struct step *asked = &progress->lab->lab.steps[i];
	struct state_step *entry = state_step(progress->state, progress->lab->name, asked->id);
	/* A verdict of what could not be read was about no bytes. */
	bool first = !step->graded || step->out.state == FILE_UNREADABLE, attempt;

	if (!entry)
		return diag_nomem(reterr);
	step->changed = step->changed || news->differs || step->running || step->stale || first;
	step->graded = true;
	step->running = step->stale = step->again = false;
	step->rows = 0;
	step->diagnose =
		step->verdict.kind != VERDICT_PASS && step->verdict.kind != VERDICT_MISSING;
	step->put_off_ms = 0;
	step->latency_usec = 0;
	step->look = (struct look){0};
	step->out = work->out.identity;
	step->sql = step->seen_sql = work->sql.identity;
	if (first)
		judge_age(step, entry);
	attempt = count_attempt(progress, step, entry);
	move_tier(progress, step, entry, attempt);
	if (attempt) {
		progress->changed_file = TEXT("");
		progress->latest = i;
	}
	step->changed = step->changed || attempt;
	if (is_news(step, entry, attempt, news->reworded && !first))
		owe_record(progress, i, entry);
	else
		assume_told(progress, step, entry);
	if (!work_is_report(progress, i) && (attempt || news->differs))
		grade_others_again(progress, i);
	return 0;
}

/* Progress, its grading half: from a file that is due to a verdict that is booked.
 *
 * When to look is settle's decision, how to read intake's, what it is worth the grader's. Here is
 * what follows: the same bytes give no second verdict; a step whose verdict changed has the report
 * graded again; a different save is an attempt.
 *
 * A step is graded from its own two files and from those that it is held against; the submissions
 * of the others are left "missing", so that a save costs a few files read, not all. */
#include "daemon/progress.h"

#include <errno.h>
#include <string.h>

#include "daemon/keep.h"
#include "daemon/limits.h"
#include "daemon/publish.h"
#include "daemon/tiers.h"
#include "daemon/work.h"
#include "parser/limits.h"
#include "parser/transcript.h"

/* The client's closing lines fit well in this much. */
#define TAIL_BYTES 4096

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
	progress->latest = i;
	state_tell(progress->state, entry, TOLD_NOTHING);
}

/* Of a step that is new here, or of a state without this, the journal is taken to know. */
static void assume_told(
	struct progress *progress, const struct progress_step *step, struct state_step *entry)
{
	if (!entry->told && step->out.state != FILE_UNREADABLE)
		state_tell(progress->state, entry, verdict_name(step->verdict.kind));
}

/* How a verdict differs from the one before. */
struct news {
	bool differs;  /* at all */
	bool reworded; /* in what the journal is told */
};

/* Books a verdict that is final for the bytes read. */
static int book(struct progress *progress, size_t i, const struct work *work,
	const struct news *news, struct diag *reterr)
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
	if (attempt)
		progress->changed_file = TEXT("");
	step->changed = step->changed || attempt;
	if (is_news(step, entry, attempt, news->reworded && !first))
		owe_record(progress, i, entry);
	else
		assume_told(progress, step, entry);
	if (!work_is_report(progress, i) && (attempt || news->differs))
		grade_others_again(progress, i);
	return 0;
}

/* The lab's files are no longer those that were graded with: later, with what they are then. */
static void postpone(struct progress_step *step, bool open, int64_t now_ms)
{
	step->again = step->graded;
	if (open)
		settle_event(&step->settle, SETTLE_FOUND, now_ms);
	else
		settle_postponed(&step->settle);
}

/* Grades the step from what was read. `open`: it is still running, and the verdict is for the time
 * being only. */
static int grade(struct progress *progress, size_t i, bool open, int64_t now_ms, struct work *work,
	struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];
	struct verdict verdict;
	struct news news;
	int r;

	r = work_read(progress, i, open, work, reterr);
	if (r == 0)
		r = grade_step(&work->scratch, progress->lab->grader, i, work->submissions,
			&verdict, reterr);
	if (work_troubled(progress, reterr))
		return -EAGAIN;
	if (r == -ENOMEM) {
		arena_finish(&work->scratch);
		r = grade_too_large(&work->scratch, progress->lab->grader, i, &verdict, reterr);
	}
	if (r < 0)
		return r;
	if (!lookout_confirm(&progress->lab->lookout, now_ms)) {
		postpone(step, open, now_ms);
		return 0;
	}
	news.differs = !verdict_same_grade(&verdict, &step->verdict);
	news.reworded = !verdict_same_sentence(&verdict, &step->verdict);
	/* That one waits for its causes no longer. */
	if (!open && (news.reworded || !identity_same_bytes(&work->out.identity, &step->out)))
		progress_tell_owed(progress, step);
	if (news.differs)
		r = work_keep(step, &verdict, reterr);
	if (r < 0)
		return r;
	if (!open)
		return book(progress, i, work, &news, reterr);
	step->changed = step->changed || news.differs;
	return 0;
}

static bool is_complete(const struct progress *progress, size_t i, const struct intake *out)
{
	struct text bytes = out->file.bytes;

	if (out->file.state != FILE_THERE)
		return true;
	if (work_is_report(progress, i))
		return bytes.len > 0;
	if (bytes.len > TAIL_BYTES)
		bytes = text_slice(bytes, bytes.len - TAIL_BYTES, bytes.len);
	return transcript_tail_complete(bytes);
}

static int64_t count_rows(struct work *work, const struct line_patterns *patterns)
{
	struct transcript transcript;
	int64_t rows = 0;

	if (transcript_parse(&work->scratch, patterns, work->out.file.bytes, &transcript, NULL) < 0)
		return 0;
	for (size_t i = 0; i < transcript.count; i++)
		if (transcript.results[i].kind == RESULT_TABLE)
			rows += (int64_t)transcript.results[i].table.row_count;
	return rows;
}

/* Shows a held file as running, with the rows it has by now. */
static void preview(struct progress_step *step, struct work *work, const struct grader *grader)
{
	int64_t rows = step->rows;

	if (work->out.file.state == FILE_THERE && work->out.file.bytes.len <= LIMIT_PREVIEW_BYTES)
		rows = count_rows(work, grader_patterns(grader));
	step->changed = step->changed || !step->running || rows != step->rows;
	step->running = true;
	step->rows = rows;
}

/* The bytes that were graded already, under whatever times. Of what may not be read no bytes are
 * known: another save of it is told again, and readers of the status compare its time and
 * size. */
static void same_again(struct progress_step *step, const struct work *work)
{
	bool unknown = work->out.identity.state == FILE_UNREADABLE &&
		       !identity_same_look(&work->out.identity, &step->out);

	step->changed = step->changed || step->running || unknown;
	step->running = false;
	step->rows = 0;
	step->out = work->out.identity;
	progress_compare_sql(step);
	settle_graded(&step->settle);
}

/* A file that was there before us and has no end: running for all we know, and graded as such. */
static int found_running(
	struct progress *progress, size_t i, int64_t now_ms, struct work *work, struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];

	preview(step, work, progress->lab->grader);
	settle_previewed(&step->settle, now_ms);
	return step->graded ? 0 : grade(progress, i, true, now_ms, work, reterr);
}

/* Does the output go on where a close left it? One that does not is another run's. */
static bool goes_on(struct progress_step *step, const struct intake *out)
{
	struct text bytes = out->file.bytes;
	char sha256[SHA256_HEX];

	if (!step->piece.size)
		return false;
	if (out->file.state == FILE_THERE && bytes.len >= step->piece.size) {
		sha256_hex(text_slice(bytes, 0, step->piece.size), sha256);
		if (strcmp(sha256, step->piece.sha256) == 0)
			return bytes.len > step->piece.size;
	}
	step->piece.size = 0;
	return false;
}

/* Keeps what a close left without an end, to know it again when there is more. */
static void keep_piece(struct progress_step *step, const struct intake *out)
{
	step->piece.size = out->file.bytes.len;
	memcpy(step->piece.sha256, out->identity.sha256, sizeof(step->piece.sha256));
}

/* After a start: was an output of these bytes graded as it is, since no more came then? */
static bool was_graded(struct progress *progress, size_t i, const struct intake *out)
{
	const struct progress_step *step = &progress->steps[i];
	const struct state_step *entry =
		state_step(progress->state, progress->lab->name, step->id);

	return !step->graded && entry && strcmp(entry->out, out->identity.sha256) == 0;
}

/* Since when nobody has written to it, as far as its time tells. */
static int64_t untouched_ms(const struct intake *out)
{
	return (publish_clock_ns() - out->identity.mtime_ns) / 1000000;
}

/* Has settle decide, and shows what is written in pieces as running. */
static void look(struct progress *progress, size_t i, int64_t now_ms, struct work *work)
{
	struct progress_step *step = &progress->steps[i];
	struct settle *settle = &step->settle;

	if (goes_on(step, &work->out))
		settle_goes_on(settle);
	settle_looked(settle,
		is_complete(progress, i, &work->out) || was_graded(progress, i, &work->out),
		now_ms);
	settle_untouched(settle, untouched_ms(&work->out), now_ms);
	if (settle->state == SETTLE_WAITING)
		keep_piece(step, &work->out);
	else if (settle->state == SETTLE_DUE)
		step->piece.size = 0;
	if (settle_piece_due(settle, now_ms)) {
		preview(step, work, progress->lab->grader);
		settle_previewed(settle, now_ms);
	}
}

static int after_reading(
	struct progress *progress, size_t i, int64_t now_ms, struct work *work, struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];
	struct settle *settle = &step->settle;
	bool known = step->graded && identity_same_bytes(&work->out.identity, &step->out);
	bool looked = settle->state == SETTLE_LOOK;

	step->seen = work->out.identity;
	if (work->out.moving) {
		settle_moving(settle, now_ms);
	} else if (settle->state != SETTLE_HELD && known) {
		same_again(step, work);
		/* Other SQL beside the same bytes: what was said of the SQL is no longer true. */
		if (step->again && !step->stale)
			return grade(progress, i, false, now_ms, work, reterr);
	} else if (looked) {
		look(progress, i, now_ms, work);
	}

	if (settle->state == SETTLE_DUE) {
		settle_graded(settle);
		return grade(progress, i, false, now_ms, work, reterr);
	}
	if (settle->state == SETTLE_HELD && looked && !step->graded)
		return found_running(progress, i, now_ms, work, reterr);
	if (settle_preview_due(settle, now_ms)) {
		goes_on(step, &work->out);
		preview(step, work, progress->lab->grader);
		settle_previewed(settle, now_ms);
	}
	return 0;
}

/* Does the step have something to be done now? */
static bool has_work(struct progress_step *step, int64_t now_ms)
{
	if (step->failed)
		return false;
	settle_tick(&step->settle, now_ms);
	return step->settle.state == SETTLE_LOOK || step->settle.state == SETTLE_DUE ||
	       settle_preview_due(&step->settle, now_ms);
}

static int attend(struct progress *progress, size_t i, int64_t now_ms, struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];
	struct settle before = step->settle;
	struct work work = {0};
	int r;

	arena_init(&work.scratch, LIMIT_GRADE_ARENA);
	r = work_read_out(progress, i, &work, &work.out, reterr);
	if (r == 0)
		r = after_reading(progress, i, now_ms, &work, reterr);
	if (r < 0) {
		step->settle = before;
		step->failed = true;
	}
	arena_finish(&work.scratch);
	return progress_failed(progress, i, r, reterr);
}

int progress_work(struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	int result = 0;

	if (progress_waits(progress))
		return 0;
	for (size_t i = 0; i < progress->count; i++) {
		int r = has_work(&progress->steps[i], now_ms) ? attend(progress, i, now_ms, reterr)
							      : 0;
		if (r < 0)
			result = r;
	}
	return result;
}

/* Grades the same bytes again. */
static int grade_again(struct progress *progress, size_t i, int64_t now_ms, struct diag *reterr)
{
	struct work work = {0};
	int r;

	arena_init(&work.scratch, LIMIT_GRADE_ARENA);
	r = work_read_out(progress, i, &work, &work.out, reterr);
	if (r == 0 && identity_same_bytes(&work.out.identity, &progress->steps[i].out))
		r = grade(progress, i, false, now_ms, &work, reterr);
	arena_finish(&work.scratch);
	return progress_failed(progress, i, r, reterr);
}

static int follow_up(struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	int result = 0;

	for (size_t i = 0; i < progress->count; i++) {
		struct progress_step *step = &progress->steps[i];
		int r;
		/* What is being written is graded when it is read, if only for this. */
		if (!step->again || step->failed || step->settle.state != SETTLE_IDLE)
			continue;
		step->again = false;
		r = grade_again(progress, i, now_ms, reterr);
		if (r < 0) {
			result = r;
			step->again = step->failed = true;
		}
	}
	return result;
}

int progress_follow_up(struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	int r, again;

	if (progress_waits(progress))
		return 0;
	r = follow_up(progress, now_ms, reterr);
	/* A report may stand before the steps that it is about. */
	again = follow_up(progress, now_ms, reterr);
	return r < 0 ? r : again;
}

/* Progress, its grading part: from a file that is due to a verdict that is booked
 * (progress_book.c).
 *
 * When to look is settle's decision, how to read intake's, what it is worth the grader's. Here is
 * when that is asked for: the same bytes give no second verdict.
 *
 * A step is graded from its own two files and from those that it is held against; the submissions
 * of the others are left "missing", so that a save costs a few files read, not all. */
#include "daemon/progress.h"

#include <errno.h>
#include <string.h>

#include "daemon/keep.h"
#include "daemon/limits.h"
#include "daemon/publish.h"
#include "daemon/work.h"
#include "parser/limits.h"
#include "parser/transcript.h"

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
		return work_book(progress, i, work, &news, reterr);
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
	if (bytes.len > TRANSCRIPT_TAIL)
		bytes = text_slice(bytes, bytes.len - TRANSCRIPT_TAIL, bytes.len);
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
	const struct state_step *entry = state_step(progress->state, progress->lab->name, step->id);

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

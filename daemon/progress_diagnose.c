/* Progress, its third part: the causes behind a verdict, and what saved SQL prints. They come
 * after the verdicts: these are published at once, and only then is looked for more, one step at
 * a time. A search ends where something else was saved, and is begun anew behind that: so a save
 * waits some 10 ms for it at most. */
#include "daemon/progress.h"

#include <errno.h>

#include "daemon/grade/diagnose.h"
#include "daemon/keep.h"
#include "daemon/tiers.h"
#include "daemon/work.h"
#include "parser/limits.h"

/* So long a search gives way to whatever is saved, and from then on to nothing: under a stream of
 * events a learner hears of the causes all the same. But those of an output that is saved anew
 * all the time are not looked for. */
#define PATIENCE_MS 300

/* A pause that remembers that it was asked for. */
struct break_off {
	struct sim_pause pause;
	const struct sim_pause *outer;
	bool asked;
};

static bool is_asked(void *ctx)
{
	struct break_off *b = ctx;

	b->asked = b->asked || b->outer->asked(b->outer->ctx);
	return b->asked;
}

/* The causes and the row to look at, of files that were read. */
static int search(struct progress *progress, size_t i, struct work *work, const struct break_off *b,
	struct verdict *verdict, struct look *look, struct diag *reterr)
{
	struct arena *scratch = &work->scratch;
	const struct grader *grader = progress->lab->grader;
	int r = diagnose_step(scratch, grader, i, work->submissions, verdict, reterr);

	if (r == 0 && !b->asked && tier_applies(verdict))
		r = look_find(scratch, grader, i, work->submissions, verdict, look, reterr);
	return r;
}

/* The pause that a search heeds; NULL: it was put off for long enough. */
static const struct sim_pause *pause_of(
	const struct progress_step *step, const struct break_off *b, int64_t now_ms)
{
	bool impatient = step->put_off_ms && now_ms >= step->put_off_ms + PATIENCE_MS;

	return impatient ? NULL : &b->pause;
}

static void put_off(struct progress_step *step, int64_t now_ms)
{
	if (!step->put_off_ms)
		step->put_off_ms = now_ms;
}

/* The verdict again, with its causes and the row to look at. -EINTR: there is something more
 * urgent; -EAGAIN: data could not be read for the moment. */
static int find(struct progress *progress, size_t i, int64_t now_ms, struct work *work,
	const struct sim_pause *outer, struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];
	struct break_off b = {{is_asked, &b}, outer, false};
	const struct sim_pause *pause = pause_of(step, &b, now_ms);
	struct verdict verdict = step->verdict;
	struct look look = step->look;
	int r;

	if (pause && is_asked(&b))
		return -EINTR;
	r = work_read_out(progress, i, work, &work->out, reterr);
	if (r < 0)
		return r;
	if (!identity_same_bytes(&work->out.identity, &step->out))
		return 0; /* another save: it gets a verdict of its own */
	r = work_read(progress, i, false, work, reterr);
	progress->lab->data_reader.pause = pause;
	if (r == 0)
		r = search(progress, i, work, &b, &verdict, &look, reterr);
	progress->lab->data_reader.pause = NULL;
	if (work_troubled(progress, reterr))
		return -EAGAIN;
	if (b.asked)
		return -EINTR;
	if (r == 0 && !lookout_confirm(&progress->lab->lookout, now_ms)) {
		step->look = (struct look){0};
		return -EINTR;
	}
	step->look = look;
	if (r < 0 || verdict_same(&verdict, &step->verdict))
		return r;
	return work_keep(step, &verdict, reterr);
}

int progress_diagnose(struct progress *progress, int64_t now_ms, const struct sim_pause *pause,
	struct diag *reterr)
{
	struct progress_step *step;
	struct work work = {0};
	size_t i = 0;
	int r;

	/* What is to be graded again may be right by now. */
	while (i < progress->count && (!progress->steps[i].diagnose || progress->steps[i].again ||
					      progress->steps[i].failed))
		i++;
	if (i == progress->count || progress_waits(progress))
		return 0;
	step = &progress->steps[i];
	arena_init(&work.scratch, LIMIT_GRADE_ARENA);
	r = find(progress, i, now_ms, &work, pause, reterr);
	arena_finish(&work.scratch);
	step->diagnose = r == -EINTR || r == -EAGAIN;
	/* Also where nothing was found: the status says that it is looked for. */
	progress->changed = progress->changed || !step->diagnose;
	step->failed = r == -EAGAIN;
	if (r == -EINTR)
		put_off(step, now_ms);
	return r < 0 && r != -EINTR ? progress_failed(progress, i, r, reterr) : 1;
}

/* Reads the SQL as it is now. -EINTR: there is something more urgent. */
static int rehearse(struct progress *progress, struct progress_step *step, int64_t now_ms,
	struct arena *scratch, const struct sim_pause *outer, struct diag *reterr)
{
	struct break_off b = {{is_asked, &b}, outer, false};
	struct intake intake;
	int r = progress_read(progress, scratch, step->sql_name, LIMIT_SQL_BYTES, &intake, reterr);

	if (r < 0) {
		progress->unsure = true;
		return r;
	}
	progress->lab->data_reader.pause = pause_of(step, &b, now_ms);
	work_rehearse(progress, step, &intake);
	progress->lab->data_reader.pause = NULL;
	if (!b.asked)
		return 0;
	rehearsal_finish(&step->rehearsal);
	rehearsal_init(&step->rehearsal);
	return -EINTR;
}

int progress_rehearse(struct progress *progress, int64_t now_ms, const struct sim_pause *pause,
	struct diag *reterr)
{
	struct progress_step *step;
	struct arena scratch;
	size_t i = 0;
	int r;

	while (i < progress->count && !progress->steps[i].rehearse)
		i++;
	if (i == progress->count || progress_waits(progress))
		return 0;
	step = &progress->steps[i];
	arena_init(&scratch, LIMIT_GRADE_ARENA);
	r = rehearse(progress, step, now_ms, &scratch, pause, reterr);
	arena_finish(&scratch);
	step->rehearse = r == -EINTR;
	if (r == -EINTR)
		put_off(step, now_ms);
	else
		step->put_off_ms = 0;
	return r < 0 && r != -EINTR ? r : 1;
}

/* Progress, its third part: the causes behind a verdict. They come after it: it is published at once, and only then is
 * looked for what lies behind, one step at a time, so that a save in between waits for one search at most. */
#include "daemon/progress.h"

#include <errno.h>

#include "daemon/grade/diagnose.h"
#include "daemon/keep.h"
#include "daemon/tiers.h"
#include "daemon/work.h"

/* The verdict again, with its causes and the row to look at. */
static int find(
	struct progress *progress, size_t i, int64_t now_ms, struct work *work, struct diag *reterr)
{
	struct progress_step *step = &progress->steps[i];
	struct verdict verdict = step->verdict;
	int r = work_read_out(progress, i, work, &work->out, reterr);

	if (r < 0)
		return r;
	if (!identity_same_bytes(&work->out.identity, &step->out))
		return 0; /* another save: it gets a verdict of its own */
	r = work_read(progress, i, false, work, reterr);
	if (r == 0)
		r = diagnose_step(&work->scratch, progress->lab->grader, i, work->submissions,
			&verdict, reterr);
	if (work_troubled(progress, reterr))
		return -EAGAIN;
	if (r == 0 && tier_applies(&verdict))
		r = look_find(&work->scratch, progress->lab->grader, i, work->submissions, &verdict,
			&step->look, reterr);
	if (r == 0 && !lookout_confirm(&progress->lab->lookout, now_ms)) {
		step->look = (struct look){0};
		step->diagnose = true;
		return 0;
	}
	progress->changed = progress->changed || look_found(&step->look);
	if (r < 0 || verdict_same(&verdict, &step->verdict))
		return r;
	progress->changed = true;
	return work_keep(step, &verdict, reterr);
}

int progress_diagnose(struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	struct work work = {0};
	size_t i = 0;
	int r;

	/* What is to be graded again may be right by now. */
	while (i < progress->count && (!progress->steps[i].diagnose || progress->steps[i].again ||
					      progress->steps[i].failed))
		i++;
	if (i == progress->count || progress_waits(progress))
		return 0;
	progress->steps[i].diagnose = false;
	arena_init(&work.scratch, LIMIT_GRADE_ARENA);
	r = find(progress, i, now_ms, &work, reterr);
	arena_finish(&work.scratch);
	if (r == -EAGAIN)
		progress->steps[i].diagnose = progress->steps[i].failed = true;
	return r < 0 ? r : 1;
}

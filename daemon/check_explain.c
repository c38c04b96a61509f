/* ewin-check --explain: what became of each row. */
#include <errno.h>
#include <stdio.h>

#include "daemon/check.h"
#include "daemon/explain_step.h"
#include "parser/diag.h"

/* The learner's own SQL; the lab's in its place only where the step has passed. */
int check_explain(struct check *check)
{
	struct explain_step asked = {.arena = &check->arena,
		.lab = check->lab,
		.dirfd = check->dirfd,
		.explain = check->options.explain};
	struct diag diag = {0};
	int status = check_find_step(check, check->options.explained, &asked.step), r;

	if (status >= 0)
		return status;
	asked.explain.story.json = check->options.json;
	asked.explain.story.words = &words_spoken;
	r = explain_own(&asked, &diag);
	if (r == 0)
		return EXIT_DONE;
	check_complain(EXIT_FAILED, &diag);
	if (r != -ENOENT && r != -ENOTSUP && r != -EINVAL)
		return EXIT_FAILED;
	check->options.step = check->options.explained;
	if (check->lab->lab.steps[asked.step].kind == STEP_REPORT || check_grade(check) >= 0 ||
		check->graded[0].verdict.kind != VERDICT_PASS)
		return EXIT_UNDECIDED;
	fputs(tr("ewin-check: the step has passed: this is the lab's own SQL\n"), stderr);
	diag = (struct diag){0};
	return explain_reference(&asked, &diag) == 0 ? EXIT_DONE
						     : check_complain(EXIT_FAILED, &diag);
}

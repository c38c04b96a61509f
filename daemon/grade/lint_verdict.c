/* The right answers, graded as a learner's would be: each passes its own step; and where one
 * passes another step as well, a learner who copies it has that step for nothing. */
#include <errno.h>

#include "daemon/grade/lint.h"
#include "daemon/grade/message.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"

/* Grades an output as that of a step, in memory of its own. */
static int grade_as(struct linting *linting, size_t step, const struct submission *submissions,
	enum verdict_kind *ret, struct text *why)
{
	struct arena arena;
	struct verdict verdict;
	int err;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	err = grade_step(&arena, &linting->grader, step, submissions, &verdict, NULL);
	if (!err) {
		*ret = verdict.kind;
		*why = text_copy(
			linting->lint->arena, message_render(&arena, NULL, &verdict.summary));
	}
	arena_finish(&arena);
	return err || !why->ptr ? -ENOMEM : 0;
}

static int lint_own(struct linting *linting, size_t step, const struct submission *submissions)
{
	const struct json *place = linting_member(linting, step, "reference");
	enum verdict_kind kind;
	struct text why = {0};
	int err = grade_as(linting, step, submissions, &kind, &why);

	if (!err && kind != VERDICT_PASS)
		lint_add(linting->lint, LINT_ERROR, place->line, place->col,
			"the reference's own result does not pass: %.*s", TEXT_ARG(why));
	return err;
}

/* The other answers in a step's file; the SQL beside it need not be the learner's own. */
static int lint_copies(struct linting *linting, size_t step, struct submission *submissions)
{
	const struct lab *lab = linting->source->lab;
	const struct submission own = submissions[step];
	int err = 0;

	for (size_t other = 0; other < step && !err; other++) {
		enum verdict_kind kind = VERDICT_FAIL;
		struct text why = {0};

		if (lab->steps[other].kind != lab->steps[step].kind)
			continue;
		submissions[step] = submissions[other];
		err = grade_as(linting, step, submissions, &kind, &why);
		if (!err && kind == VERDICT_PASS)
			lint_add(linting->lint, LINT_WARNING, lab->steps[step].line,
				lab->steps[step].col,
				"the steps %.*s and %.*s have the same right answer: whoever "
				"copies %.*s passes both",
				TEXT_ARG(lab->steps[other].id), TEXT_ARG(lab->steps[step].id),
				TEXT_ARG(lab->steps[other].file));
	}
	submissions[step] = own;
	return err;
}

int lint_verdicts(struct linting *linting)
{
	const struct lab *lab = linting->source->lab;
	struct submission *submissions =
		arena_array(linting->lint->arena, lab->step_count, sizeof(*submissions));
	int err = submissions ? 0 : -ENOMEM;

	for (size_t i = 0; i < lab->step_count && !err; i++)
		submissions[i] =
			(struct submission){.out = linting->out[i], .sql = linting->sql[i]};
	for (size_t i = 0; i < lab->step_count && !err; i++) {
		err = lint_own(linting, i, submissions);
		if (!err)
			err = lint_copies(linting, i, submissions);
	}
	return err;
}

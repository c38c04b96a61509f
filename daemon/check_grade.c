/* ewin-check, grading: each step from its own files and those that it is held against, in memory
 * of its own. */
#include <errno.h>
#include <stdio.h>

#include "daemon/check.h"
#include "daemon/grade/diagnose.h"
#include "daemon/intake.h"
#include "daemon/keep.h"
#include "daemon/limits.h"
#include "parser/clean.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* What one step is graded from, in memory of its own: a file that fills it takes none from
 * others. */
struct work {
	struct arena arena;
	struct intake out;
	struct submission *submissions; /* an entry a step of the lab */
};

static int read_file(struct check *check, struct work *work, struct text name, size_t cap,
	struct intake *ret, struct diag *reterr)
{
	struct text path = text_copy(&work->arena, name);

	if (!path.ptr)
		return diag_nomem(reterr);
	return intake_read(&work->arena, check->dirfd, path.ptr, cap, ret, reterr);
}

static int read_out(
	struct check *check, struct work *work, size_t i, struct intake *ret, struct diag *reterr)
{
	const struct step *step = &check->lab->lab.steps[i];
	size_t cap = step->kind == STEP_REPORT ? LIMIT_JSON_BYTES : LIMIT_OUT_BYTES;

	return read_file(check, work, step->file, cap, ret, reterr);
}

/* Files of a step; a report that is checked against it does not look at its SQL. */
static int read_submission(struct check *check, struct work *work, size_t i, bool report,
	struct intake *out, struct diag *reterr)
{
	const struct step *step = &check->lab->lab.steps[i];
	struct intake sql = {0};
	int r = read_out(check, work, i, out, reterr);

	if (r == 0 && step->sql.len && !report)
		r = read_file(check, work, step->sql, LIMIT_SQL_BYTES, &sql, reterr);
	if (r == 0)
		work->submissions[i] = (struct submission){.out = out->file,
			.sql = sql.file,
			.data_newer =
				lab_data_ns(check->lab) > out->file.mtime_ns + STALE_SLACK_NS};
	return r;
}

/* The step's own files, and those of the steps that it is held against. */
static int read_step(struct check *check, struct work *work, size_t i, struct diag *reterr)
{
	const struct lab *lab = &check->lab->lab;
	bool report = lab->steps[i].kind == STEP_REPORT;
	struct intake other;
	int r;

	work->submissions = arena_array(&work->arena, lab->step_count, sizeof(*work->submissions));
	if (!work->submissions)
		return diag_nomem(reterr);
	r = read_submission(check, work, i, report, &work->out, reterr);
	for (size_t j = 0; r == 0 && j < lab->step_count; j++)
		if (j != i && step_needs(lab, i, j))
			r = read_submission(check, work, j, report, &other, reterr);
	return r;
}

static int grade_one(struct check *check, size_t i)
{
	struct graded *graded = &check->graded[check->graded_count++];
	struct work work = {0};
	struct verdict verdict;
	struct diag diag = {0};
	int r;

	arena_init(&work.arena, LIMIT_GRADE_ARENA);
	r = read_step(check, &work, i, &diag);
	if (r == 0)
		r = grade_step(
			&work.arena, check->lab->grader, i, work.submissions, &verdict, &diag);
	if (r == 0)
		r = diagnose_step(
			&work.arena, check->lab->grader, i, work.submissions, &verdict, &diag);
	if (r == -ENOMEM) {
		arena_finish(&work.arena);
		r = grade_too_large(&work.arena, check->lab->grader, i, &verdict, &diag);
	}
	if (r == 0)
		r = verdict_keep(&check->arena, &verdict, &graded->verdict, &diag);
	arena_finish(&work.arena);
	graded->step = &check->lab->lab.steps[i];
	graded->sha256 = text_copy(&check->arena, text_of(work.out.identity.sha256));
	if (r == 0 && !graded->sha256.ptr)
		r = diag_nomem(&diag);
	if (r < 0)
		diag_file(&diag, graded->step->id);
	return r < 0 ? check_complain(EXIT_FAILED, &diag) : -1;
}

int check_find_step(const struct check *check, const char *name, size_t *ret)
{
	const struct lab *lab = &check->lab->lab;
	char shown[LIMIT_DIAG_FILE];

	*ret = lab_step(lab, text_of(name));
	if (*ret < lab->step_count)
		return -1;
	fprintf(stderr, tr("ewin-check: the lab has no step %s\n"),
		clean_name(name, shown, sizeof(shown)));
	return EXIT_USAGE;
}

int check_grade(struct check *check)
{
	const struct lab *lab = &check->lab->lab;
	size_t only = lab->step_count;
	int status = -1;

	if (check->options.step)
		status = check_find_step(check, check->options.step, &only);
	if (status >= 0)
		return status;
	check->graded = arena_array(&check->arena, lab->step_count + 1, sizeof(*check->graded));
	if (!check->graded)
		return EXIT_FAILED;
	for (size_t i = 0; status < 0 && i < lab->step_count; i++)
		if (only == lab->step_count || only == i)
			status = grade_one(check, i);
	return status;
}

size_t check_count(const struct check *check, enum verdict_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < check->graded_count; i++)
		n += check->graded[i].verdict.kind == kind;
	return n;
}

int check_status(const struct check *check)
{
	if (check_count(check, VERDICT_FAIL) || check_count(check, VERDICT_PARTIAL))
		return EXIT_FAILED;
	return check_count(check, VERDICT_PASS) == check->graded_count ? EXIT_DONE : EXIT_UNDECIDED;
}

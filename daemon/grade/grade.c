/* Grading, read downward: what the file is, what the client printed into it, what the SQL beside it
 * would print, and then the rules of the step's kind. What it is held to is the grader's
 * (grader.c). */
#include "daemon/grade/grade.h"

#include <errno.h>

#include "daemon/grade/grader.h"
#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/limits.h"

/* What can be said without opening the file. False where it has to be read. */
static bool grade_state(struct grading *g)
{
	static const struct {
		enum verdict_kind kind;
		enum message_id id;
	} said[] = {[FILE_MISSING] = {VERDICT_MISSING, MSG_MISSING},
		[FILE_UNREADABLE] = {VERDICT_CANNOT_TELL, MSG_UNREADABLE},
		[FILE_NOT_REGULAR] = {VERDICT_CANNOT_TELL, MSG_NOT_REGULAR},
		[FILE_TOO_LARGE] = {VERDICT_CANNOT_TELL, MSG_TOO_LARGE}};
	enum file_state state = g->submission->out.state;

	if (state != FILE_THERE)
		findings_add(&g->findings, said[state].kind, said[state].id, g->step->file,
			(struct text){0}, (struct text){0});
	else if (g->submission->out.bytes.len == 0 && !g->submission->open)
		findings_add(&g->findings, VERDICT_FAIL, MSG_EMPTY_FILE, g->step->file,
			(struct text){0}, (struct text){0});
	else
		return false;
	return true;
}

/* A writer still holds the file: how far it came. */
static void grade_running(struct grading *g)
{
	size_t rows = 0;

	for (size_t i = 0; i < g->transcript.count; i++)
		if (g->transcript.results[i].kind == RESULT_TABLE)
			rows = g->transcript.results[i].table.row_count;
	findings_add(&g->findings, VERDICT_CANNOT_TELL, MSG_RUNNING, g->step->file,
		text_format(g->arena, "%zu", rows), (struct text){0});
}

/* What the SQL beside the output prints. One that is there and cannot be read is told. */
static int take_script(struct grading *g)
{
	const struct saved_file *sql = &g->submission->sql;
	bool readable = sql->state == FILE_THERE && sql->bytes.len <= LIMIT_SQL_BYTES;

	if (sql->state == FILE_MISSING)
		return 0;
	if (!readable) {
		findings_add(&g->findings, VERDICT_PASS, MSG_SQL_UNREAD, g->step->sql,
			(struct text){0}, (struct text){0});
		return 0;
	}
	g->has_script = true;
	if (g->submission->script) {
		g->script = *g->submission->script;
		return 0;
	}
	return script_run(g->arena, sql->bytes, g->grader->data, &g->script);
}

int grading_read(struct grading *g, struct diag *reterr)
{
	int err = transcript_parse(
		g->arena, g->grader->patterns, g->submission->out.bytes, &g->transcript, reterr);

	if (err)
		return err;
	return g->submission->open && !g->transcript.complete ? 0 : take_script(g);
}

static int grade_transcript(struct grading *g)
{
	struct diag diag = {0};
	int err = grading_read(g, &diag);

	if (err == -ENOMEM)
		return err;
	if (err) {
		findings_add(&g->findings, err == -E2BIG ? VERDICT_CANNOT_TELL : VERDICT_FAIL,
			err == -E2BIG ? MSG_TOO_LARGE : MSG_NOT_TEXT, g->step->file,
			(struct text){0}, (struct text){0});
		return 0;
	}
	if (g->submission->open && !g->transcript.complete) {
		grade_running(g);
		return 0;
	}
	switch (g->step->kind) {
	case STEP_TABLES: return grade_tables(g);
	case STEP_ERROR: return grade_error(g);
	default: return grade_describe(g);
	}
}

/* The verdict of a step by itself. 0 or -ENOMEM. */
static int grade_alone(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, struct verdict *ret)
{
	struct grading g = {.arena = arena,
		.grader = grader,
		.step = &grader->lab->steps[step],
		.expected = &grader->expected[step],
		.submission = &submissions[step]};
	int err = 0;

	findings_init(&g.findings, arena);
	if (!grade_state(&g))
		err = g.step->kind == STEP_REPORT ? grade_report(&g, submissions)
						  : grade_transcript(&g);
	return err ? err
		   : findings_verdict(
			     &g.findings, g.step->kind == STEP_ERROR ? MSG_REFUSED : MSG_PASS, ret);
}

/* The first of the steps that this one builds on whose saved output fails; step_count: none. */
static int find_wrong_ground(struct arena *arena, const struct grader *grader,
	const struct step *step, const struct submission *submissions, size_t *ret)
{
	*ret = grader->lab->step_count;
	for (size_t i = 0; i < step->after_count; i++) {
		struct verdict verdict;

		if (submissions[step->after[i]].out.state != FILE_THERE)
			continue;
		if (grade_alone(arena, grader, step->after[i], submissions, &verdict))
			return -ENOMEM;
		if (verdict.kind == VERDICT_FAIL) {
			*ret = step->after[i];
			break;
		}
	}
	return 0;
}

/* A failure that may follow from another one is not held against the learner twice: what was found
 * becomes a remark. */
static int excuse(struct arena *arena, const struct step *ground, struct verdict *verdict)
{
	struct message *remarks = arena_array(arena, verdict->remark_count + 1, sizeof(*remarks));

	if (!remarks)
		return -ENOMEM;
	remarks[0] = verdict->summary;
	for (size_t i = 0; i < verdict->remark_count; i++)
		remarks[i + 1] = verdict->remarks[i];
	verdict->remarks = remarks;
	verdict->remark_count++;
	verdict->kind = VERDICT_CANNOT_TELL;
	return message_make(arena, MSG_BUILDS_ON, ground->file, (struct text){0}, (struct text){0},
		&verdict->summary);
}

int grade_step(struct arena *arena, const struct grader *grader, size_t step,
	const struct submission *submissions, struct verdict *ret, struct diag *reterr)
{
	const struct step *steps = grader->lab->steps;
	struct verdict verdict;
	size_t ground;
	int err = grade_alone(arena, grader, step, submissions, &verdict);

	if (!err && verdict.kind == VERDICT_FAIL) {
		err = find_wrong_ground(arena, grader, &steps[step], submissions, &ground);
		if (!err && ground < grader->lab->step_count)
			err = excuse(arena, &steps[ground], &verdict);
	}
	if (err)
		return diag_nomem(reterr);
	*ret = verdict;
	return 0;
}

bool step_needs(const struct lab *lab, size_t step, size_t other)
{
	const struct step *asked = &lab->steps[step];

	if (asked->kind == STEP_REPORT || other == step)
		return true;
	for (size_t i = 0; i < asked->after_count; i++)
		if (asked->after[i] == other)
			return true;
	return false;
}

int grade_too_large(struct arena *arena, const struct grader *grader, size_t step,
	struct verdict *ret, struct diag *reterr)
{
	struct submission *submissions =
		arena_array(arena, grader->lab->step_count, sizeof(*submissions));

	if (!submissions)
		return diag_nomem(reterr);
	submissions[step].out.state = FILE_TOO_LARGE;
	return grade_step(arena, grader, step, submissions, ret, reterr);
}

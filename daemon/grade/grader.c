/* The grader holds the lab's truth: the tables that its reference SQL gives on the fixture of this
 * machine. */
#include "daemon/grade/grader.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/limits.h"
#include "parser/transcript_lines.h"

/* Steps of a learner's script: so many times those of the reference, and some that take 20 to 50
 * ms. Whoever saves something else waits so long. */
#define STEPS_TIMES  30
#define STEPS_SCRIPT INT64_C(15000000)

static int refuse_step(
	const struct step *step, struct diag *reterr, struct sql_pos pos, struct text why)
{
	diag_set(reterr, -EINVAL, pos.line, pos.col, "the reference of step %.*s: %.*s",
		TEXT_ARG(step->id), TEXT_ARG(why));
	diag_file(reterr, step->reference);
	return -EINVAL;
}

/* What Flink would say of the reference; of a bad row in the data where that is, before all
 * else. */
static int refuse_rows(struct arena *arena, const struct step *step, const struct script *script,
	struct diag *reterr)
{
	struct text why = script->error;

	if (script->error_place.len)
		why = text_format(
			arena, "%.*s: %.*s", TEXT_ARG(script->error_place), TEXT_ARG(why));
	if (!why.ptr)
		return diag_nomem(reterr);
	return refuse_step(step, reterr, script->error_pos, why);
}

/* Keeps the results that the step's kind asks for. */
static int keep_expected(
	struct arena *arena, const struct step *step, struct script *script, struct expected *ret)
{
	enum sql_statement_kind kind = step->kind == STEP_DESCRIBE ? STMT_DESCRIBE : STMT_SELECT;

	ret->results = arena_array(arena, script->count + 1, sizeof(*ret->results));
	ret->tables = arena_array(arena, script->count + 1, sizeof(*ret->tables));
	if (!ret->results || !ret->tables)
		return -ENOMEM;
	for (size_t i = 0; i < script->count; i++) {
		if (script->results[i].kind != kind)
			continue;
		ret->results[ret->count] = &script->results[i];
		ret->tables[ret->count++] = &script->results[i].table;
	}
	return 0;
}

/* Has a query that read its table no row of it? A fixture that is empty, or being written right
 * now, would make every right output wrong. */
static bool reads_nothing(const struct expected *expected)
{
	for (size_t i = 0; i < expected->count; i++) {
		const struct script_result *result = expected->results[i];

		if (result->kind == STMT_SELECT && result->facts.has_source &&
			result->facts.rows_in == 0)
			return true;
	}
	return false;
}

static int keep_error(const struct step *step, const struct script *script, struct expected *ret,
	struct diag *reterr)
{
	if (script->error.len == 0)
		return refuse_step(
			step, reterr, (struct sql_pos){0}, TEXT("Flink does not refuse it"));
	ret->error = script->error;
	ret->batch = script->error_batch;
	return 0;
}

/* Takes what the reference printed, which lives as long as the arena. */
static int take_expected(struct arena *arena, const struct step *step, struct script *script,
	struct expected *ret, struct diag *reterr)
{
	const struct sql_pos nowhere = {0};

	if (!script->whole)
		return refuse_step(step, reterr,
			(struct sql_pos){script->refused.line, script->refused.col},
			text_of(script->refused.text));
	if (step->kind == STEP_ERROR)
		return keep_error(step, script, ret, reterr);
	if (script->error.len)
		return refuse_rows(arena, step, script, reterr);
	if (keep_expected(arena, step, script, ret))
		return diag_nomem(reterr);
	if (ret->count == 0)
		return refuse_step(
			step, reterr, nowhere, TEXT("it prints no result of the step's kind"));
	if (ret->count > LIMIT_REFERENCE_RESULTS)
		return refuse_step(step, reterr, nowhere, TEXT("it prints too many results"));
	if (reads_nothing(ret))
		return refuse_step(step, reterr, nowhere, TEXT("its table's file holds no row"));
	return 0;
}

/* Runs the reference in memory that is given back: what is kept of it is a hundredth. */
static int run_reference(
	struct arena *arena, const struct sim_files *data, struct text sql, struct script *ret)
{
	struct script script;
	struct arena scratch;
	int err;

	arena_init(&scratch, arena->limit);
	err = script_run(&scratch, sql, data, &script);
	if (!err)
		err = script_keep(arena, &script, ret);
	arena_finish(&scratch);
	return err;
}

int grader_reference(struct arena *arena, const struct step *step,
	const struct lab_files *lab_files, const struct sim_files *data, struct expected *ret,
	struct diag *reterr)
{
	struct script script;
	int err = lab_files->read(lab_files->ctx, arena, step->reference, &ret->sql, reterr);

	if (err)
		return err;
	if (run_reference(arena, data, ret->sql, &script))
		return diag_nomem(reterr);
	ret->steps = script.steps;
	return take_expected(arena, step, &script, ret, reterr);
}

/* A fixture that cannot be opened is told in our words: through a query it would be in Flink's. */
static int check_fixtures(const struct lab *lab, const struct sim_files *data, struct diag *reterr)
{
	for (size_t i = 0; i < lab->fixture_count; i++) {
		struct reader reader;
		int err = data->open(data->ctx, lab->fixtures[i].path, &reader, reterr);

		if (err)
			return err;
		if (reader.close)
			reader.close(reader.ctx);
	}
	return 0;
}

bool grader_overworks(const struct grader *grader, size_t *dearest)
{
	int64_t steps = 0;

	*dearest = 0;
	for (size_t i = 0; i < grader->lab->step_count; i++) {
		steps += grader->expected[i].steps;
		if (grader->expected[i].steps > grader->expected[*dearest].steps)
			*dearest = i;
	}
	return steps > LIMIT_LAB_STEPS;
}

static int check_work(const struct grader *grader, struct diag *reterr)
{
	size_t dearest;

	if (!grader_overworks(grader, &dearest))
		return 0;
	return refuse_step(
		&grader->lab->steps[dearest], reterr, (struct sql_pos){0}, TEXT(WORK_BEYOND));
}

int grader_open(struct arena *arena, const struct lab *lab, const struct lab_files *lab_files,
	const struct sim_files *data, struct grader **ret, struct diag *reterr)
{
	struct grader *grader = ARENA_NEW(arena, struct grader);
	int err;

	if (!grader)
		return diag_nomem(reterr);
	*grader = (struct grader){.lab = lab,
		.data = data,
		.expected = arena_array(arena, lab->step_count + 1, sizeof(*grader->expected))};
	if (!grader->expected)
		return diag_nomem(reterr);
	err = check_fixtures(lab, data, reterr);
	if (!err)
		err = line_patterns_new(arena, NULL, &grader->patterns, reterr);
	if (err)
		return err;
	for (size_t i = 0; i < lab->step_count; i++) {
		if (lab->steps[i].kind != STEP_REPORT)
			err = grader_reference(arena, &lab->steps[i], lab_files, data,
				&grader->expected[i], reterr);
		if (!err)
			err = check_work(grader, reterr);
		if (err)
			return err;
		if (grader->expected[i].steps > grader->steps)
			grader->steps = grader->expected[i].steps;
	}
	*ret = grader;
	return 0;
}

int64_t grader_script_steps(const struct grader *grader)
{
	int64_t most = LIMIT_SESSION_STEPS;

	return grader->steps < (most - STEPS_SCRIPT) / STEPS_TIMES
		       ? STEPS_SCRIPT + STEPS_TIMES * grader->steps
		       : most;
}

const struct line_patterns *grader_patterns(const struct grader *grader)
{
	return grader->patterns;
}

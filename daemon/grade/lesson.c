/* Lesson: the facts that a run leaves behind (sim/session.h), and which of them a report asks
 * for. */
#include "daemon/grade/lesson.h"

#include <errno.h>

#include "daemon/grade/report_source.h"
#include "parser/arena.h"

static int owe_step(struct grading *g, const struct step *step, struct owed *owed)
{
	struct report_source truth;
	const struct report_tables tables = {report_source_get, &truth};

	if (report_source_init(&truth, g, NULL))
		return -ENOMEM;
	for (size_t i = 0; i < step->key_count; i++) {
		int64_t value;

		if (report_eval(step->keys[i].expr, &tables, &value))
			continue;
		if (arena_grow(
			    g->arena, &owed->items, owed->count, &owed->room, sizeof(*owed->items)))
			return -ENOMEM;
		owed->items[owed->count++] = value;
	}
	return truth.nomem ? -ENOMEM : 0;
}

int owed_read(
	struct arena *arena, const struct grader *grader, const bool *passed, struct owed *ret)
{
	struct grading g = {.arena = arena, .grader = grader};
	struct owed owed = {0};
	int err = 0;

	for (size_t i = 0; err == 0 && i < grader->lab->step_count; i++)
		if (!passed[i] && grader->lab->steps[i].kind == STEP_REPORT)
			err = owe_step(&g, &grader->lab->steps[i], &owed);
	*ret = owed;
	return err;
}

static struct lesson_count count_of(const struct owed *owed, int64_t number)
{
	struct lesson_count count = {.told = true, .number = number};

	for (size_t i = 0; i < owed->count; i++)
		if (owed->items[i] == number)
			count = (struct lesson_count){0};
	return count;
}

static struct lesson_run run_of(const struct owed *owed, const struct query_facts *facts)
{
	return (struct lesson_run){.batch = facts->batch,
		.windowed = facts->windowed,
		.rows = count_of(owed, facts->rows_in),
		.filtered = count_of(owed, facts->rows_filtered),
		.dropped = count_of(owed, facts->rows_dropped)};
}

/* The learner's n-th SELECT, from 0; NULL: there is none. */
static const struct script_result *own_result(const struct script *own, size_t n)
{
	for (size_t i = 0; i < own->count; i++)
		if (own->results[i].kind == STMT_SELECT && n-- == 0)
			return &own->results[i];
	return NULL;
}

static const struct query_facts *facts_of(
	const struct expected *expected, const struct script *own, size_t n)
{
	bool usable = own && own->whole && own_result(own, expected->count - 1) &&
		      !own_result(own, expected->count);
	const struct script_result *result = usable ? own_result(own, n) : expected->results[n];

	return result->has_facts ? &result->facts : NULL;
}

int lesson_read(struct arena *arena, const struct grader *grader, size_t step,
	const struct script *own, const struct owed *owed, struct lesson *ret)
{
	const struct expected *expected = &grader->expected[step];
	struct lesson lesson = {0};

	*ret = lesson;
	if (grader->lab->steps[step].kind != STEP_TABLES || !expected->count)
		return 0;
	lesson.runs = arena_array(arena, expected->count, sizeof(*lesson.runs));
	if (!lesson.runs)
		return -ENOMEM;
	for (size_t i = 0; i < expected->count; i++) {
		const struct query_facts *facts = facts_of(expected, own, i);

		if (!facts)
			return 0;
		lesson.runs[lesson.count++] = run_of(owed, facts);
	}
	*ret = lesson;
	return 0;
}

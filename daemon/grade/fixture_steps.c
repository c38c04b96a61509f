/* What a lab's steps need of its data without saying so. Flink is determined where every rise of
 * the highest time is more than the watermark interval, or the interval is 0; a rise within the
 * interval is published by a clock, unless the job has ended before it ticks. Of equal rows the
 * first N of a window has those that came first. Recorded: semantics/repeat_05,
 * semantics/millis_0, semantics/topn_01, watermark/ref/slow. */
#include <errno.h>
#include <inttypes.h>

#include "daemon/grade/fixture_new.h"
#include "daemon/grade/grader.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* A job over a fixture has ended before that. */
#define LONG_INTERVAL_MS (60 * 1000)

static int add(struct arena *arena, struct fixture_findings *findings,
	const struct fixture_finding *finding)
{
	if (!finding->text.ptr || arena_grow(arena, &findings->items, findings->count,
					  &findings->room, sizeof(*findings->items)))
		return -ENOMEM;
	findings->items[findings->count++] = *finding;
	return 0;
}

/* Rises of the highest time that a clock would publish, within this interval. */
static int count_rises(
	struct arena *arena, const struct fixture_rows *rows, int64_t interval_ms, int64_t *ret)
{
	const struct property steps = {.kind = PROPERTY_STEPS, .size_ms = interval_ms};
	struct property_count count = {0};
	int err = 0;

	if (interval_ms > 0 && interval_ms < LONG_INTERVAL_MS &&
		rows->rowtime < rows->table.column_count)
		err = property_count(arena, rows, &steps, &count);
	*ret = count.count;
	return err;
}

struct checking {
	struct arena *arena;
	const struct lab *lab;
	const struct step *step;
	struct fixture_findings *findings;
};

static struct fixture_finding finding_of(const struct checking *c)
{
	return (struct fixture_finding){.wrong = true, .line = c->step->line, .col = c->step->col};
}

static int check_clock(const struct checking *c, const struct fixture *fixture,
	const struct fixture_rows *rows, const struct query_facts *facts)
{
	struct fixture_finding finding = finding_of(c);
	int64_t rises;

	if (facts->batch || !facts->has_watermark || !text_eq(facts->path, fixture->path))
		return 0;
	if (count_rises(c->arena, rows, facts->interval_ms, &rises))
		return -ENOMEM;
	if (rises == 0)
		return 0;
	finding.text = text_format(c->arena,
		"step %.*s need not give the same on each run: in %.*s the highest time rises "
		"%" PRId64 " times by no more than the watermark interval of %" PRId64 " ms",
		TEXT_ARG(c->step->id), TEXT_ARG(fixture->path), rises, facts->interval_ms);
	return add(c->arena, c->findings, &finding);
}

static int check_ties(const struct checking *c, const struct query_facts *facts)
{
	struct fixture_finding finding = finding_of(c);

	if (facts->rows_tied == 0)
		return 0;
	finding.text = text_format(c->arena,
		"step %.*s ranks equal rows: %" PRId64 " of its rows could as well have the next "
		"place, by their arrival alone",
		TEXT_ARG(c->step->id), facts->rows_tied);
	return add(c->arena, c->findings, &finding);
}

static int check_step(const struct checking *c, const struct expected *expected,
	const struct fixture_rows *rows, const bool *read)
{
	int err = 0;

	for (size_t k = 0; k < expected->count && !err; k++) {
		const struct query_facts *facts = &expected->results[k]->facts;

		err = check_ties(c, facts);
		for (size_t i = 0; i < c->lab->fixture_count && !err; i++)
			if (read[i])
				err = check_clock(c, &c->lab->fixtures[i], &rows[i], facts);
	}
	return err;
}

int fixture_check_steps(struct arena *arena, const struct fixture_source *source,
	const struct text *bytes, const struct grader *grader, struct fixture_findings *findings)
{
	const struct lab *lab = source->lab;
	struct fixture_rows *rows = arena_array(arena, lab->fixture_count + 1, sizeof(*rows));
	bool *read = arena_array(arena, lab->fixture_count + 1, sizeof(*read));

	if (!rows || !read)
		return -ENOMEM;
	for (size_t i = 0; i < lab->fixture_count; i++) {
		int err = fixture_read(arena, &lab->fixtures[i], bytes[i], &rows[i], NULL);

		if (err == -ENOMEM)
			return err;
		read[i] = err == 0;
	}
	for (size_t i = 0; i < lab->step_count; i++) {
		const struct checking c = {arena, lab, &lab->steps[i], findings};

		if (check_step(&c, &grader->expected[i], rows, read))
			return -ENOMEM;
	}
	return 0;
}

static int add_diag(struct arena *arena, struct fixture_findings *findings, const struct diag *diag)
{
	struct fixture_finding finding = {.wrong = true,
		.text = text_copy(arena, text_of(diag->text)),
		.file = text_copy(arena, text_of(diag->file)),
		.line = diag->line,
		.col = diag->col};

	return add(arena, findings, &finding);
}

/* Each property by itself, so that a fault in one hides no other. */
static int lint_property(struct arena *arena, const struct fixture *fixture, size_t number,
	const struct fixture_rows *rows, struct fixture_findings *findings)
{
	struct fixture one = *fixture;
	struct properties properties;
	struct diag diag = {0};
	int err;

	one.properties = &fixture->properties[number];
	one.property_count = 1;
	err = properties_parse(arena, &one, rows, &properties, &diag);
	if (err == -EINVAL)
		return add_diag(arena, findings, &diag);
	return err ? err : fixture_check(arena, rows, &properties, findings);
}

static int lint_fixture(struct arena *arena, const struct fixture *fixture, struct text bytes,
	struct fixture_findings *findings)
{
	struct fixture_rows rows;
	struct diag diag = {0};
	int err = fixture_read(arena, fixture, bytes, &rows, &diag);

	if (err == -ENOMEM)
		return err;
	if (err)
		return add_diag(arena, findings, &diag);
	for (size_t i = 0; i < fixture->property_count && !err; i++)
		err = lint_property(arena, fixture, i, &rows, findings);
	return err;
}

int fixture_lint(
	struct arena *arena, const struct fixture_source *source, struct fixture_findings *findings)
{
	struct grader *grader;
	struct diag diag = {0};
	int err = 0;

	for (size_t i = 0; i < source->lab->fixture_count && !err; i++)
		err = lint_fixture(arena, &source->lab->fixtures[i], source->bytes[i], findings);
	if (err)
		return err;
	err = fixture_answers(arena, source, source->bytes, &grader, &diag);
	if (err == -ENOMEM)
		return err;
	if (err)
		return 0; /* a reference that does not run is told by whoever runs them */
	return fixture_check_steps(arena, source, source->bytes, grader, findings);
}

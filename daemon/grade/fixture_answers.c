/* Right answers on data in memory, and whether two are the same. Flink is determined where every rise of
 * the highest time is more than the watermark interval, or the interval is 0; a rise within the
 * interval is published by a clock, unless the job has ended before it ticks. Recorded:
 * semantics/repeat_05, semantics/millis_0, watermark/ref/slow. */
#include <errno.h>
#include <string.h>

#include "daemon/grade/fixture_new.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* A job over a fixture has ended before that. */
#define LONG_INTERVAL_MS (60 * 1000)

/* ---- data in memory ---- */

struct memory {
	struct arena *arena;
	const struct fixture_source *source;
	const struct text *bytes;
	struct sim_files files;
};

static long read_memory(void *ctx, char *buf, size_t size)
{
	struct text *rest = ctx, next = text_slice(*rest, 0, size);

	if (next.len)
		memcpy(buf, next.ptr, next.len);
	*rest = text_slice(*rest, next.len, rest->len);
	return (long)next.len;
}

static int open_memory(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	struct memory *memory = ctx;
	const struct lab *lab = memory->source->lab;

	for (size_t i = 0; i < lab->fixture_count; i++) {
		struct text *rest;

		if (!text_eq(path, lab->fixtures[i].path))
			continue;
		rest = ARENA_NEW(memory->arena, struct text);
		if (!rest)
			return diag_nomem(reterr);
		*rest = memory->bytes[i];
		*ret = (struct reader){.read = read_memory, .ctx = rest};
		return 0;
	}
	return diag_set(reterr, -ENOENT, 0, 0, "%.*s is no fixture of the lab", TEXT_ARG(path));
}

static int open_zone(void *ctx, struct text name, struct reader *ret, struct diag *reterr)
{
	const struct sim_files *data = ((struct memory *)ctx)->source->data;

	return data->open_zone ? data->open_zone(data->ctx, name, ret, reterr) : -ENOENT;
}

int fixture_answers(struct arena *arena, const struct fixture_source *source,
	const struct text *bytes, struct grader **ret, struct diag *reterr)
{
	struct memory *memory = ARENA_NEW(arena, struct memory);

	if (!memory)
		return diag_nomem(reterr);
	*memory = (struct memory){.arena = arena,
		.source = source,
		.bytes = bytes,
		.files = {.open = open_memory,
			.ctx = memory,
			.open_zone = open_zone,
			.default_zone = source->data->default_zone}};
	return grader_open(arena, source->lab, source->lab_files, &memory->files, ret, reterr);
}

/* ---- the same answer ---- */

static bool rows_equal(const struct table *a, const struct table *b, size_t row)
{
	if (a->rows[row].op != b->rows[row].op)
		return false;
	for (size_t k = 0; k < a->column_count; k++)
		if (value_cmp(&a->columns[k].type, &a->rows[row].cells[k], &b->rows[row].cells[k]))
			return false;
	return true;
}

static bool tables_equal(const struct table *a, const struct table *b)
{
	if (a->row_count != b->row_count || a->column_count != b->column_count)
		return false;
	for (size_t i = 0; i < a->row_count; i++)
		if (!rows_equal(a, b, i))
			return false;
	return true;
}

static const struct table *get_table(void *ctx, struct text id, size_t number)
{
	const struct grader *grader = ctx;
	size_t step = lab_step(grader->lab, id);

	if (step == grader->lab->step_count || number > grader->expected[step].count)
		return NULL;
	return grader->expected[step].tables[number - 1];
}

static int64_t key_value(const struct grader *grader, const struct report_key *key)
{
	const struct report_tables tables = {get_table, (void *)grader};
	int64_t value = 0;

	report_eval(key->expr, &tables, &value);
	return value;
}

bool answers_equal(const struct grader *a, const struct grader *b, size_t step)
{
	const struct step *of = &a->lab->steps[step];
	const struct expected *left = &a->expected[step], *right = &b->expected[step];

	if (of->kind != STEP_TABLES && of->kind != STEP_REPORT)
		return false;
	for (size_t i = 0; i < of->key_count; i++)
		if (key_value(a, &of->keys[i]) != key_value(b, &of->keys[i]))
			return false;
	if (left->count != right->count)
		return false;
	for (size_t i = 0; i < left->count; i++)
		if (!tables_equal(left->tables[i], right->tables[i]))
			return false;
	return true;
}

/* ---- for --lint ---- */

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

	*ret = 0;
	if (interval_ms > 0 && interval_ms < LONG_INTERVAL_MS &&
		rows->rowtime < rows->table.column_count)
		err = property_count(arena, rows, &steps, &count);
	*ret = count.count;
	return err;
}

static int check_result(struct arena *arena, const struct fixture *fixture,
	const struct fixture_rows *rows, const struct step *step, const struct query_facts *facts,
	struct fixture_findings *findings)
{
	struct fixture_finding finding = {.wrong = true, .line = step->line, .col = step->col};
	int64_t rises;

	if (facts->batch || !facts->has_watermark || !text_eq(facts->path, fixture->path))
		return 0;
	if (count_rises(arena, rows, facts->interval_ms, &rises))
		return -ENOMEM;
	if (rises == 0)
		return 0;
	finding.text = text_format(arena,
		"step %.*s is not the same on every run: in %.*s the highest time rises %lld times "
		"by no more than the watermark interval of %lld ms",
		TEXT_ARG(step->id), TEXT_ARG(fixture->path), (long long)rises,
		(long long)facts->interval_ms);
	return add(arena, findings, &finding);
}

/* Is the word in the SQL, in any case? */
static bool mentions(struct text sql, struct text word)
{
	for (size_t i = 0; i + word.len <= sql.len; i++)
		if (text_ieq(text_slice(sql, i, i + word.len), word))
			return true;
	return false;
}

static bool forbids_ties(const struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->property_count; i++)
		if (text_eq(fixture->properties[i].is, TEXT("no-ties")))
			return true;
	return false;
}

/* A query that ranks rows: which of two equal ones comes first is not what the lab is about. */
static int check_ranks(struct arena *arena, const struct fixture_source *source, size_t step,
	const struct grader *grader, struct fixture_findings *findings)
{
	const struct lab *lab = source->lab;
	const struct step *of = &lab->steps[step];
	struct fixture_finding finding = {.wrong = true, .line = of->line, .col = of->col};
	struct text sql;

	if (of->kind != STEP_TABLES || grader->expected[step].count == 0)
		return 0;
	if (source->lab_files->read(source->lab_files->ctx, arena, of->reference, &sql, NULL))
		return 0;
	if (!mentions(sql, TEXT("ROW_NUMBER")))
		return 0;
	for (size_t i = 0; i < lab->fixture_count; i++)
		if (forbids_ties(&lab->fixtures[i]))
			return 0;
	finding.text = text_format(arena,
		"step %.*s ranks rows, but no fixture has the property \"no-ties\": of two equal "
		"rows either may come first",
		TEXT_ARG(of->id));
	return add(arena, findings, &finding);
}

int fixture_check_steps(struct arena *arena, const struct fixture_source *source,
	const struct grader *grader, struct fixture_findings *findings)
{
	const struct lab *lab = source->lab;

	for (size_t f = 0; f < lab->fixture_count; f++) {
		struct fixture_rows rows;

		if (fixture_read(arena, &lab->fixtures[f], source->bytes[f], &rows, NULL))
			continue;
		for (size_t i = 0; i < lab->step_count; i++)
			for (size_t k = 0; k < grader->expected[i].count; k++)
				if (check_result(arena, &lab->fixtures[f], &rows, &lab->steps[i],
					    &grader->expected[i].results[k]->facts, findings))
					return -ENOMEM;
	}
	for (size_t i = 0; i < lab->step_count; i++)
		if (check_ranks(arena, source, i, grader, findings))
			return -ENOMEM;
	return 0;
}

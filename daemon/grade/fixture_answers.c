/* Right answers on data in memory, and whether two are the same. */
#include <errno.h>
#include <string.h>

#include "daemon/grade/fixture_new.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/diag.h"

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

const struct sim_files *fixture_files(
	struct arena *arena, const struct fixture_source *source, const struct text *bytes)
{
	struct memory *memory = ARENA_NEW(arena, struct memory);

	if (!memory)
		return NULL;
	*memory = (struct memory){.arena = arena,
		.source = source,
		.bytes = bytes,
		.files = {.open = open_memory,
			.ctx = memory,
			.open_zone = open_zone,
			.default_zone = source->data->default_zone}};
	return &memory->files;
}

int fixture_answers(struct arena *arena, const struct fixture_source *source,
	const struct text *bytes, struct grader **ret, struct diag *reterr)
{
	const struct sim_files *files = fixture_files(arena, source, bytes);

	if (!files)
		return diag_nomem(reterr);
	return grader_open(arena, source->lab, source->lab_files, files, ret, reterr);
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

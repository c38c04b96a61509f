/* Tables behind the expressions of a report: the lab's own, or those that the learner saved,
 * typed as the reference's are and with their changes folded. Each is read when it is first asked
 * for. */
#include "daemon/grade/report_source.h"

#include <errno.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/lines.h"
#include "parser/arena.h"

static void read_choice(struct report_source *s, size_t step)
{
	struct grading *g = s->grading;
	const struct saved_file *file = &s->submissions[step].out;
	const struct expected *expected = &g->grader->expected[step];
	struct transcript transcript;

	s->read[step] = true;
	if (file->state != FILE_THERE ||
		transcript_parse(g->arena, g->grader->patterns, file->bytes, &transcript, NULL))
		return;
	if (choose_tables(
		    g->arena, &transcript, expected->tables, expected->count, &s->choices[step]))
		s->nomem = true;
}

const struct table *report_source_raw(struct report_source *s, size_t step, size_t number)
{
	if (!s->submissions)
		return s->grading->grader->expected[step].tables[number];
	if (!s->read[step])
		read_choice(s, step);
	if (!s->choices[step].tables || !s->choices[step].tables[number])
		return NULL;
	return &s->choices[step].tables[number]->table;
}

/* The asked table with the rows of another: under the asked names and types, in the order of the
 * file. NULL where a cell is no value of its type. */
static const struct table *with_rows(
	struct arena *arena, const struct table *asked, struct lines *lines)
{
	struct table *table = ARENA_NEW(arena, struct table);

	if (!table)
		return NULL;
	*table = *asked;
	table->rows = arena_array(arena, lines->count + 1, sizeof(*table->rows));
	table->row_count = lines->count;
	if (!table->rows)
		return NULL;
	lines_by_place(lines);
	for (size_t i = 0; i < lines->count; i++) {
		if (lines->items[i].unreadable)
			return NULL;
		table->rows[i] = *lines->items[i].source;
		table->rows[i].op = OP_INSERT;
		table->rows[i].cells = (struct value *)lines->items[i].cells;
	}
	return table;
}

static const struct table *typed_table(struct report_source *s, size_t step, size_t number)
{
	struct arena *arena = s->grading->arena;
	const struct table *asked = s->grading->grader->expected[step].tables[number];
	const struct table *raw = report_source_raw(s, step, number);
	struct comparison c;
	struct lines lines;

	if (!raw)
		return NULL;
	if (compare_tables(arena, asked, raw, 1, &c) ||
		lines_fold(arena, asked, raw, c.map.of, &lines)) {
		s->nomem = true;
		return NULL;
	}
	return with_rows(arena, asked, &lines);
}

const struct table *report_source_get(void *ctx, struct text id, size_t number)
{
	struct report_source *s = ctx;
	const struct grader *grader = s->grading->grader;
	size_t step = lab_step(grader->lab, id);
	const struct table **typed;

	if (step == grader->lab->step_count || number > grader->expected[step].count)
		return NULL;
	if (!s->typed[step])
		s->typed[step] = arena_array(
			s->grading->arena, grader->expected[step].count, sizeof(**s->typed));
	typed = s->typed[step];
	if (!typed) {
		s->nomem = true;
		return NULL;
	}
	if (!typed[number - 1])
		typed[number - 1] = typed_table(s, step, number - 1);
	return typed[number - 1];
}

int report_source_init(
	struct report_source *s, struct grading *g, const struct submission *submissions)
{
	size_t count = g->grader->lab->step_count + 1;

	*s = (struct report_source){.grading = g,
		.submissions = submissions,
		.choices = arena_array(g->arena, count, sizeof(*s->choices)),
		.typed = arena_array(g->arena, count, sizeof(*s->typed)),
		.read = arena_array(g->arena, count, sizeof(*s->read))};
	return s->choices && s->typed && s->read ? 0 : -ENOMEM;
}

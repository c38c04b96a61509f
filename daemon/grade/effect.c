/* Effects: the asked query with one cause's part of the learner's in it is run, and its rows are
 * held against the asked ones. */
#include "daemon/grade/effect.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/grade/normal.h"
#include "parser/arena.h"

/* Steps of all runs (sim/op.h): a hundred times what the queries over a lab's rows take. Where
 * they do not suffice the effect is not known, and the cause is named all the same. */
#define STEPS_EFFECTS INT64_C(5000000)
#define STEPS_TIMES   30

/* Causes that are measured: nobody reads more. */
#define MOST_MEASURED 12

/* ---- rows ---- */

static int text_order(const void *a, const void *b)
{
	return text_cmp(*(const struct text *)a, *(const struct text *)b);
}

/* All rows as texts, in order. */
static struct text *row_texts(struct arena *arena, const struct table *table)
{
	struct text *rows = arena_array(arena, table->row_count + 1, sizeof(*rows));

	for (size_t i = 0; rows && i < table->row_count; i++) {
		rows[i] = row_op_text(table->rows[i].op);
		for (size_t k = 0; k < table->column_count; k++) {
			char buf[VALUE_TEXT];
			struct text cell =
				value_text(&table->columns[k].type, &table->rows[i].cells[k], buf);

			rows[i] =
				text_format(arena, "%.*s|%.*s", TEXT_ARG(rows[i]), TEXT_ARG(cell));
			if (!rows[i].ptr)
				return NULL;
		}
	}
	if (rows)
		qsort(rows, table->row_count, sizeof(*rows), text_order);
	return rows;
}

int64_t rows_apart(struct arena *arena, const struct table *a, const struct table *b)
{
	struct text *x = row_texts(arena, a), *y = row_texts(arena, b);
	size_t i = 0, k = 0, only_a = 0, only_b = 0;

	if (!x || !y)
		return -ENOMEM;
	while (i < a->row_count || k < b->row_count) {
		int order = i == a->row_count ? 1 : k == b->row_count ? -1 : text_cmp(x[i], y[k]);

		only_a += order < 0;
		only_b += order > 0;
		i += order <= 0;
		k += order >= 0;
	}
	return (int64_t)(only_a > only_b ? only_a : only_b);
}

/* ---- measuring ---- */

static int measure(
	struct differing *d, struct diagnosis *cause, const struct table *asked, int64_t *steps)
{
	const struct sim_files *files = d->grading->grader->data;
	struct profile hybrid = *d->asked;
	struct table table = {0};
	int64_t apart;
	int err;

	if (!effect_put(d, cause, &hybrid))
		return 0;
	err = normal_run(d->arena, &hybrid, files, steps, &table);
	if (err == -EBADMSG)
		cause->changes = (int64_t)asked->row_count;
	if (err)
		return err == -ENOMEM ? err : 0;
	apart = rows_apart(d->arena, asked, &table);
	if (apart < 0)
		return (int)apart;
	cause->changes = table.form == asked->form ? apart : (int64_t)asked->row_count;
	return 0;
}

/* The asked query with the parts of all causes that are known to change its rows. */
static struct profile with_others(struct differing *d, const struct causes *causes)
{
	struct profile base = *d->asked;

	for (size_t i = 0; i < causes->count && i < MOST_MEASURED; i++) {
		const struct diagnosis *cause = &causes->items[i];
		struct profile more = base;

		if (cause->changes > 0 && effect_put(d, cause, &more))
			base = more;
	}
	return base;
}

/* What alone changes nothing may do so on top of the others: no delay matters where the watermark
 * comes but once. */
static int measure_on_top(struct differing *d, struct causes *causes, int64_t *steps)
{
	const struct sim_files *files = d->grading->grader->data;
	struct profile base = with_others(d, causes);
	struct table before = {0};
	int err = normal_run(d->arena, &base, files, steps, &before);

	for (size_t i = 0; !err && i < causes->count && i < MOST_MEASURED; i++) {
		struct profile more = base;
		struct table after = {0};
		int64_t apart;

		if (causes->items[i].changes != 0 || !effect_put(d, &causes->items[i], &more))
			continue;
		err = normal_run(d->arena, &more, files, steps, &after);
		apart = err ? 0 : rows_apart(d->arena, &before, &after);
		if (apart < 0)
			return (int)apart;
		causes->items[i].changes = apart;
	}
	return err == -ENOMEM ? err : 0;
}

/* Has it a part that could not be run? */
static bool is_outside(struct differing *d, const struct diagnosis *cause)
{
	struct profile hybrid = *d->asked;

	return cause->changes < 0 && effect_put(d, cause, &hybrid);
}

static bool has_outside(struct differing *d, const struct causes *causes)
{
	for (size_t i = 0; i < causes->count && i < MOST_MEASURED; i++)
		if (is_outside(d, &causes->items[i]))
			return true;
	return false;
}

/* What cannot be run, and is not seen in the saved table, changed nothing. */
static int clear_unseen(struct differing *d, struct causes *causes, int64_t *steps)
{
	const struct sim_files *files = d->grading->grader->data;
	struct profile base = with_others(d, causes);
	struct table without = {0};
	int err = normal_run(d->arena, &base, files, steps, &without);

	for (size_t i = 0; !err && i < causes->count && i < MOST_MEASURED; i++) {
		bool seen = true;

		if (is_outside(d, &causes->items[i]))
			err = effect_is_seen(d, &causes->items[i], &without, &seen);
		if (!seen)
			causes->items[i].changes = 0;
	}
	return err == -ENOMEM ? err : 0;
}

static bool has_idle(const struct causes *causes)
{
	size_t idle = 0;

	for (size_t i = 0; i < causes->count; i++)
		idle += causes->items[i].changes == 0;
	return idle > 0 && idle < causes->count;
}

int effects_measure(struct differing *d, struct causes *causes)
{
	const struct sim_files *files = d->grading->grader->data;
	struct table asked = {0};
	int64_t steps = STEPS_EFFECTS + STEPS_TIMES * d->grading->expected->steps;
	int err = normal_run(d->arena, d->asked, files, &steps, &asked);

	if (err)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; !err && i < causes->count && i < MOST_MEASURED; i++)
		err = measure(d, &causes->items[i], &asked, &steps);
	if (!err && has_idle(causes))
		err = measure_on_top(d, causes, &steps);
	if (!err && d->saved && steps > 0 && has_outside(d, causes))
		err = clear_unseen(d, causes, &steps);
	return err;
}

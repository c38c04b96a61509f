/* Effects: each cause's part of the learner's profile is put into the asked one, which is run. What has no such
 * part (columns, paths, several changes at once) stays unknown. */
#include "daemon/grade/effect.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/grade/lateness.h"
#include "daemon/grade/normal.h"
#include "parser/arena.h"
#include "sim/delay.h"

/* Steps of all runs (sim/op.h): a hundred times what the queries over a lab's rows take. */
#define STEPS_EFFECTS INT64_C(30000000)

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

/* ---- the learner's part ---- */

static bool add(struct differing *d, struct terms *terms, struct sql_expr *expr)
{
	if (arena_grow(d->arena, &terms->items, terms->count, &terms->room,
		    sizeof(struct sql_expr *))) {
		d->causes->nomem = true;
		return false;
	}
	terms->items[terms->count++] = expr;
	return true;
}

/* Conditions of both: on lateness from one, all others from the other. */
static void join_conditions(struct differing *d, const struct terms *late,
	const struct terms *others, struct terms *ret)
{
	struct terms joined = {0};

	for (size_t i = 0; i < late->count; i++)
		if (reads_watermark(late->items[i]))
			add(d, &joined, late->items[i]);
	for (size_t i = 0; i < others->count; i++)
		if (!reads_watermark(others->items[i]))
			add(d, &joined, others->items[i]);
	*ret = joined;
}

static bool put_delay(struct differing *d, struct profile *hybrid)
{
	const struct catalog_entry *mine = &d->mine->table;
	int64_t ms;

	if (!mine->has_watermark || !delay_of(mine->watermark, mine->watermark_column, &ms))
		return false;
	hybrid->table.watermark = normal_delayed(d->arena, hybrid->table.watermark_column, ms);
	d->causes->nomem |= !hybrid->table.watermark;
	return true;
}

/* The items whose comparison gives this very cause. */
static bool put_item(struct differing *d, const struct diagnosis *cause, struct profile *hybrid)
{
	size_t asked, mine;
	struct profile_item *items;

	if (!differ_find_item(d, cause, &asked, &mine))
		return false;
	items = arena_array(d->arena, hybrid->item_count + 1, sizeof(*items));
	if (!items) {
		d->causes->nomem = true;
		return false;
	}
	for (size_t i = 0; i < hybrid->item_count; i++)
		items[i] = hybrid->items[i];
	items[asked].expr = d->mine->items[mine].expr;
	hybrid->items = items;
	return true;
}

static bool put_window(
	const struct differing *d, enum diagnosis_id id, struct profile_window *hybrid)
{
	const struct profile_window *mine = &d->mine->window;

	if (!mine->kind.len || !mine->sizes_known)
		return false;
	switch (id) {
	case DIAG_WINDOW_SIZE:
	case DIAG_SESSION_GAP: hybrid->size_ms = mine->size_ms; break;
	case DIAG_WINDOW_SLIDE: hybrid->step_ms = mine->step_ms; break;
	case DIAG_OFFSET: hybrid->offset_ms = mine->offset_ms; break;
	case DIAG_SESSION_PARTITION: hybrid->partition = mine->partition; break;
	default:
		hybrid->kind = mine->kind;
		hybrid->size_ms = mine->size_ms;
		hybrid->step_ms = mine->step_ms;
		hybrid->partition = mine->partition;
	}
	return true;
}

static bool put_rank(const struct differing *d, enum diagnosis_id id, struct profile_rank *hybrid)
{
	const struct profile_rank *mine = &d->mine->rank;

	if (!mine->function.len || mine->on_groups != hybrid->on_groups)
		return false;
	if (id == DIAG_TOPN_N)
		hybrid->bounds = mine->bounds;
	else if (id == DIAG_TOPN_PARTITION)
		hybrid->partition = mine->partition;
	else {
		hybrid->order = mine->order;
		hybrid->descending = mine->descending;
	}
	return true;
}

static bool put(struct differing *d, const struct diagnosis *cause, struct profile *hybrid)
{
	const struct profile *asked = d->asked, *mine = d->mine;

	switch (cause->id) {
	case DIAG_DELAY: return put_delay(d, hybrid);
	case DIAG_INTERVAL:
	case DIAG_INTERVAL_MISSING:
		hybrid->settings.interval_ms = mine->settings.interval_ms;
		return true;
	case DIAG_BATCH_MODE:
	case DIAG_STREAMING_MODE: hybrid->settings.batch = mine->settings.batch; return true;
	case DIAG_WINDOW_SIZE:
	case DIAG_SESSION_GAP:
	case DIAG_WINDOW_SLIDE:
	case DIAG_OFFSET:
	case DIAG_SESSION_PARTITION:
	case DIAG_WINDOW_ARGS_SWAPPED:
	case DIAG_WINDOW_KIND: return put_window(d, cause->id, &hybrid->window);
	case DIAG_FILTER_MISSING:
	case DIAG_FILTER_EXTRA:
	case DIAG_FILTER_INVERTED:
	case DIAG_LATE_CMP:
	case DIAG_LATE_BY:
	case DIAG_NULL_FIRST_ROW:
	case DIAG_NULL_CHECK:
		join_conditions(d, &mine->before, &asked->before, &hybrid->before);
		return mine->behind.count == asked->behind.count && !differ_filters_aggregate(mine);
	case DIAG_WHERE_EXTRA:
		join_conditions(d, &asked->before, &mine->before, &hybrid->before);
		hybrid->behind = mine->behind;
		return true;
	case DIAG_AGG_FUNCTION:
	case DIAG_AGG_COLUMN:
	case DIAG_COLUMN_VALUE: return put_item(d, cause, hybrid);
	case DIAG_TOPN_N:
	case DIAG_TOPN_ORDER:
	case DIAG_TOPN_PARTITION: return put_rank(d, cause->id, &hybrid->rank);
	default: return false;
	}
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

	if (!put(d, cause, &hybrid))
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

int effects_measure(struct differing *d, struct causes *causes)
{
	const struct sim_files *files = d->grading->grader->data;
	struct table asked = {0};
	int64_t steps = STEPS_EFFECTS;
	int err = normal_run(d->arena, d->asked, files, &steps, &asked);

	if (err)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; !err && i < causes->count && i < MOST_MEASURED; i++)
		err = measure(d, &causes->items[i], &asked, &steps);
	return err;
}

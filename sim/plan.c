/* Plan: which columns each relation reads, so that a scan converts only those. Flink pushes the
 * projection into the scan in the same way: a bad value in a column that nobody reads does no
 * harm. It does not push it through ROW_NUMBER when streaming, unless an aggregate lies between.
 * Recorded: semantics/edge_csv_bad_int_project, semantics/edge_csv_few_project,
 * more_sim/rank_reads_all. */
#include "sim/plan.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"

const struct plan *plan_source(const struct plan *plan)
{
	while (plan && plan->kind != PLAN_SCAN)
		plan = plan->input;
	return plan;
}

static void mark_list(bool *needed, const size_t *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		needed[columns[i]] = true;
}

static void mark_order(bool *needed, const struct sort_key *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (order[i].expr->type.attribute != TIME_PROCTIME)
			expr_mark_columns(order[i].expr, needed);
}

static void mark_scan(struct plan *plan, const bool *needed)
{
	struct plan_scan *scan = &plan->scan;

	for (size_t i = 0; i < plan->column_count; i++)
		scan->needed[i] |= needed[i];
	if (scan->has_rowtime) {
		scan->needed[scan->rowtime] = true;
		if (scan->watermark)
			expr_mark_columns(scan->watermark, scan->needed);
	}
	for (size_t i = 0; i < plan->column_count; i++)
		if (scan->needed[i] && scan->computed[i])
			expr_mark_columns(scan->computed[i], scan->needed);
}

/* The columns that the file has. */
static void mark_file(struct plan *plan)
{
	for (size_t i = 0; i < plan->column_count; i++)
		plan->scan.needed[i] = !plan->scan.computed[i];
}

static void mark_agg(const struct plan_agg *agg, bool *below, bool windowed)
{
	const struct window_agg_spec *spec = &agg->spec;

	mark_list(below, spec->keys, spec->key_count);
	if (windowed)
		below[spec->time] = true;
	if (windowed && spec->window.kind == WINDOW_ATTACHED)
		below[spec->attached_start] = true;
	for (size_t i = 0; i < spec->call_count; i++) {
		if (spec->calls[i].function != AGG_COUNT_ALL)
			below[spec->calls[i].argument] = true;
		if (spec->calls[i].has_filter)
			below[spec->calls[i].filter] = true;
	}
}

/* Fills `below` with the columns of the input that are read where `needed` of the plan's are. */
static void mark_below(const struct plan *plan, const bool *needed, bool *below)
{
	size_t kept = plan->column_count < plan->input->column_count ? plan->column_count
								     : plan->input->column_count;

	switch (plan->kind) {
	case PLAN_PROJECT:
		for (size_t i = 0; i < plan->column_count; i++)
			if (needed[i])
				expr_mark_columns(plan->exprs[i], below);
		return;
	case PLAN_WINDOW_AGG: mark_agg(&plan->agg, below, true); return;
	case PLAN_GROUP_AGG: mark_agg(&plan->agg, below, false); return;
	default: memcpy(below, needed, kept * sizeof(*below));
	}
	switch (plan->kind) {
	case PLAN_FILTER: expr_mark_columns(plan->condition, below); break;
	case PLAN_WINDOW:
		below[plan->tvf.time] = true;
		mark_list(below, plan->tvf.keys, plan->tvf.key_count);
		break;
	case PLAN_RANK:
		mark_list(below, plan->rank.unique, plan->rank.unique_count);
		mark_list(below, plan->rank.partition, plan->rank.partition_count);
		mark_order(below, plan->rank.order, plan->rank.order_count);
		if (plan->rank.windowed)
			below[plan->rank.window_end] = true;
		break;
	case PLAN_EXPAND: mark_list(below, plan->expand.sources, plan->expand.copy_count); break;
	case PLAN_SORT: mark_order(below, plan->sort.order, plan->sort.order_count); break;
	default: break;
	}
}

/* Whether Flink gives all columns of the table to what lies below the plan. */
static bool takes_all(const struct plan *plan, bool streaming, bool all)
{
	switch (plan->kind) {
	case PLAN_RANK: return all || streaming;
	case PLAN_WINDOW_AGG:
	case PLAN_GROUP_AGG: return false;
	default: return all;
	}
}

static int mark(
	struct arena *arena, struct plan *plan, const bool *needed, bool streaming, bool all)
{
	bool *below;

	if (plan->kind == PLAN_SCAN && all)
		mark_file(plan);
	if (plan->kind == PLAN_SCAN)
		mark_scan(plan, needed);
	if (plan->kind == PLAN_RANK)
		plan->rank.numbered = needed[plan->column_count - 1];
	if (!plan->input)
		return 0;
	below = arena_array(arena, plan->input->column_count + 1, sizeof(*below));
	if (!below)
		return -ENOMEM;
	mark_below(plan, needed, below);
	return mark(arena, plan->input, below, streaming, takes_all(plan, streaming, all));
}

bool plan_first_by_time(const struct plan *plan)
{
	const struct plan_rank *rank = &plan->rank;

	return plan->kind == PLAN_RANK && rank->dedup && !rank->windowed &&
	       !rank->order[0].descending && rank->order[0].expr->type.attribute == TIME_ROWTIME;
}

int plan_mark_needed(struct arena *arena, struct plan *plan, bool streaming)
{
	bool *needed = arena_array(arena, plan->column_count + 1, sizeof(*needed));

	if (!needed)
		return -ENOMEM;
	for (size_t i = 0; i < plan->column_count; i++)
		needed[i] = true;
	return mark(arena, plan, needed, streaming, false);
}

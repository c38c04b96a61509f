/* Aggregation in batch mode. A hash aggregation prints groups in the order in which they came, a
 * row taken through its windows in the order of the window function. A sort aggregation sorts the
 * rows by GROUP BY first; Flink takes it for MIN and MAX of texts and of TIMESTAMPs with more than
 * three digits, for FIRST_VALUE and LAST_VALUE, for legacy HOP, and, but for legacy windows, where
 * it expects few rows (estimate.h). Recorded: semantics/batch_hop_5_2, semantics/batch_03,
 * semantics/manybatch_04, semantics/edge_batch_max_ts_plain, more_sim/batch_first_value,
 * more_sim/batch_max_digits. */
#include "sim/batch_agg.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/batch_distinct.h"
#include "sim/batch_hop.h"
#include "sim/estimate.h"
#include "sim/group.h"
#include "sim/key.h"
#include "sim/pool.h"
#include "sim/rows.h"

/* Flink keeps a TIMESTAMP of so many digits as one number. */
#define COMPACT_DIGITS 3

struct batch_agg {
	struct op op;
	struct run *run;
	const struct plan *plan;
	bool windowed;
	bool legacy_hop;
	bool sorted;	/* by what is aggregated: a sort for sure */
	bool undecided; /* rows wait until the input is known not to be tiny */
	struct row_list waiting;
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct group_map groups;
	struct value *key, *result;
};

static int add_to_group(struct batch_agg *agg, const struct value *cells, struct window_span span)
{
	const struct window_agg_spec *spec = &agg->plan->agg.spec;
	struct group *group;
	struct key *key;

	for (size_t i = 0; i < spec->key_count; i++)
		agg->key[i] = cells[spec->keys[i]];
	key = key_get(&agg->keys, agg->key);
	if (!key)
		return -ENOMEM;
	group = group_get(&agg->groups, key, span.end_ms);
	key_release(&agg->keys, key);
	return group ? group_add(&agg->shape, group, cells) : -ENOMEM;
}

static bool may_be_tiny(const struct batch_agg *agg)
{
	return estimate_sorts(agg->plan, run_lines(agg->run));
}

static int drain(struct batch_agg *agg)
{
	int err = 0;

	for (size_t i = 0; i < agg->waiting.count && err == 0; i++)
		err = add_to_group(agg, agg->waiting.rows[i]->cells, agg->waiting.rows[i]->span);
	row_list_clear(&agg->waiting);
	return err;
}

static int take(struct batch_agg *agg, const struct value *cells, struct window_span span)
{
	if (run_spend(agg->run, STEPS_GROUP) < 0)
		return -ENOTSUP;
	if (agg->sorted || agg->undecided)
		return row_list_add(&agg->waiting, cells, span);
	return add_to_group(agg, cells, span);
}

static int take_windows(struct batch_agg *agg, const struct value *cells)
{
	const struct window_agg_spec *spec = &agg->plan->agg.spec;
	const struct value *time = &cells[spec->time];
	struct window_span span;
	int64_t local_ms;
	int err = 0;

	if (time->null)
		return 0;
	if (spec->window.kind == WINDOW_ATTACHED)
		return take(
			agg, cells, (struct window_span){cells[spec->attached_start].i, time->i});
	local_ms = window_local_ms(&spec->window, time->i);
	for (bool more = window_first(&spec->window, local_ms, &span); more && err == 0;
		more = window_next(&spec->window, local_ms, &span))
		err = take(agg, cells, span);
	return err;
}

static int batch_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct batch_agg *agg = (struct batch_agg *)op;
	int err = 0;

	(void)kind;
	if (agg->undecided && !may_be_tiny(agg)) {
		agg->undecided = false;
		err = agg->sorted ? 0 : drain(agg);
	}
	if (err < 0)
		return err;
	if (!agg->windowed)
		return take(agg, cells, (struct window_span){0, 0});
	return take_windows(agg, cells);
}

static int cmp_int64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* By GROUP BY in its written order. */
static int cmp_groups(const void *ctx, const struct kept_row *a, const struct kept_row *b)
{
	const struct plan_agg *plan = ctx;
	const struct window_agg_spec *spec = &plan->spec;

	for (size_t i = 0; i < plan->group_order_count; i++) {
		size_t place = plan->group_order[i];
		int order;

		if (place == GROUP_BY_START)
			order = cmp_int64(a->span.start_ms, b->span.start_ms);
		else if (place == GROUP_BY_END)
			order = cmp_int64(a->span.end_ms, b->span.end_ms);
		else
			order = value_cmp(&spec->key_types[place], &a->cells[spec->keys[place]],
				&b->cells[spec->keys[place]]);
		if (order)
			return order;
	}
	return 0;
}

static int print(struct batch_agg *agg, const struct group *group)
{
	const struct window_agg_spec *spec = &agg->plan->agg.spec;
	struct window_span span = {0, group->end_ms};

	if (agg->windowed) {
		span.start_ms = window_start(&spec->window, group->end_ms);
		window_agg_result(spec, group, span, agg->result);
	} else {
		struct value *cell = agg->result;

		for (size_t i = 0; i < spec->key_count; i++)
			*cell++ = group->key->values[i];
		for (size_t i = 0; i < spec->call_count; i++)
			acc_result(&group->accs[i], &spec->calls[i], cell++);
	}
	return op_row(agg->op.down, OP_INSERT, agg->result);
}

/* Without GROUP BY there is one group, also over no rows. */
static int add_only_group(struct batch_agg *agg)
{
	struct key *key = key_get(&agg->keys, agg->key);

	return key && group_get(&agg->groups, key, 0) ? 0 : -ENOMEM;
}

/* A value of no fixed length, or too long to be kept in place. */
static bool is_long(const struct sql_type *type)
{
	return type_is_text(type) || (type_is_time(type) && type->precision > COMPACT_DIGITS);
}

static bool needs_sort(const struct window_agg_spec *spec)
{
	for (size_t i = 0; i < spec->call_count; i++)
		switch (spec->calls[i].function) {
		case AGG_MIN:
		case AGG_MAX:
			if (is_long(&spec->calls[i].argument_type) && !spec->calls[i].as_key)
				return true;
			break;
		case AGG_FIRST_VALUE:
		case AGG_LAST_VALUE: return true;
		default: break;
		}
	return false;
}

static int sort_rows(struct batch_agg *agg)
{
	const struct window_agg_spec *spec = &agg->plan->agg.spec;
	struct row_order order = {cmp_groups, &agg->plan->agg};

	if (batch_distinct_sorts(spec))
		return batch_distinct_sort(spec, order, &agg->waiting);
	batch_sort(agg->waiting.rows, agg->waiting.count, order);
	if (!agg->legacy_hop)
		return 0;
	return batch_hop_lose(agg->plan, agg->run, needs_sort(spec), &agg->waiting);
}

static int batch_watermark(struct op *op, int64_t wm_ms)
{
	struct batch_agg *agg = (struct batch_agg *)op;
	int err = agg->windowed || agg->plan->agg.spec.key_count ? 0 : add_only_group(agg);

	if (err == 0 && (agg->sorted || (agg->undecided && may_be_tiny(agg))))
		err = sort_rows(agg);
	if (err == 0)
		err = drain(agg);
	for (struct group *group = agg->groups.first; group && err == 0; group = group->next)
		err = print(agg, group);
	return err ? err : op_watermark(op->down, wm_ms);
}

struct op *batch_agg_new(
	struct arena *arena, const struct plan *plan, struct run *run, struct op *down)
{
	const struct window_agg_spec *spec = &plan->agg.spec;
	struct batch_agg *agg = ARENA_NEW(arena, struct batch_agg);

	if (!agg)
		return NULL;
	*agg = (struct batch_agg){.op = {batch_row, batch_watermark, down},
		.run = run,
		.plan = plan,
		.windowed = plan->kind == PLAN_WINDOW_AGG,
		.legacy_hop = plan->agg.at_once && spec->window.kind == WINDOW_HOP,
		.undecided = !plan->agg.at_once && estimate_rows(plan->input, 0) >= 0};
	agg->sorted = needs_sort(spec) && (agg->windowed || spec->key_count);
	agg->sorted |= agg->legacy_hop || batch_distinct_sorts(spec);
	pool_init(&agg->pool, arena);
	key_table_init(&agg->keys, &agg->pool, spec->key_types, spec->key_count);
	agg->shape = (struct group_shape){&agg->pool, &agg->keys, spec->calls, spec->call_count, 0};
	group_map_init(&agg->groups, &agg->shape);
	row_list_init(&agg->waiting, &agg->pool, plan->input->columns, plan->input->column_count);
	agg->key = arena_array(arena, spec->key_count + 1, sizeof(struct value));
	agg->result =
		arena_array(arena, spec->key_count + spec->call_count + 3, sizeof(struct value));
	return agg->key && agg->result ? &agg->op : NULL;
}

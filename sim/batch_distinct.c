/* Flink's batch mode copies each row for each set of what DISTINCT looks at (an argument and its
 * FILTER), and once more for all other calls, with NULL in place of the other sets. It sorts the
 * copies by the groups, by these columns in the order in which the calls name them, and by the
 * number of the set; FIRST_VALUE and LAST_VALUE take the copies of the last set. As the sort is
 * not stable, that decides what comes first. Recorded: more_sim/batch_first_distinct. */
#include "sim/batch_distinct.h"

#include <errno.h>

#include "parser/limits.h"
#include "sim/key.h"
#include "sim/pool.h"

/* A set is a mask of columns, the first of which is the highest bit: so sets come in the order of
 * falling masks. The last one is 0. */
struct copies {
	const struct window_agg_spec *spec;
	const struct row_list *rows;
	struct row_order groups;
	size_t *columns, column_count;
	uint64_t *sets;
	size_t set_count;
};

bool batch_distinct_sorts(const struct window_agg_spec *spec)
{
	bool first = false, distinct = false;

	for (size_t i = 0; i < spec->call_count; i++) {
		enum agg_function function = spec->calls[i].function;

		first |= function == AGG_FIRST_VALUE || function == AGG_LAST_VALUE;
		distinct |= agg_counts_apart(&spec->calls[i]);
	}
	return first && distinct;
}

static bool is_key(const struct window_agg_spec *spec, size_t column)
{
	for (size_t i = 0; i < spec->key_count; i++)
		if (spec->keys[i] == column)
			return true;
	return false;
}

static uint64_t bit(size_t i)
{
	return UINT64_C(1) << (63 - i);
}

static uint64_t mask_of(const struct copies *copies, size_t column)
{
	for (size_t i = 0; i < copies->column_count; i++)
		if (copies->columns[i] == column)
			return bit(i);
	return 0;
}

static uint64_t set_of(const struct copies *copies, const struct agg_call *call)
{
	return mask_of(copies, call->argument) |
	       (call->has_filter ? mask_of(copies, call->filter) : 0);
}

static bool in_a_set(const struct window_agg_spec *spec, size_t column)
{
	for (size_t i = 0; i < spec->call_count; i++) {
		const struct agg_call *call = &spec->calls[i];

		if (agg_counts_apart(call) &&
			(call->argument == column || (call->has_filter && call->filter == column)))
			return true;
	}
	return false;
}

static void add_column(struct copies *copies, size_t column)
{
	if (in_a_set(copies->spec, column) && !is_key(copies->spec, column) &&
		!mask_of(copies, column))
		copies->columns[copies->column_count++] = column;
}

static void add_set(struct copies *copies, uint64_t set)
{
	size_t i = copies->set_count;

	for (size_t j = 0; j < copies->set_count; j++)
		if (copies->sets[j] == set)
			return;
	for (; i > 0 && copies->sets[i - 1] < set; i--)
		copies->sets[i] = copies->sets[i - 1];
	copies->sets[i] = set;
	copies->set_count++;
}

static void find_sets(struct copies *copies)
{
	const struct window_agg_spec *spec = copies->spec;

	for (size_t i = 0; i < spec->call_count; i++) {
		const struct agg_call *call = &spec->calls[i];

		if (call->function != AGG_COUNT_ALL)
			add_column(copies, call->argument);
		if (call->has_filter)
			add_column(copies, call->filter);
	}
	for (size_t i = 0; i < spec->call_count; i++)
		if (agg_counts_apart(&spec->calls[i]))
			add_set(copies, set_of(copies, &spec->calls[i]));
	add_set(copies, 0);
}

/* A FILTER that is NULL is FALSE to the planner. */
static struct value cell_of(const struct copies *copies, const struct kept_row *row, size_t i)
{
	size_t column = copies->columns[i];
	struct value value = row->cells[column];

	if (!(copies->sets[row->number] & bit(i)))
		return (struct value){.null = true};
	for (size_t j = 0; j < copies->spec->call_count; j++)
		if (copies->spec->calls[j].has_filter && copies->spec->calls[j].filter == column &&
			value.null)
			return (struct value){.i = 0};
	return value;
}

static int cmp_copies(const void *ctx, const struct kept_row *a, const struct kept_row *b)
{
	const struct copies *copies = ctx;
	int order = copies->groups.cmp(copies->groups.ctx, a, b);

	for (size_t i = 0; i < copies->column_count && !order; i++) {
		const struct sql_type *type = &copies->rows->columns[copies->columns[i]].type;
		struct value x = cell_of(copies, a, i), y = cell_of(copies, b, i);

		order = value_cmp(type, &x, &y);
	}
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Each row for each set, in the order of the sets; the last copy is the row itself. */
static int copy_rows(const struct copies *copies, struct row_list *rows, struct kept_row **all)
{
	for (size_t i = 0; i < rows->count; i++)
		for (size_t set = 0; set < copies->set_count; set++) {
			struct kept_row *row = rows->rows[i];

			if (set + 1 < copies->set_count)
				row = row_keep(rows, row->cells, row->span);
			if (!row)
				return -ENOMEM;
			row->number = (int64_t)set;
			*all++ = row;
		}
	return 0;
}

int batch_distinct_sort(
	const struct window_agg_spec *spec, struct row_order groups, struct row_list *rows)
{
	size_t columns[LIMIT_GROUPING_KEYS];
	uint64_t sets[LIMIT_GROUPING_SETS];
	struct copies copies = {spec, rows, groups, .columns = columns, .sets = sets};
	struct row_order order = {cmp_copies, &copies};
	struct kept_row **all;
	size_t count, kept = 0;
	int err;

	find_sets(&copies);
	count = rows->count * copies.set_count;
	all = pool_alloc(rows->pool, (count + 1) * sizeof(*all));
	err = all ? copy_rows(&copies, rows, all) : -ENOMEM;
	if (err < 0)
		return err;
	batch_sort(all, count, order);
	for (size_t i = 0; i < count; i++)
		if ((size_t)all[i]->number + 1 == copies.set_count)
			rows->rows[kept++] = all[i];
		else
			row_drop(rows, all[i]);
	pool_free(rows->pool, all, (count + 1) * sizeof(*all));
	return 0;
}

/* Aggregates that Flink's planner works out otherwise. It may take SUM and AVG for SUM and COUNT
 * of the same, and a key itself for its MIN, MAX, FIRST_VALUE, LAST_VALUE and AVG: it does where
 * fewer calls are left then. AVG adds small integers in BIGINT and FLOAT in DOUBLE, but not so
 * taken apart: the sum is as narrow as the argument and may wrap. What is a key takes no part in
 * the choice of sorting, hashing and phases. Recorded: more_sim/avg_alone, more_sim/avg_beside,
 * more_sim/avg_of_key, more_sim/reduced_calls, more_sim/reduced_sets,
 * more_sim/sum_distinct_key. */
#include "sim/plan_aggregate.h"

#include <errno.h>

static bool is_key(const struct aggregate *a, size_t column)
{
	for (size_t i = 0; i < a->key_count; i++)
		if (a->agg.spec.keys[i] == column)
			return true;
	return false;
}

/* Could the key stand for this call? Not one that some grouping set leaves out. */
static bool is_as_key(const struct aggregate *a, const struct agg_call *call)
{
	bool found = false;

	if (call->function < AGG_AVG || call->has_filter)
		return false;
	for (size_t i = 0; i < a->plain_count; i++)
		found |= a->agg.spec.keys[i] == call->argument &&
			 aggregate_in_all_sets(a, a->key_places[i]);
	return found;
}

static bool adds(const struct agg_call *call)
{
	return call->function == AGG_SUM || call->function == AGG_AVG;
}

static bool same_filter(const struct agg_call *a, const struct agg_call *b)
{
	return a->has_filter == b->has_filter && (!a->has_filter || a->filter == b->filter);
}

static bool takes_same(const struct agg_call *a, const struct agg_call *b)
{
	return a->argument == b->argument && a->distinct == b->distinct && same_filter(a, b);
}

/* Does it count all rows? What is never NULL needs no look. */
static bool counts_rows(const struct agg_call *call)
{
	return call->function == AGG_COUNT_ALL || (call->argument_type.not_null && !call->distinct);
}

static bool counts_same(const struct agg_call *a, const struct agg_call *b)
{
	if (counts_rows(a) || counts_rows(b))
		return counts_rows(a) && counts_rows(b) && same_filter(a, b);
	return takes_same(a, b);
}

/* Is there a COUNT in what is made of the call? SUM has it for the case that there is nothing. */
static bool has_count(const struct aggregate *a, const struct agg_call *call)
{
	bool never_null =
		call->argument_type.not_null && !call->has_filter && (a->key_count || a->windowed);

	return call->function != AGG_SUM || !never_null;
}

/* Calls that are left of this one, where those before it have been counted. */
static size_t left_of(const struct aggregate *a, size_t i)
{
	const struct agg_call *calls = a->calls_of;
	bool summed = false, counted = false;

	if (is_as_key(a, &calls[i]))
		return 0;
	if (calls[i].function > AGG_AVG)
		return 1;
	for (size_t j = 0; j < i; j++) {
		if (is_as_key(a, &calls[j]) || calls[j].function > AGG_AVG)
			continue;
		summed |= adds(&calls[j]) && takes_same(&calls[i], &calls[j]);
		counted |= has_count(a, &calls[j]) && counts_same(&calls[i], &calls[j]);
	}
	return (size_t)(adds(&calls[i]) && !summed) + (size_t)(has_count(a, &calls[i]) && !counted);
}

/* AVG of a DECIMAL has digits of its own. */
static void take_key(struct agg_call *call)
{
	call->as_key = true;
	call->distinct = false;
	if (call->function != AGG_AVG || call->argument_type.kind != SQL_DECIMAL)
		call->function = AGG_MAX;
}

static void widen(struct agg_call *call)
{
	if (call->function != AGG_AVG)
		return;
	if (type_is_integer(&call->argument_type))
		call->sum_type.kind = SQL_BIGINT;
	if (call->argument_type.kind == SQL_FLOAT)
		call->sum_type.kind = SQL_DOUBLE;
}

/* DISTINCT of batch mode makes other costs, which decide where a key could stand for a call and
 * about as many calls are left. */
static int check_distinct(struct aggregate *a, size_t left)
{
	size_t key = a->call_count;
	bool apart = false;

	for (size_t i = 0; i < a->call_count; i++) {
		apart |= agg_counts_apart(&a->calls_of[i]);
		if (is_as_key(a, &a->calls_of[i]))
			key = i;
	}
	if (!a->planner->batch || !apart || key == a->call_count || left > a->call_count + 1)
		return 0;
	return refuse(a->planner, a->calls[key]->pos,
		"This aggregate of a key beside DISTINCT in batch mode");
}

/* Batch mode's planner does not come to an end over AVG(DISTINCT) of what is never NULL, a
 * constant or a COUNT below, beside another call, and takes a key for its SUM(DISTINCT). */
static int check_apart(struct aggregate *a)
{
	for (size_t i = 0; i < a->call_count && a->planner->batch; i++) {
		const struct agg_call *call = &a->calls_of[i];

		if (!agg_counts_apart(call))
			continue;
		if (call->function == AGG_AVG && a->call_count > 1 && call->argument_type.not_null)
			return refuse(a->planner, a->calls[i]->pos,
				"AVG(DISTINCT) of what is never NULL in batch mode");
		if (call->function == AGG_SUM && is_key(a, call->argument))
			return refuse(a->planner, a->calls[i]->pos,
				"SUM(DISTINCT) of a key in batch mode");
	}
	return 0;
}

int aggregate_reduce(struct aggregate *a)
{
	size_t left = 0;
	bool added = false, reduces;

	for (size_t i = 0; i < a->call_count; i++) {
		added |= adds(&a->calls_of[i]);
		left += left_of(a, i);
	}
	reduces = added && left < a->call_count;
	for (size_t i = 0; i < a->call_count && !reduces; i++)
		widen(&a->calls_of[i]);
	if (added && (check_distinct(a, left) < 0 || check_apart(a) < 0))
		return -ENOTSUP;
	for (size_t i = 0; i < a->call_count && reduces; i++)
		if (is_as_key(a, &a->calls_of[i]))
			take_key(&a->calls_of[i]);
	return 0;
}

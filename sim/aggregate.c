/* Aggregates as Flink's built-in functions compute them: NULL is skipped, integers wrap, AVG of
 * integers is cut toward zero, AVG of DECIMAL is rounded half up.
 * Recorded: semantics/types_stream, semantics/types_batch, semantics/aggs_01,
 * semantics/first_05. */
#include "sim/aggregate.h"

#include <errno.h>

#include "sim/pool.h"

static int sum_type(const struct sql_type *argument, int32_t least_scale, struct sql_type *ret)
{
	switch (argument->kind) {
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT:
	case SQL_FLOAT:
	case SQL_DOUBLE: *ret = (struct sql_type){.kind = argument->kind}; return 0;
	case SQL_DECIMAL:
		*ret = (struct sql_type){.kind = SQL_DECIMAL, .precision = 38};
		ret->scale = argument->scale > least_scale ? argument->scale : least_scale;
		return 0;
	default: return -ENOTSUP;
	}
}

int agg_result_type(
	enum agg_function function, const struct sql_type *argument, struct sql_type *ret)
{
	switch (function) {
	case AGG_COUNT_ALL:
	case AGG_COUNT: *ret = (struct sql_type){.kind = SQL_BIGINT, .not_null = true}; return 0;
	case AGG_SUM: return sum_type(argument, 0, ret);
	case AGG_AVG: return sum_type(argument, 6, ret);
	default:
		*ret = *argument;
		ret->attribute = TIME_NONE;
		ret->not_null = false;
		return 0;
	}
}

bool agg_counts_apart(const struct agg_call *call)
{
	return call->distinct && call->function != AGG_MIN && call->function != AGG_MAX;
}

static int64_t wrap(int64_t n, enum sql_kind kind)
{
	switch (kind) {
	case SQL_TINYINT: return (int8_t)n;
	case SQL_SMALLINT: return (int16_t)n;
	case SQL_INT: return (int32_t)n;
	default: return n;
	}
}

static int128 power_of_ten(int32_t exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* 10^38: a DECIMAL of more than 38 digits is NULL. */
static const int128 beyond_decimal = (int128)10000000000000000000u * 10000000000000000000u;

static bool decimal_fits(int128 dec)
{
	return dec < beyond_decimal && dec > -beyond_decimal;
}

static void add_decimal(struct value *sum, int128 dec)
{
	if (__builtin_add_overflow(sum->dec, dec, &sum->dec) || !decimal_fits(sum->dec))
		sum->null = true;
}

static void add(struct value *sum, const struct value *value, enum sql_kind kind)
{
	switch (kind) {
	case SQL_DECIMAL: add_decimal(sum, value->dec); break;
	case SQL_DOUBLE: sum->f += value->f; break;
	case SQL_FLOAT: sum->f = (float)sum->f + (float)value->f; break;
	default: sum->i = wrap((int64_t)((uint64_t)sum->i + (uint64_t)value->i), kind);
	}
}

/* MIN and MAX over a changelog keep all values, with how often each is there. */
static bool tallies(const struct agg_call *call)
{
	return call->retracts && !call->keeps_best && call->function >= AGG_MIN;
}

/* Keeps another value in place of the one before. */
static int replace(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *value)
{
	struct value kept;
	int err = value_keep(pool, &call->argument_type, value, &kept);

	if (err < 0)
		return err;
	if (acc->count)
		value_drop(pool, &call->argument_type, &acc->value);
	acc->value = kept;
	return 0;
}

/* Is `value` the one to keep, of it and the accumulator's? `later`: it came after it. */
static bool beats(const struct acc *acc, const struct agg_call *call, const struct value *value)
{
	if (!acc->count || call->function == AGG_LAST_VALUE)
		return true;
	if (call->function == AGG_FIRST_VALUE)
		return false;
	int order = value_cmp(&call->argument_type, value, &acc->value);

	return call->function == AGG_MIN ? order < 0 : order > 0;
}

/* SUM goes on with the next value where it has overflowed, AVG is lost. */
static void sum_up(struct acc *acc, const struct agg_call *call, const struct value *value)
{
	if (call->function == AGG_AVG && (acc->value.null || value->null))
		acc->value.null = true;
	else if (acc->value.null || (!acc->count && !call->retracts))
		acc->value = *value;
	else if (!value->null)
		add(&acc->value, value, call->sum_type.kind);
}

/* Takes a value that stands for `times` rows. */
static int take(struct acc *acc, struct pool *pool, const struct agg_call *call,
	const struct value *value, int64_t times)
{
	int err = 0;

	switch (call->function) {
	case AGG_COUNT_ALL:
	case AGG_COUNT: break;
	case AGG_SUM:
	case AGG_AVG: sum_up(acc, call, value); break;
	default:
		if (!tallies(call) && beats(acc, call, value))
			err = replace(acc, pool, call, value);
	}
	acc->count += times;
	return err;
}

static struct value_set *seen_of(struct acc *acc, struct pool *pool)
{
	if (!acc->seen)
		acc->seen = pool_alloc(pool, sizeof(*acc->seen));
	return acc->seen;
}

/* Notes a value of DISTINCT. 1: it is the first of its kind, 0 or -ENOMEM. */
static int see(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *value)
{
	struct value_set *seen = seen_of(acc, pool);

	return seen ? value_set_add(seen, pool, &call->argument_type, value) : -ENOMEM;
}

/* Counts a value of DISTINCT, MIN or MAX over a changelog. 1: as for the first, or last, of its
 * kind the aggregate changes, 0 or -ENOMEM. */
static int recount(struct acc *acc, struct pool *pool, const struct agg_call *call,
	const struct value *value, int64_t by)
{
	struct value_set *seen = seen_of(acc, pool);
	int64_t left;

	if (!seen || value_set_count(seen, pool, &call->argument_type, value, by, &left) < 0)
		return -ENOMEM;
	return left == (by > 0);
}

static bool counts_values(const struct agg_call *call)
{
	return call->distinct || tallies(call);
}

static bool filtered(const struct agg_call *call, const struct value *cells)
{
	return call->has_filter && (cells[call->filter].null || !cells[call->filter].i);
}

static void negate(struct value *value, enum sql_kind kind)
{
	switch (kind) {
	case SQL_DECIMAL: value->dec = -value->dec; break;
	case SQL_FLOAT:
	case SQL_DOUBLE: value->f = -value->f; break;
	default: value->i = (int64_t)(0 - (uint64_t)value->i);
	}
}

int acc_retract(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *cells)
{
	struct value value = {0};
	int last = 1;

	if (call->keeps_best || filtered(call, cells))
		return 0;
	if (call->function != AGG_COUNT_ALL)
		value = cells[call->argument];
	if (value.null)
		return 0;
	if (counts_values(call))
		last = recount(acc, pool, call, &value, -1);
	if (last <= 0)
		return last;
	if (call->function == AGG_SUM || call->function == AGG_AVG) {
		negate(&value, call->sum_type.kind);
		sum_up(acc, call, &value);
	}
	acc->count--;
	return 0;
}

int acc_add(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *cells)
{
	const struct value *value = &cells[call->argument];

	if (filtered(call, cells))
		return 0;
	if (call->function == AGG_COUNT_ALL) {
		acc->count++;
		return 0;
	}
	if (value->null)
		return 0;
	if (call->distinct || call->retracts) {
		int fresh = 1;

		if (!call->retracts)
			fresh = see(acc, pool, call, value);
		else if (counts_values(call))
			fresh = recount(acc, pool, call, value, 1);
		if (fresh <= 0)
			return fresh;
	}
	return take(acc, pool, call, value, 1);
}

int acc_merge(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct acc *from)
{
	if (!from->count)
		return 0;
	if (!call->distinct)
		return take(acc, pool, call, &from->value, from->count);
	for (size_t i = 0; i < from->seen->count; i++) {
		const struct value *value = &from->seen->values[i];
		int fresh = see(acc, pool, call, value);
		int err = fresh > 0 ? take(acc, pool, call, value, 1) : fresh;

		if (err < 0)
			return err;
	}
	return 0;
}

/* sum / count at a scale that is `shift` digits finer, half up. Count and shift are small enough
 * for the remainder to stay within 128 bits. */
static void decimal_average(int128 sum, int64_t count, int32_t shift, struct value *ret)
{
	int128 power = power_of_ten(shift), rest = sum % count * power, left = rest % count;

	if (__builtin_mul_overflow(sum / count, power, &ret->dec) ||
		__builtin_add_overflow(ret->dec, rest / count, &ret->dec))
		ret->null = true;
	if (left * 2 <= -(int128)count)
		ret->dec--;
	if (left * 2 >= count)
		ret->dec++;
	ret->null |= !decimal_fits(ret->dec);
}

static void average(const struct acc *acc, const struct agg_call *call, struct value *ret)
{
	*ret = (struct value){0};
	switch (call->type.kind) {
	case SQL_DECIMAL:
		decimal_average(acc->value.dec, acc->count,
			call->type.scale - call->argument_type.scale, ret);
		break;
	case SQL_DOUBLE: ret->f = acc->value.f / (double)acc->count; break;
	case SQL_FLOAT: ret->f = (float)(acc->value.f / (double)acc->count); break;
	default:
		if (acc->count == -1)
			ret->i = (int64_t)(0 - (uint64_t)acc->value.i);
		else
			ret->i = wrap(acc->value.i / acc->count, call->type.kind);
	}
}

/* MIN and MAX over a changelog. */
static void best_seen(const struct acc *acc, const struct agg_call *call, struct value *ret)
{
	const struct value *best = &acc->seen->values[0];

	for (size_t i = 1; i < acc->seen->count; i++) {
		const struct value *value = &acc->seen->values[i];
		int order = value_cmp(&call->argument_type, value, best);

		if (call->function == AGG_MIN ? order < 0 : order > 0)
			best = value;
	}
	*ret = *best;
}

void acc_result(const struct acc *acc, const struct agg_call *call, struct value *ret)
{
	if (call->function == AGG_COUNT_ALL || call->function == AGG_COUNT)
		*ret = (struct value){.i = acc->count};
	else if (acc->count <= 0 || (call->function <= AGG_AVG && acc->value.null))
		*ret = (struct value){.null = true};
	else if (tallies(call))
		best_seen(acc, call, ret);
	else if (call->function == AGG_AVG)
		average(acc, call, ret);
	else
		*ret = acc->value;
}

void acc_clear(struct acc *acc, struct pool *pool, const struct agg_call *call)
{
	if (acc->count && call->function >= AGG_MIN && !tallies(call))
		value_drop(pool, &call->argument_type, &acc->value);
	if (acc->seen) {
		value_set_clear(acc->seen, pool, &call->argument_type);
		pool_free(pool, acc->seen, sizeof(*acc->seen));
	}
	*acc = (struct acc){0};
}

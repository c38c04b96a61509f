/* Aggregates as Flink's built-in functions compute them: NULL is skipped, integers wrap, AVG of
 * integers is cut toward zero, AVG of DECIMAL is rounded half up.
 * Recorded: semantics/types_stream, semantics/types_batch, semantics/aggs_01, semantics/first_05. */
#include "sim/aggregate.h"

#include <errno.h>

#include "sim/pool.h"

/* 28 digits summed over 10 billion rows stay within DECIMAL(38). */
#define MOST_SUMMED_DIGITS 28

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
		if (argument->precision > MOST_SUMMED_DIGITS)
			return -ENOTSUP;
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

static int64_t wrap(int64_t n, enum sql_kind kind)
{
	switch (kind) {
	case SQL_TINYINT: return (int8_t)n;
	case SQL_SMALLINT: return (int16_t)n;
	case SQL_INT: return (int32_t)n;
	default: return n;
	}
}

static void add(struct value *sum, const struct value *value, enum sql_kind kind)
{
	switch (kind) {
	case SQL_DECIMAL: sum->dec += value->dec; break;
	case SQL_DOUBLE: sum->f += value->f; break;
	case SQL_FLOAT: sum->f = (float)sum->f + (float)value->f; break;
	default: sum->i = wrap((int64_t)((uint64_t)sum->i + (uint64_t)value->i), kind);
	}
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

/* Takes a value that stands for `times` rows. */
static int take(struct acc *acc, struct pool *pool, const struct agg_call *call,
	const struct value *value, int64_t times)
{
	int err = 0;

	switch (call->function) {
	case AGG_COUNT_ALL:
	case AGG_COUNT: break;
	case AGG_SUM:
	case AGG_AVG:
		if (acc->count)
			add(&acc->value, value, call->sum_type.kind);
		else
			acc->value = *value;
		break;
	default:
		if (beats(acc, call, value))
			err = replace(acc, pool, call, value);
	}
	acc->count += times;
	return err;
}

int acc_add(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *cells)
{
	const struct value *value = &cells[call->argument];

	if (call->has_filter && (cells[call->filter].null || !cells[call->filter].i))
		return 0;
	if (call->function == AGG_COUNT_ALL) {
		acc->count++;
		return 0;
	}
	if (value->null)
		return 0;
	if (call->distinct) {
		int fresh = value_set_add(&acc->seen, pool, &call->argument_type, value);

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
	for (size_t i = 0; i < from->seen.count; i++) {
		const struct value *value = &from->seen.values[i];
		int fresh = value_set_add(&acc->seen, pool, &call->argument_type, value);
		int err = fresh > 0 ? take(acc, pool, call, value, 1) : fresh;

		if (err < 0)
			return err;
	}
	return 0;
}

static int128 power_of_ten(int32_t exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* sum / count at a scale that is `shift` digits finer, half up. Count and shift are small enough for
 * the remainder to stay within 128 bits. */
static int128 decimal_average(int128 sum, int64_t count, int32_t shift)
{
	int128 power = power_of_ten(shift), rest = sum % count * power;
	int128 cut = sum / count * power + rest / count, left = rest % count;

	if (left < 0)
		return left * 2 <= -(int128)count ? cut - 1 : cut;
	return left * 2 >= count ? cut + 1 : cut;
}

static void average(const struct acc *acc, const struct agg_call *call, struct value *ret)
{
	*ret = (struct value){0};
	switch (call->type.kind) {
	case SQL_DECIMAL:
		ret->dec = decimal_average(
			acc->value.dec, acc->count, call->type.scale - call->argument_type.scale);
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

void acc_result(const struct acc *acc, const struct agg_call *call, struct value *ret)
{
	if (call->function == AGG_COUNT_ALL || call->function == AGG_COUNT)
		*ret = (struct value){.i = acc->count};
	else if (!acc->count)
		*ret = (struct value){.null = true};
	else if (call->function == AGG_AVG)
		average(acc, call, ret);
	else
		*ret = acc->value;
}

void acc_clear(struct acc *acc, struct pool *pool, const struct agg_call *call)
{
	if (acc->count && call->function >= AGG_MIN)
		value_drop(pool, &call->argument_type, &acc->value);
	value_set_clear(&acc->seen, pool, &call->argument_type);
	*acc = (struct acc){0};
}

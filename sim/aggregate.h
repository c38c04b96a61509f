/* Aggregates: COUNT, SUM, AVG, MIN, MAX, FIRST_VALUE, LAST_VALUE; what they keep for one group,
 * how two halves are merged, and what comes out. */
#ifndef EWIN_SIM_AGGREGATE_H
#define EWIN_SIM_AGGREGATE_H

#include "sim/value_set.h"

struct pool;

enum agg_function {
	AGG_COUNT_ALL, /* COUNT(*) */
	AGG_COUNT,
	AGG_SUM,
	AGG_AVG,
	AGG_MIN,
	AGG_MAX,
	AGG_FIRST_VALUE,
	AGG_LAST_VALUE
};

/* A call, bound to the columns of the aggregate's input. */
struct agg_call {
	enum agg_function function;
	size_t argument; /* column; not for AGG_COUNT_ALL without FILTER or DISTINCT */
	struct sql_type argument_type;
	bool has_filter;
	size_t filter; /* column of a BOOLEAN */
	bool distinct;
	bool as_key;		  /* it is a key itself, which the planner takes for it */
	bool retracts;		  /* its rows are those of a changelog */
	bool keeps_best;	  /* MIN or MAX that takes nothing back */
	struct sql_type sum_type; /* SUM and AVG: the type in which is added, and wraps */
	struct sql_type type;	  /* of the result */
};

/* Does DISTINCT change what the call gives? MIN and MAX do without. */
bool agg_counts_apart(const struct agg_call *call);

/* What a call keeps for one group. */
struct acc {
	int64_t count; /* values that were counted: not NULL, passed by the FILTER, distinct */
	struct value_set *seen; /* distinct, and MIN and MAX over a changelog; NULL: empty */
	struct value value;	/* of SUM and AVG NULL: their sum has overflowed */
};

/* Types of SUM and AVG over an argument of this type, as Flink derives them. Both 0, or
 * -ENOTSUP. */
int agg_result_type(
	enum agg_function function, const struct sql_type *argument, struct sql_type *ret);

/* Takes one row. 0 or -ENOMEM. */
int acc_add(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *cells);

/* Takes a row back that it had taken; the call retracts. 0 or -ENOMEM. */
int acc_retract(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct value *cells);

/* Adds what `from` has; `from` is as it was. 0 or -ENOMEM. */
int acc_merge(
	struct acc *acc, struct pool *pool, const struct agg_call *call, const struct acc *from);

/* The result; its text is the accumulator's. */
void acc_result(const struct acc *acc, const struct agg_call *call, struct value *ret);

/* Gives back what the accumulator holds. */
void acc_clear(struct acc *acc, struct pool *pool, const struct agg_call *call);

#endif

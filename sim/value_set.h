/* A set of values in the order of their arrival, for COUNT(DISTINCT x) and its like; over a
 * changelog it counts how often each is there. */
#ifndef EWIN_SIM_VALUE_SET_H
#define EWIN_SIM_VALUE_SET_H

#include "parser/table.h"

struct pool;

struct value_set {
	struct value *values;
	size_t count, room;
	uint32_t *slots; /* index of a value plus 1; 0 is free */
	size_t slot_count;
	int64_t *times; /* of each value, where they are counted: of `room` */
	size_t times_room;
};

/* Adds a value that is not NULL; a string is copied. 1: it was new, 0: it was there, or -ENOMEM. */
int value_set_add(struct value_set *set, struct pool *pool, const struct sql_type *type,
	const struct value *value);

/* Counts a value `by` times more, or fewer; one that is there no more leaves the set, whose order
 * is lost then. *left is how often it is there now. 0 or -ENOMEM. */
int value_set_count(struct value_set *set, struct pool *pool, const struct sql_type *type,
	const struct value *value, int64_t by, int64_t *left);

/* Gives back all that the set holds, and the set is empty again. */
void value_set_clear(struct value_set *set, struct pool *pool, const struct sql_type *type);

/* A copy of the value whose text is in the pool. 0 or -ENOMEM. */
int value_keep(struct pool *pool, const struct sql_type *type, const struct value *value,
	struct value *ret);

/* Gives back what value_keep() took. */
void value_drop(struct pool *pool, const struct sql_type *type, struct value *value);

#endif

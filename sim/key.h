/* Keys: the values of GROUP BY or PARTITION BY, interned, so that equal keys are one pointer.
 * NULL is a key like any other. */
#ifndef EWIN_SIM_KEY_H
#define EWIN_SIM_KEY_H

#include "parser/table.h"

struct group;
struct pool;

struct key {
	struct key *next; /* in its bucket */
	uint64_t hash;
	size_t refs;	       /* groups and timers that hold it */
	size_t size;	       /* bytes of this piece */
	struct group *windows; /* sessions: the open ones of this key */
	struct group *recent;  /* in a map, found last */
	struct value values[];
};

struct key_table {
	struct pool *pool;
	const struct sql_type *types;
	size_t width; /* values a key */
	struct key **buckets;
	size_t bucket_count, count;
	struct key *recent; /* asked for last; NULL where that is gone */
};

/* The types must outlive the table. */
void key_table_init(
	struct key_table *table, struct pool *pool, const struct sql_type *types, size_t width);

/* The key of these values with one more reference; NULL: no memory. Strings are copied. */
struct key *key_get(struct key_table *table, const struct value *values);

/* One more reference. */
struct key *key_hold(struct key *key);

/* One reference less; the last one gives the key back. */
void key_release(struct key_table *table, struct key *key);

/* Hash and equality of single values, as keys use them: NULL equals NULL. */
uint64_t value_hash(const struct sql_type *type, const struct value *value);
bool value_same(const struct sql_type *type, const struct value *a, const struct value *b);

/* Is the value's content bytes that somebody else owns? */
bool type_is_text(const struct sql_type *type);

#endif

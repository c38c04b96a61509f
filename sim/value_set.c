/* A set of values: an array in order of arrival and an open-addressed index over it. */
#include "sim/value_set.h"

#include <errno.h>
#include <string.h>

#include "sim/key.h"
#include "sim/pool.h"

#define FIRST_ROOM 8 /* twice as many slots */

int value_keep(struct pool *pool, const struct sql_type *type, const struct value *value,
	struct value *ret)
{
	struct value kept = *value;

	if (type_is_text(type) && !value->null && value->s.len) {
		char *bytes = pool_alloc(pool, value->s.len);

		if (!bytes)
			return -ENOMEM;
		kept.s.ptr = memcpy(bytes, value->s.ptr, value->s.len);
	}
	*ret = kept;
	return 0;
}

void value_drop(struct pool *pool, const struct sql_type *type, struct value *value)
{
	union {
		const char *kept;
		void *piece;
	} text = {value->s.ptr};

	if (type_is_text(type) && !value->null && value->s.len)
		pool_free(pool, text.piece, value->s.len);
	*value = (struct value){.null = true};
}

/* The slot of the value, or the free one where it belongs. */
static uint32_t *find(
	const struct value_set *set, const struct sql_type *type, const struct value *value)
{
	size_t slot = value_hash(type, value) & (set->slot_count - 1);

	while (set->slots[slot] && !value_same(type, &set->values[set->slots[slot] - 1], value))
		slot = (slot + 1) & (set->slot_count - 1);
	return &set->slots[slot];
}

static int grow(struct value_set *set, struct pool *pool, const struct sql_type *type)
{
	size_t room = set->room ? set->room * 2 : FIRST_ROOM;
	struct value *values =
		pool_resize(pool, set->values, set->room * sizeof(*values), room * sizeof(*values));
	uint32_t *slots;

	if (!values)
		return -ENOMEM;
	set->values = values;
	set->room = room;
	slots = pool_alloc(pool, room * 2 * sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	pool_free(pool, set->slots, set->slot_count * sizeof(*slots));
	set->slots = slots;
	set->slot_count = room * 2;
	for (size_t i = 0; i < set->count; i++)
		*find(set, type, &set->values[i]) = (uint32_t)i + 1;
	return 0;
}

int value_set_add(struct value_set *set, struct pool *pool, const struct sql_type *type,
	const struct value *value)
{
	uint32_t *slot;
	int err = set->count == set->room ? grow(set, pool, type) : 0;

	if (err < 0)
		return err;
	slot = find(set, type, value);
	if (*slot)
		return 0;
	err = value_keep(pool, type, value, &set->values[set->count]);
	if (err < 0)
		return err;
	*slot = (uint32_t)++set->count;
	return 1;
}

static int grow_times(struct value_set *set, struct pool *pool)
{
	int64_t *times = set->times;

	if (set->times_room >= set->room)
		return 0;
	times = pool_resize(
		pool, times, set->times_room * sizeof(*times), set->room * sizeof(*times));
	if (!times)
		return -ENOMEM;
	set->times = times;
	set->times_room = set->room;
	return 0;
}

/* Frees a slot: those behind it that were pushed on by it move up. */
static void free_slot(struct value_set *set, const struct sql_type *type, size_t slot)
{
	size_t mask = set->slot_count - 1, next = (slot + 1) & mask;

	for (; set->slots[next]; next = (next + 1) & mask) {
		size_t home = value_hash(type, &set->values[set->slots[next] - 1]) & mask;

		if (((next - home) & mask) < ((next - slot) & mask))
			continue;
		set->slots[slot] = set->slots[next];
		slot = next;
	}
	set->slots[slot] = 0;
}

/* The last value takes the place of the one that leaves. */
static void leave(struct value_set *set, struct pool *pool, const struct sql_type *type, size_t i)
{
	uint32_t *slot = find(set, type, &set->values[i]);
	uint32_t *last = find(set, type, &set->values[set->count - 1]);

	*last = (uint32_t)i + 1;
	value_drop(pool, type, &set->values[i]);
	set->count--;
	set->values[i] = set->values[set->count];
	set->times[i] = set->times[set->count];
	free_slot(set, type, (size_t)(slot - set->slots));
}

int value_set_count(struct value_set *set, struct pool *pool, const struct sql_type *type,
	const struct value *value, int64_t by, int64_t *left)
{
	int fresh = value_set_add(set, pool, type, value);
	size_t i;

	if (fresh < 0 || grow_times(set, pool) < 0)
		return -ENOMEM;
	i = *find(set, type, value) - 1;
	if (fresh)
		set->times[i] = 0;
	set->times[i] += by;
	*left = set->times[i];
	if (!*left)
		leave(set, pool, type, i);
	return 0;
}

void value_set_clear(struct value_set *set, struct pool *pool, const struct sql_type *type)
{
	for (size_t i = 0; i < set->count; i++)
		value_drop(pool, type, &set->values[i]);
	pool_free(pool, set->values, set->room * sizeof(*set->values));
	pool_free(pool, set->slots, set->slot_count * sizeof(*set->slots));
	pool_free(pool, set->times, set->times_room * sizeof(*set->times));
	*set = (struct value_set){0};
}

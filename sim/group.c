/* Groups by (key, slice end): a chained hash map with a list in order of arrival. Moving a group
 * from map to map is how an accumulator travels: from the local buffer to the global one to the
 * state. */
#include "sim/group.h"

#include <errno.h>
#include <string.h>

#include "sim/key.h"
#include "sim/pool.h"

#define FIRST_BUCKETS 64

void group_map_init(struct group_map *map, const struct group_shape *shape)
{
	*map = (struct group_map){.shape = shape, .least_end_ms = INT64_MAX};
}

int group_map_count(struct group_map *map, int64_t step_ms, int64_t slices)
{
	size_t count = sizeof(uint64_t);

	while (count < (size_t)slices * 2)
		count *= 2;
	map->held = pool_alloc(map->shape->pool, count);
	if (!map->held)
		return -ENOMEM;
	map->held_count = count;
	map->step_ms = step_ms;
	return 0;
}

static uint8_t *held_at(const struct group_map *map, int64_t end_ms)
{
	int64_t number = end_ms / map->step_ms - (end_ms % map->step_ms < 0);

	return &map->held[(uint64_t)number & (map->held_count - 1)];
}

/* A count that is full stays so: there may be a group. */
static void count_held(const struct group_map *map, int64_t end_ms, int change)
{
	uint8_t *held = map->held ? held_at(map, end_ms) : NULL;

	if (held && *held < UINT8_MAX)
		*held = (uint8_t)(*held + change);
}

static bool all_zero(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word == 0;
}

int64_t group_latest(const struct group_map *map, int64_t end_ms, int64_t above_ms)
{
	size_t at = (size_t)(held_at(map, end_ms) - map->held);

	while (end_ms > above_ms && !map->held[at]) {
		size_t back = at >= 7 && all_zero(&map->held[at - 7]) ? 8 : 1;

		end_ms -= (int64_t)back * map->step_ms;
		at = (at - back) & (map->held_count - 1);
	}
	return end_ms;
}

static size_t group_size(const struct group_shape *shape)
{
	return sizeof(struct group) + shape->call_count * sizeof(struct acc) + shape->extra;
}

void *group_extra(const struct group_shape *shape, struct group *group)
{
	return &group->accs[shape->call_count];
}

static struct group **bucket_of(const struct group_map *map, const struct key *key, int64_t end_ms)
{
	uint64_t hash = (uint64_t)(uintptr_t)key / 16 * 0x9e3779b97f4a7c15u;

	hash ^= (uint64_t)end_ms * 0xc2b2ae3d27d4eb4fu;
	return &map->buckets[(hash ^ hash >> 29) & (map->bucket_count - 1)];
}

/* Most often it is the group that the key's row before went to. */
struct group *group_find(struct group_map *map, struct key *key, int64_t end_ms)
{
	struct group *group = key->recent;

	if (group && group->map == map && group->end_ms == end_ms)
		return group;
	if (!map->count)
		return NULL;
	group = *bucket_of(map, key, end_ms);
	while (group && (group->key != key || group->end_ms != end_ms))
		group = group->bucket_next;
	if (group)
		key->recent = group;
	return group;
}

static int grow(struct group_map *map)
{
	size_t count = map->bucket_count ? map->bucket_count * 2 : FIRST_BUCKETS;
	struct pool *pool = map->shape->pool;
	struct group **buckets;

	if (map->count < map->bucket_count)
		return 0;
	buckets = pool_alloc(pool, count * sizeof(struct group *));
	if (!buckets)
		return -ENOMEM;
	pool_free(pool, map->buckets, map->bucket_count * sizeof(struct group *));
	map->buckets = buckets;
	map->bucket_count = count;
	for (struct group *group = map->first; group; group = group->next) {
		struct group **bucket = bucket_of(map, group->key, group->end_ms);

		group->bucket_next = *bucket;
		*bucket = group;
	}
	return 0;
}

static int insert(struct group_map *map, struct group *group)
{
	struct group **bucket;
	int err = grow(map);

	if (err < 0)
		return err;
	bucket = bucket_of(map, group->key, group->end_ms);
	group->bucket_next = *bucket;
	*bucket = group;
	group->next = NULL;
	group->prev = map->last;
	*(map->last ? &map->last->next : &map->first) = group;
	map->last = group;
	map->count++;
	group->map = map;
	count_held(map, group->end_ms, 1);
	group->key->recent = group;
	if (group->end_ms < map->least_end_ms)
		map->least_end_ms = group->end_ms;
	return 0;
}

struct group *group_new(const struct group_shape *shape, struct key *key, int64_t end_ms)
{
	struct group *group = pool_alloc(shape->pool, group_size(shape));

	if (!group)
		return NULL;
	group->key = key_hold(key);
	group->end_ms = end_ms;
	return group;
}

struct group *group_get(struct group_map *map, struct key *key, int64_t end_ms)
{
	struct group *group = group_find(map, key, end_ms);

	if (group)
		return group;
	group = group_new(map->shape, key, end_ms);
	return group && insert(map, group) == 0 ? group : NULL;
}

void group_take(struct group_map *map, struct group *group)
{
	struct group **at = bucket_of(map, group->key, group->end_ms);

	while (*at != group)
		at = &(*at)->bucket_next;
	*at = group->bucket_next;
	*(group->prev ? &group->prev->next : &map->first) = group->next;
	*(group->next ? &group->next->prev : &map->last) = group->prev;
	group->map = NULL;
	count_held(map, group->end_ms, -1);
	if (group->key->recent == group)
		group->key->recent = NULL;
	if (--map->count == 0)
		map->least_end_ms = INT64_MAX;
}

struct group *group_put(struct group_map *map, struct group *group, int64_t end_ms)
{
	struct group *there = group_find(map, group->key, end_ms);

	if (!there) {
		group->end_ms = end_ms;
		return insert(map, group) == 0 ? group : NULL;
	}
	if (group_merge(map->shape, there, group) < 0)
		return NULL;
	group_free(map->shape, group);
	return there;
}

int group_add(const struct group_shape *shape, struct group *group, const struct value *cells)
{
	int err = 0;

	group->rows++;
	for (size_t i = 0; i < shape->call_count && err == 0; i++)
		err = acc_add(&group->accs[i], shape->pool, &shape->calls[i], cells);
	return err;
}

int group_retract(const struct group_shape *shape, struct group *group, const struct value *cells)
{
	int err = 0;

	group->rows--;
	for (size_t i = 0; i < shape->call_count && err == 0; i++)
		err = acc_retract(&group->accs[i], shape->pool, &shape->calls[i], cells);
	return err;
}

int group_merge(const struct group_shape *shape, struct group *group, const struct group *from)
{
	int err = 0;

	group->rows += from->rows;
	for (size_t i = 0; i < shape->call_count && err == 0; i++)
		err = acc_merge(&group->accs[i], shape->pool, &shape->calls[i], &from->accs[i]);
	return err;
}

void group_free(const struct group_shape *shape, struct group *group)
{
	for (size_t i = 0; i < shape->call_count; i++)
		acc_clear(&group->accs[i], shape->pool, &shape->calls[i]);
	key_release(shape->keys, group->key);
	pool_free(shape->pool, group, group_size(shape));
}

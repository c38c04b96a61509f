/* Groups: what a window aggregation keeps for one slice (or window) of one key, and the map that
 * finds it. The map keeps the order of first arrival, which decides the order in which Flink
 * prints. */
#ifndef EWIN_SIM_GROUP_H
#define EWIN_SIM_GROUP_H

#include "sim/aggregate.h"

struct key;
struct key_table;
struct pool;

struct group {
	struct group *bucket_next;
	struct group *next, *prev; /* in order of arrival */
	struct key *key;	   /* a reference is held */
	struct group_map *map;	   /* that it is in, or NULL */
	int64_t end_ms;		   /* of the slice or window */
	int64_t rows;
	struct acc accs[]; /* and behind them what the operator keeps itself: group_extra() */
};

/* The aggregate calls of an operator and where its state lives. */
struct group_shape {
	struct pool *pool;
	struct key_table *keys;
	const struct agg_call *calls;
	size_t call_count;
	size_t extra; /* bytes of group_extra() */
};

struct group_map {
	const struct group_shape *shape;
	struct group *first, *last;
	struct group **buckets;
	size_t bucket_count, count;
	int64_t least_end_ms; /* of all groups added since the map was last empty; else INT64_MAX */
	uint8_t *held; /* groups by the number of their slice, modulo its size; NULL: not counted */
	size_t held_count; /* a power of two */
	int64_t step_ms;   /* of slices */
};

void group_map_init(struct group_map *map, const struct group_shape *shape);

/* Counts the groups of an empty map by slices from now on, for group_latest(): some `slices` are
 * looked through at a time. 0 or -ENOMEM. */
int group_map_count(struct group_map *map, int64_t step_ms, int64_t slices);

/* Of a map that counts: the latest end of a slice, from end_ms down, at which there may be a
 * group of whatever key; above_ms, or less, where there is none above it. */
int64_t group_latest(const struct group_map *map, int64_t end_ms, int64_t above_ms);

/* The group, or NULL. */
struct group *group_find(struct group_map *map, struct key *key, int64_t end_ms);

/* The group, made empty where it was not there. NULL: no memory. */
struct group *group_get(struct group_map *map, struct key *key, int64_t end_ms);

/* Takes a group out of the map; it is the caller's. */
void group_take(struct group_map *map, struct group *group);

/* Puts a group that is in no map into this one, under this end: it is merged into the group there
 * and given back, or moves in as it is. NULL: no memory. */
struct group *group_put(struct group_map *map, struct group *group, int64_t end_ms);

/* Adds a row to a group. 0 or -ENOMEM. */
int group_add(const struct group_shape *shape, struct group *group, const struct value *cells);

/* Takes a row back that was added; the calls retract. 0 or -ENOMEM. */
int group_retract(const struct group_shape *shape, struct group *group, const struct value *cells);

/* Adds what another group has. 0 or -ENOMEM. */
int group_merge(const struct group_shape *shape, struct group *group, const struct group *from);

/* What an operator keeps in a group beside the accumulators: shape->extra bytes, zero at first.
 * What they hold is the operator's to give back, and to merge. */
void *group_extra(const struct group_shape *shape, struct group *group);

/* A group that is in no map. NULL: no memory. */
struct group *group_new(const struct group_shape *shape, struct key *key, int64_t end_ms);

/* Gives back a group that is in no map. */
void group_free(const struct group_shape *shape, struct group *group);

#endif

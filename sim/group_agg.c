/* GROUP BY without windows: the first row of a group is +I, each later one that changes its
 * result a -U of the old and a +U of the new. Rows may be taken back, where the input is a
 * changelog itself: the group whose last row goes is a -D and forgotten. Recorded:
 * semantics/edge_group_none, semantics/edge_group_start_only,
 * watermark/mistakes/filtered_no_window_count. */
#include "sim/group_agg.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/group.h"
#include "sim/key.h"
#include "sim/pool.h"

struct group_agg {
	struct op op;
	const struct window_agg_spec *spec;
	struct pool pool;
	struct key_table keys;
	struct group_shape shape;
	struct group_map groups;
	struct value *key;
	struct value *before, *after; /* result rows: keys, then calls */
};

/* The row's group, or NULL where there is none: made for a row that is added, not for one that is
 * taken back. */
static int row_group(
	struct group_agg *agg, const struct value *cells, bool make, struct group **ret)
{
	struct key *key;

	for (size_t i = 0; i < agg->spec->key_count; i++)
		agg->key[i] = cells[agg->spec->keys[i]];
	key = key_get(&agg->keys, agg->key);
	if (!key)
		return -ENOMEM;
	*ret = make ? group_get(&agg->groups, key, 0) : group_find(&agg->groups, key, 0);
	key_release(&agg->keys, key);
	return *ret || !make ? 0 : -ENOMEM;
}

static void result(const struct group_agg *agg, const struct group *group, struct value *ret)
{
	for (size_t i = 0; i < agg->spec->key_count; i++)
		*ret++ = group->key->values[i];
	for (size_t i = 0; i < agg->spec->call_count; i++)
		acc_result(&group->accs[i], &agg->spec->calls[i], ret++);
}

/* Texts of the old row must outlive what the new one replaces. */
static int keep_before(struct group_agg *agg)
{
	int err = 0;

	for (size_t i = 0; i < agg->spec->call_count && err == 0; i++) {
		struct value *value = &agg->before[agg->spec->key_count + i];

		err = value_keep(&agg->pool, &agg->spec->calls[i].type, value, value);
	}
	return err;
}

static bool changed(const struct group_agg *agg)
{
	for (size_t i = 0; i < agg->spec->call_count; i++) {
		size_t at = agg->spec->key_count + i;

		if (!value_same(&agg->spec->calls[i].type, &agg->before[at], &agg->after[at]))
			return true;
	}
	return false;
}

static void drop_before(struct group_agg *agg)
{
	for (size_t i = 0; i < agg->spec->call_count; i++)
		value_drop(&agg->pool, &agg->spec->calls[i].type,
			&agg->before[agg->spec->key_count + i]);
}

static int delete_group(struct group_agg *agg, struct group *group)
{
	int err = op_row(agg->op.down, OP_DELETE, agg->before);

	group_take(&agg->groups, group);
	group_free(&agg->shape, group);
	return err;
}

static int print(struct group_agg *agg, struct group *group, bool first)
{
	int err = 0;

	if (group->rows <= 0)
		return delete_group(agg, group);
	result(agg, group, agg->after);
	if (first)
		return op_row(agg->op.down, OP_INSERT, agg->after);
	if (!changed(agg))
		return 0;
	err = op_row(agg->op.down, OP_UPDATE_BEFORE, agg->before);
	return err ? err : op_row(agg->op.down, OP_UPDATE_AFTER, agg->after);
}

static int group_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct group_agg *agg = (struct group_agg *)op;
	bool add = kind == OP_INSERT || kind == OP_UPDATE_AFTER;
	struct group *group;
	bool first;
	int err = row_group(agg, cells, add, &group);

	if (err < 0 || !group)
		return err;
	first = group->rows == 0;
	result(agg, group, agg->before);
	err = keep_before(agg);
	if (err == 0)
		err = add ? group_add(&agg->shape, group, cells)
			  : group_retract(&agg->shape, group, cells);
	if (err == 0)
		err = print(agg, group, first);
	drop_before(agg);
	return err;
}

static int group_watermark(struct op *op, int64_t wm_ms)
{
	return op_watermark(op->down, wm_ms);
}

struct op *group_agg_new(struct arena *arena, const struct window_agg_spec *spec, struct op *down)
{
	struct group_agg *agg = ARENA_NEW(arena, struct group_agg);
	size_t width = spec->key_count + spec->call_count + 1;

	if (!agg)
		return NULL;
	*agg = (struct group_agg){.op = {group_row, group_watermark, down}, .spec = spec};
	pool_init(&agg->pool, arena);
	key_table_init(&agg->keys, &agg->pool, spec->key_types, spec->key_count);
	agg->shape = (struct group_shape){&agg->pool, &agg->keys, spec->calls, spec->call_count, 0};
	group_map_init(&agg->groups, &agg->shape);
	agg->key = arena_array(arena, width, sizeof(struct value));
	agg->before = arena_array(arena, width, sizeof(struct value));
	agg->after = arena_array(arena, width, sizeof(struct value));
	return agg->key && agg->before && agg->after ? &agg->op : NULL;
}

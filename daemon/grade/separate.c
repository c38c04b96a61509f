/* The mistakes of a step by the fingerprints of their tables. */
#include "daemon/grade/separate.h"

#include <errno.h>

#include "parser/arena.h"

/* ---- grouping ---- */

static bool same_table(
	const struct catalogue *catalogue, const struct catalogued *a, const struct catalogued *b)
{
	return catalogue->shapes[a->shape].form == catalogue->shapes[b->shape].form &&
	       a->updates == b->updates && fingerprint_equal(&a->print, &b->print);
}

static bool takes_part(const struct catalogued *item, size_t query)
{
	return item->query == query && !item->mistake.far && !item->refused && !item->unknown;
}

static int add_item(
	struct arena *arena, struct lookalikes *group, size_t most, const struct catalogued *item)
{
	if (!group->items)
		group->items = arena_array(arena, most, sizeof(*group->items));
	if (!group->items)
		return -ENOMEM;
	group->items[group->count++] = item;
	return 0;
}

int separate_query(struct arena *arena, const struct catalogue *catalogue, size_t query,
	bool any_mode, struct separation *ret)
{
	struct separation s = {
		.groups = arena_array(arena, catalogue->count + 1, sizeof(*s.groups)),
		.count = 1,
		.all = arena_array(arena, catalogue->count + 1, sizeof(*s.all))};
	const struct table *asked = mutator_table(catalogue->mutator, query);
	bool updates = table_is_corrected(asked);
	struct fingerprint right;

	if (!s.groups || !s.all || fingerprint_of(arena, asked, &right))
		return -ENOMEM;
	s.groups[0].right = true;
	for (size_t i = 0; i < catalogue->count; i++) {
		const struct catalogued *item = &catalogue->items[i];
		size_t at = 0;

		if (!takes_part(item, query))
			continue;
		s.all[s.mistakes++] = item;
		if (!fingerprint_equal(&item->print, &right) || item->updates != updates ||
			(!any_mode && catalogue->shapes[item->shape].form != asked->form))
			for (at = 1; at < s.count; at++)
				if (same_table(catalogue, s.groups[at].items[0], item))
					break;
		s.count += at == s.count;
		if (add_item(arena, &s.groups[at], catalogue->count - i + 1, item))
			return -ENOMEM;
	}
	*ret = s;
	return 0;
}

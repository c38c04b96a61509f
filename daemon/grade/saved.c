/* Saved tables, held against what the script beside them printed: same kind of run, same names,
 * same rows. */
#include "daemon/grade/saved.h"

#include <errno.h>

#include "daemon/grade/compare.h"
#include "parser/arena.h"

int saved_find(const struct grading *g, struct saved *ret)
{
	const struct transcript *t = &g->transcript;
	struct saved saved = {.items = arena_array(g->arena, t->count + 1, sizeof(*saved.items))};

	if (!saved.items)
		return -ENOMEM;
	for (size_t i = 0; i < t->count; i++)
		if (t->results[i].kind == RESULT_TABLE && t->results[i].table.form != TABLE_CATALOG)
			saved.items[saved.count++] = &t->results[i];
	*ret = saved;
	return 0;
}

bool saved_yielded(const struct grading *g, const struct saved *saved, struct causes *causes)
{
	for (size_t i = 0; i < saved->count; i++)
		for (size_t k = 0; k < g->script.count; k++) {
			const struct table *table = &g->script.results[k].table;
			bool equal = false;

			if (g->script.results[k].kind != STMT_SELECT ||
				table->form != saved->items[i]->table.form)
				continue;
			if (tables_equal(g->arena, table, &saved->items[i]->table, &equal))
				causes->nomem = true;
			if (equal)
				return true;
		}
	return false;
}

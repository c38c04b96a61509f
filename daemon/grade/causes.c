/* Causes: a list without doubles. */
#include "daemon/grade/causes.h"

#include "parser/arena.h"

void causes_init(struct causes *causes, struct arena *arena)
{
	*causes = (struct causes){.arena = arena};
}

static bool is_there(const struct causes *causes, const struct diagnosis *cause)
{
	for (size_t i = 0; i < causes->count; i++) {
		const struct diagnosis *item = &causes->items[i];

		if (item->id == cause->id && text_eq(item->param, cause->param) &&
			(item->table == cause->table || item->table == 0))
			return true;
	}
	return false;
}

void causes_add_measured(struct causes *causes, const struct diagnosis *cause)
{
	if (is_there(causes, cause))
		return;
	if (arena_grow(causes->arena, &causes->items, causes->count, &causes->room, sizeof(*cause)))
		causes->nomem = true;
	else
		causes->items[causes->count++] = *cause;
}

void causes_add_at(struct causes *causes, enum diagnosis_id id, struct text param, int table)
{
	struct diagnosis cause = {.id = id, .param = param, .table = table, .changes = -1};

	causes_add_measured(causes, &cause);
}

void causes_add(struct causes *causes, enum diagnosis_id id, struct text param)
{
	causes_add_at(causes, id, param, 0);
}

bool causes_have(const struct causes *causes, enum diagnosis_id id)
{
	for (size_t i = 0; i < causes->count; i++)
		if (causes->items[i].id == id)
			return true;
	return false;
}

void causes_either(struct causes *causes, size_t from)
{
	for (size_t i = from; causes->count - from > 1 && i < causes->count; i++)
		causes->items[i].ambiguous = true;
}

/* Steps of several result tables. Right tables in another order: were the queries exchanged, or
 * the definitions that they read? The names of the tables tell, where the learner kept those of
 * the reference. The same result twice: did both queries read one table? */
#include "daemon/grade/choose.h"
#include "daemon/grade/compare.h"
#include "daemon/grade/diagnosing.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"

/* The tables that the queries read, in order: their definitions. */
struct sources {
	const struct sql_create_table **tables;
	size_t count;
};

static int find_sources(struct arena *arena, const struct written *written, struct sources *ret)
{
	struct sources sources = {
		.tables = arena_array(arena, written->count + 1, sizeof(*sources.tables))};

	if (!sources.tables)
		return -1;
	for (size_t i = 0; i < written->count; i++)
		if (!written->items[i].err && written->items[i].tree.kind == STMT_SELECT)
			sources.tables[sources.count++] =
				query_table(written, i, written->items[i].tree.query);
	*ret = sources;
	return 0;
}

static bool same_name(const struct sources *a, size_t i, const struct sources *b, size_t k)
{
	return a->tables[i] && b->tables[k] && text_ieq(a->tables[i]->name, b->tables[k]->name);
}

/* Is each query's table named as the reference's query at the same place names it? */
static bool names_in_place(const struct sources *mine, const struct sources *asked)
{
	for (size_t i = 0; i < asked->count; i++)
		if (!same_name(mine, i, asked, i))
			return false;
	return true;
}

/* The delays in force, of the tables of the script's queries. */
static void name_delays(const struct grading *g, struct causes *causes)
{
	size_t number = 0;

	for (size_t i = 0; i < g->script.count && number < g->expected->count; i++) {
		const struct query_facts *facts = &g->script.results[i].facts;

		if (g->script.results[i].kind != STMT_SELECT)
			continue;
		number++;
		if (g->script.results[i].has_facts && facts->delay_known)
			causes_add_at(causes, DIAG_DELAY,
				text_duration(g->arena, facts->delay_ms, ""), (int)number);
	}
}

static void swapped(const struct grading *g, const struct sources *mine,
	const struct sources *asked, struct causes *causes)
{
	size_t from = causes->count;
	bool known = mine->count == asked->count;

	if (known && names_in_place(mine, asked)) {
		name_delays(g, causes);
		if (causes->count > from)
			return;
	}
	causes_add(causes, DIAG_ORDER_OF_TABLES, (struct text){0});
}

static void repeated(const struct grading *g, const struct choice *choice,
	const struct sources *mine, const struct sources *asked, struct causes *causes)
{
	for (size_t i = 0; i < asked->count; i++)
		for (size_t k = i + 1; k < asked->count; k++) {
			bool equal = false;

			if (!choice->tables[i] || !choice->tables[k] ||
				same_name(asked, i, asked, k) || !same_name(mine, i, mine, k))
				continue;
			if (tables_equal(g->arena, &choice->tables[i]->table,
				    &choice->tables[k]->table, &equal))
				causes->nomem = true;
			if (equal)
				causes_add(causes, DIAG_TABLE_REPEATED,
					text_format(g->arena, "%zu",
						(same_name(mine, i, asked, i) ? i : k) + 1));
		}
}

void diagnose_order(const struct grading *g, const struct verdict *verdict, struct causes *causes)
{
	struct text sql = g->has_script ? g->submission->sql.bytes : (struct text){0};
	struct written written = {0}, reference = {0};
	struct sources mine = {0}, asked = {0};
	size_t failed;

	if (g->expected->count < 2 || g->step->kind != STEP_TABLES)
		return;
	if (written_of(g->arena, sql, &g->transcript, &written, &failed) ||
		written_sql(g->arena, g->expected->sql, &reference) ||
		find_sources(g->arena, &written, &mine) ||
		find_sources(g->arena, &reference, &asked)) {
		causes->nomem = true;
		return;
	}
	if (verdict->summary.id == MSG_TABLES_SWAPPED)
		swapped(g, &mine, &asked, causes);
	else if (mine.count == asked.count && g->choice.found == asked.count)
		repeated(g, &g->choice, &mine, &asked, causes);
}

/* Keeping what a script printed: the tables and facts, without the syntax trees, plans and
 * operators that made them, which are many times as much. Each array is as long as it has to
 * be. */
#include <errno.h>
#include <string.h>

#include "daemon/grade/script.h"
#include "parser/arena.h"

struct keeping {
	struct arena *arena;
	bool nomem;
};

/* A text that is not there stays so. */
static struct text keep_text(struct keeping *k, struct text text)
{
	struct text copy = text.ptr ? text_copy(k->arena, text) : text;

	k->nomem = k->nomem || (text.ptr && !copy.ptr);
	return copy;
}

static void *keep_array(struct keeping *k, const void *items, size_t count, size_t size)
{
	void *copy = count ? arena_array(k->arena, count, size) : NULL;

	k->nomem = k->nomem || (count && !copy);
	return copy ? memcpy(copy, items, count * size) : NULL;
}

/* Are values of this type texts? */
static bool is_text(enum sql_kind kind)
{
	return kind == SQL_ANY || kind == SQL_CHAR || kind == SQL_VARCHAR || kind == SQL_BINARY ||
	       kind == SQL_VARBINARY || kind == SQL_OTHER;
}

static void keep_row(struct keeping *k, const struct table *table, struct row *row)
{
	row->cells = keep_array(
		k, row->cells, row->cells ? table->column_count : 0, sizeof(*row->cells));
	for (size_t i = 0; row->cells && i < table->column_count; i++)
		if (is_text(table->columns[i].type.kind) && !row->cells[i].null)
			row->cells[i].s = keep_text(k, row->cells[i].s);
}

static void keep_table(struct keeping *k, struct table *table)
{
	table->columns =
		keep_array(k, table->columns, table->column_count, sizeof(*table->columns));
	for (size_t i = 0; table->columns && i < table->column_count; i++) {
		struct column *column = &table->columns[i];

		column->name = keep_text(k, column->name);
		column->type.spelled = keep_text(k, column->type.spelled);
	}
	table->rows = keep_array(k, table->rows, table->row_count, sizeof(*table->rows));
	for (size_t i = 0; !k->nomem && i < table->row_count; i++)
		keep_row(k, table, &table->rows[i]);
}

static void keep_result(struct keeping *k, struct script_result *result)
{
	result->name = keep_text(k, result->name);
	result->facts.path = keep_text(k, result->facts.path);
	result->facts.format = keep_text(k, result->facts.format);
	result->facts.connector = keep_text(k, result->facts.connector);
	keep_table(k, &result->table);
}

int script_keep(struct arena *arena, const struct script *script, struct script *ret)
{
	struct keeping k = {.arena = arena};
	struct script kept = *script;

	kept.room = kept.count;
	kept.error = keep_text(&k, script->error);
	kept.error_place = keep_text(&k, script->error_place);
	kept.results = keep_array(&k, script->results, script->count, sizeof(*kept.results));
	for (size_t i = 0; !k.nomem && i < kept.count; i++)
		keep_result(&k, &kept.results[i]);
	if (k.nomem)
		return -ENOMEM;
	*ret = kept;
	return 0;
}

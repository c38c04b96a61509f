/* SHOW, and the databases of the one catalog. SHOW CREATE TABLE prints types that were recorded in it.
 * Recorded: format/stmt_show, watermark/mistakes/ddl_show_columns, more_sim/ddl_ok_explain_first,
 * more_sim/ddl_ok_use_show, more_sim/w5_db_lab, more_sim/w5_use_lab. */
#include "sim/show.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/describe.h"

#define CATALOG	 "default_catalog"
#define DATABASE "default_database"

static int begin(struct arena *arena, struct text name, const struct sim_sink *sink)
{
	static const struct sql_type string = {.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH};
	struct table shape = {.form = TABLE_CATALOG, .column_count = 1};

	shape.columns = ARENA_NEW(arena, struct column);
	if (!shape.columns)
		return -ENOMEM;
	*shape.columns = (struct column){name, string};
	return sink->begin(sink->ctx, &shape);
}

static int row(struct text text, const struct sim_sink *sink)
{
	return sink->row(sink->ctx, OP_INSERT, &(struct value){.s = text});
}

static int one_row(
	struct arena *arena, struct text name, struct text text, const struct sim_sink *sink)
{
	int err = begin(arena, name, sink);

	return err ? err : row(text, sink);
}

static bool shown(const struct catalog_entry *entry, bool views_only)
{
	return !entry->dropped && (entry->is_view || !views_only);
}

/* The smallest name above `after` (whose ptr is NULL at first); false: none. */
static bool next_name(
	const struct catalog *catalog, bool views_only, struct text after, struct text *ret)
{
	bool found = false;

	for (const struct catalog_entry *entry = catalog->first; entry; entry = entry->next) {
		if (!shown(entry, views_only) || (after.ptr && text_cmp(entry->name, after) <= 0) ||
			(found && text_cmp(entry->name, *ret) >= 0))
			continue;
		*ret = entry->name;
		found = true;
	}
	return found;
}

static int show_tables(const struct catalog *catalog, bool views_only, const struct sim_sink *sink)
{
	struct text name = {0};
	int err = begin(catalog->arena, views_only ? TEXT("view name") : TEXT("table name"), sink);

	while (err == 0 && next_name(catalog, views_only, name, &name))
		err = row(name, sink);
	return err;
}

/* A type as SHOW CREATE TABLE spells it; its ptr is NULL where that was never seen. */
static struct text create_type(struct arena *arena, const struct sql_type *type)
{
	switch (type->kind) {
	case SQL_VARCHAR: return text_format(arena, "VARCHAR(%d)", (int)type->precision);
	case SQL_INT:
	case SQL_BIGINT:
	case SQL_TIMESTAMP: return sql_type_print(arena, type);
	default: return (struct text){0};
	}
}

static struct text create_columns(struct arena *arena, const struct catalog_entry *table)
{
	struct text lines = TEXT("");

	for (size_t i = 0; i < table->column_count && lines.ptr; i++) {
		const struct sql_column *column = &table->columns[i];
		struct text type = create_type(arena, &column->type);

		if (!type.ptr || column->kind != COLUMN_PHYSICAL || column->has_comment ||
			column->type.not_null)
			return (struct text){0};
		lines = text_format(arena, "%.*s%s  `%.*s` %.*s", TEXT_ARG(lines), i ? ",\n" : "",
			TEXT_ARG(column->name), TEXT_ARG(type));
	}
	if (!lines.ptr || !table->has_watermark)
		return lines;
	return text_format(arena, "%.*s,\n  WATERMARK FOR `%.*s` AS %.*s", TEXT_ARG(lines),
		TEXT_ARG(table->watermark_column),
		TEXT_ARG(sql_expr_print(arena, table->watermark)));
}

/* The option with the smallest key above `after`, or NULL. */
static const struct sql_option *next_option(const struct catalog_entry *table, struct text after)
{
	const struct sql_option *found = NULL;

	for (size_t i = 0; i < table->option_count; i++) {
		const struct sql_option *option = &table->options[i];

		if ((after.ptr && text_cmp(option->key, after) <= 0) ||
			(found && text_cmp(option->key, found->key) > 0))
			continue;
		found = option;
	}
	return found;
}

static struct text create_options(struct arena *arena, const struct catalog_entry *table)
{
	const struct sql_option *option = next_option(table, (struct text){0});
	struct text lines = TEXT("");

	while (option && lines.ptr) {
		if (text_find(option->value, TEXT("'")) < option->value.len)
			return (struct text){0};
		lines = text_format(arena, "%.*s%s  '%.*s' = '%.*s'", TEXT_ARG(lines),
			lines.len ? ",\n" : "", TEXT_ARG(option->key), TEXT_ARG(option->value));
		option = next_option(table, option->key);
	}
	return lines;
}

static int show_create(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	const struct catalog *catalog = planner->catalog;
	const struct catalog_entry *table = catalog_find(catalog, statement->name);
	struct text columns = {0}, options = {0};

	if (table && !table->is_view && !table->temporary && !table->primary_key_count &&
		!catalog->databases && table->option_count) {
		columns = create_columns(catalog->arena, table);
		options = create_options(catalog->arena, table);
	}
	if (!columns.len || !options.len)
		return refuse(planner, statement->pos, "SHOW CREATE TABLE of this");
	return one_row(catalog->arena, TEXT("result"),
		text_format(catalog->arena,
			"CREATE TABLE `" CATALOG "`.`" DATABASE "`.`%.*s` (\n%.*s\n)%sWITH (\n"
			"%.*s\n)\n",
			TEXT_ARG(table->name), TEXT_ARG(columns),
			planner->release < FLINK_2_0 ? " " : "\n", TEXT_ARG(options)),
		sink);
}

int show(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	const struct catalog *catalog = planner->catalog;
	struct text what = statement->what;
	bool alone = !statement->more && !statement->name.len && !catalog->databases;

	if (text_eq(what, TEXT("CREATE TABLE")) && !statement->more)
		return show_create(planner, statement, sink);
	if (text_eq(what, TEXT("TABLES")) && alone)
		return show_tables(catalog, false, sink);
	if (text_eq(what, TEXT("VIEWS")) && alone)
		return show_tables(catalog, true, sink);
	if (text_eq(what, TEXT("CATALOGS")) && alone)
		return one_row(catalog->arena, TEXT("catalog name"), TEXT(CATALOG), sink);
	if (text_eq(what, TEXT("DATABASES")) && alone)
		return one_row(catalog->arena, TEXT("database name"), TEXT(DATABASE), sink);
	if (text_eq(what, TEXT("CURRENT CATALOG")))
		return one_row(catalog->arena, TEXT("current catalog name"), TEXT(CATALOG), sink);
	if (text_eq(what, TEXT("JARS")))
		return begin(catalog->arena, TEXT("jars"), sink);
	return refuse(planner, statement->pos, "This SHOW");
}

/* ---- databases ---- */

static bool made(const struct catalog *catalog, struct text name)
{
	for (const struct database *database = catalog->databases; database;
		database = database->next)
		if (text_eq(database->name, name))
			return true;
	return text_eq(name, TEXT(DATABASE));
}

static int create_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct database *database;

	if (made(catalog, statement->name))
		return statement->if_not_exists
			       ? 0
			       : refuse(planner, statement->pos, "A database that is there");
	database = ARENA_NEW(catalog->arena, struct database);
	if (!database)
		return diag_nomem(planner->diag);
	*database = (struct database){statement->name, catalog->databases};
	catalog->databases = database;
	return 0;
}

static bool has_tables(const struct catalog *catalog)
{
	for (const struct catalog_entry *entry = catalog->first; entry; entry = entry->next)
		if (!entry->dropped && !entry->temporary)
			return true;
	return false;
}

static int use(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct text current = catalog->database.len ? catalog->database : TEXT(DATABASE);

	if (text_eq(statement->name, current))
		return 0;
	if (!made(catalog, statement->name) || has_tables(catalog))
		return refuse(planner, statement->pos, "USE of this database");
	catalog->database = statement->name;
	return 0;
}

int use_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	if (!statement->name.len)
		return refuse(planner, statement->pos, "This statement");
	if (text_eq(statement->what, TEXT("CREATE DATABASE")))
		return create_database(planner, catalog, statement);
	if (!text_eq(statement->what, TEXT("USE CATALOG")))
		return use(planner, catalog, statement);
	if (!text_eq(statement->name, TEXT(CATALOG)) || catalog->databases)
		return refuse(planner, statement->pos, "USE of this catalog");
	return 0;
}

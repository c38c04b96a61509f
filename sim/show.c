/* SHOW: names in their order, by themselves or LIKE a pattern.
 * Recorded: format/stmt_show, watermark/mistakes/ddl_show_columns, more_sim/ddl_ok_explain_first,
 * more_sim/ddl_ok_use_show, more_sim/show_like. */
#include "sim/show.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "sim/fault.h"

int show_one_row(
	struct arena *arena, struct text name, struct text text, const struct sim_sink *sink)
{
	int err = show_begin(arena, name, sink);

	return err ? err : sink->row(sink->ctx, OP_INSERT, &(struct value){.s = text});
}

int show_begin(struct arena *arena, struct text name, const struct sim_sink *sink)
{
	static const struct sql_type string = {.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH};
	struct table shape = {.form = TABLE_CATALOG, .column_count = 1};

	shape.columns = ARENA_NEW(arena, struct column);
	if (!shape.columns)
		return -ENOMEM;
	*shape.columns = (struct column){name, string};
	return sink->begin(sink->ctx, &shape);
}

/* LIKE without an escape: % is any text, _ one character. */
static bool is_like(struct text name, struct text pattern)
{
	while (pattern.len && pattern.ptr[0] != '%') {
		size_t len, in_pattern;

		if (!name.len)
			return false;
		utf8_decode(name, &len);
		utf8_decode(pattern, &in_pattern);
		if (pattern.ptr[0] != '_' &&
			!text_eq(text_slice(name, 0, len), text_slice(pattern, 0, in_pattern)))
			return false;
		name = text_slice(name, len, name.len);
		pattern = text_slice(pattern, in_pattern, pattern.len);
	}
	if (!pattern.len)
		return !name.len;
	pattern = text_slice(pattern, 1, pattern.len);
	for (size_t i = 0; i <= name.len; i++)
		if (is_like(text_slice(name, i, name.len), pattern))
			return true;
	return false;
}

bool show_matches(const struct sql_statement *statement, struct text name)
{
	return !statement->liked || is_like(name, statement->like) != statement->not_like;
}

/* A list of names that is gone through in their order. */
struct names {
	const struct catalog *catalog;
	struct text database;
	bool views_only;
};

static bool shown(const struct names *names, const struct catalog_entry *entry)
{
	return !entry->dropped && text_eq(entry->database, names->database) &&
	       (entry->is_view || !names->views_only);
}

/* The smallest name above `after` (whose ptr is NULL at first); false: none. */
static bool next_table(const struct names *names, struct text after, struct text *ret)
{
	bool found = false;

	for (const struct catalog_entry *entry = names->catalog->first; entry;
		entry = entry->next) {
		if (!shown(names, entry) || (after.ptr && text_cmp(entry->name, after) <= 0) ||
			(found && text_cmp(entry->name, *ret) >= 0))
			continue;
		*ret = entry->name;
		found = true;
	}
	return found;
}

/* The default database is one of them, though nobody made it. */
static bool next_database(const struct names *names, struct text after, struct text *ret)
{
	const struct database *database = names->catalog->databases;
	struct text name = TEXT(DATABASE);
	bool found = false;

	for (;; name = database->name, database = database->next) {
		if ((!after.ptr || text_cmp(name, after) > 0) &&
			(!found || text_cmp(name, *ret) < 0)) {
			*ret = name;
			found = true;
		}
		if (!database)
			return found;
	}
}

static int show_names(const struct sql_statement *statement, const struct names *names,
	bool (*next)(const struct names *, struct text, struct text *), const struct sim_sink *sink)
{
	struct text name = {0};
	int err = 0;

	while (err == 0 && next(names, name, &name))
		if (show_matches(statement, name))
			err = sink->row(sink->ctx, OP_INSERT, &(struct value){.s = name});
	return err;
}

static int show_tables(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	struct names names = {planner->catalog, planner->catalog->database,
		text_eq(statement->what, TEXT("VIEWS"))};
	int err;

	if (statement->name.len)
		names.database = statement->name;
	if (!catalog_has_database(names.catalog, names.database))
		return plan_fault(planner,
			FAULT_VALIDATION "Database 'default_catalog'.'%.*s' doesn't exist.",
			TEXT_ARG(names.database));
	err = show_begin(names.catalog->arena,
		names.views_only ? TEXT("view name") : TEXT("table name"), sink);
	return err ? err : show_names(statement, &names, next_table, sink);
}

static int show_databases(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	struct names names = {.catalog = planner->catalog};
	int err;

	if (statement->name.len)
		return refuse(planner, statement->pos, "SHOW DATABASES of a catalog");
	err = show_begin(names.catalog->arena, TEXT("database name"), sink);
	return err ? err : show_names(statement, &names, next_database, sink);
}

static int show_catalogs(
	struct arena *arena, const struct sql_statement *statement, const struct sim_sink *sink)
{
	int err = show_begin(arena, TEXT("catalog name"), sink);

	if (err || !show_matches(statement, TEXT(CATALOG)))
		return err;
	return sink->row(sink->ctx, OP_INSERT, &(struct value){.s = TEXT(CATALOG)});
}

/* A view's query is printed by Flink's own planner. */
static int show_create_view(struct planner *planner, const struct sql_statement *statement)
{
	const struct catalog_entry *table =
		catalog_find(planner->catalog, TEXT(""), statement->name);

	if (!table || table->is_view)
		return refuse(planner, statement->pos, "SHOW CREATE VIEW");
	return plan_fault(planner,
		FAULT_TABLE "SHOW CREATE VIEW is only supported for views, but "
			    "`default_catalog`.`%.*s`.`%.*s` is a table. Please use SHOW CREATE "
			    "TABLE instead.",
		TEXT_ARG(table->database), TEXT_ARG(table->name));
}

/* What is shown without a name or a pattern. */
static int show_plain(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	const struct catalog *catalog = planner->catalog;
	struct text what = statement->what;

	if (text_eq(what, TEXT("CURRENT CATALOG")))
		return show_one_row(
			catalog->arena, TEXT("current catalog name"), TEXT(CATALOG), sink);
	if (text_eq(what, TEXT("CURRENT DATABASE")))
		return show_one_row(
			catalog->arena, TEXT("current database name"), catalog->database, sink);
	if (text_eq(what, TEXT("JARS")))
		return show_begin(catalog->arena, TEXT("jars"), sink);
	if (text_eq(what, TEXT("USER FUNCTIONS")))
		return show_begin(catalog->arena, TEXT("function name"), sink);
	if (text_eq(what, TEXT("MODULES")))
		return show_one_row(catalog->arena, TEXT("module name"), TEXT("core"), sink);
	if (text_eq(what, TEXT("PROCEDURES")))
		return plan_fault(planner,
			"java.lang.UnsupportedOperationException: listProcedures is not "
			"implemented for class "
			"org.apache.flink.table.catalog.GenericInMemoryCatalog.");
	return refuse(planner, statement->pos, "This SHOW");
}

int show(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	struct text what = statement->what;

	if (statement->more || text_find(statement->like, TEXT("\\")) < statement->like.len)
		return refuse(planner, statement->pos, "This SHOW");
	if (text_eq(what, TEXT("CREATE TABLE")) && !statement->liked)
		return show_create(planner, statement, sink);
	if (text_eq(what, TEXT("CREATE VIEW")) && !statement->liked)
		return show_create_view(planner, statement);
	if (text_eq(what, TEXT("TABLES")) || text_eq(what, TEXT("VIEWS")))
		return show_tables(planner, statement, sink);
	if (text_eq(what, TEXT("DATABASES")))
		return show_databases(planner, statement, sink);
	if (text_eq(what, TEXT("CATALOGS")) && !statement->name.len)
		return show_catalogs(planner->catalog->arena, statement, sink);
	if (statement->liked || statement->name.len)
		return refuse(planner, statement->pos, "This SHOW");
	return show_plain(planner, statement, sink);
}

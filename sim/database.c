/* Databases: a name that somebody made, and that tables have. Tables are looked up in the one in
 * use. Recorded: format/stmt_ddl_misc, more_sim/ddl_ok_use_show, more_sim/w5_db_lab,
 * more_sim/w5_use_lab, more_sim/use_*. */
#include "sim/database.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

#define EXCEPTIONS "org.apache.flink.table.catalog.exceptions."

static int create_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct database *database;

	if (catalog_has_database(catalog, statement->name))
		return statement->if_not_exists
			       ? 0
			       : plan_fault(planner,
					 EXCEPTIONS "DatabaseAlreadyExistException: Database %.*s "
						    "already exists in Catalog default_catalog.",
					 TEXT_ARG(statement->name));
	database = ARENA_NEW(catalog->arena, struct database);
	if (!database)
		return diag_nomem(planner->diag);
	*database = (struct database){statement->name, catalog->databases};
	catalog->databases = database;
	return 0;
}

static bool has_tables(const struct catalog *catalog, struct text database)
{
	for (const struct catalog_entry *entry = catalog->first; entry; entry = entry->next)
		if (!entry->dropped && text_eq(entry->database, database))
			return true;
	return false;
}

static void drop_tables(struct catalog *catalog, struct text database)
{
	for (struct catalog_entry *entry = catalog->first; entry; entry = entry->next)
		entry->dropped |= text_eq(entry->database, database);
}

static int drop_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct database **link = &catalog->databases;

	if (text_eq(statement->name, catalog->database))
		return plan_fault(planner,
			FAULT_VALIDATION "Cannot drop a database which is currently in use.");
	while (*link && !text_eq((*link)->name, statement->name))
		link = &(*link)->next;
	if (!*link && statement->if_exists && !text_eq(statement->name, TEXT(DATABASE)))
		return 0;
	if (!*link && text_eq(statement->name, TEXT(DATABASE)))
		return refuse(planner, statement->pos, "DROP of the default database");
	if (!*link)
		return plan_fault(planner,
			EXCEPTIONS "DatabaseNotExistException: Database %.*s does not exist in "
				   "Catalog default_catalog.",
			TEXT_ARG(statement->name));
	if (has_tables(catalog, statement->name) && !statement->cascade)
		return plan_fault(planner,
			EXCEPTIONS "DatabaseNotEmptyException: Database %.*s in catalog "
				   "default_catalog is not empty.",
			TEXT_ARG(statement->name));
	drop_tables(catalog, statement->name);
	*link = (*link)->next;
	return 0;
}

static int use(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	if (!catalog_has_database(catalog, statement->name))
		return plan_fault(planner,
			EXCEPTIONS "CatalogException: A database with name [%.*s] does not exist "
				   "in the catalog: [default_catalog].",
			TEXT_ARG(statement->name));
	catalog->database = statement->name;
	return 0;
}

/* The catalog that is there by itself has nothing to tell. Recorded: format/stmt_describe_types. */
static int describe_catalog(struct planner *planner, const struct sql_statement *statement)
{
	if (!text_eq(statement->name, TEXT(CATALOG)))
		return refuse(planner, statement->pos, "DESCRIBE of this catalog");
	return plan_fault(planner, FAULT_VALIDATION
		"Cannot obtain metadata information from Catalog default_catalog.");
}

int use_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	if (!statement->name.len)
		return refuse(planner, statement->pos, "This statement");
	if (text_eq(statement->what, TEXT("CREATE DATABASE")))
		return create_database(planner, catalog, statement);
	if (text_eq(statement->what, TEXT("DROP DATABASE")))
		return drop_database(planner, catalog, statement);
	if (text_eq(statement->what, TEXT("DESCRIBE CATALOG")) ||
		text_eq(statement->what, TEXT("DESC CATALOG")))
		return describe_catalog(planner, statement);
	if (!text_eq(statement->what, TEXT("USE CATALOG")))
		return use(planner, catalog, statement);
	if (!text_eq(statement->name, TEXT(CATALOG)))
		return plan_fault(planner,
			EXCEPTIONS "CatalogException: A catalog with name [%.*s] does not exist.",
			TEXT_ARG(statement->name));
	return 0;
}

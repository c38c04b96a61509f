/* Catalog: the tables and views of a session. */
#ifndef EWIN_SIM_CATALOG_H
#define EWIN_SIM_CATALOG_H

#include "parser/sql.h"

struct arena;
struct diag;

/* What a session starts in. */
#define CATALOG	 "default_catalog"
#define DATABASE "default_database"

struct catalog_entry {
	struct text name;
	struct text database;
	bool temporary;
	bool is_view;
	struct sql_query *query;   /* of a view */
	struct text *view_columns; /* their names, where the view lists them */
	size_t view_column_count;
	bool made_in_batch;	    /* CREATE ran in batch mode */
	struct sql_column *columns; /* of a table */
	size_t column_count;
	bool has_watermark;
	struct text watermark_column;
	const struct sql_expr *watermark;
	struct text *primary_key;
	size_t primary_key_count;
	struct sql_option *options;
	size_t option_count;
	struct text comment; /* its ptr is NULL where there is none */
	bool unprintable;    /* something in it is not kept here that SHOW CREATE TABLE prints */
	bool dropped;
	struct catalog_entry *next; /* newest first */
};

struct database {
	struct text name;
	struct database *next; /* newest first */
};

struct catalog {
	struct arena *arena;
	struct catalog_entry *first;
	size_t count;		    /* dropped ones too */
	struct database *databases; /* those made by CREATE DATABASE */
	struct text database;	    /* in use: names are looked up in it alone */
};

/* The entry of this name in a database (empty: the one in use), a temporary one before a permanent
 * one, or NULL. */
struct catalog_entry *catalog_find(
	const struct catalog *catalog, struct text database, struct text name);

/* One of this name in the database in use that is (not) temporary, or NULL. */
struct catalog_entry *catalog_find_kind(
	const struct catalog *catalog, struct text name, bool temporary);

bool catalog_has_database(const struct catalog *catalog, struct text name);

/* A new entry of this name; NULL: no memory. */
struct catalog_entry *catalog_add(struct catalog *catalog, struct text name);

/* The definition of CREATE TABLE, with what LIKE takes over from `base` (or NULL). 0 or -errno;
 * -EBADMSG with the fault's text. */
int catalog_define(struct arena *arena, const struct sql_create_table *create,
	const struct catalog_entry *base, struct catalog_entry *ret, struct text *fault);

/* The table's column of that name, or NULL. */
const struct sql_column *catalog_column(const struct catalog_entry *entry, struct text name);

/* The value of a table's option; its ptr is NULL where it is not given. */
struct text catalog_option(const struct catalog_entry *entry, struct text key);

#endif

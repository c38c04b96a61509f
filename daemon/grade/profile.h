/* Profile: a query of a script in event-time terms, whatever its spelling. Views, WITH and
 * sub-queries are followed down to the table, so that every expression speaks of the table's own
 * columns, of the window's and of aggregates. Made from syntax trees and the settings in force;
 * nothing is run. */
#ifndef EWIN_DAEMON_GRADE_PROFILE_H
#define EWIN_DAEMON_GRADE_PROFILE_H

#include "parser/sql.h"
#include "sim/catalog.h"
#include "sim/session.h"

struct arena;
struct lab;

/* The qualifier of a column that a window function adds: no name that is written has a blank. */
#define WINDOW_COLUMN TEXT(" window")

struct terms {
	struct sql_expr **items;
	size_t count, room;
};

struct profile_item {
	struct text name;
	bool named;	       /* by an alias or as a plain column; false: EXPR$0 */
	struct sql_expr *expr; /* NULL: not known */
	size_t size;	       /* parts of it */
};

struct profile_settings {
	bool batch;
	bool tableau;
	bool interval_set;
	int64_t interval_ms;
	int64_t parallelism;
	struct text zone; /* empty: not set */
	struct text emit; /* "early-fire", "late-fire" ..., where set */
};

struct profile_window {
	struct text kind; /* "TUMBLE", "HOP" ...; empty: none */
	bool legacy;
	bool sizes_known;
	int64_t size_ms; /* the gap of a SESSION */
	int64_t step_ms; /* of HOP and CUMULATE */
	int64_t offset_ms;
	struct sql_expr *time; /* what DESCRIPTOR names */
	struct terms partition;
	bool partitioned; /* a SESSION's PARTITION BY is there */
};

struct profile_rank {
	struct text function; /* "ROW_NUMBER", "RANK" ...; empty: none */
	struct terms partition, order;
	bool descending; /* the first of `order` */
	bool on_groups;	 /* it ranks the rows of an aggregate */
	struct terms bounds;
};

struct profile {
	size_t statement; /* of the script, from 0 */
	enum sql_statement_kind kind;
	struct sql_pos pos;
	bool failed; /* the statement as such is refused: of SET and CREATE TABLE */
	bool known;  /* false: something in the query is not understood */
	struct profile_settings settings;
	struct text key, value; /* STMT_SET, STMT_RESET; of STMT_CREATE_TABLE the name */
	/* the source */
	bool has_table;
	const struct catalog_entry *origin; /* tells tables of one session apart */
	struct catalog_entry table;	    /* as it was at this statement */
	struct text *columns;  /* of the table: the names that the lab's file has for them */
	bool conflict;	       /* CREATE TABLE IF NOT EXISTS met it once more */
	bool as_in_lab;	       /* so many columns are declared as the file has */
	size_t sources;	       /* how often a table is read */
	struct profile *other; /* UNION ALL: the next branch */
	/* the query */
	struct profile_window window;
	struct terms before; /* conditions on single rows */
	struct terms behind; /* conditions on groups: HAVING, or around the aggregate */
	bool having;
	bool aggregated, grouped;
	size_t levels; /* of aggregation */
	struct terms keys;
	struct profile_rank rank;
	struct terms order;
	bool limited;
	int64_t limit;
	bool distinct;
	struct profile_item *items;
	size_t item_count;
	bool view_unused; /* a view that reads CURRENT_WATERMARK is there, and the query reads another */
};

struct profiles {
	struct profile *items; /* of queries, SET, RESET, CREATE TABLE, and of what is refused */
	size_t count, room;
};

/* Profiles of all queries of a script. 0 or -ENOMEM. */
int profiles_read(struct arena *arena, struct text sql, const struct sim_files *files,
	const struct lab *lab, struct profiles *ret);

/* The profile of a statement, or NULL. */
const struct profile *profiles_find(const struct profiles *profiles, size_t statement);

/* ---- between the files of profile ---- */

struct profile_builder {
	struct arena *arena;
	const struct catalog *catalog;
	const struct lab *lab;
	struct text repeated; /* the table that CREATE TABLE IF NOT EXISTS has met */
	size_t followed;      /* queries, so far */
	bool nomem;
};

/* Follows the query into *profile. */
void profile_query(
	struct profile_builder *builder, const struct sql_query *query, struct profile *profile);

/* Fills in what a table is. */
void profile_table(struct profile_builder *builder, const struct catalog_entry *entry,
	struct profile *profile);

#endif

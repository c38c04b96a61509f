/* CREATE TABLE, CREATE VIEW, ALTER, DROP: what changes the catalog. */
#ifndef EWIN_SIM_DEFINE_H
#define EWIN_SIM_DEFINE_H

#include "sim/planner.h"

/* Is the entry's watermark one that Flink takes? As below. */
int define_check_watermark(struct planner *planner, const struct catalog_entry *entry);

/* The fault of a name that stands already. */
int define_taken(struct planner *planner, struct text name);

/* Each: 0; -EBADMSG with planner->fault; -ENOTSUP with a diag; -ENOMEM. The catalog is the
 * planner's; names and definitions stay where the statement has them. */
int define_table(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_view(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_watermark(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_no_watermark(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_options(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_name(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_view_anew(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);
int define_drop(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);

#endif

/* SHOW: the catalog, its databases and tables. */
#ifndef EWIN_SIM_SHOW_H
#define EWIN_SIM_SHOW_H

#include "sim/planner.h"
#include "sim/session.h"

/* Runs a SHOW but that of columns. 0, -EBADMSG with planner->fault, -ENOTSUP with a diag,
 * -ENOMEM, or the sink's -errno. What is printed lies in the catalog's arena. */
int show(struct planner *planner, const struct sql_statement *statement,
	const struct sim_sink *sink);

/* SHOW CREATE TABLE. As above. */
int show_create(struct planner *planner, const struct sql_statement *statement,
	const struct sim_sink *sink);

/* Is this name one that the statement asks for, LIKE or not? */
bool show_matches(const struct sql_statement *statement, struct text name);

/* Begins a table of one column of texts; and one of one row. 0, -ENOMEM or the sink's -errno. */
int show_begin(struct arena *arena, struct text name, const struct sim_sink *sink);
int show_one_row(
	struct arena *arena, struct text name, struct text text, const struct sim_sink *sink);

#endif

/* SHOW: the catalog, its databases and tables. */
#ifndef EWIN_SIM_SHOW_H
#define EWIN_SIM_SHOW_H

#include "sim/planner.h"
#include "sim/session.h"

/* Runs a SHOW. 0, -EBADMSG with planner->fault, -ENOTSUP with a diag, -ENOMEM, or the sink's -errno.
 * What is printed lies in the catalog's arena. */
int show(struct planner *planner, const struct sql_statement *statement,
	const struct sim_sink *sink);

/* USE and CREATE DATABASE. As above. */
int use_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);

#endif

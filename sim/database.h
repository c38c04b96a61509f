/* Databases of the one catalog. */
#ifndef EWIN_SIM_DATABASE_H
#define EWIN_SIM_DATABASE_H

#include "sim/planner.h"

/* USE, CREATE DATABASE, DROP DATABASE, and whatever else is recognised by its first words alone,
 * which is refused. 0, -EBADMSG with planner->fault, -ENOTSUP with a diag, -ENOMEM. */
int use_database(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement);

#endif

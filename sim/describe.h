/* DESCRIBE: the columns of a table or view, as a table. */
#ifndef EWIN_SIM_DESCRIBE_H
#define EWIN_SIM_DESCRIBE_H

#include "sim/plan.h"
#include "sim/session.h"

struct arena;

/* Prints the columns of a table (a PLAN_SCAN of it) or of a view, as far as the statement asks for
 * their names. 0, -ENOTSUP where a type is not known, -ENOMEM, or the sink's -errno. */
int describe_plan(struct arena *arena, const struct plan *plan,
	const struct sql_statement *statement, const struct sim_sink *sink);

#endif

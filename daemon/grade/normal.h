/* The normal form of a query: a profile as statements that can be run. */
#ifndef EWIN_DAEMON_GRADE_NORMAL_H
#define EWIN_DAEMON_GRADE_NORMAL_H

#include "daemon/grade/profile.h"

struct sim_files;
struct table;

/* Runs the query of a profile whose table has its columns by the names that the profile uses. It
 * takes its steps (sim/op.h) from *steps. 0; -EBADMSG: Flink refuses it; -ENOTSUP: it has no
 * normal form, is not simulated, or takes more steps; -ENOMEM. */
int normal_run(struct arena *arena, const struct profile *profile, const struct sim_files *files,
	int64_t *steps, struct table *ret);

/* The SELECT of a profile that has a normal form. NULL: no memory. */
struct sql_query *normal_query(struct arena *arena, const struct profile *profile);

/* column - INTERVAL. NULL: no memory. */
struct sql_expr *normal_delayed(struct arena *arena, struct text column, int64_t delay_ms);

#endif

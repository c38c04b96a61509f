/* The time zone of a session. */
#ifndef EWIN_SIM_SESSION_ZONE_H
#define EWIN_SIM_SESSION_ZONE_H

#include "sim/statement.h"

/* Sets the planner's zone. 0; -EBADMSG with the planner's fault; -ENOTSUP or another -errno with
 * a diag. */
int session_zone(struct statement_run *run);

#endif

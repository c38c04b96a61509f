/* Switched: queries over a table that was made in the other runtime mode. */
#ifndef EWIN_SIM_SWITCHED_H
#define EWIN_SIM_SWITCHED_H

#include "sim/plan.h"

/* The mode in which a table is made says whether its time is an attribute. Where the query's mode
 * says otherwise, Flink's planner fails in words of its own when the result has that column
 * ("Conversion to relational algebra failed to preserve datatypes") or when it is aggregated.
 * Does it? */
#define SWITCHED "The time of a table that was made in the other runtime mode"
bool switched_breaks(const struct plan *plan, bool batch);

#endif

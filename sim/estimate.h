/* Estimate: how many rows Flink's batch planner believes in. Of two plans it takes the cheaper
 * one by that belief: where it expects few rows it sorts them for an aggregation, else it
 * hashes. */
#ifndef EWIN_SIM_ESTIMATE_H
#define EWIN_SIM_ESTIMATE_H

#include "sim/plan.h"

struct planner;

/* The share of rows that is believed to pass a condition; 1 for none. */
double estimate_share(struct planner *planner, const struct sql_expr *condition);

/* The rows that a relation over a file of so many lines is believed to have. Negative: not
 * known. */
double estimate_rows(const struct plan *plan, int64_t lines);

/* Does an aggregation of batch mode, PLAN_GROUP_AGG or PLAN_WINDOW_AGG, sort its input? */
bool estimate_sorts(const struct plan *plan, int64_t lines);

#endif

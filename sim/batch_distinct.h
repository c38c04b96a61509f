/* FIRST_VALUE and LAST_VALUE beside DISTINCT in batch mode: the rows as they take them. */
#ifndef EWIN_SIM_BATCH_DISTINCT_H
#define EWIN_SIM_BATCH_DISTINCT_H

#include "sim/rows.h"

/* Does the aggregation take its rows in the order of the copies? */
bool batch_distinct_sorts(const struct window_agg_spec *spec);

/* Puts the rows into that order; `groups` orders them by GROUP BY alone. 0 or -ENOMEM. */
int batch_distinct_sort(
	const struct window_agg_spec *spec, struct row_order groups, struct row_list *rows);

#endif

/* Facts about a query: what a lab may ask for beside the rows. */
#ifndef EWIN_SIM_FACTS_H
#define EWIN_SIM_FACTS_H

#include "sim/options.h"
#include "sim/planner.h"
#include "sim/session.h"

/* All but the counts of rows. */
struct query_facts facts_of(
	const struct plan *plan, const struct options *options, bool legacy_window);

/* Where the query filters by lateness. */
enum late_filter facts_late_filter(const struct plan *plan);

/* Those that need no plan: the settings, and what the table (or NULL) says of itself. */
struct query_facts facts_unplanned(
	const struct options *options, const struct catalog_entry *table);

/* The table that the query reads first, as its syntax has it, or NULL. */
const struct catalog_entry *source_by_syntax(
	const struct catalog *catalog, const struct sql_query *query);

#endif

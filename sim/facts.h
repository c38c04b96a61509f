/* Facts about a planned query: what a lab may ask for beside the rows. */
#ifndef EWIN_SIM_FACTS_H
#define EWIN_SIM_FACTS_H

#include "sim/options.h"
#include "sim/plan.h"
#include "sim/session.h"

/* All but the counts of rows. */
struct query_facts facts_of(
	const struct plan *plan, const struct options *options, bool legacy_window);

#endif

/* The connector of a table: what its WITH options are checked for when a query reads it. */
#ifndef EWIN_SIM_CONNECTOR_H
#define EWIN_SIM_CONNECTOR_H

#include "sim/catalog.h"

/* 0; -EBADMSG: Flink refuses the options, *fault is its text; -ENOTSUP: one that is not
 * simulated, the diag names it; -ENOMEM. */
int connector_check(struct arena *arena, const struct catalog_entry *table, struct text *fault,
	struct diag *reterr);

/* The same for a table of which no row is read here, as a job is only submitted: datagen is known
 * too. */
int connector_check_submitted(struct arena *arena, const struct catalog_entry *table,
	struct text *fault, struct diag *reterr);

/* The same for a table that is written to. */
int connector_check_sink(struct arena *arena, const struct catalog_entry *table, struct text *fault,
	struct diag *reterr);

#endif

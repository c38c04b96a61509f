/* The options of the csv format. */
#ifndef EWIN_SIM_CSV_SETTINGS_H
#define EWIN_SIM_CSV_SETTINGS_H

#include "parser/csv.h"
#include "sim/catalog.h"

struct arena;
struct diag;

/* Sets the delimiter, the quote, `comments` and `lenient` of *ret. 0; -EBADMSG with *fault; or
 * -ENOTSUP with a diag that names the option. */
int csv_settings(struct arena *arena, const struct catalog_entry *table, struct csv_options *ret,
	struct text *fault, struct diag *reterr);

#endif

/* The files of ewin-sim: a script, and those that its tables name. */
#ifndef EWIN_DAEMON_SIM_FILES_H
#define EWIN_DAEMON_SIM_FILES_H

#include "sim/session.h"

/* Where tables lie. */
struct sim_tables {
	struct arena *arena;
	const char *root; /* put before each path; "" for none */
};

/* Opens the file that a table's path names, or the only one in a folder of that name. Time zones are
 * this machine's, as those of a client that runs here. */
struct sim_files sim_tables_reader(struct sim_tables *tables);

/* All bytes of a script, of at most LIMIT_SQL_BYTES. 0 or -errno. */
int sim_read_script(struct arena *arena, const char *path, struct text *ret, struct diag *reterr);

#endif

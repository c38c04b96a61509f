/* Data files: what a table's path may read, and nothing else. */
#ifndef EWIN_DAEMON_DATAFILES_H
#define EWIN_DAEMON_DATAFILES_H

#include "daemon/grade/grade.h"
#include "daemon/sources.h"
#include "parser/diag.h"

/* What could not be read for the moment (daemon/errors.h): what was worked out since the flag was
 * cleared may rest on less than there is. */
struct read_trouble {
	bool any;
	struct diag diag;
};

/* The fixtures of a lab. A learner's SQL names paths too: only a regular file, or a folder of them,
 * in a folder that holds one of the lab's fixtures is opened, through no symlink below that folder.
 * A folder is read as one file: its regular files by name, without those that start with '.' or
 * '_', as Flink leaves them out.
 *
 * Time zones are those of this machine's tz database. Where neither the lab nor the learner sets
 * table.local-time-zone it is UTC: which zone a learner's JVM is in is not the daemon's to know. */
struct data_files {
	const char *root; /* put before every path; "" for none */
	const struct lab *lab;
	struct sources *sources; /* where what is read is noted; may be NULL */
	struct read_trouble trouble;
};

struct sim_files data_files_reader(struct data_files *files);

#endif

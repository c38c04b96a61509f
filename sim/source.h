/* Source: the rows of a table's CSV file, pushed into the operators. */
#ifndef EWIN_SIM_SOURCE_H
#define EWIN_SIM_SOURCE_H

#include "sim/plan.h"
#include "sim/session.h"

struct arena;
struct diag;

/* The path of a table as the caller's files know it: without "file:" and "file://". With a host or
 * another scheme it stays as written. */
struct text source_path(const struct catalog_entry *table);

/* Reads the whole file: each row, then WATERMARK_END, goes to `down`. 0; -EBADMSG with run->fault;
 * -errno of the file or of an operator. Only the scan's needed columns are read. */
int source_run(struct arena *arena, const struct plan *scan, const struct sim_files *files,
	struct run *run, struct op *down, struct diag *reterr);

#endif

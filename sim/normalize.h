/* Normalize: what differs in every run of the SQL client, taken out of its output. */
#ifndef EWIN_SIM_NORMALIZE_H
#define EWIN_SIM_NORMALIZE_H

#include "sim/writer.h"

/* Writes a line of a client's output, with its newline if it has one, but for these three: the
 * digits of a time cost are S, a Job ID is JOB, the history file's path is PATH. */
void normalize_line(struct writer *out, struct text line);

#endif

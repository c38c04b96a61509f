/* What Flink's batch mode makes of legacy HOP, beside what is asked of it. */
#ifndef EWIN_SIM_BATCH_HOP_H
#define EWIN_SIM_BATCH_HOP_H

#include "sim/rows.h"

struct run;

/* Takes those rows out that a sort aggregation would lose; they are sorted by the key and the
 * window, one for each window of a row. `texts`: it has MIN or MAX of a text. 0; -ENOTSUP with
 * run->refused where it is not known what Flink does. */
int batch_hop_lose(const struct plan *plan, struct run *run, bool texts, struct row_list *rows);

#endif

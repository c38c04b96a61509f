/* The tz database of this machine, /usr/share/zoneinfo. An adapter: beside the mains the only
 * part of sim/ that opens files and reads the environment. */
#ifndef EWIN_SIM_TZDB_H
#define EWIN_SIM_TZDB_H

#include "sim/session.h"

struct arena;
struct diag;

/* For sim_files.open_zone: opens the file of a zone. The name is a valid one (zone_name_valid());
 * ctx is of no interest. 0; -ENOENT: there is no such zone; -ENOTSUP: there is no tz database;
 * -errno with a diag. */
int tzdb_open(void *ctx, struct text name, struct reader *ret, struct diag *reterr);

/* The zone of this machine, as a JVM finds it: TZ, else what /etc/localtime is a link to. Empty:
 * UTC. In the arena, or the environment's. */
struct text tzdb_default(struct arena *arena);

#endif

/* Here: where somebody stands says which lab is meant. */
#ifndef EWIN_DAEMON_HERE_H
#define EWIN_DAEMON_HERE_H

#include "daemon/status.h"

/* A name that was asked for, with the lab before it where the working directory lies in the
 * folder of one that has such a step; else as it is. */
struct text here_name(struct arena *arena, const struct status *status, struct text name);

/* The name of the lab in whose folder the working directory lies; "": of none. */
struct text here_lab(struct arena *arena, const struct status *status);

#endif

/* Errors: which of them say nothing of what was asked for. */
#ifndef EWIN_DAEMON_ERRORS_H
#define EWIN_DAEMON_ERRORS_H

#include <stdbool.h>

/* Is this errno one of the machine, or of this process, at this moment (no memory, no descriptor,
 * an I/O error), so that it is worth asking again? Others are answers: there is no such file, it
 * must not be read, it is a link. */
bool error_passes(int err);

#endif

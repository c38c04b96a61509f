/* Closed: what of a lab's folder the service may not read. It runs as a user of its own, without
 * any capability, so a folder and its files have to be readable to others. */
#ifndef EWIN_DAEMON_CLOSED_H
#define EWIN_DAEMON_CLOSED_H

#include "daemon/progress.h"

/* How many things of the lab can be closed: its folder, or one above, is the first of them, then
 * come the files of each step. */
size_t closed_things(const struct progress *progress);

/* The notice that one of them is closed, with the command that opens it, in the arena. 1; 0: it
 * is open, or nothing is known of it; -ENOMEM. */
int closed_notice(
	const struct progress *progress, size_t thing, struct arena *arena, struct message *ret);

/* The flag of this thing that says whether the journal was told. */
bool *closed_told(struct progress *progress, size_t thing);

#endif

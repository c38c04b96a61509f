/* Absent: data of a lab that are not there, though the lab ships a copy of them. Where labs read
 * their data is the machine's own, so nothing puts them there by itself. */
#ifndef EWIN_DAEMON_ABSENT_H
#define EWIN_DAEMON_ABSENT_H

#include "daemon/lab_load.h"

/* The notice that this fixture is not there, with the command that puts the lab's copy there, in
 * the arena. 1; 0: it is there, the lab can be graded all the same, or has no copy; -ENOMEM. */
int absent_notice(
	const struct loaded_lab *lab, size_t fixture, struct arena *arena, struct message *ret);

#endif

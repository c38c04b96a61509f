/* Pulse: tells the service manager that the daemon is alive, once the watch has told of a change
 * that the daemon made for this. So a watch that the kernel tells nothing any more is not called
 * alive. */
#ifndef EWIN_DAEMON_PULSE_H
#define EWIN_DAEMON_PULSE_H

#include <stdbool.h>

struct watch;
struct watch_event;

struct pulse {
	int fd;	   /* of the file that is changed; -1: none yet */
	int id;	   /* of its watch; -1: none yet */
	bool owed; /* a change was not told yet */
};

/* Takes nothing, and does nothing yet. */
void pulse_init(struct pulse *pulse);
void pulse_finish(struct pulse *pulse);

/* A whole scan was made: makes the change, whose event can be read at once. Where the watch
 * cannot be asked (NULL, no instance, a limit is reached) the scan is all there is, and is
 * enough. Nothing where nobody waits for a sign of life. */
void pulse_beat(struct pulse *pulse, struct watch *watch);

/* Takes in an event. True: it was the pulse's own, and is nobody else's. */
bool pulse_event(struct pulse *pulse, const struct watch_event *event);

#endif

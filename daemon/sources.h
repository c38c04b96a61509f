/* Sources: what a lab was made from, so that a change of it is seen. */
#ifndef EWIN_DAEMON_SOURCES_H
#define EWIN_DAEMON_SOURCES_H

#include "daemon/intake.h"

struct source;

struct sources {
	struct arena *arena;
	struct source *items;
	size_t count, room;
};

/* An empty list, whose memory is in the arena. */
void sources_init(struct sources *sources, struct arena *arena);

/* Notes a path as it is now, absent included; one that is noted already stays as it was. To be
 * called before it is read: a change in between is then seen later. 0, -E2BIG or -ENOMEM. */
int sources_note(struct sources *sources, struct text path, struct diag *reterr);

/* Is any of them another file than when it was noted, or gone, or there at last? */
bool sources_changed(const struct sources *sources);

#endif

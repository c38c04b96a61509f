/* Sources: what a lab was made from, so that a change of it is seen, and not before it is over. */
#ifndef EWIN_DAEMON_SOURCES_H
#define EWIN_DAEMON_SOURCES_H

#include <stdint.h>
#include <sys/stat.h>

#include "daemon/intake.h"

/* What stat() says. */
struct source_look {
	bool there;	/* or it may be, where nobody can tell */
	bool shared;	/* see file_is_shared() */
	struct stat st; /* all zeros where stat() fails */
};

struct source {
	const char *path;
	struct source_look look, last; /* when it was noted; when it was looked at last */
	char sha256[SHA256_HEX];       /* when it was noted; "": not known */
	bool held;		       /* a writer was seen, and not its close */
};

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

/* The first that has other bytes than when it was noted, or is gone, or there at last; NULL:
 * none. Where the bytes are not known, as those of a folder or of a large file, its time and size
 * must do. */
const struct source *sources_changed(const struct sources *sources);

/* To be called once they were read: what has changed since it was noted may have been read before
 * or after that, whatever bytes it has by now. True where something has. */
bool sources_settle(struct sources *sources);

/* Looks at each. True where one is another than at the look before. */
bool sources_look(struct sources *sources);

/* Can one of them, as it was looked at last, be written without an event? */
bool sources_shared(const struct sources *sources);

/* Was one of them, when it was noted, modified less than this before now? */
bool sources_young(const struct sources *sources, int64_t age_ms);

#endif

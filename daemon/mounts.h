/* Mounts: is what is mounted below the data root still what was mounted there? A service sees
 * folders of other places by mounts that were made when it started. One whose folder is removed
 * or renamed out there goes on to show the old folder, and never the one that is made again in
 * its place. */
#ifndef EWIN_DAEMON_MOUNTS_H
#define EWIN_DAEMON_MOUNTS_H

#include "parser/text.h"

struct arena;

struct mount {
	struct text id;	   /* the kernel's number */
	struct text root;  /* what is mounted, as a path of its file system */
	struct text point; /* where */
};

struct mounts {
	struct mount *items;
	size_t count;
};

/* Notes what is mounted below a folder now. None where that cannot be read. All memory is in the
 * arena. */
void mounts_note(struct arena *arena, const char *folder, struct mounts *ret);

/* The first of them whose folder was removed or renamed since, or is removed already when it is
 * noted. NULL: there is none; a mount that is gone is not one. */
const struct mount *mounts_stale(const struct mounts *mounts);

#endif

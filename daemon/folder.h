/* Folder: one folder to be watched by its path, there or not yet, removed and made again. */
#ifndef EWIN_DAEMON_FOLDER_H
#define EWIN_DAEMON_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct watch;
struct watch_event;

struct folder {
	const char *path;    /* absolute, without a slash at its end; not owned */
	struct watch *watch; /* NULL: nothing can be watched, so it is polled */
	bool kept; /* it stays open while it is there, so that files are opened in exactly it */
	bool there;
	int dirfd; /* where it is there and kept; else -1 */
	dev_t dev;
	ino_t ino;
	int id;		   /* of its watch; -1: absent, or not watched */
	int above_id;	   /* of the nearest folder above that is there; -1: none */
	const char *below; /* within path: the name in that folder that is waited for */
	bool remote;	   /* it is watched, but others write to it unseen */
	bool blocked;	   /* something that is no folder has its path */
	size_t closed; /* so much of the path names a folder that may not be read or entered; 0: none */
	bool polled; /* it, or the one above, is there but cannot be watched */
	bool unsure; /* what is there could not be looked at for the moment: arm it again */
};

/* Sets it up, absent; folder_arm() does the rest. What is kept open keeps its file system from
 * being unmounted. */
void folder_init(struct folder *folder, const char *path, struct watch *watch, bool kept);
void folder_finish(struct folder *folder);

/* Watches what is there: the folder, and the nearest one above it. True where the folder is another
 * one than before (absent and there included), or may not have been watched so far: then
 * everything in it is to be looked at. Where it cannot be looked at for the moment
 * (daemon/errors.h) all stays as it was, and it is unsure. */
bool folder_arm(struct folder *folder);

/* Is the path still the folder that is armed? Looks at the path: for the safety scan. */
bool folder_same(const struct folder *folder);

/* Does the event say that the folder may have come or gone, or been closed or opened? Then
 * folder_arm() again. */
bool folder_concerned(const struct folder *folder, const struct watch_event *event);

#endif

/* Watch: tells that something happened to a name in a folder. Events are hints: what is true is
 * what a look at the file says. One instance a process (the library behind it keeps its state to
 * itself). */
#ifndef EWIN_DAEMON_WATCH_H
#define EWIN_DAEMON_WATCH_H

#include <limits.h>
#include <stdbool.h>

struct diag;
struct watch;

enum watch_kind {
	WATCH_MADE,    /* the name appeared, by whatever means but a rename */
	WATCH_WRITTEN, /* bytes were written or cut */
	WATCH_CLOSED, /* a writer closed it, it was renamed into place, its mode or times changed */
	WATCH_GONE,   /* it was removed or renamed away */
	WATCH_LOST,   /* the folder itself was removed, moved or unmounted */
	WATCH_OVERFLOW /* events were lost: look at everything, in every folder */
};

struct watch_event {
	enum watch_kind kind;
	int id; /* of the folder, as watch_add() gave it; -1 with WATCH_OVERFLOW */
	char name[NAME_MAX +
		  1]; /* raw bytes of a name within the folder; "" for the folder itself */
};

/* Starts watching, of nothing yet. Where the system's limit of instances is reached nothing can
 * be added until watch_open() gets one. 0 or -errno. To be called early, while descriptors are
 * low. */
int watch_new(struct watch **ret, struct diag *reterr);
void watch_free(struct watch *watch);

/* Tries again to get what watching needs, where there is none yet. True: it is there. */
bool watch_open(struct watch *watch);

/* Why something could not be watched, the last time; "": never. */
const char *watch_problem(const struct watch *watch);

/* A descriptor that polls readable when there may be an event; not to be read. */
int watch_fd(const struct watch *watch);

/* What is to be told of a folder: names that come and go, or also what happens to the files. Where
 * the same folder is watched for both, the second wins. Of a file: that its mode or times
 * changed. */
enum watch_what { WATCH_NAMES, WATCH_FILES, WATCH_ITSELF };

/* Is a file system of this type (statfs()) one that other machines write to? The kernel tells
 * only of what this one does. */
bool watch_is_remote(long type);

/* Watches the folder, or file, behind an open descriptor; its path does not matter, and the
 * descriptor may be closed. The same folder twice gives the same id, and is to be removed twice.
 * 0; 1: it is watched, but what others write there is not told; or -errno. Both with a
 * watch_problem(). */
int watch_add(struct watch *watch, int dirfd, enum watch_what what, int *ret_id);

/* Of what is open, so that the kernel has its watch still. */
void watch_remove(struct watch *watch, int id);

/* Of what may have been removed or unmounted: the kernel may have no watch any more, and no event
 * that was taken in has told yet. Costs the library's memory of it, some 200 bytes. */
void watch_drop(struct watch *watch, int id);

/* Was the folder removed or unmounted, as far as events told? Its watch tells of nothing any
 * more. */
bool watch_is_dead(struct watch *watch, int id);

/* How many folders are watched. */
int watch_count(const struct watch *watch);

/* The next event: 1, or 0 when there is none now; never blocks. */
int watch_next(struct watch *watch, struct watch_event *ret);

#endif

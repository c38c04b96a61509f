/* Paths: their names, and the one kind of symlink that is followed. */
#ifndef EWIN_DAEMON_PATHS_H
#define EWIN_DAEMON_PATHS_H

#include <limits.h>
#include <stdbool.h>

#include "parser/text.h"

/* The next name of a path, without the slashes around it, and none that is "."; empty at its
 * end. */
struct text path_next(struct text *rest);

/* Does ".." stand in it? */
bool path_climbs(struct text path);

/* The last name of a path, and all before it with its slash. */
struct text path_name(struct text path);
struct text path_folder(struct text path);

/* The name that a symlink leads to, where that lies beside it: such a one leads nowhere else, and is
 * followed where the path is the word of a lab. False: there is none. `path` as in openat(). */
bool path_link(int dirfd, const char *path, char ret[NAME_MAX + 1]);

#endif

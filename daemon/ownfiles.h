/* The lab's own files: lab.json and the reference SQL. */
#ifndef EWIN_DAEMON_OWNFILES_H
#define EWIN_DAEMON_OWNFILES_H

#include "daemon/datafiles.h"

struct own_files {
	const char *dir;
	struct sources *sources; /* may be NULL */
	struct read_trouble trouble;
};

struct lab_files own_files_reader(struct own_files *files);

/* Reads one of them: a path within the lab's folder, of at most LIMIT_JSON_BYTES. 0 or -errno. */
int own_files_read(struct own_files *files, struct arena *arena, struct text path, struct text *ret,
	struct diag *reterr);

#endif

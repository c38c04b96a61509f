/* Publish: puts the status where others read it. */
#ifndef EWIN_DAEMON_PUBLISH_H
#define EWIN_DAEMON_PUBLISH_H

#include "daemon/intake.h"
#include "daemon/status.h"

struct publisher {
	int dirfd;	  /* the run directory */
	int64_t stamp_ns; /* the promise that stands in the status file; 0: none yet */
	bool racy;	  /* something happened since or just before: it is to be moved on */
	struct identity status, json; /* the files as they were left */
};

/* Wall-clock time at the granularity of file times, in ns. */
int64_t publish_clock_ns(void);

/* Writes both files. `looked_ns`: publish_clock_ns() before the last look at everything; 0: there
 * is work left, so the promise stays. 0 or -errno. */
int publish_status(struct publisher *publisher, struct arena *arena, const struct status *status,
	int64_t looked_ns, struct diag *reterr);

/* Moves the promise on to a moment at which all was looked at, and nothing was new. 0 or -errno. */
int publish_promise(struct publisher *publisher, int64_t looked_ns, struct diag *reterr);

/* Is the directory still what this path leads to, as far as can be seen? */
bool publish_is_at(const struct publisher *publisher, const char *path);

/* Are the files in it as they were left? */
bool publish_stands(const struct publisher *publisher);

/* Takes the files away: no daemon runs any more. */
void publish_end(const struct publisher *publisher);

#endif

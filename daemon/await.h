/* Await: does the status cover every save that is on disk now? If not, wait for it, with a
 * bound. */
#ifndef EWIN_DAEMON_AWAIT_H
#define EWIN_DAEMON_AWAIT_H

#include "daemon/status.h"

struct arena;
struct diag;

enum coverage {
	COVERAGE_SETTLED, /* each file is what was graded, or its writer is at work */
	COVERAGE_BEHIND,  /* a save is not graded yet */
	COVERAGE_DOWN	  /* there is no daemon that could */
};

/* Reads status.json of a run directory. 0, -ENOENT: no daemon runs, -EINVAL: not a status of this
 * version, or -errno; with a sentence. */
int await_read(struct arena *arena, const char *run_dir, struct status *ret, struct diag *reterr);

/* Waits until the status covers the labs' files, at most `wait_ms`; and for the causes of what is
 * new since that SEQ, where they are to be told. `*ret` is the last status that was read, empty
 * where there was none; the arena is emptied before each look. 0, or as await_read() where there
 * is something that is no status. */
int await_verdict(struct arena *arena, const char *run_dir, int64_t wait_ms, int64_t since,
	struct status *ret, enum coverage *ret_coverage, struct diag *reterr);

#endif

/* Loop: waits for a descriptor, one timer and the signals that end the daemon. */
#ifndef EWIN_DAEMON_LOOP_H
#define EWIN_DAEMON_LOOP_H

#include <stdint.h>

struct diag;
struct loop;

/* Times are of CLOCK_MONOTONIC. */
int64_t loop_now_ms(void);

/* `turn` is called once for whatever happened, with ctx; it returns when to call it next at the
 * latest (INT64_MAX: only when something happens). SIGTERM, SIGINT and SIGHUP, blocked from here
 * on, end the loop. fd: polled for input, -1 for none. 0 or -errno. */
int loop_new(int fd, int64_t (*turn)(void *ctx), void *ctx, struct loop **ret, struct diag *reterr);
void loop_free(struct loop *loop);

/* Runs until a signal ends it. 0 or -errno. */
int loop_run(struct loop *loop, struct diag *reterr);

#endif

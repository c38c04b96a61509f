/* Loop: waits for descriptors, one timer and the signals that end the daemon or have it look
 * again. */
#ifndef EWIN_DAEMON_LOOP_H
#define EWIN_DAEMON_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct loop;

/* Times are of CLOCK_MONOTONIC. */
int64_t loop_now_ms(void);

/* Instead of a time: the loop is to end. */
#define LOOP_END INT64_MIN

/* What a loop calls, with ctx. `turn`: once for whatever happened; it returns when to call it
 * next at the latest (INT64_MAX: only when something happens; or LOOP_END). `hangup`: at SIGHUP,
 * before the turn; NULL: that ends the loop. */
struct loop_calls {
	int64_t (*turn)(void *ctx);
	void (*hangup)(void *ctx);
	void *ctx;
};

/* SIGTERM, SIGINT and SIGHUP are blocked from here on; the first two end the loop. 0 or -errno. */
int loop_new(const struct loop_calls *calls, struct loop **ret, struct diag *reterr);
void loop_free(struct loop *loop);

/* Has one of them come that the loop has not taken up yet? For whoever is at work for long. */
bool loop_is_called(void);

/* Polls a descriptor for input; -1: none. It must outlive the loop. 0 or -errno. */
int loop_add(struct loop *loop, int fd, struct diag *reterr);

/* Runs until a signal or a turn ends it. 0 or -errno. */
int loop_run(struct loop *loop, struct diag *reterr);

#endif

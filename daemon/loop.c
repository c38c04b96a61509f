/* Loop: sd-event of libsystemd, as far as one daemon with one purpose needs it: everything that
 * happens leads to the same question, "is there something to do?", and one timer says when to ask
 * it again. Signals come through a signalfd, so that nothing runs in a handler. */
#include "daemon/loop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <systemd/sd-event.h>
#include <time.h>

#include "parser/diag.h"
#include "parser/memory.h"

/* A timer may be this much late: the settling times are of tens of ms. */
#define ACCURACY_US 1000

struct loop {
	sd_event *event;
	sd_event_source *timer;
	struct loop_calls calls;
};

int64_t loop_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int set_timer(struct loop *loop, int64_t next_ms)
{
	int r;

	if (next_ms == INT64_MAX)
		return sd_event_source_set_enabled(loop->timer, SD_EVENT_OFF);
	r = sd_event_source_set_time(loop->timer, (uint64_t)next_ms * 1000);
	return r < 0 ? r : sd_event_source_set_enabled(loop->timer, SD_EVENT_ONESHOT);
}

/* A source whose callback fails is never called again, so the loop had rather end. */
static int take_turn(struct loop *loop)
{
	int64_t next_ms = loop->calls.turn(loop->calls.ctx);
	int r;

	if (next_ms == LOOP_END)
		return sd_event_exit(loop->event, 0);
	r = set_timer(loop, next_ms);
	return r < 0 ? sd_event_exit(loop->event, r) : 0;
}

static int on_input(sd_event_source *source, int fd, uint32_t events, void *ctx)
{
	(void)source, (void)fd, (void)events;
	return take_turn(ctx);
}

static int on_timer(sd_event_source *source, uint64_t usec, void *ctx)
{
	(void)source, (void)usec;
	return take_turn(ctx);
}

static int on_signal(sd_event_source *source, const struct signalfd_siginfo *info, void *ctx)
{
	struct loop *loop = ctx;

	(void)source;
	if (info->ssi_signo != SIGHUP || !loop->calls.hangup)
		return sd_event_exit(loop->event, 0);
	loop->calls.hangup(loop->calls.ctx);
	return take_turn(loop);
}

static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* A signal goes before whatever came with it: it is taken from those that are pending
 * (loop_is_called()) before that is worked off. */
static int add_signal(struct loop *loop, int number)
{
	sd_event_source *source = NULL;
	int r = sd_event_add_signal(loop->event, &source, number, on_signal, loop);

	if (r >= 0)
		r = sd_event_source_set_priority(source, SD_EVENT_PRIORITY_IMPORTANT);
	/* The event loop keeps it. */
	if (r >= 0)
		r = sd_event_source_set_floating(source, 1);
	sd_event_source_unref(source);
	return r;
}

static int add_signals(struct loop *loop)
{
	sigset_t set;
	int r = 0;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&set, signals[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	for (size_t i = 0; r >= 0 && i < SIGNALS; i++)
		r = add_signal(loop, signals[i]);
	return r;
}

bool loop_is_called(void)
{
	sigset_t set;

	if (sigpending(&set) < 0)
		return false;
	for (size_t i = 0; i < SIGNALS; i++)
		if (sigismember(&set, signals[i]) > 0)
			return true;
	return false;
}

int loop_new(const struct loop_calls *calls, struct loop **ret, struct diag *reterr)
{
	struct loop *loop = memory_get(sizeof(*loop));
	int r;

	if (!loop)
		return diag_nomem(reterr);
	*loop = (struct loop){.calls = *calls};
	r = sd_event_new(&loop->event);
	if (r >= 0)
		r = add_signals(loop);
	/* The first turn is at once. */
	if (r >= 0)
		r = sd_event_add_time(
			loop->event, &loop->timer, CLOCK_MONOTONIC, 0, ACCURACY_US, on_timer, loop);
	if (r < 0) {
		loop_free(loop);
		return diag_set(reterr, r, 0, 0, "event loop: %s", strerror(-r));
	}
	*ret = loop;
	return 0;
}

int loop_add(struct loop *loop, int fd, struct diag *reterr)
{
	int r = fd < 0 ? 0 : sd_event_add_io(loop->event, NULL, fd, EPOLLIN, on_input, loop);

	return r < 0 ? diag_set(reterr, r, 0, 0, "event loop: %s", strerror(-r)) : 0;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	sd_event_source_unref(loop->timer);
	sd_event_unref(loop->event);
	free(loop);
}

int loop_run(struct loop *loop, struct diag *reterr)
{
	int r = sd_event_loop(loop->event);

	if (r < 0)
		return diag_set(reterr, r, 0, 0, "event loop: %s", strerror(-r));
	return 0;
}

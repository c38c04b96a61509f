/* Server: one turn of the daemon is
 *
 *	drain the events -> read and grade what is due -> publish -> find the causes of one
 *	verdict, or run one SQL -> tell the journal -> what can wait: reports, state, the safety scan, the next time to wake up
 *
 * and everything that a prompt waits for comes first. Nothing in a turn waits for anybody. */
#include "daemon/server.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "daemon/loop.h"
#include "daemon/notify.h"
#include "daemon/watch.h"

bool server_polls(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (server->progress[i]->folder.polled)
			return true;
	return !server->watch || labs_poll(&server->labs);
}

/* Is there a file that can be written without an event? */
static bool shares(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (progress_shares(server->progress[i]) ||
			lookout_shares(&server->progress[i]->lab->lookout))
			return true;
	return false;
}

/* Is there something that could not be done or looked at for the moment? A scan makes up for it. */
static bool unsure(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (progress_unsure(server->progress[i]))
			return true;
	return labs_unsure(&server->labs);
}

/* Is a folder closed? That it was opened is told by no event, where it could not be watched. */
static bool shut_out(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (server->progress[i]->folder.closed)
			return true;
	return false;
}

static int64_t scan_pace_ms(const struct server *server)
{
	bool soon = server_polls(server) || shares(server) || unsure(server) || shut_out(server);
	int64_t pace = soon ? POLL_MS : SCAN_MS;
	int64_t alive = notify_alive_ms();

	return alive < pace ? alive : pace;
}

static void scan(struct server *server, int64_t now_ms)
{
	for (size_t i = 0; i < server->count; i++)
		progress_scan(server->progress[i], now_ms);
	server->scan_ms = now_ms + scan_pace_ms(server);
}

/* Where watching begins to rest on polling, or does so no longer, that is said. */
static void note_polling(struct server *server)
{
	if (server_polls(server) == server->polling)
		return;
	server->polling = !server->polling;
	server->changed = true;
	if (server->polling)
		journal_warn(&server->journal, JOURNAL_POLLING,
			"cannot watch (%s), checking every %d s",
			server->watch ? watch_problem(server->watch) : "inotify", POLL_MS / 1000);
	else
		journal_say(&server->journal, JOURNAL_INFO, "watching again");
}

static void take_in(struct server *server, const struct watch_event *event, int64_t now_ms)
{
	if (event->kind == WATCH_OVERFLOW)
		journal_warn(
			&server->journal, JOURNAL_LOST, "events were lost, looking at everything");
	/* This may be the beginning of the removal of all, the end of which no event tells
	 * (daemon/mounts.h). */
	if (server->mounts.count && (event->kind == WATCH_GONE || event->kind == WATCH_LOST) &&
		now_ms + POLL_MS < server->scan_ms)
		server->scan_ms = now_ms + POLL_MS;
	labs_event(&server->labs, event, now_ms);
	for (size_t i = 0; i < server->count; i++)
		progress_event(server->progress[i], event, now_ms);
}

/* Takes in the events that wait, within the limit; how many, without the pulse's, which say
 * nothing of what others do. What is left cannot be seen by polling the descriptor. */
static int drain(struct server *server, int64_t now_ms)
{
	struct watch_event event;
	int count = 0;

	server->settled_ns = publish_clock_ns();
	while (count < LIMIT_EVENTS && server->watch && watch_next(server->watch, &event) > 0) {
		if (pulse_event(&server->pulse, &event))
			continue;
		count++;
		take_in(server, &event, now_ms);
	}
	return count;
}

static void work(struct server *server, int64_t now_ms)
{
	for (size_t i = 0; i < server->count; i++) {
		struct diag diag = {0};
		progress_work(server->progress[i], now_ms, &diag);
		server_say_diag(server, &diag, now_ms);
	}
}

static bool pending(const struct server *server)
{
	if (server->backlog)
		return true;
	for (size_t i = 0; i < server->count; i++)
		if (progress_pending(server->progress[i]))
			return true;
	return false;
}

/* Gives what changed the next SEQ, once. False: nothing did, and all is published. */
static bool number_changes(struct server *server)
{
	int64_t seq = server->changed ? state_next_seq(&server->state) : 0;

	server->changed = false;
	for (size_t i = 0; i < server->count; i++) {
		struct progress *progress = server->progress[i];
		bool lab_changed = progress->changed;
		progress->changed = false;
		for (size_t j = 0; j < progress->count; j++) {
			struct progress_step *step = &progress->steps[j];
			if (!step->changed)
				continue;
			seq = seq ? seq : state_next_seq(&server->state);
			step->seq = seq;
			step->changed = false;
		}
		if (lab_changed && !seq)
			seq = state_next_seq(&server->state);
	}
	return seq != 0 || server->unpublished;
}

static int view(struct server *server, struct arena *arena, struct status *ret, struct diag *reterr)
{
	struct status status = {
		.seq = server->state.seq, .pid = getpid(), .lab_count = server->count};

	status.labs = arena_array(arena, server->count, sizeof(*status.labs));
	if (!status.labs)
		return diag_nomem(reterr);
	if (server_view_notices(server, arena, &status) < 0)
		return diag_nomem(reterr);
	for (size_t i = 0; i < server->count; i++) {
		int r = progress_view(server->progress[i], arena, &status.labs[i], reterr);
		if (r < 0)
			return r;
	}
	*ret = status;
	return 0;
}

static int64_t now_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The status that others read is not ours: a full disk, or a directory that was removed. It is
 * tried again, and until then nothing is promised of it. Said once. */
static void note_unpublished(struct server *server, const struct diag *diag)
{
	if (!server->unpublished)
		server_say_diag(server, diag, loop_now_ms());
	server->unpublished = true;
}

/* Tells the journal and publishes where something changed, or a record is owed. */
static void publish(struct server *server, int64_t since_usec)
{
	struct diag diag = {0};
	struct status status;
	struct arena arena;
	bool changes = number_changes(server);
	int r;

	if (!changes && !server_owes_record(server))
		return;
	if (server->unpublished && server_open_again(server, &diag) < 0) {
		server_say_diag(server, &diag, loop_now_ms());
		return;
	}
	arena_init(&arena, LIMIT_LAB_ARENA);
	r = view(server, &arena, &status, &diag);
	if (r == 0)
		server_tell_journal(server, &arena, &status, now_usec() - since_usec);
	if (r == 0 && changes)
		r = publish_status(&server->publisher, &arena, &status,
			pending(server) ? 0 : server->settled_ns, &diag);
	if (r == 0)
		server_tell_manager(&arena, &status);
	else
		note_unpublished(server, &diag);
	server->unpublished = r < 0;
	arena_finish(&arena);
}

void server_give_up(struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		for (size_t j = 0; j < server->progress[i]->count; j++)
			server->progress[i]->steps[j].diagnose = false;
	publish(server, now_usec());
}

/* Did something happen since the events were taken in, or is the daemon to end? */
static bool is_called(void *ctx)
{
	const struct server *server = ctx;
	struct pollfd fd = {.fd = server->watch ? watch_fd(server->watch) : -1, .events = POLLIN};

	return loop_is_called() || poll(&fd, 1, 0) > 0;
}

/* Finds the causes of one verdict, or else runs one SQL that was saved; the rest in the next
 * turns, which look first for what is new, and go on with the next lab. */
static void look_closer(struct server *server, int64_t now_ms)
{
	const struct sim_pause pause = {is_called, server};
	int done = 0;

	for (size_t i = 0; done == 0 && i < 2 * server->count; i++) {
		size_t at = (server->closer + i) % server->count;
		struct progress *progress = server->progress[at];
		struct diag diag = {0};

		done = i < server->count ? progress_diagnose(progress, now_ms, &pause, &diag)
					 : progress_rehearse(progress, now_ms, &pause, &diag);
		server_say_diag(server, &diag, now_ms);
		if (done != 0)
			server->closer = at + 1;
	}
	server->searching = done != 0;
}

static void follow_up(struct server *server, int64_t now_ms)
{
	for (size_t i = 0; i < server->count; i++) {
		struct diag diag = {0};
		progress_follow_up(server->progress[i], now_ms, &diag);
		server_say_diag(server, &diag, now_ms);
	}
}

/* Moves the promise on once the clock tick of the last event is over. Under a stream of events it
 * is moved at that pace all the same, never past what was taken in. */
static void keep_promise(struct server *server, bool any, int64_t now_ms)
{
	struct publisher *publisher = &server->publisher;
	struct diag diag = {0};

	if (any || pending(server)) {
		server->event_ms = now_ms;
		publisher->racy = true;
	}
	if (pending(server) || server->unpublished || !publisher->racy) {
		server->promise_ms = INT64_MAX;
		return;
	}
	if (now_ms >= server->promise_ms) {
		if (publish_promise(publisher, server->settled_ns, &diag) < 0)
			note_unpublished(server, &diag);
		publisher->racy = now_ms < server->event_ms + TICK_MS;
		server->promise_ms = INT64_MAX;
	}
	if (publisher->racy && server->promise_ms == INT64_MAX)
		server->promise_ms = server->event_ms + TICK_MS;
}

/* Of what is mounted anew nothing can be seen from here: whoever mounted it is to do it again,
 * with a start. */
static void look_at_mounts(struct server *server)
{
	const struct mount *stale = server->moved ? NULL : mounts_stale(&server->mounts);

	if (!stale)
		return;
	server->moved = true;
	journal_warn(&server->journal, JOURNAL_MOVED,
		"%s was removed or moved: ending, to be started with what is there now",
		stale->point.ptr + strlen(server->options.data_root));
}

/* The service manager hears that all is well only where that was seen: a whole scan was made, and
 * what the pulse changes behind it comes in with the events. */
static void safety(struct server *server, int64_t now_ms)
{
	if (now_ms < server->scan_ms)
		return;
	if (server->watch)
		watch_open(server->watch);
	labs_scan(&server->labs, now_ms);
	scan(server, now_ms);
	look_at_mounts(server);
	server_look_at_places(server, now_ms);
	for (size_t i = 0; i < server->count; i++)
		progress_rest(server->progress[i]);
	malloc_trim(0);
	if (!pending(server) && !is_called(server))
		server_save_state(server, STATE_AT_REST);
	pulse_beat(&server->pulse, server->watch);
}

static int64_t next_time_ms(struct server *server, int64_t now_ms)
{
	int64_t next, labs = labs_deadline(&server->labs);
	int64_t ctl = ctl_deadline(server->ctl);

	/* The pace may be another one than at the last scan. */
	if (now_ms + scan_pace_ms(server) < server->scan_ms)
		server->scan_ms = now_ms + scan_pace_ms(server);
	next = server->scan_ms;
	if (server->unpublished && now_ms + POLL_MS < next)
		next = now_ms + POLL_MS;
	if (server->promise_ms < next)
		next = server->promise_ms;
	if (labs < next)
		next = labs;
	if (ctl < next)
		next = ctl;
	if (server->listen_ms < next)
		next = server->listen_ms;
	if (server->state.changed && now_ms + POLL_MS < next)
		next = now_ms + POLL_MS;
	for (size_t i = 0; i < server->count; i++) {
		int64_t deadline = progress_deadline(server->progress[i]);
		if (deadline < next)
			next = deadline;
	}
	return next;
}

/* Memory that the last turns worked with is given back once one had nothing to do. */
static void rest(struct server *server, bool at_work)
{
	if (server->at_work && !at_work)
		malloc_trim(LIMIT_FREE_AT_REST);
	server->at_work = at_work;
}

int64_t server_turn(void *ctx)
{
	struct server *server = ctx;
	int64_t since_usec = now_usec(), now_ms = since_usec / 1000, seq = server->state.seq;
	int events;

	server->working_ms = now_ms;
	safety(server, now_ms);
	events = drain(server, now_ms);
	server->backlog = events == LIMIT_EVENTS;
	server_refresh(server, false, now_ms);
	note_polling(server);
	work(server, now_ms);
	server_listen(server, now_ms);
	server_take_requests(server, now_ms);
	publish(server, since_usec);
	look_closer(server, now_ms);
	publish(server, since_usec);
	follow_up(server, now_ms);
	publish(server, since_usec);
	ctl_reply(server->ctl, server->state.seq);
	server_save_state(server, STATE_AT_WORK);
	if (!server->ready) {
		server->ready = true;
		notify_ready();
		server_say_labs(server);
	}
	keep_promise(server, events > 0, now_ms);
	rest(server, events > 0 || server->searching || server->state.seq != seq);
	if (server->moved && !server->searching)
		return LOOP_END;
	return server->backlog || server->searching ? now_ms : next_time_ms(server, now_ms);
}

/* Server: one turn of the daemon is
 *
 *	drain the events -> read and grade what is due -> publish -> tell the journal
 *	-> what can wait: reports, state, the safety scan, the next time to wake up
 *
 * and everything that a prompt waits for comes first. Nothing in a turn waits for anybody. */
#include "daemon/server.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "daemon/loop.h"
#include "daemon/notify.h"
#include "daemon/watch.h"

/* ---- start and end ---- */

static int open_dir(const char *path, int *ret, struct diag *reterr)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return diag_set(reterr, -errno, 0, 0, "%s: %s", path, strerror(errno));
	*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret < 0)
		return diag_set(reterr, -errno, 0, 0, "%s: %s", path, strerror(errno));
	return 0;
}

static int open_state(struct server *server, struct diag *reterr)
{
	struct diag damage;
	int r;

	r = open_dir(server->options->state_dir, &server->state_dirfd, reterr);
	if (r < 0)
		return r;
	r = state_load(&server->arena, server->state_dirfd, &server->state, &damage);
	if (r > 0)
		journal_diag(&server->journal, JOURNAL_WARNING, &damage);
	else if (r < 0 && reterr)
		*reterr = damage;
	return r < 0 ? r : 0;
}

static int open_labs(struct server *server, struct diag *reterr)
{
	const char *dir = server->options->labs;

	if (!dir)
		dir = labs_default_dir(&server->arena);
	if (!dir)
		return diag_nomem(reterr);
	return labs_load(&server->arena, dir, server->options->data_root, &server->labs, reterr);
}

static void open_watch(struct server *server)
{
	struct diag diag;

	if (watch_new(&server->watch, &diag) < 0)
		journal_say(&server->journal, JOURNAL_WARNING,
			"cannot watch (%s), checking every %d s", diag.text, POLL_MS / 1000);
}

/* Watches a lab at `dir`, or at home where that is NULL. */
static int add_lab(
	struct server *server, struct loaded_lab *lab, const char *dir, struct diag *reterr)
{
	struct progress *progress = &server->progress[server->count];
	int r;

	r = progress_init(progress, lab, &server->state, server->watch, dir, reterr);
	if (r < 0)
		return r;
	server->count++;
	if (!lab->grader)
		journal_say(&server->journal, JOURNAL_ERROR, "lab %.*s: %s", TEXT_ARG(lab->name),
			lab->problem.text);
	return 0;
}

/* An absolute path without slashes at its end. NULL: no memory. */
static const char *absolute(struct arena *arena, const char *path)
{
	char *cwd = path[0] == '/' ? NULL : getcwd(NULL, 0);
	struct text full = text_format(arena, "%s%s%s", cwd ? cwd : "", cwd ? "/" : "", path);

	free(cwd);
	while (full.ptr && full.len > 1 && full.ptr[full.len - 1] == '/')
		full.len--;
	return full.ptr ? text_copy(arena, full).ptr : NULL;
}

static int add_named(struct server *server, const struct watch_option *option, struct diag *reterr)
{
	struct loaded_lab *lab = labs_get(&server->labs, option->lab);
	const char *dir = absolute(&server->arena, option->dir);

	if (!lab)
		return diag_set(reterr, -ENOENT, 0, 0, "--watch: there is no lab named %.*s",
			TEXT_ARG(option->lab));
	return dir ? add_lab(server, lab, dir, reterr) : diag_nomem(reterr);
}

static int add_labs(struct server *server, struct diag *reterr)
{
	const struct options *options = server->options;
	size_t count = options->watch_count ? options->watch_count : server->labs.count;
	int r = 0;

	server->progress = arena_array(&server->arena, count, sizeof(*server->progress));
	if (!server->progress)
		return diag_nomem(reterr);
	for (size_t i = 0; r == 0 && i < count; i++)
		r = options->watch_count ? add_named(server, &options->watches[i], reterr)
					 : add_lab(server, &server->labs.items[i], NULL, reterr);
	return r;
}

int server_init(struct server *server, const struct options *options, struct diag *reterr)
{
	int r;

	*server = (struct server){.options = options,
		.state_dirfd = -1,
		.publisher = {.dirfd = -1},
		.promise_ms = INT64_MAX};
	server->journal = journal_open(options->foreground);
	arena_init(&server->arena, LIMIT_LAB_ARENA);
	r = open_dir(options->run_dir, &server->publisher.dirfd, reterr);
	if (r == 0)
		r = open_state(server, reterr);
	if (r < 0)
		return r;
	open_watch(server);
	r = open_labs(server, reterr);
	return r < 0 ? r : add_labs(server, reterr);
}

static void save_state(struct server *server, bool last)
{
	struct diag diag;

	if (state_save(&server->state, server->state_dirfd, last, &diag) < 0)
		journal_diag(&server->journal, JOURNAL_ERROR, &diag);
}

void server_finish(struct server *server)
{
	if (server->ready) {
		save_state(server, true);
		publish_end(&server->publisher);
	}
	for (size_t i = server->count; i-- > 0;)
		progress_finish(&server->progress[i]);
	labs_finish(&server->labs);
	watch_free(server->watch);
	if (server->state_dirfd >= 0)
		close(server->state_dirfd);
	if (server->publisher.dirfd >= 0)
		close(server->publisher.dirfd);
	arena_finish(&server->arena);
}

/* ---- a turn ---- */

/* Does what is watched rest on polling, at least in part? */
static bool polls(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (server->progress[i].folder.polled)
			return true;
	return !server->watch;
}

static int64_t scan_pace_ms(const struct server *server)
{
	int64_t pace = polls(server) ? POLL_MS : SCAN_MS;
	int64_t alive = notify_alive_ms();

	return alive < pace ? alive : pace;
}

static void say_diag(struct server *server, const struct diag *diag)
{
	if (diag->text[0])
		journal_diag(&server->journal, JOURNAL_ERROR, diag);
}

/* Labs whose own files changed are made anew. */
static void reload_changed(struct server *server, int64_t now_ms)
{
	for (size_t i = 0; i < server->count; i++) {
		struct progress *progress = &server->progress[i];
		struct diag diag = {0};
		if (!sources_changed(&progress->lab->sources))
			continue;
		progress_reload(progress, now_ms, &diag);
		say_diag(server, &diag);
		journal_say(&server->journal, progress->lab->grader ? JOURNAL_INFO : JOURNAL_ERROR,
			"lab %.*s: loaded again%s%s", TEXT_ARG(progress->lab->name),
			progress->lab->grader ? "" : ": ", progress->lab->problem.text);
	}
}

static void scan(struct server *server, int64_t now_ms)
{
	for (size_t i = 0; i < server->count; i++) {
		struct diag diag = {0};
		progress_scan(&server->progress[i], now_ms, &diag);
		say_diag(server, &diag);
	}
	server->scan_ms = now_ms + scan_pace_ms(server);
}

static void take_in(struct server *server, const struct watch_event *event, int64_t now_ms)
{
	if (event->kind == WATCH_OVERFLOW)
		journal_say(&server->journal, JOURNAL_WARNING,
			"events were lost, looking at everything");
	for (size_t i = 0; i < server->count; i++)
		progress_event(&server->progress[i], event, now_ms);
}

/* Takes in the events that wait, within the limit; how many. What is left cannot be seen by polling
 * the descriptor. */
static int drain(struct server *server, int64_t now_ms)
{
	struct watch_event event;
	int count = 0;

	server->settled_ns = publish_clock_ns();
	while (count < LIMIT_EVENTS && server->watch && watch_next(server->watch, &event) > 0) {
		count++;
		take_in(server, &event, now_ms);
	}
	return count;
}

static void work(struct server *server, int64_t now_ms)
{
	for (size_t i = 0; i < server->count; i++) {
		struct diag diag = {0};
		progress_work(&server->progress[i], now_ms, &diag);
		say_diag(server, &diag);
	}
}

static bool pending(const struct server *server)
{
	if (server->backlog)
		return true;
	for (size_t i = 0; i < server->count; i++)
		if (progress_pending(&server->progress[i]))
			return true;
	return false;
}

/* Gives what changed the next SEQ, once. False: nothing did. */
static bool number_changes(struct server *server)
{
	int64_t seq = 0;

	for (size_t i = 0; i < server->count; i++) {
		struct progress *progress = &server->progress[i];
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
	return seq != 0;
}

static int view(struct server *server, struct arena *arena, struct status *ret, struct diag *reterr)
{
	struct status status = {.seq = server->state.seq,
		.pid = getpid(),
		.notice = TEXT(""),
		.lab_count = server->count};

	status.labs = arena_array(arena, server->count, sizeof(*status.labs));
	if (!status.labs)
		return diag_nomem(reterr);
	if (polls(server))
		status.notice = text_format(arena,
			"Folders cannot be watched here: they are looked at every %d seconds.",
			POLL_MS / 1000);
	for (size_t i = 0; i < server->count; i++) {
		int r = progress_view(&server->progress[i], arena, &status.labs[i], reterr);
		if (r < 0)
			return r;
	}
	*ret = status;
	return 0;
}

/* What `systemctl status` shows: the lines of the prompt's file, without what only a shell needs. */
static void notify_summary(struct arena *arena, const struct status *status)
{
	struct text summary = TEXT("");

	for (size_t i = 0; summary.ptr && i < status->lab_count; i++) {
		const struct status_lab *lab = &status->labs[i];
		struct text mark = status_mark(arena, lab);
		summary = text_format(arena, "%.*s%s%.*s %zu/%zu %.*s", TEXT_ARG(summary),
			i ? ", " : "", TEXT_ARG(lab->name), status_passed(lab), lab->step_count,
			TEXT_ARG(mark));
	}
	if (summary.ptr)
		notify_status(summary);
}

static int64_t now_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void announce_step(struct server *server, struct arena *arena,
	const struct progress *progress, const struct status_step *step, int64_t latency_usec)
{
	struct journal_verdict record = {
		.lab = progress->lab->name,
		.step = step->name,
		.verdict = &step->verdict,
		.sha256 = step->out.sha256,
		.attempt = step->attempt,
		.seq = step->seq,
		.latency_usec = latency_usec,
	};

	record.file = text_format(
		arena, "%.*s/%.*s", TEXT_ARG(progress->shown), TEXT_ARG(step->out.name));
	if (record.file.ptr)
		journal_verdict(&server->journal, arena, &record);
}

static void announce(struct server *server, struct arena *arena, const struct status *status,
	int64_t latency_usec)
{
	for (size_t i = 0; i < server->count; i++) {
		struct progress *progress = &server->progress[i];
		for (size_t j = 0; j < progress->count; j++) {
			if (progress->steps[j].announce)
				announce_step(server, arena, progress, &status->labs[i].steps[j],
					latency_usec);
			progress->steps[j].announce = false;
		}
	}
}

/* Publishes where something changed, and tells the journal and the service manager. */
static void publish(struct server *server, int64_t since_usec)
{
	struct diag diag = {0};
	struct status status;
	struct arena arena;
	int r;

	if (!number_changes(server))
		return;
	arena_init(&arena, LIMIT_LAB_ARENA);
	r = view(server, &arena, &status, &diag);
	if (r == 0)
		r = publish_status(&server->publisher, &arena, &status,
			pending(server) ? 0 : server->settled_ns, &diag);
	if (r == 0) {
		announce(server, &arena, &status, now_usec() - since_usec);
		notify_summary(&arena, &status);
	} else {
		say_diag(server, &diag);
	}
	arena_finish(&arena);
}

static void follow_up(struct server *server)
{
	for (size_t i = 0; i < server->count; i++) {
		struct diag diag = {0};
		progress_follow_up(&server->progress[i], &diag);
		say_diag(server, &diag);
	}
}

/* Moves the promise on once the clock tick of the last event is over. Under a stream of events it is
 * moved at that pace all the same, never past what was taken in. */
static void keep_promise(struct server *server, bool any, int64_t now_ms)
{
	struct publisher *publisher = &server->publisher;
	struct diag diag;

	if (any || pending(server)) {
		server->event_ms = now_ms;
		publisher->racy = true;
	}
	if (pending(server) || !publisher->racy) {
		server->promise_ms = INT64_MAX;
		return;
	}
	if (now_ms >= server->promise_ms) {
		if (publish_promise(publisher, server->settled_ns, &diag) < 0)
			say_diag(server, &diag);
		publisher->racy = now_ms < server->event_ms + TICK_MS;
		server->promise_ms = INT64_MAX;
	}
	if (publisher->racy && server->promise_ms == INT64_MAX)
		server->promise_ms = server->event_ms + TICK_MS;
}

/* The service manager hears that all is well only where that was seen: a whole scan was made. */
static void safety(struct server *server, int64_t now_ms)
{
	if (now_ms < server->scan_ms)
		return;
	reload_changed(server, now_ms);
	scan(server, now_ms);
	malloc_trim(0);
	notify_alive();
}

static int64_t next_time_ms(const struct server *server)
{
	int64_t next = server->scan_ms;

	if (server->promise_ms < next)
		next = server->promise_ms;
	for (size_t i = 0; i < server->count; i++) {
		int64_t deadline = progress_deadline(&server->progress[i]);
		if (deadline < next)
			next = deadline;
	}
	return next;
}

int64_t server_turn(void *ctx)
{
	struct server *server = ctx;
	int64_t since_usec = now_usec(), now_ms = since_usec / 1000;
	int events;

	safety(server, now_ms);
	events = drain(server, now_ms);
	server->backlog = events == LIMIT_EVENTS;
	if (events)
		reload_changed(server, now_ms);
	work(server, now_ms);
	publish(server, since_usec);
	follow_up(server);
	publish(server, since_usec);
	save_state(server, false);
	if (!server->ready) {
		server->ready = true;
		notify_ready();
	}
	keep_promise(server, events > 0, now_ms);
	return server->backlog ? now_ms : next_time_ms(server);
}

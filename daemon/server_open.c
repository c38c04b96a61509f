/* Server, its start and end: opens the directories, the state, the watcher and the labs, in the
 * order in which one needs the other, and gives them back in reverse. */
#include "daemon/server.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "daemon/loop.h"
#include "daemon/notify.h"
#include "daemon/watch.h"

static void give_back(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_run_dir(struct server *server)
{
	give_back(&server->publisher.dirfd);
	give_back(&server->run_lock);
}

static int open_dir(const char *path, int *ret, struct diag *reterr)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return diag_set(reterr, -errno, 0, 0, "%s: %s", path, strerror(errno));
	*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret < 0)
		return diag_set(reterr, -errno, 0, 0, "%s: %s", path, strerror(errno));
	return 0;
}

/* Locks a directory by a file in it that nobody else can open: whoever may open a file or a
 * folder may lock it, and so keep us out for as long as they like. Where that cannot be done it
 * is said. -EBUSY: somebody has. */
static int lock_dir(struct server *server, const char *path, int dirfd, const char *name, int *ret)
{
	int fd = openat(dirfd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	int r = fd < 0 ? -errno : 0;
	struct diag diag = {0};

	/* Where one was made with another mode. */
	if (fd >= 0)
		fchmod(fd, 0600);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		r = errno == EWOULDBLOCK ? -EBUSY : -errno;
	*ret = fd;
	if (r == 0 || r == -EBUSY)
		return r;
	diag_set(&diag, r, 0, 0, "%s/%s: %s: another ewind could be started here", path, name,
		strerror(-r));
	server_say_diag(server, &diag, loop_now_ms());
	return 0;
}

/* The run directory belongs to one daemon: two would overwrite each other's status, and the first
 * to end would take it from the other. */
static int open_run_dir(struct server *server, struct diag *reterr)
{
	const char *path = server->options.run_dir;
	int r = open_dir(path, &server->publisher.dirfd, reterr);

	if (r == 0 &&
		lock_dir(server, path, server->publisher.dirfd, RUN_LOCK, &server->run_lock) < 0) {
		close_run_dir(server);
		return diag_set(reterr, -EBUSY, 0, 0, "%s: another ewind publishes here", path);
	}
	return r;
}

void server_listen(struct server *server, int64_t now_ms)
{
	struct diag diag = {0};

	if (now_ms < server->listen_ms)
		return;
	server->listen_ms = INT64_MAX;
	if (ctl_listen(server->ctl, server->publisher.dirfd, &diag) == 0) {
		server->unheard = false;
		return;
	}
	/* Without it there are hints after further attempts only. */
	if (!server->unheard)
		journal_say(&server->journal, JOURNAL_WARNING, "nobody can ask for hints: %s",
			diag.text);
	server->unheard = true;
	server->listen_ms = now_ms + POLL_MS;
}

void server_look_at_places(struct server *server, int64_t now_ms)
{
	const char *path = server->options.run_dir;
	bool there = publish_is_at(&server->publisher, path);
	bool stands = there && publish_stands(&server->publisher) &&
		      ctl_stands(server->ctl, server->publisher.dirfd);
	struct diag diag = {0};

	if (stands || !server->ready || server->unpublished)
		return;
	diag_set(&diag, -ESTALE, 0, 0, "%s: somebody changed what is in it: publishing anew", path);
	server_say_diag(server, &diag, now_ms);
	/* Who reads in the old one is to find nothing that is no longer true. */
	if (!there) {
		publish_end(&server->publisher);
		ctl_end(server->publisher.dirfd);
	}
	server->unpublished = true;
}

int server_open_again(struct server *server, struct diag *reterr)
{
	int r;

	close_run_dir(server);
	r = open_run_dir(server, reterr);
	server->listen_ms = 0;
	if (r == 0)
		server_listen(server, loop_now_ms());
	return r;
}

/* The state, too: two daemons would forget each other's attempts. */
static int open_state(struct server *server, struct diag *reterr)
{
	const char *path = server->options.state_dir;
	struct diag damage = {0};
	int r;

	r = open_dir(path, &server->state_dirfd, reterr);
	if (r == 0 &&
		lock_dir(server, path, server->state_dirfd, STATE_LOCK, &server->state_lock) < 0)
		r = diag_set(reterr, -EBUSY, 0, 0, "%s: another ewind keeps its state here", path);
	if (r < 0)
		return r;
	r = state_load(&server->arena, server->state_dirfd, &server->state, &damage);
	if (r > 0)
		journal_diag(&server->journal, JOURNAL_WARNING, &damage);
	else if (r < 0 && reterr)
		*reterr = damage;
	return r < 0 ? r : 0;
}

static void open_watch(struct server *server)
{
	struct diag diag = {0};

	if (watch_new(&server->watch, &diag) < 0)
		journal_diag(&server->journal, JOURNAL_WARNING, &diag);
}

/* An absolute path without slashes at its end, since a path is watched from its top. NULL: no
 * memory. */
static const char *absolute(struct arena *arena, const char *path)
{
	char *cwd = path[0] == '/' ? NULL : getcwd(NULL, 0);
	struct text full = text_format(arena, "%s%s%s", cwd ? cwd : "", cwd ? "/" : "", path);

	free(cwd);
	while (full.ptr && full.len > 1 && full.ptr[full.len - 1] == '/')
		full.len--;
	return full.ptr ? text_copy(arena, full).ptr : NULL;
}

static bool make_absolute(struct arena *arena, const char **path)
{
	if (**path)
		*path = absolute(arena, *path);
	return *path;
}

/* Every path of the command line that is watched. */
static int make_all_absolute(struct server *server, struct diag *reterr)
{
	struct options *options = &server->options;
	bool done = make_absolute(&server->arena, &options->data_root);

	for (size_t i = 0; i < options->places.count; i++)
		done = done && make_absolute(&server->arena, &options->places.dirs[i]);
	for (size_t i = 0; i < options->watch_count; i++)
		done = done && make_absolute(&server->arena, &options->watches[i].dir);
	return done ? 0 : diag_nomem(reterr);
}

/* Is the run of a reference to end? The service manager hears meanwhile that it goes on. */
static bool is_called(void *ctx)
{
	struct server *server = ctx;
	int64_t now_ms = loop_now_ms();

	if (now_ms >= server->working_ms + WORKING_MS) {
		notify_working();
		server->working_ms = now_ms;
	}
	return loop_is_called();
}

/* Without any place it is a wrong configuration; what is wrong in one of them keeps no other lab
 * from being graded. */
static int load_labs(struct server *server, struct diag *reterr)
{
	const struct options *options = &server->options;
	struct lab_places places = options->places;
	struct text *names = arena_array(&server->arena, options->watch_count, sizeof(*names));
	struct diag trouble = {0};
	int r;

	if (!names)
		return diag_nomem(reterr);
	for (size_t i = 0; i < options->watch_count; i++)
		names[i] = options->watches[i].lab;
	places.wanted = (struct lab_names){names, options->watch_count};
	server->loading = (struct sim_pause){is_called, server};
	server->working_ms = loop_now_ms();
	places.pause = &server->loading;
	r = labs_load(&server->labs, &places, options->data_root, server->watch,
		options->watch_count > 0, &trouble);

	if (r == -ENOENT || r == -ENOMEM) {
		*reterr = trouble;
		return r;
	}
	server_say_trouble(server, &trouble);
	return 0;
}

/* Where labs could not be read for the moment it may well be there. */
static int no_lab(const struct server *server, struct text name, struct diag *reterr)
{
	if (labs_unsure(&server->labs))
		return diag_set(reterr, -EAGAIN, 0, 0,
			"--watch: lab %.*s cannot be looked for at the moment", TEXT_ARG(name));
	return diag_set(
		reterr, -ENOENT, 0, 0, "--watch: there is no lab named %.*s", TEXT_ARG(name));
}

static int open_labs(struct server *server, struct diag *reterr)
{
	struct options *options = &server->options;
	int r;

	if (!options->places.count)
		lab_places_default(&server->arena, &options->places);
	r = make_all_absolute(server, reterr);
	if (r == 0 && options->data_root[0])
		mounts_note(&server->arena, options->data_root, &server->mounts);
	if (r == 0)
		r = load_labs(server, reterr);
	if (r < 0)
		return r;
	for (size_t i = 0; i < options->watch_count; i++)
		if (!labs_get(&server->labs, options->watches[i].lab))
			return no_lab(server, options->watches[i].lab, reterr);
	server_sync(server, 0);
	if (!server->count)
		journal_say(&server->journal, JOURNAL_WARNING, "there is no lab in %s yet",
			options->places.dirs[options->places.count - 1]);
	return 0;
}

int server_init(struct server *server, const struct options *options, struct diag *reterr)
{
	int r;

	*server = (struct server){.options = *options,
		.state_dirfd = -1,
		.state_lock = -1,
		.run_lock = -1,
		.publisher = {.dirfd = -1},
		.promise_ms = INT64_MAX,
		.changed = true};
	pulse_init(&server->pulse);
	mallopt(M_TRIM_THRESHOLD, LIMIT_FREE_AT_WORK);
	mallopt(M_MMAP_THRESHOLD, LIMIT_FREE_AT_WORK);
	server->journal = journal_open(options->foreground);
	arena_init(&server->arena, LIMIT_LAB_ARENA);
	r = open_run_dir(server, reterr);
	if (r == 0)
		r = open_state(server, reterr);
	if (r == 0)
		r = ctl_new(&server->ctl, reterr);
	if (r < 0)
		return r;
	open_watch(server);
	server_listen(server, 0);
	return open_labs(server, reterr);
}

void server_finish(struct server *server)
{
	if (server->ready) {
		server_give_up(server);
		server_save_state(server, STATE_AT_END);
		publish_end(&server->publisher);
	}
	if (server->ctl && server->publisher.dirfd >= 0)
		ctl_end(server->publisher.dirfd);
	ctl_free(server->ctl);
	server_end_labs(server);
	watch_free(server->watch);
	pulse_finish(&server->pulse);
	give_back(&server->state_lock);
	give_back(&server->state_dirfd);
	close_run_dir(server);
	arena_finish(&server->arena);
}

void server_save_state(struct server *server, enum state_moment moment)
{
	struct diag diag = {0};

	if (state_save(&server->state, server->state_dirfd, moment, &diag) < 0)
		server_say_diag(server, &diag, loop_now_ms());
}

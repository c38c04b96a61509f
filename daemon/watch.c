/* Watch: libinotifytools behind an interface of ours. What each event means for a lab is settle's
 * and folder's business.
 *
 * The library is used in the one way that holds (all of this seen with 3.22.6, Debian 12):
 * - its name patterns swallow IN_Q_OVERFLOW, so there are none; we compare names ourselves;
 * - it hides its descriptor, so we look for the one that appears in /proc/self/fd, and give it
 *   O_NONBLOCK and FD_CLOEXEC, which it forgets;
 * - it reads many events at once into a buffer that poll() does not know of, so that watch_next()
 *   is to be called until 0. next_events(0, 1) is the only form that neither blocks nor spins;
 * - it keeps names in a table of its own, and an entry outlives its folder, so that a path given a
 *   second time finds the old watch descriptor. We keep watch descriptors by (device, inode), and
 *   give each watch a path of its own: see unique_path(). */
#include "daemon/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "parser/diag.h"
#include "parser/memory.h"

#define NAMES_MASK                                                                             \
	(IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | \
		IN_ONLYDIR)
#define FILES_MASK (NAMES_MASK | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB)

static const int masks[] = {
	[WATCH_NAMES] = NAMES_MASK, [WATCH_FILES] = FILES_MASK, [WATCH_ITSELF] = IN_ATTRIB};

/* A learner's folder, the lab's own with its SQL, that of its data, and those above them; and the
 * pulse's file. */
#define ENTRIES (8 * LIMIT_LABS + 1)

struct entry {
	int wd; /* -1: free */
	int users;
	enum watch_what what;
	bool dead; /* the kernel took it away already */
	dev_t dev;
	ino_t ino;
};

struct watch {
	int poller;	 /* an epoll instance: the same descriptor, whether there is an fd or not */
	int fd;		 /* -1: the system gave none yet */
	uint32_t serial; /* watches added so far */
	struct diag why; /* of the last failure */
	struct entry entries[ENTRIES];
};

/* Is this descriptor of ours an inotify instance? */
static bool is_inotify(int fd)
{
	char path[64], target[64];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		return false;
	target[len] = '\0';
	return strcmp(target, "anon_inode:inotify") == 0;
}

/* Which of our descriptors are inotify instances: another part of the process may own one. */
static void find_inotify(bool ret[FD_SETSIZE])
{
	for (int fd = 0; fd < FD_SETSIZE; fd++)
		ret[fd] = is_inotify(fd);
}

/* The inotify instance that was not there before, or -1. */
static int new_inotify(const bool before[FD_SETSIZE])
{
	for (int fd = 0; fd < FD_SETSIZE; fd++)
		if (!before[fd] && is_inotify(fd))
			return fd;
	return -1;
}

/* A sentence for the operator, who can raise the limits. */
static int failed(struct diag *reterr, int err)
{
	const char *what = strerror(err);

	if (err == ENOSPC)
		what = "fs.inotify.max_user_watches is reached";
	else if (err == EMFILE)
		what = "fs.inotify.max_user_instances is reached";
	return diag_set(reterr, -err, 0, 0, "inotify: %s", what);
}

/* Takes the library's descriptor into our poller. */
static int join(int poller, int fd, struct diag *reterr)
{
	struct epoll_event event = {.events = EPOLLIN};

	if (fd < 0)
		return diag_set(
			reterr, -ENODEV, 0, 0, "inotify: its descriptor is not to be found");
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ||
		epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0)
		return failed(reterr, errno);
	return 0;
}

bool watch_open(struct watch *watch)
{
	bool before[FD_SETSIZE];
	int fd;

	if (watch->fd >= 0)
		return true;
	find_inotify(before);
	if (!inotifytools_initialize()) {
		failed(&watch->why, inotifytools_error());
		return false;
	}
	fd = new_inotify(before);
	if (join(watch->poller, fd, &watch->why) < 0) {
		inotifytools_cleanup();
		return false;
	}
	watch->fd = fd;
	return true;
}

int watch_new(struct watch **ret, struct diag *reterr)
{
	struct watch *watch = memory_get(sizeof(*watch));
	int r;

	if (!watch)
		return diag_nomem(reterr);
	*watch = (struct watch){.fd = -1};
	for (size_t i = 0; i < ENTRIES; i++)
		watch->entries[i] = (struct entry){.wd = -1};
	watch->poller = epoll_create1(EPOLL_CLOEXEC);
	if (watch->poller < 0) {
		r = diag_set(reterr, -errno, 0, 0, "epoll: %s", strerror(errno));
		free(watch);
		return r;
	}
	watch_open(watch);
	*ret = watch;
	return 0;
}

void watch_free(struct watch *watch)
{
	struct watch_event event;

	if (!watch)
		return;
	while (watch_next(watch, &event))
		;
	if (watch->fd >= 0)
		inotifytools_cleanup();
	close(watch->poller);
	free(watch);
}

int watch_fd(const struct watch *watch)
{
	return watch->poller;
}

const char *watch_problem(const struct watch *watch)
{
	return watch->why.text;
}

static struct entry *entry_of_folder(struct watch *watch, const struct stat *st)
{
	for (size_t i = 0; i < ENTRIES; i++) {
		struct entry *entry = &watch->entries[i];
		if (entry->wd >= 0 && !entry->dead && entry->dev == st->st_dev &&
			entry->ino == st->st_ino)
			return entry;
	}
	return NULL;
}

static struct entry *entry_of_wd(struct watch *watch, int wd)
{
	for (size_t i = 0; i < ENTRIES; i++)
		if (watch->entries[i].wd == wd)
			return &watch->entries[i];
	return NULL;
}

/* A path to what is behind an open descriptor, and to exactly that, which no watch had before: the
 * serial's bits are written as "./" and ".//". That of a folder ends in a slash, else the library
 * adds one. */
static void unique_path(char *path, size_t size, int fd, bool is_dir, uint32_t serial)
{
	size_t len = (size_t)snprintf(path, size, "/proc/self/fd/");

	for (; serial; serial >>= 1)
		len += (size_t)snprintf(path + len, size - len, "%s", serial & 1 ? ".//" : "./");
	snprintf(path + len, size - len, "%d%s", fd, is_dir ? "/" : "");
}

/* Has the kernel tell more of what is watched already: its number stays. The library is not
 * asked, since it would lose its entry of the first time. */
static int tell_more(const struct watch *watch, int fd, enum watch_what what, struct diag *reterr)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (inotify_add_watch(watch->fd, path, (uint32_t)masks[what]) < 0)
		return failed(reterr, errno);
	return 0;
}

/* Makes the kernel and the library watch what is behind a descriptor. */
static int add_wd(
	struct watch *watch, int fd, enum watch_what what, int *ret_wd, struct diag *reterr)
{
	char path[160];

	if (watch->fd < 0)
		return diag_set(reterr, -ENODEV, 0, 0, "%s", watch->why.text);
	unique_path(path, sizeof(path), fd, what != WATCH_ITSELF, ++watch->serial);
	if (!inotifytools_watch_file(path, masks[what]))
		return failed(reterr, inotifytools_error());
	*ret_wd = inotifytools_wd_from_filename(path);
	return 0;
}

/* The entry of a folder: the one there is, or a new one. */
static int find_entry(
	struct watch *watch, const struct stat *st, struct entry **ret, struct diag *reterr)
{
	struct entry *entry = entry_of_folder(watch, st);

	if (!entry) {
		entry = entry_of_wd(watch, -1);
		if (!entry)
			return diag_set(
				reterr, -ENOSPC, 0, 0, "more than %d folders to watch", ENTRIES);
		*entry = (struct entry){.wd = -1, .dev = st->st_dev, .ino = st->st_ino};
	}
	*ret = entry;
	return 0;
}

bool watch_is_remote(long type)
{
	static const uint32_t remote[] = {
		0x01021997,			    /* 9p */
		0x00006969,			    /* NFS */
		0x0000517b, 0xff534d42, 0xfe534d42, /* SMB and its successors */
		0x65735546,			    /* FUSE: sshfs, virtiofs */
		0x786f4256,			    /* shared folders of VirtualBox */
		0x00c36400,			    /* Ceph */
		0x5346414f,			    /* AFS */
	};

	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		if ((uint32_t)type == remote[i])
			return true;
	return false;
}

static int add(
	struct watch *watch, int dirfd, enum watch_what what, int *ret_id, struct diag *reterr)
{
	struct entry *entry = NULL;
	struct stat st;
	int r;

	if (fstat(dirfd, &st) < 0)
		return diag_set(reterr, -errno, 0, 0, "fstat: %s", strerror(errno));
	r = find_entry(watch, &st, &entry, reterr);
	if (r == 0 && entry->wd < 0)
		r = add_wd(watch, dirfd, what, &entry->wd, reterr);
	else if (r == 0 && what > entry->what)
		r = tell_more(watch, dirfd, what, reterr);
	if (r == 0 && what > entry->what)
		entry->what = what;
	if (r < 0)
		return r;
	if (entry->wd < 0)
		return diag_set(reterr, -ENOENT, 0, 0, "inotify: the library lost the folder");
	entry->users++;
	*ret_id = entry->wd;
	return 0;
}

int watch_add(struct watch *watch, int dirfd, enum watch_what what, int *ret_id)
{
	struct statfs fs;
	struct diag why;
	int r = add(watch, dirfd, what, ret_id, &why);

	if (r == 0 && fstatfs(dirfd, &fs) == 0 && watch_is_remote(fs.f_type))
		r = diag_set(
			&why, 1, 0, 0, "inotify: it does not tell of what other machines write");
	if (r != 0)
		watch->why = why;
	return r;
}

void watch_remove(struct watch *watch, int id)
{
	struct entry *entry = id < 0 ? NULL : entry_of_wd(watch, id);

	if (!entry || --entry->users > 0)
		return;
	if (!entry->dead)
		inotifytools_remove_watch_by_wd(entry->wd);
	entry->wd = -1;
}

/* The library says of a watch that the kernel does not have that it failed, on stderr: so it is
 * not asked. */
void watch_drop(struct watch *watch, int id)
{
	struct entry *entry = id < 0 ? NULL : entry_of_wd(watch, id);

	if (!entry || --entry->users > 0)
		return;
	if (!entry->dead)
		inotify_rm_watch(watch->fd, entry->wd);
	entry->wd = -1;
}

bool watch_is_dead(struct watch *watch, int id)
{
	const struct entry *entry = entry_of_wd(watch, id);

	return !entry || entry->dead;
}

int watch_count(const struct watch *watch)
{
	int count = 0;

	for (size_t i = 0; i < ENTRIES; i++)
		count += watch->entries[i].wd >= 0;
	return count;
}

/* The kind of an event, or -1 where it means nothing to us. */
static int kind_of(uint32_t mask)
{
	if (mask & IN_Q_OVERFLOW)
		return WATCH_OVERFLOW;
	if (mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT))
		return WATCH_LOST;
	if (mask & (IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB))
		return WATCH_CLOSED;
	if (mask & (IN_DELETE | IN_MOVED_FROM))
		return WATCH_GONE;
	if (mask & IN_CREATE)
		return WATCH_MADE;
	return mask & IN_MODIFY ? WATCH_WRITTEN : -1;
}

/* Copies an event out of the library's buffer, which the next call reuses. */
static bool take(struct watch *watch, const struct inotify_event *event, struct watch_event *ret)
{
	struct entry *entry = event->wd < 0 ? NULL : entry_of_wd(watch, event->wd);
	int kind = kind_of(event->mask);

	if (entry && event->mask & (IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF))
		entry->dead = true;
	if (kind < 0 || (kind != WATCH_OVERFLOW && !entry))
		return false;
	*ret = (struct watch_event){.kind = (enum watch_kind)kind, .id = event->wd};
	if (event->len)
		snprintf(ret->name, sizeof(ret->name), "%s", event->name);
	return true;
}

int watch_next(struct watch *watch, struct watch_event *ret)
{
	const struct inotify_event *event;

	while (watch->fd >= 0 && (event = inotifytools_next_events(0, 1)))
		if (take(watch, event, ret))
			return 1;
	return 0;
}

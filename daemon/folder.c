/* Folder: keeps a watch on a path whose folder comes and goes.
 *
 * While it is there, two folders are watched: it, and the one above, which alone tells that it was
 * removed: inotify's own word for that comes only once nobody has it open, and a learner's shell
 * stands in it. While it is absent, the nearest folder above that exists is watched for the next
 * name of the path. In each case the watch is set first and the path looked at again afterwards, so
 * that what happens in between is not lost. What cannot be watched is tried again each time. A
 * folder that is kept stays open while it is armed: its watch can be removed properly after a
 * removal, its inode is nobody else's, and files are opened in exactly the folder that is
 * watched. Of one that is not, another folder may get the inode: that the watch is dead tells
 * them apart. */
#include "daemon/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/errors.h"
#include "daemon/watch.h"
#include "parser/text.h"

#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)

void folder_init(struct folder *folder, const char *path, struct watch *watch, bool kept)
{
	*folder = (struct folder){.path = path,
		.watch = watch,
		.kept = kept,
		.dirfd = -1,
		.id = -1,
		.above_id = -1,
		.below = path};
}

static void let_go(struct folder *folder)
{
	if (folder->id >= 0 && folder->kept)
		watch_remove(folder->watch, folder->id);
	else if (folder->id >= 0)
		watch_drop(folder->watch, folder->id);
	if (folder->dirfd >= 0)
		close(folder->dirfd);
	folder->id = folder->dirfd = -1;
	folder->there = false;
}

void folder_finish(struct folder *folder)
{
	let_go(folder);
	if (folder->above_id >= 0)
		watch_remove(folder->watch, folder->above_id);
	folder->above_id = -1;
}

/* Watches the folder whose path is the first `len` bytes of the path. An id; -1: it is not there,
 * or there and not to be watched, and polled is set. */
static int watch_prefix(struct folder *folder, size_t len)
{
	char path[PATH_MAX];
	int fd, id, r;

	if (len >= sizeof(path))
		return -1;
	snprintf(path, sizeof(path), "%.*s", len ? (int)len : 1, len ? folder->path : "/");
	fd = open(path, OPEN_FOLDER);
	if (fd < 0) {
		folder->unsure = folder->unsure || error_passes(errno);
		return -1;
	}
	r = watch_add(folder->watch, fd, WATCH_NAMES, &id);
	folder->polled = folder->polled || r != 0;
	close(fd);
	return r < 0 ? -1 : id;
}

/* Watches the nearest folder above that can be watched. */
static void arm_above(struct folder *folder)
{
	int before = folder->above_id;
	size_t len = strlen(folder->path);

	folder->above_id = -1;
	folder->polled = folder->remote = false;
	while (folder->above_id < 0 && len > 0) {
		while (len > 0 && folder->path[len - 1] != '/')
			len--;
		folder->below = folder->path + len;
		len -= len > 0;
		folder->above_id = watch_prefix(folder, len);
	}
	if (before >= 0)
		watch_remove(folder->watch, before);
}

/* Is the name that is waited for there by now, though the folder is not? */
static bool next_is_there(const struct folder *folder)
{
	size_t len = (size_t)(folder->below - folder->path) + strcspn(folder->below, "/");
	char path[PATH_MAX];
	struct stat st;

	if (len >= sizeof(path) || !folder->path[len])
		return false;
	snprintf(path, sizeof(path), "%.*s", (int)len, folder->path);
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Opens the folder. Its descriptor; -1: it is absent; -errno: that cannot be said for the
 * moment. */
static int open_itself(const struct folder *folder, struct stat *ret)
{
	int fd = open(folder->path, OPEN_FOLDER), err;

	if (fd >= 0 && fstat(fd, ret) == 0)
		return fd;
	err = errno;
	if (fd >= 0)
		close(fd);
	return error_passes(err) ? -err : -1;
}

/* Takes the folder that was opened; the one before is let go only now. */
static void take(struct folder *folder, int fd, const struct stat *st)
{
	struct folder before = *folder;
	int r;

	folder->there = true;
	folder->dirfd = folder->kept ? fd : -1;
	folder->id = -1;
	folder->dev = st->st_dev;
	folder->ino = st->st_ino;
	r = folder->watch ? watch_add(folder->watch, fd, WATCH_FILES, &folder->id) : -ENODEV;
	folder->remote = r > 0;
	folder->polled = folder->polled || r != 0;
	if (!folder->kept)
		close(fd);
	let_go(&before);
}

/* Watches what is above, and opens the folder, as open_itself() does. Each turn goes one name
 * deeper, or ends; a path that is torn down and made again meanwhile is seen by its events. */
static int find(struct folder *folder, struct stat *ret)
{
	int fd = -1;

	folder->polled = folder->remote = false;
	for (int turn = 0; turn < PATH_MAX / 2; turn++) {
		if (folder->watch)
			arm_above(folder);
		fd = open_itself(folder, ret);
		if (fd != -1 || !folder->watch || !next_is_there(folder))
			break;
	}
	return fd;
}

static bool is_blocked(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* May a folder above be entered, or the folder itself be read as well? */
static bool is_open(const struct folder *folder, size_t len)
{
	int mode = folder->path[len] ? X_OK : R_OK | X_OK;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s", (int)len, folder->path);
	return faccessat(AT_FDCWD, path, mode, 0) == 0;
}

/* How much of the path names the first folder on it that is closed; 0: nothing keeps us out. */
static size_t find_closed(struct folder *folder)
{
	size_t len = strlen(folder->path);

	if (folder->blocked || is_open(folder, len))
		return 0;
	if (error_passes(errno)) {
		folder->unsure = true;
		return folder->closed;
	}
	if (errno != EACCES)
		return 0;
	len = 0;
	do
		len += 1 + strcspn(folder->path + len + 1, "/");
	while (folder->path[len] && is_open(folder, len));
	return len;
}

bool folder_arm(struct folder *folder)
{
	bool was_there = folder->there, other;
	bool blind = (folder->polled && !folder->remote) || folder->unsure ||
		     (folder->id >= 0 && watch_is_dead(folder->watch, folder->id));
	struct stat st;
	int fd;

	folder->unsure = false;
	folder->blocked = is_blocked(folder->path);
	folder->closed = find_closed(folder);
	if (was_there && !blind && folder_same(folder))
		return false;
	fd = find(folder, &st);
	if (fd < -1) {
		folder->unsure = true;
		return false;
	}
	if (fd < 0) {
		let_go(folder);
		return was_there;
	}
	other = !was_there || blind || st.st_dev != folder->dev || st.st_ino != folder->ino;
	take(folder, fd, &st);
	return other;
}

bool folder_same(const struct folder *folder)
{
	struct stat st;

	if (stat(folder->path, &st) < 0)
		return !folder->there && !error_passes(errno);
	if (!S_ISDIR(st.st_mode))
		return !folder->there;
	return folder->there && st.st_dev == folder->dev && st.st_ino == folder->ino;
}

bool folder_concerned(const struct folder *folder, const struct watch_event *event)
{
	struct text name = text_of(event->name);
	struct text below = {folder->below, strcspn(folder->below, "/")};

	if (event->id < 0)
		return event->kind == WATCH_OVERFLOW;
	if (event->kind == WATCH_LOST)
		return event->id == folder->id || event->id == folder->above_id;
	if (event->id == folder->id && !event->name[0])
		return true;
	return event->id == folder->above_id && event->kind != WATCH_WRITTEN &&
	       text_eq(name, below);
}

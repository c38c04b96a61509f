/* Intake: opens, checks and reads one file of a folder that somebody else may change at any moment.
 *
 * Only what a look finds regular is opened: to open a FIFO lets its writer go on, and to open a
 * device may do anything. As another file may be there by then, O_NOFOLLOW refuses a symlink,
 * O_NONBLOCK keeps a FIFO from hanging us, and fstat() on the open file decides what it is. It is
 * read, never mapped (a file cut short under a mapping is SIGBUS), and looked at again
 * afterwards. What the bytes mean is the grader's question, when to read them settle's. */
#include "daemon/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/errors.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* Anybody may set any time. What is further off than this (the years 1843 and 2255) is taken for
 * that, so that times in ns can be added to, and compared with the clock's. */
#define FIRST_S (-4000000000)
#define LAST_S	9000000000

static int64_t mtime_ns(const struct stat *st)
{
	int64_t s = st->st_mtim.tv_sec;

	if (s < FIRST_S || s >= LAST_S)
		return (s < 0 ? FIRST_S : LAST_S) * 1000000000;
	return s * 1000000000 + st->st_mtim.tv_nsec;
}

static struct identity identity_of(const struct stat *st)
{
	return (struct identity){
		.state = S_ISREG(st->st_mode) ? FILE_THERE : FILE_NOT_REGULAR,
		.dev = st->st_dev,
		.ino = st->st_ino,
		.size = st->st_size,
		.mtime_ns = mtime_ns(st),
	};
}

bool file_is_shared(int dirfd, const char *name, int flags, const struct stat *st)
{
	struct statx more;

	if (!S_ISREG(st->st_mode))
		return false;
	return st->st_nlink > 1 || (statx(dirfd, name, flags, STATX_TYPE, &more) == 0 &&
					   more.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

/* What an open() that failed says about the file. ELOOP is a symlink, ENXIO a socket. */
static enum file_state state_of_error(int err)
{
	switch (err) {
	case ENOENT:
	case ENOTDIR: return FILE_MISSING;
	case ELOOP:
	case EISDIR:
	case ENXIO:
	case ENODEV: return FILE_NOT_REGULAR;
	default: return FILE_UNREADABLE;
	}
}

/* 0, or the errno that the state is from. */
static int look(int dirfd, const char *name, struct identity *ret)
{
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		int err = errno;
		*ret = (struct identity){.state = state_of_error(err)};
		return err;
	}
	*ret = identity_of(&st);
	ret->shared = file_is_shared(dirfd, name, AT_SYMLINK_NOFOLLOW, &st);
	return 0;
}

/* Reads up to `size` bytes; how many, or -errno. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);
		if (n == 0)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* A file of which nothing is known for the moment is neither missing nor unreadable. */
static int cannot(const char *name, int err, struct diag *reterr)
{
	return diag_set(reterr, -EAGAIN, 0, 0, "%s: %s", name, strerror(err));
}

/* Reads the bytes behind an open regular file of known identity. */
static int read_bytes(
	struct arena *arena, int fd, const char *name, struct intake *intake, struct diag *reterr)
{
	size_t size = (size_t)intake->identity.size;
	char *bytes = arena_alloc(arena, size + 1);
	struct stat after;
	ssize_t len;

	if (!bytes)
		return diag_nomem(reterr);
	len = read_all(fd, bytes, size + 1);
	if (len >= 0 && fstat(fd, &after) < 0)
		len = -errno;
	if (len < 0) {
		intake->identity.state = FILE_UNREADABLE;
		return error_passes((int)-len) ? cannot(name, (int)-len, reterr) : 0;
	}
	intake->moving = (size_t)len != size || after.st_size != intake->identity.size ||
			 mtime_ns(&after) != intake->identity.mtime_ns;
	intake->file.bytes = (struct text){bytes, (size_t)len};
	return 0;
}

static int read_open(struct arena *arena, int fd, const char *name, size_t cap,
	struct intake *intake, struct diag *reterr)
{
	struct stat st;

	if (fstat(fd, &st) < 0) {
		intake->identity.state = FILE_UNREADABLE;
		return error_passes(errno) ? cannot(name, errno, reterr) : 0;
	}
	intake->identity = identity_of(&st);
	intake->identity.shared = file_is_shared(fd, "", AT_EMPTY_PATH, &st);
	if (intake->identity.state != FILE_THERE)
		return 0;
	if ((uint64_t)st.st_size > cap) {
		intake->identity.state = FILE_TOO_LARGE;
		return 0;
	}
	return read_bytes(arena, fd, name, intake, reterr);
}

int intake_bytes(struct arena *arena, int dirfd, const char *name, size_t cap, struct intake *ret,
	struct diag *reterr)
{
	struct intake intake = {0};
	int fd, r = 0, err = look(dirfd, name, &intake.identity);

	if (error_passes(err))
		return cannot(name, err, reterr);
	if (intake.identity.state == FILE_THERE) {
		fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && error_passes(errno))
			return cannot(name, errno, reterr);
		if (fd < 0)
			intake.identity.state = state_of_error(errno);
		else
			r = read_open(arena, fd, name, cap, &intake, reterr);
		if (fd >= 0)
			close(fd);
	}
	if (r < 0)
		return r;
	intake.file.state = intake.identity.state;
	intake.file.mtime_ns = intake.identity.mtime_ns;
	*ret = intake;
	return 0;
}

int intake_read(struct arena *arena, int dirfd, const char *name, size_t cap, struct intake *ret,
	struct diag *reterr)
{
	int r = intake_bytes(arena, dirfd, name, cap, ret, reterr);

	if (r == 0 && ret->file.state == FILE_THERE)
		sha256_hex(ret->file.bytes, ret->identity.sha256);
	return r;
}

struct identity intake_look(int dirfd, const char *name)
{
	struct identity identity;

	look(dirfd, name, &identity);
	return identity;
}

/* Unreadable and too large are found by reading: to a look they are there. */
static enum file_state state_of_look(enum file_state state)
{
	return state == FILE_UNREADABLE || state == FILE_TOO_LARGE ? FILE_THERE : state;
}

bool identity_same_look(const struct identity *a, const struct identity *b)
{
	return state_of_look(a->state) == state_of_look(b->state) && a->dev == b->dev &&
	       a->ino == b->ino && a->size == b->size && a->mtime_ns == b->mtime_ns;
}

bool identity_same_bytes(const struct identity *a, const struct identity *b)
{
	return a->state == b->state && strcmp(a->sha256, b->sha256) == 0;
}

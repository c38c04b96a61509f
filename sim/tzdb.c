/* The tz database: the files of zones, and which of them this machine is in. Zone files are
 * small, and none of them is a learner's: they are opened below the database's folder only. */
#include "sim/tzdb.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/memory.h"

#define ZONES "/usr/share/zoneinfo"

struct zone_file {
	int fd;
};

static long zone_read(void *ctx, char *buf, size_t size)
{
	const struct zone_file *file = ctx;
	ssize_t got;

	do
		got = read(file->fd, buf, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static void zone_close(void *ctx)
{
	struct zone_file *file = ctx;

	close(file->fd);
	free(file);
}

/* A regular file that is open for reading, or -errno. A folder ("Europe") is no zone. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -ENOENT;
}

int tzdb_open(void *ctx, struct text name, struct reader *ret, struct diag *reterr)
{
	char path[PATH_MAX];
	struct zone_file *file;
	int fd;

	(void)ctx;
	if ((size_t)snprintf(path, sizeof(path), ZONES "/%.*s", TEXT_ARG(name)) >= sizeof(path))
		return -ENOENT;
	fd = open_file(path);
	if (fd == -ENOENT && access(ZONES "/UTC", F_OK) < 0)
		return diag_set(reterr, -ENOTSUP, 0, 0,
			"A time zone needs the tz database in " ZONES ", which is not installed.");
	if (fd < 0)
		return fd == -ENOENT ? fd
				     : diag_set(reterr, fd, 0, 0, "%s: %s.", path, strerror(-fd));
	file = memory_get(sizeof(*file));
	if (!file) {
		close(fd);
		return diag_nomem(reterr);
	}
	file->fd = fd;
	*ret = (struct reader){.read = zone_read, .close = zone_close, .ctx = file};
	return 0;
}

struct text tzdb_default(struct arena *arena)
{
	struct text name = text_of(getenv("TZ") ? getenv("TZ") : "");
	char link[PATH_MAX];
	ssize_t len;
	size_t at;

	text_cut_char(&name, ':');
	if (name.len)
		return name;
	len = readlink("/etc/localtime", link, sizeof(link));
	if (len < 0)
		return name;
	name = (struct text){link, (size_t)len};
	at = text_find(name, TEXT("zoneinfo/")) + strlen("zoneinfo/");
	return text_copy(arena, text_slice(name, at, name.len));
}

/* The files of ewin-sim. They are whoever's who runs it, and opened as such: what a learner's SQL
 * may read of a lab's is daemon/datafiles.h's. */
#include "daemon/sim_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/tzdb.h"

/* A regular file that is open for reading, or -errno. A FIFO or a device is not waited for. */
static int open_regular(int folder, const char *path)
{
	int fd = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* The one file in a folder that Flink reads; hidden ones and those that begin with '_' it leaves
 * out. -EISDIR where there is not exactly one, since Flink reads several in no order that is
 * promised. */
static int open_only_file(const char *path)
{
	char name[NAME_MAX + 1] = "";
	DIR *folder = opendir(path);
	const struct dirent *entry;
	int count = 0, fd = -EISDIR;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || entry->d_name[0] == '_')
			continue;
		memcpy(name, entry->d_name, strlen(entry->d_name) + 1);
		count++;
	}
	if (count == 1)
		fd = open_regular(dirfd(folder), name);
	closedir(folder);
	return fd;
}

struct open_file {
	int fd;
};

static long read_file(void *ctx, char *buf, size_t size)
{
	const struct open_file *file = ctx;
	ssize_t got;

	do
		got = read(file->fd, buf, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static void close_file(void *ctx)
{
	const struct open_file *file = ctx;

	close(file->fd);
}

static int open_table(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	const struct sim_tables *tables = ctx;
	struct text full = text_format(tables->arena, "%s%.*s", tables->root, TEXT_ARG(path));
	struct open_file *file = ARENA_NEW(tables->arena, struct open_file);

	if (!full.ptr || !file)
		return diag_nomem(reterr);
	file->fd = open_regular(AT_FDCWD, full.ptr);
	if (file->fd == -EISDIR)
		file->fd = open_only_file(full.ptr);
	if (file->fd < 0)
		return diag_set(reterr, file->fd, 0, 0, "The table's file %s: %s.", full.ptr,
			strerror(-file->fd));
	*ret = (struct reader){.read = read_file, .close = close_file, .ctx = file};
	return 0;
}

struct sim_files sim_tables_reader(struct sim_tables *tables)
{
	return (struct sim_files){.open = open_table,
		.ctx = tables,
		.open_zone = tzdb_open,
		.default_zone = tzdb_default(tables->arena)};
}

int sim_read_script(struct arena *arena, const char *path, struct text *ret, struct diag *reterr)
{
	struct open_file file = {.fd = open_regular(AT_FDCWD, path)};
	char *bytes = arena_alloc(arena, LIMIT_SQL_BYTES + 1);
	size_t len = 0;
	long got = 1;

	if (file.fd < 0)
		return diag_set(reterr, file.fd, 0, 0, "%s", strerror(-file.fd));
	while (bytes && got > 0 && len <= LIMIT_SQL_BYTES) {
		got = read_file(&file, bytes + len, LIMIT_SQL_BYTES + 1 - len);
		len += got > 0 ? (size_t)got : 0;
	}
	close(file.fd);
	if (!bytes)
		return diag_nomem(reterr);
	if (got < 0)
		return diag_set(reterr, (int)got, 0, 0, "%s", strerror((int)-got));
	if (len > LIMIT_SQL_BYTES)
		return diag_set(
			reterr, -EFBIG, 0, 0, "The file is larger than %u bytes.", LIMIT_SQL_BYTES);
	*ret = (struct text){bytes, len};
	return 0;
}

/* Data files: opens paths that come from SQL, a learner's as well as the reference's.
 *
 * The simulator reads what it is given here, and a verdict may quote it: so a learner's
 * `'path' = '/etc/shadow'` must not be opened by a daemon that could. The part of a path up to the
 * folder of a fixture is the lab's word and may hold symlinks; what lies below is walked name by
 * name with O_NOFOLLOW, and ".." is refused. A fixture itself may be a symlink to another name in
 * its folder: that leads nowhere else. */
#include "daemon/datafiles.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/errors.h"
#include "daemon/limits.h"
#include "daemon/paths.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/memory.h"
#include "sim/tzdb.h"

#define OPEN_BELOW (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

/* An open file, or an open folder and the names in it still to be read. */
struct data_reader {
	struct read_trouble *trouble;
	int fd;	   /* -1: the next name is to be opened */
	int dirfd; /* -1: a single file */
	struct dirent **names;
	int count, next;
	bool ends_in_newline; /* the last byte given was one, or nothing was given */
};

static void note_trouble(struct read_trouble *trouble, const char *what, int err)
{
	if (!error_passes(err))
		return;
	trouble->any = true;
	diag_set(&trouble->diag, -EAGAIN, 0, 0, "%s cannot be read: %s", what, strerror(err));
}

/* Does the path lie in the folder, or is it the folder? *ret_below: what follows. */
static bool lies_in(struct text path, struct text folder, struct text *ret_below)
{
	struct text name;

	while ((name = path_next(&folder)).len)
		if (!text_eq(name, path_next(&path)))
			return false;
	*ret_below = path;
	return true;
}

/* The fixture folder that the path lies in, and the path within it. */
static bool find_folder(
	const struct lab *lab, struct text path, struct text *ret_folder, struct text *ret_below)
{
	if (!path.len || path.ptr[0] != '/' || memchr(path.ptr, '\0', path.len) ||
		path_climbs(path))
		return false;
	for (size_t i = 0; i < lab->fixture_count; i++) {
		struct text folder = path_folder(lab->fixtures[i].path);
		bool is_root = path_next(&(struct text){folder.ptr, folder.len}).len == 0;
		if (!is_root && lies_in(path, folder, ret_below)) {
			*ret_folder = folder;
			return true;
		}
	}
	return false;
}

/* Is the path one of the lab's fixtures, and not only beside one? */
static bool is_fixture(const struct lab *lab, struct text path)
{
	struct text below;

	for (size_t i = 0; i < lab->fixture_count; i++)
		if (lies_in(path, lab->fixtures[i].path, &below) && !path_next(&below).len)
			return true;
	return false;
}

/* Opens the name beside it that a symlink leads to; else it fails with ELOOP. */
static int open_linked(int dirfd, const char *name)
{
	char target[NAME_MAX + 1];

	if (path_link(dirfd, name, target))
		return openat(dirfd, target, OPEN_BELOW);
	errno = ELOOP;
	return -1;
}

/* Opens one name of a folder, and closes the folder. -errno on failure. */
static int step_into(int dirfd, struct text name, bool follow)
{
	char buf[NAME_MAX + 1];
	int fd = -1, err = ENAMETOOLONG;

	if (name.len < sizeof(buf)) {
		snprintf(buf, sizeof(buf), "%.*s", TEXT_ARG(name));
		fd = openat(dirfd, buf, OPEN_BELOW);
		if (fd < 0 && errno == ELOOP && follow)
			fd = open_linked(dirfd, buf);
		err = errno;
	}
	close(dirfd);
	return fd < 0 ? -err : fd;
}

static int open_below(const char *root, struct text folder, struct text below, bool fixture)
{
	char path[PATH_MAX];
	struct text name;
	int fd;

	if (strlen(root) + folder.len >= sizeof(path))
		return -ENAMETOOLONG;
	snprintf(path, sizeof(path), "%s%.*s", root, TEXT_ARG(folder));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (fd >= 0 && (name = path_next(&below)).len)
		fd = step_into(fd, name, fixture);
	return fd;
}

static int is_data(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && entry->d_name[0] != '_';
}

/* Opens the next regular file of the folder. 1, 0 at the end, or -errno. */
static int next_file(struct data_reader *reader)
{
	struct stat st;

	while (reader->fd < 0 && reader->next < reader->count) {
		const char *name = reader->names[reader->next++]->d_name;
		reader->fd = openat(reader->dirfd, name, OPEN_BELOW);
		if (reader->fd < 0 && errno != ELOOP && errno != ENXIO)
			return -errno;
		if (reader->fd >= 0 && (fstat(reader->fd, &st) < 0 || !S_ISREG(st.st_mode))) {
			close(reader->fd);
			reader->fd = -1;
		}
	}
	return reader->fd >= 0;
}

/* Between two files of a folder: the last line of the first ends, even where it has no newline. */
static long end_file(struct data_reader *reader, char *buf)
{
	close(reader->fd);
	reader->fd = -1;
	if (reader->ends_in_newline)
		return 0;
	reader->ends_in_newline = true;
	buf[0] = '\n';
	return 1;
}

static long read_next(struct data_reader *reader, char *buf, size_t size)
{
	int r;

	while ((r = next_file(reader)) > 0 && size) {
		ssize_t n = read(reader->fd, buf, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n > 0)
			reader->ends_in_newline = buf[n - 1] == '\n';
		if (n > 0 || reader->dirfd < 0)
			return n;
		if (end_file(reader, buf) > 0)
			return 1;
	}
	return r;
}

static long reader_read(void *ctx, char *buf, size_t size)
{
	struct data_reader *reader = ctx;
	long n = read_next(reader, buf, size);

	if (n < 0)
		note_trouble(reader->trouble, "the data", (int)-n);
	return n;
}

static void reader_close(void *ctx)
{
	struct data_reader *reader = ctx;

	for (int i = 0; i < reader->count; i++)
		free(reader->names[i]);
	free(reader->names);
	if (reader->fd >= 0)
		close(reader->fd);
	if (reader->dirfd >= 0)
		close(reader->dirfd);
	free(reader);
}

/* Fills the reader for what was opened. The descriptor is the reader's in any case. */
static int start(struct data_reader *reader, int fd)
{
	struct stat st;

	*reader = (struct data_reader){
		.trouble = reader->trouble, .fd = fd, .dirfd = -1, .ends_in_newline = true};
	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISREG(st.st_mode))
		return 0;
	if (!S_ISDIR(st.st_mode))
		return -EINVAL;
	reader->dirfd = fd;
	reader->fd = -1;
	reader->count = scandirat(fd, ".", &reader->names, is_data, alphasort);
	if (reader->count < 0) {
		reader->count = 0;
		return -errno;
	}
	return reader->count > LIMIT_DATA_FILES ? -E2BIG : 0;
}

static int failed(struct data_files *files, struct text path, int err, struct diag *reterr)
{
	const char *why = strerror(-err);

	note_trouble(&files->trouble, "the data", -err);
	if (err == -ELOOP)
		why = "it is a symlink that leads out of its folder, or to another one";
	else if (err == -EISDIR)
		why = "it is a folder, and no regular file";
	else if (err == -EINVAL || err == -ENXIO)
		why = "it is no regular file";
	else if (err == -E2BIG)
		why = "the folder holds too many files";
	return diag_set(reterr, err, 0, 0, "%.*s cannot be read: %s", TEXT_ARG(path), why);
}

/* Notes the file, and the one that it is a symlink to. */
static int note(const struct data_files *files, struct text path, struct diag *reterr)
{
	char full[PATH_MAX], linked[PATH_MAX + NAME_MAX], target[NAME_MAX + 1];
	int r;

	if (!files->sources)
		return 0;
	snprintf(full, sizeof(full), "%s%.*s", files->root, TEXT_ARG(path));
	r = sources_note(files->sources, text_of(full), reterr);
	if (r < 0 || !path_link(AT_FDCWD, full, target))
		return r;
	snprintf(linked, sizeof(linked), "%s%.*s%s", files->root, TEXT_ARG(path_folder(path)),
		target);
	return sources_note(files->sources, text_of(linked), reterr);
}

static int data_open(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	struct data_files *files = ctx;
	struct data_reader *reader;
	struct text folder, below;
	bool fixture = is_fixture(files->lab, path);
	int fd, r;

	if (!find_folder(files->lab, path, &folder, &below))
		return diag_set(reterr, -EACCES, 0, 0, "%.*s is not in the lab's data folder",
			TEXT_ARG(path));
	r = note(files, path, reterr);
	if (r < 0)
		return r;
	fd = open_below(files->root, folder, below, fixture);
	if (fd < 0)
		return failed(files, path, fd, reterr);
	reader = memory_get(sizeof(*reader));
	if (!reader) {
		close(fd);
		return diag_nomem(reterr);
	}
	reader->trouble = &files->trouble;
	r = start(reader, fd);
	if (r == 0 && fixture && reader->dirfd >= 0)
		r = -EISDIR;
	if (r < 0) {
		reader_close(reader);
		return failed(files, path, r, reterr);
	}
	*ret = (struct reader){.read = reader_read, .close = reader_close, .ctx = reader};
	return 0;
}

/* The file of a time zone, with what could not be read of it noted. */
struct zone_reader {
	struct reader inner;
	struct read_trouble *trouble;
};

static long zone_read(void *ctx, char *buf, size_t size)
{
	struct zone_reader *zone = ctx;
	long n = zone->inner.read(zone->inner.ctx, buf, size);

	if (n < 0)
		note_trouble(zone->trouble, "a time zone", (int)-n);
	return n;
}

static void zone_close(void *ctx)
{
	struct zone_reader *zone = ctx;

	zone->inner.close(zone->inner.ctx);
	free(zone);
}

static int zone_open(void *ctx, struct text name, struct reader *ret, struct diag *reterr)
{
	struct data_files *files = ctx;
	struct zone_reader *zone = memory_get(sizeof(*zone));
	int r;

	if (!zone)
		return diag_nomem(reterr);
	zone->trouble = &files->trouble;
	r = tzdb_open(NULL, name, &zone->inner, reterr);
	if (r < 0) {
		note_trouble(&files->trouble, "a time zone", -r);
		free(zone);
		return r;
	}
	*ret = (struct reader){.read = zone_read, .close = zone_close, .ctx = zone};
	return 0;
}

struct sim_files data_files_reader(struct data_files *files)
{
	return (struct sim_files){.open = data_open, .ctx = files, .open_zone = zone_open};
}

/* Recorded scripts, for tests of the simulator: their bytes, and what their tables read. */
#ifndef EWIN_TESTS_SCRIPTS_H
#define EWIN_TESTS_SCRIPTS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/session.h"

/* The files of the recorded machine. */
#define ROOT "tests/recorded/root"

/* All of a file; ptr is NULL where it cannot be read. */
static inline struct text slurp(struct arena *arena, const char *path)
{
	struct text text = {0};
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes;

	if (fd < 0)
		return text;
	if (fstat(fd, &st) == 0 && (bytes = arena_alloc(arena, (size_t)st.st_size + 1)) &&
		read(fd, bytes, (size_t)st.st_size) == st.st_size)
		text = (struct text){bytes, (size_t)st.st_size};
	close(fd);
	return text;
}

/* For scandir(). */
static inline int is_sql(const struct dirent *entry)
{
	return text_ends(text_of(entry->d_name), TEXT(".sql"));
}

static inline long read_descriptor(void *ctx, char *buf, size_t size)
{
	ssize_t got = read(*(int *)ctx, buf, size);

	return got < 0 ? -errno : got;
}

static inline void close_descriptor(void *ctx)
{
	close(*(int *)ctx);
}

/* For struct sim_files, with ctx an int for the descriptor: one file is open at a time. */
static inline int open_in_root(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	char name[4096];
	struct stat st;

	snprintf(name, sizeof(name), ROOT "%.*s", TEXT_ARG(path));
	*(int *)ctx = open(name, O_RDONLY | O_CLOEXEC);
	if (*(int *)ctx < 0)
		return diag_set(reterr, -errno, 0, 0, "cannot open");
	if (fstat(*(int *)ctx, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(*(int *)ctx);
		return -EISDIR;
	}
	*ret = (struct reader){read_descriptor, close_descriptor, ctx};
	return 0;
}

#endif

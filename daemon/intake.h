/* Intake: a learner's file becomes bytes in memory, without ever blocking and never more than
 * asked. */
#ifndef EWIN_DAEMON_INTAKE_H
#define EWIN_DAEMON_INTAKE_H

#include <sys/types.h>

#include "daemon/grade/grade.h"
#include "daemon/sha256.h"

struct arena;
struct diag;
struct stat;

/* What a file is, to tell one save from another. Times are a hint, the hash is the truth: two saves
 * may share a clock tick. */
struct identity {
	enum file_state state;
	dev_t dev;
	ino_t ino;
	int64_t size;
	int64_t mtime_ns;
	bool shared;		 /* see file_is_shared() */
	char sha256[SHA256_HEX]; /* "" unless the bytes were read */
};

struct intake {
	struct saved_file file;
	struct identity identity;
	bool moving; /* it changed while it was read: somebody writes, the bytes prove nothing */
};

/* Has a regular file names that are not watched, through which it can be written without an
 * event: hard links, or the name behind a mount of this file alone? As statx() takes it; `st` is
 * its fstatat(). */
bool file_is_shared(int dirfd, const char *name, int flags, const struct stat *st);

/* Reads a regular file of at most `cap` bytes within an open folder. What cannot be read is told by
 * the state, not an error: 0; -ENOMEM: it does not fit; -EAGAIN: nothing can be said of it for
 * the moment (daemon/errors.h). */
int intake_read(struct arena *arena, int dirfd, const char *name, size_t cap, struct intake *ret,
	struct diag *reterr);

/* The same without the hash, which takes longer than the rest. */
int intake_bytes(struct arena *arena, int dirfd, const char *name, size_t cap, struct intake *ret,
	struct diag *reterr);

/* The identity without the hash, and without opening the file. FILE_UNREADABLE shows only when it
 * is read. */
struct identity intake_look(int dirfd, const char *name);

/* The same file with the same size and times, as far as can be told without reading. */
bool identity_same_look(const struct identity *a, const struct identity *b);

/* The same bytes, or the same reason for having none. */
bool identity_same_bytes(const struct identity *a, const struct identity *b);

#endif

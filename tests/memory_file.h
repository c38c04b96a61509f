/* A table's file that lies in memory, handed over in pieces of any size: for tests of the
 * simulator.
 *
 *	struct memory_file file = {.bytes = TEXT("1,a\n"), .piece = 64};
 *	struct sim_files files = {.open = memory_file_open, .ctx = &file};
 *
 * Every path is this file. */
#ifndef EWIN_TESTS_MEMORY_FILE_H
#define EWIN_TESTS_MEMORY_FILE_H

#include <string.h>

#include "sim/session.h"

struct memory_file {
	struct text bytes;
	size_t piece; /* most bytes of one read */
	size_t at;
};

static inline long memory_file_read(void *ctx, char *buf, size_t size)
{
	struct memory_file *file = ctx;
	struct text next = text_slice(file->bytes, file->at, file->bytes.len);

	next = text_slice(next, 0, size < file->piece ? size : file->piece);
	if (next.len)
		memcpy(buf, next.ptr, next.len);
	file->at += next.len;
	return (long)next.len;
}

static inline int memory_file_open(
	void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	struct memory_file *file = ctx;

	(void)path;
	(void)reterr;
	file->at = 0;
	*ret = (struct reader){.read = memory_file_read, .ctx = file};
	return 0;
}

#endif

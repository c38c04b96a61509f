/* Writer: where printed bytes go. The first failure is kept and ends the writing, so that printers
 * need to look only once, at their end. */
#ifndef EWIN_SIM_WRITER_H
#define EWIN_SIM_WRITER_H

#include "parser/text.h"

struct writer {
	/* Takes bytes; 0 or -errno. */
	int (*write)(void *ctx, const char *bytes, size_t size);
	void *ctx;
	int err; /* 0, or what write() failed with */
	/* A caller that prints small pieces may give room for them; then it calls
	 * writer_flush(). */
	char *buffer;
	size_t room, len;
};

/* The buffer's next bytes, for the caller to fill at once; NULL: it has no room for so many. */
char *writer_reserve(struct writer *writer, size_t size);

void writer_text(struct writer *writer, struct text text);

/* Writes what is in the buffer. */
void writer_flush(struct writer *writer);

/* The same character `count` times. */
void writer_repeat(struct writer *writer, char c, size_t count);

#endif

/* Puts echoes and errors together from their lines. What the client adds for a terminal is left
 * out: colours, and the BEL that it rings for a TAB in a script. */
#include "parser/transcript_text.h"

#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/transcript_frame.h"

/* A control sequence of more bytes is none of the client's. */
#define ESCAPE_MAX 16

/* The length of a terminal's control sequence (ESC [ digits letter) at t's start, or 0. */
static size_t escape_length(struct text t)
{
	size_t i = 2;

	if (!text_starts(t, TEXT("\x1b[")))
		return 0;
	while (i < t.len && i < ESCAPE_MAX &&
		(t.ptr[i] == ';' || t.ptr[i] == '?' || (t.ptr[i] >= '0' && t.ptr[i] <= '9')))
		i++;
	return i < t.len && ((t.ptr[i] | 0x20) >= 'a' && (t.ptr[i] | 0x20) <= 'z') ? i + 1 : 0;
}

/* Makes room for `len` bytes more. */
static int reserve(struct reader *reader, struct builder *builder, size_t len)
{
	size_t room = (builder->len + len) * 2;
	char *moved;

	if (builder->len + len <= builder->room)
		return 0;
	moved = arena_alloc(reader->arena, room);
	if (!moved)
		return diag_nomem(reader->reterr);
	if (builder->len)
		memcpy(moved, builder->ptr, builder->len);
	builder->ptr = moved;
	builder->room = room;
	return 0;
}

int builder_append(struct reader *reader, struct builder *builder, struct text t)
{
	int err = reserve(reader, builder, t.len);

	for (size_t i = 0; !err && i < t.len;) {
		size_t skipped = t.ptr[i] == '\a';

		if (t.ptr[i] == '\x1b')
			skipped = escape_length(text_slice(t, i, t.len));
		if (!skipped)
			builder->ptr[builder->len++] = t.ptr[i++];
		i += skipped;
	}
	return err;
}

struct text builder_text(const struct builder *builder)
{
	return text_trim((struct text){builder->ptr, builder->len});
}

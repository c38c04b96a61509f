/* Scratch: see scratch.h. The memory doubles, so that a long text is copied a few times at most. */
#include "sim/scratch.h"

#include <string.h>

#include "parser/arena.h"

#define LEAST_ROOM 64

bool scratch_append(struct scratch *scratch, struct text text)
{
	size_t room = scratch->room ? scratch->room : LEAST_ROOM;
	char *bytes;

	while (room - scratch->len < text.len)
		room *= 2;
	if (room > scratch->room) {
		bytes = arena_alloc(scratch->arena, room);
		if (!bytes)
			return false;
		if (scratch->len)
			memcpy(bytes, scratch->bytes, scratch->len);
		scratch->bytes = bytes;
		scratch->room = room;
	}
	if (text.len)
		memcpy(scratch->bytes + scratch->len, text.ptr, text.len);
	scratch->len += text.len;
	return true;
}

struct text scratch_text(const struct scratch *scratch)
{
	return (struct text){scratch->len ? scratch->bytes : "", scratch->len};
}

/* Arena: blocks from which pieces are cut one after another. Each is a quarter of what was handed
 * out before, so that little is left over in an arena that is kept, and few are needed. */
#include "parser/arena.h"

#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parser/memory.h"

#define LEAST_BLOCK (1u << 10) /* a verdict */
#define MOST_BLOCK  (8u << 20)

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	alignas(max_align_t) char bytes[];
};

void arena_init(struct arena *arena, size_t limit)
{
	*arena = (struct arena){.limit = limit};
}

void arena_finish(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->blocks = NULL;
	arena->used = 0;
}

static struct arena_block *add_block(struct arena *arena, size_t size)
{
	size_t room = arena->used / 4;
	struct arena_block *block;

	if (room < LEAST_BLOCK)
		room = LEAST_BLOCK;
	if (room > MOST_BLOCK)
		room = MOST_BLOCK;
	if (room < size)
		room = size;
	block = memory_get(sizeof(*block) + room);
	if (!block)
		return NULL;
	*block = (struct arena_block){.next = arena->blocks, .size = room};
	arena->blocks = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *block = arena->blocks;
	char *piece;

	if (size > arena->limit - arena->used)
		return NULL;
	size = (size + align - 1) / align * align;
	if (!block || block->size - block->used < size)
		block = add_block(arena, size);
	if (!block)
		return NULL;
	piece = block->bytes + block->used;
	block->used += size;
	arena->used += size < arena->limit - arena->used ? size : arena->limit - arena->used;
	return memset(piece, 0, size);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return NULL;
	return arena_alloc(arena, count * size);
}

int arena_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t size)
{
	size_t wanted = *room ? *room * 2 : 8;
	void *old, *moved;

	if (count < *room)
		return 0;
	moved = arena_array(arena, wanted, size);
	if (!moved)
		return -ENOMEM;
	memcpy(&old, items, sizeof(old));
	if (count)
		memcpy(moved, old, count * size);
	memcpy(items, &moved, sizeof(moved));
	*room = wanted;
	return 0;
}

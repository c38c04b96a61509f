/* Pool: free lists of power-of-two pieces over an arena. A streaming query keeps state for its open
 * windows only (Flink drops a window's state when it fires), while an arena never gives back. */
#include "sim/pool.h"

#include <string.h>

#include "parser/arena.h"

#define SMALLEST 32u

struct free_piece {
	struct free_piece *next;
};

static unsigned size_class(size_t size)
{
	unsigned class = 0;

	while (class < POOL_CLASSES && (size_t)SMALLEST << class < size)
		class ++;
	return class;
}

void pool_init(struct pool *pool, struct arena *arena)
{
	*pool = (struct pool){.arena = arena};
}

void *pool_alloc(struct pool *pool, size_t size)
{
	unsigned class = size_class(size);
	struct free_piece *piece;

	if (class == POOL_CLASSES)
		return NULL;
	piece = pool->free[class];
	if (!piece)
		return arena_alloc(pool->arena, (size_t)SMALLEST << class);
	pool->free[class] = piece->next;
	return memset(piece, 0, size);
}

void pool_free(struct pool *pool, void *piece, size_t size)
{
	unsigned class = size_class(size);
	struct free_piece *freed = piece;

	if (!piece)
		return;
	freed->next = pool->free[class];
	pool->free[class] = freed;
}

void *pool_resize(struct pool *pool, void *piece, size_t old_size, size_t new_size)
{
	void *moved = pool_alloc(pool, new_size);

	if (!moved)
		return NULL;
	if (piece)
		memcpy(moved, piece, old_size < new_size ? old_size : new_size);
	pool_free(pool, piece, old_size);
	return moved;
}

/* Pool: memory of a running operator. What a closed window gives back serves the next window, so
 * that a run takes memory for its open windows only. The memory comes from an arena. */
#ifndef EWIN_SIM_POOL_H
#define EWIN_SIM_POOL_H

#include <stddef.h>

#include "parser/text.h"

struct arena;

#define POOL_CLASSES 26 /* pieces of 32 bytes to 1 GiB, each twice the one before */

struct pool {
	struct arena *arena;
	void *free[POOL_CLASSES]; /* lists of pieces given back */
};

void pool_init(struct pool *pool, struct arena *arena);

/* Zeroed memory, aligned for any type. NULL where the arena is at its end. */
void *pool_alloc(struct pool *pool, size_t size);

/* Gives back a piece with the size that it was asked for; NULL is allowed. */
void pool_free(struct pool *pool, void *piece, size_t size);

/* A piece of new_size with the first old_size bytes of the old one, which is given back. */
void *pool_resize(struct pool *pool, void *piece, size_t old_size, size_t new_size);

#endif

/* Arena: memory that is given back all at once. One arena a graded file, a statement or a lab.
 * Nothing in parser/, sim/ or daemon/grade/ frees single pieces. */
#ifndef EWIN_PARSER_ARENA_H
#define EWIN_PARSER_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;		    /* bytes handed out */
	size_t limit;		    /* most that may be handed out */
};

/* An arena that hands out at most limit bytes; it takes no memory yet. */
void arena_init(struct arena *arena, size_t limit);

/* Gives back everything; the arena can be used again as after arena_init(). */
void arena_finish(struct arena *arena);

/* Zeroed memory, aligned for any type, that lives until arena_finish(). NULL where memory or the
 * limit is at its end: the caller returns diag_nomem(). */
void *arena_alloc(struct arena *arena, size_t size);

/* Room for `count` elements of `size` bytes; NULL also where the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Makes room for one more element in a growing array: *items has `count` elements of `size` bytes
 * and room for *room; where it is full it moves to a place twice as large. 0 or -ENOMEM. */
int arena_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t size);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

#endif

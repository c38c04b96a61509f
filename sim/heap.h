/* Timer heap: which window of which key fires next. Equal times leave in the order of a binary
 * heap, which is neither that of arrival nor sorted, and which decides the order of rows that
 * Flink prints. */
#ifndef EWIN_SIM_HEAP_H
#define EWIN_SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key;
struct pool;

struct timer {
	int64_t time_ms;
	struct key *key;  /* interned: the same key is the same pointer */
	int64_t start_ms; /* sessions; 0 where the end tells the window */
	int64_t end_ms;
};

struct heap {
	struct pool *pool;
	struct timer **slots; /* from 1 */
	size_t count, room;
	struct timer_node **buckets; /* by key and window, for the rule of no duplicates */
	size_t bucket_count;
};

void heap_init(struct heap *heap, struct pool *pool);

/* Adds a timer unless it is there. *added (may be NULL) says whether it was new. 0 or -ENOMEM. */
int heap_push(struct heap *heap, struct timer timer, bool *added);

/* The timer with the smallest time, or NULL. */
const struct timer *heap_top(const struct heap *heap);

/* Takes the top off; the heap must not be empty. */
struct timer heap_pop(struct heap *heap);

/* Takes a timer out wherever it is. False: it was not there. */
bool heap_remove(struct heap *heap, struct timer timer);

#endif

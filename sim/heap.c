/* Timer heap: a binary min-heap ordered by time alone, each timer at most once, as the heap of
 * Flink's internal timer service. Recorded: semantics/many_04, semantics/manysession_04 (rows of
 * one window end are printed in the order in which this heap gives up equal times). */
#include "sim/heap.h"

#include <errno.h>
#include <string.h>

#include "sim/pool.h"

struct timer_node {
	struct timer timer; /* first: slots point at it */
	size_t slot;
	struct timer_node *next; /* in its bucket */
};

#define FIRST_ROOM 64

void heap_init(struct heap *heap, struct pool *pool)
{
	*heap = (struct heap){.pool = pool};
}

static bool timer_eq(const struct timer *a, const struct timer *b)
{
	return a->end_ms == b->end_ms && a->key == b->key && a->start_ms == b->start_ms &&
	       a->time_ms == b->time_ms;
}

static size_t bucket_of(const struct heap *heap, const struct timer *timer)
{
	uint64_t hash = (uint64_t)(uintptr_t)timer->key / 16 * 0x9e3779b97f4a7c15u;

	hash ^= (uint64_t)timer->end_ms * 0xc2b2ae3d27d4eb4fu;
	return (hash ^ hash >> 29) & (heap->bucket_count - 1);
}

static struct timer_node **find(struct heap *heap, const struct timer *timer)
{
	struct timer_node **at = &heap->buckets[bucket_of(heap, timer)];

	while (*at && !timer_eq(&(*at)->timer, timer))
		at = &(*at)->next;
	return at;
}

static struct timer_node *node_at(const struct heap *heap, size_t slot)
{
	return (struct timer_node *)heap->slots[slot];
}

static void place(struct heap *heap, size_t slot, struct timer_node *node)
{
	heap->slots[slot] = &node->timer;
	node->slot = slot;
}

static void sift_up(struct heap *heap, size_t slot)
{
	struct timer_node *node = node_at(heap, slot);

	while (slot > 1 && node->timer.time_ms < heap->slots[slot / 2]->time_ms) {
		place(heap, slot, node_at(heap, slot / 2));
		slot /= 2;
	}
	place(heap, slot, node);
}

static void sift_down(struct heap *heap, size_t slot)
{
	struct timer_node *node = node_at(heap, slot);

	for (;;) {
		size_t child = slot * 2;

		if (child + 1 <= heap->count &&
			heap->slots[child + 1]->time_ms < heap->slots[child]->time_ms)
			child++;
		if (child > heap->count || heap->slots[child]->time_ms >= node->timer.time_ms)
			break;
		place(heap, slot, node_at(heap, child));
		slot = child;
	}
	place(heap, slot, node);
}

static int grow_buckets(struct heap *heap, size_t count)
{
	struct timer_node **old = heap->buckets;
	size_t old_count = heap->bucket_count;

	heap->buckets = pool_alloc(heap->pool, count * sizeof(struct timer_node *));
	if (!heap->buckets) {
		heap->buckets = old;
		return -ENOMEM;
	}
	heap->bucket_count = count;
	for (size_t i = 1; i <= heap->count; i++) {
		struct timer_node *node = node_at(heap, i);
		struct timer_node **bucket = &heap->buckets[bucket_of(heap, &node->timer)];

		node->next = *bucket;
		*bucket = node;
	}
	pool_free(heap->pool, old, old_count * sizeof(struct timer_node *));
	return 0;
}

static int make_room(struct heap *heap)
{
	size_t room = heap->room ? heap->room * 2 : FIRST_ROOM;
	struct timer **slots;

	if (heap->count + 1 < heap->room)
		return 0;
	if (grow_buckets(heap, room) < 0)
		return -ENOMEM;
	slots = pool_resize(heap->pool, heap->slots, heap->room * sizeof(struct timer *),
		room * sizeof(struct timer *));
	if (!slots)
		return -ENOMEM;
	heap->slots = slots;
	heap->room = room;
	return 0;
}

int heap_push(struct heap *heap, struct timer timer, bool *added)
{
	struct timer_node **at, *node;
	int err = make_room(heap);

	if (err < 0)
		return err;
	at = find(heap, &timer);
	if (added)
		*added = !*at;
	if (*at)
		return 0;
	node = pool_alloc(heap->pool, sizeof(*node));
	if (!node)
		return -ENOMEM;
	*node = (struct timer_node){.timer = timer};
	*at = node;
	place(heap, ++heap->count, node);
	sift_up(heap, heap->count);
	return 0;
}

const struct timer *heap_top(const struct heap *heap)
{
	return heap->count ? heap->slots[1] : NULL;
}

/* The last timer takes the removed one's place and moves down, or up where it did not move. */
static void remove_slot(struct heap *heap, size_t slot)
{
	struct timer_node *node = node_at(heap, slot);
	struct timer_node *last = node_at(heap, heap->count--);

	if (last == node)
		return;
	place(heap, slot, last);
	sift_down(heap, slot);
	if (last->slot == slot)
		sift_up(heap, slot);
}

static void forget(struct heap *heap, struct timer_node **at)
{
	struct timer_node *node = *at;

	remove_slot(heap, node->slot);
	*at = node->next;
	pool_free(heap->pool, node, sizeof(*node));
}

struct timer heap_pop(struct heap *heap)
{
	struct timer top = *heap->slots[1];

	forget(heap, find(heap, &top));
	return top;
}

bool heap_remove(struct heap *heap, struct timer timer)
{
	struct timer_node **at;

	if (!heap->count)
		return false;
	at = find(heap, &timer);
	if (!*at)
		return false;
	forget(heap, at);
	return true;
}

/* Closings: of watermarks only those are kept that can have closed a window, and the oldest are
 * forgotten. A session that has become part of another one leaves a node that leads there, as
 * long as a row that waits has it. */
#include "sim/story_closings.h"

#include <errno.h>

#include "parser/arena.h"

int closings_init(struct closings *closings, struct arena *arena)
{
	*closings = (struct closings){
		.ring = arena_array(arena, STORY_CLOSINGS, sizeof(struct closing)),
		.wm_ms = WATERMARK_NONE,
		.next_ms = WATERMARK_NONE};
	return closings->ring ? 0 : -ENOMEM;
}

static const struct closing *closing_at(const struct closings *closings, size_t number)
{
	return &closings->ring[number % STORY_CLOSINGS];
}

struct closer closings_find(const struct closings *closings, int64_t timer_ms)
{
	size_t oldest = closings->count > STORY_CLOSINGS ? closings->count - STORY_CLOSINGS : 0;
	size_t low = oldest, high = closings->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (closing_at(closings, middle)->wm_ms >= timer_ms)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == closings->count)
		return (struct closer){.kind = closings->ended ? CLOSER_END : CLOSER_UNKNOWN};
	return (struct closer){.kind = low == oldest && oldest > 0 ? CLOSER_EARLIER : CLOSER_ROW,
		.row = closing_at(closings, low)->row,
		.wm_ms = closing_at(closings, low)->wm_ms};
}

/* Windows whose ends are all slice ends close only there. */
static bool closes_at_slices(const struct window *window)
{
	return window->kind != WINDOW_SESSION && !window->zone &&
	       window->size_ms % window->step_ms == 0;
}

void closings_note(
	struct closings *closings, const struct window *window, int64_t wm_ms, int64_t row)
{
	closings->wm_ms = wm_ms;
	closings->ended = wm_ms == WATERMARK_END;
	if (!window || closings->ended || wm_ms < closings->next_ms)
		return;
	if (closes_at_slices(window))
		closings->next_ms = window_next_boundary(window, wm_ms);
	closings->ring[closings->count++ % STORY_CLOSINGS] = (struct closing){wm_ms, row};
}

struct session_node *node_new(struct pool *pool)
{
	struct session_node *node = pool_alloc(pool, sizeof(*node));

	if (node)
		node->refs = 1;
	return node;
}

void node_release(struct pool *pool, struct session_node *node)
{
	while (node && --node->refs == 0) {
		struct session_node *into = node->into;

		pool_free(pool, node, sizeof(*node));
		node = into;
	}
}

const struct session_node *node_root(const struct session_node *node)
{
	while (node->into)
		node = node->into;
	return node;
}

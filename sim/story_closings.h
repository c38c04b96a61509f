/* Closings: which row's watermark closed a window, and the sessions that a story speaks of. */
#ifndef EWIN_SIM_STORY_CLOSINGS_H
#define EWIN_SIM_STORY_CLOSINGS_H

#include "sim/pool.h"
#include "sim/story_row.h"

struct closing {
	int64_t wm_ms, row;
};

/* The last STORY_CLOSINGS watermarks that can have closed a window. */
struct closings {
	struct closing *ring; /* the entry of number n is at n modulo STORY_CLOSINGS */
	size_t count;	      /* ever */
	int64_t wm_ms;	      /* the present one */
	int64_t next_ms;      /* no window can close below */
	bool ended;	      /* the present one is the end of the input */
};

/* 0 or -ENOMEM. */
int closings_init(struct closings *closings, struct arena *arena);

/* A watermark that was published after this row. `window` NULL: none are told of. */
void closings_note(
	struct closings *closings, const struct window *window, int64_t wm_ms, int64_t row);

/* The first watermark of at least this time. */
struct closer closings_find(const struct closings *closings, int64_t timer_ms);

/* A session, or what became of it. */
struct session_node {
	struct session_node *into; /* it is part of that one */
	size_t refs;		   /* the open session, rows that wait, nodes that are part of it */
	struct window_span span;
	bool closed;
	struct closer closer;
};

/* A node with one reference. NULL: no memory. */
struct session_node *node_new(struct pool *pool);

/* Gives a reference back; NULL is allowed. */
void node_release(struct pool *pool, struct session_node *node);

/* The session that it is part of by now. */
const struct session_node *node_root(const struct session_node *node);

#endif

/* Windows: how time is cut. All times are ms since the epoch; a window is [start, end), and it is
 * closed by a watermark >= end - 1. */
#ifndef EWIN_SIM_WINDOW_H
#define EWIN_SIM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum window_kind {
	WINDOW_TUMBLE,
	WINDOW_HOP,
	WINDOW_CUMULATE,
	WINDOW_SESSION,
	WINDOW_ATTACHED /* windows that the rows carry already; step and offset are those of the inner one */
};

struct window {
	enum window_kind kind;
	int64_t size_ms; /* CUMULATE: the longest; SESSION: the gap */
	int64_t step_ms; /* width of a slice: TUMBLE's size, HOP's slide, CUMULATE's step */
	int64_t offset_ms;
	enum window_kind inner; /* WINDOW_ATTACHED: what cut the time */
};

/* Start of the piece of this width that holds ts. */
int64_t window_floor(int64_t ts_ms, int64_t offset_ms, int64_t width_ms);

/* Has a window with this (exclusive) end been closed? An end of INT64_MAX never is. */
bool window_closed(int64_t end_ms, int64_t wm_ms);

/* Smallest slice boundary minus 1 above the watermark: up to there nothing new can close. */
int64_t window_next_boundary(const struct window *window, int64_t wm_ms);

/* End of the slice that holds ts. */
int64_t window_slice_end(const struct window *window, int64_t ts_ms);

/* Start of the window with this end. */
int64_t window_start(const struct window *window, int64_t end_ms);

/* End of the last window that a slice, named by its end, belongs to. */
int64_t window_last_end(const struct window *window, int64_t slice_end_ms);

/* The slice that takes a row that is late for its own slice but not for all windows. */
int64_t window_late_slice(const struct window *window, int64_t slice_end_ms);

/* The windows of a row in the order of the table function: HOP latest first, CUMULATE shortest first.
 * The first, then the one after it, until false. Not for SESSION. */
struct window_span {
	int64_t start_ms, end_ms;
};
bool window_first(const struct window *window, int64_t ts_ms, struct window_span *ret);
bool window_next(const struct window *window, int64_t ts_ms, struct window_span *span);

#endif

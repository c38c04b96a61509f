/* Windows: how time is cut. All times are ms since the epoch; a window is [start, end), and it is
 * closed by a watermark >= end - 1. In a zone windows are cut from what its clocks show, taken as
 * UTC: such times are called local. */
#ifndef EWIN_SIM_WINDOW_H
#define EWIN_SIM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/zone.h"

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
	enum window_kind inner;	 /* WINDOW_ATTACHED: what cut the time */
	const struct zone *zone; /* TIMESTAMP_LTZ: what clocks show is cut; NULL: the time is */
};

/* Start of the piece of this width that holds ts. */
int64_t window_floor(int64_t ts_ms, int64_t offset_ms, int64_t width_ms);

/* The row's time as its window knows it; the last ms of a window as a time of its rows, which is
 * window_time; and the watermark that closes it. Where clocks skip an hour they all end before
 * it, and what they show twice ends with the second. */
static inline int64_t window_local_ms(const struct window *window, int64_t time_ms)
{
	return window->zone ? zone_local_ms(window->zone, time_ms) : time_ms;
}

int64_t window_time_ms(const struct window *window, int64_t end_ms);
int64_t window_timer_ms(const struct window *window, int64_t end_ms);

/* Has a window with this (exclusive) end been closed? An end of INT64_MAX never is. */
bool window_closed(const struct window *window, int64_t end_ms, int64_t wm_ms);

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

/* The windows of a row in the order of the table function: HOP latest first, CUMULATE shortest
 * first. The first, then the one after it, until false. Not for SESSION. */
struct window_span {
	int64_t start_ms, end_ms;
};
bool window_first(const struct window *window, int64_t ts_ms, struct window_span *ret);
bool window_next(const struct window *window, int64_t ts_ms, struct window_span *span);

#endif

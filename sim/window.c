/* Windows: arithmetic of TUMBLE, HOP and CUMULATE. Wall-clock text is taken as UTC, so windows align
 * with what the column prints. Recorded: semantics/tumble_01, semantics/hop_01,
 * semantics/cumulate_01, semantics/offset_02, semantics/bare_01, semantics/boundary_ms. */
#include "sim/window.h"

int64_t window_floor(int64_t ts_ms, int64_t offset_ms, int64_t width_ms)
{
	int64_t rest = (ts_ms - offset_ms) % width_ms;

	return ts_ms - (rest < 0 ? rest + width_ms : rest);
}

bool window_closed(int64_t end_ms, int64_t wm_ms)
{
	return end_ms != INT64_MAX && wm_ms >= end_ms - 1;
}

int64_t window_next_boundary(const struct window *window, int64_t wm_ms)
{
	if (wm_ms == INT64_MAX)
		return INT64_MAX;
	return window_floor(wm_ms + 1, window->offset_ms, window->step_ms) + window->step_ms - 1;
}

int64_t window_slice_end(const struct window *window, int64_t ts_ms)
{
	return window_floor(ts_ms, window->offset_ms, window->step_ms) + window->step_ms;
}

int64_t window_start(const struct window *window, int64_t end_ms)
{
	enum window_kind kind = window->kind == WINDOW_ATTACHED ? window->inner : window->kind;

	if (kind == WINDOW_CUMULATE)
		return window_floor(end_ms - 1, window->offset_ms, window->size_ms);
	return end_ms - window->size_ms;
}

int64_t window_last_end(const struct window *window, int64_t slice_end_ms)
{
	switch (window->kind) {
	case WINDOW_HOP: return slice_end_ms - window->step_ms + window->size_ms;
	case WINDOW_CUMULATE: return window_start(window, slice_end_ms) + window->size_ms;
	default: return slice_end_ms;
	}
}

int64_t window_late_slice(const struct window *window, int64_t slice_end_ms)
{
	if (window->kind == WINDOW_CUMULATE)
		return window_start(window, slice_end_ms) + window->step_ms;
	return slice_end_ms;
}

bool window_first(const struct window *window, int64_t ts_ms, struct window_span *ret)
{
	int64_t start_ms;

	if (window->kind == WINDOW_CUMULATE) {
		start_ms = window_floor(ts_ms, window->offset_ms, window->size_ms);
		*ret = (struct window_span){start_ms, window_slice_end(window, ts_ms)};
		return true;
	}
	start_ms = window_floor(ts_ms, window->offset_ms, window->step_ms);
	*ret = (struct window_span){start_ms, start_ms + window->size_ms};
	return start_ms > ts_ms - window->size_ms;
}

bool window_next(const struct window *window, int64_t ts_ms, struct window_span *span)
{
	if (window->kind == WINDOW_CUMULATE) {
		span->end_ms += window->step_ms;
		return span->end_ms <= span->start_ms + window->size_ms;
	}
	span->start_ms -= window->step_ms;
	span->end_ms -= window->step_ms;
	return span->start_ms > ts_ms - window->size_ms;
}

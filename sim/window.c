/* Windows: arithmetic of TUMBLE, HOP and CUMULATE. Wall-clock text is taken as UTC, so windows
 * align with what the column prints. Recorded: semantics/tumble_01, semantics/hop_01,
 * semantics/cumulate_01, semantics/offset_02, semantics/bare_01, semantics/boundary_ms; in zones
 * more_sim/ltz_berlin_spring, more_sim/ltz_berlin_autumn, more_sim/ltz_kathmandu. */
#include "sim/window.h"

#include "parser/calendar.h"

int64_t window_floor(int64_t ts_ms, int64_t offset_ms, int64_t width_ms)
{
	int64_t rest = (ts_ms - offset_ms) % width_ms;

	return ts_ms - (rest < 0 ? rest + width_ms : rest);
}

int64_t window_time_ms(const struct window *window, int64_t end_ms)
{
	return zone_epoch_ms(window->zone, end_ms - 1);
}

/* Only where clocks change each year Flink looks at the hour behind, which tells a skipped hour
 * and one that comes twice from others. */
static int64_t zoned_timer_ms(const struct zone *zone, int64_t local_ms)
{
	int64_t time_ms = zone_epoch_ms(zone, local_ms), behind_ms;

	if (!zone->has_rules)
		return time_ms;
	behind_ms = zone_epoch_ms(zone, local_ms + MS_PER_HOUR);
	if (behind_ms == time_ms)
		return time_ms - time_ms % MS_PER_HOUR;
	return behind_ms - time_ms > MS_PER_HOUR ? time_ms + MS_PER_HOUR : time_ms;
}

int64_t window_timer_ms(const struct window *window, int64_t end_ms)
{
	return window->zone ? zoned_timer_ms(window->zone, end_ms - 1) : end_ms - 1;
}

bool window_closed(const struct window *window, int64_t end_ms, int64_t wm_ms)
{
	return end_ms != INT64_MAX && wm_ms >= window_timer_ms(window, end_ms);
}

/* Where clocks never change Flink does not look at the zone here: a day that ends at 15:00 UTC is
 * closed by a watermark of 15:00, but the buffer waits for one of 24:00. */
static int64_t zoned_boundary(const struct window *window, int64_t wm_ms)
{
	int64_t start_ms = wm_ms, boundary_ms;

	if (window->zone->has_rules)
		start_ms = zone_local_ms(window->zone, wm_ms);
	boundary_ms =
		window_floor(start_ms, window->offset_ms, window->step_ms) + window->step_ms - 1;
	if (window->zone->has_rules)
		boundary_ms = zoned_timer_ms(window->zone, boundary_ms);
	return boundary_ms > wm_ms ? boundary_ms : boundary_ms + window->step_ms;
}

int64_t window_next_boundary(const struct window *window, int64_t wm_ms)
{
	if (wm_ms == INT64_MAX)
		return INT64_MAX;
	if (window->zone)
		return zoned_boundary(window, wm_ms);
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

/* Settle: the one place that decides how long to wait for a writer.
 *
 *	IDLE  --MADE, CLOSED, FOUND-->  LOOK     read it
 *	LOOK  --complete------------->  DUE      grade it, then IDLE
 *	LOOK  --not, but closed------>  WAITING  75 ms after the last event, 500 ms after the first
 *	                                         close it is DUE
 *	                                         in pieces: running; DUE 500 ms after the last event
 *	LOOK  --not, never closed---->  HELD     running; DUE 60 s after it was modified, unless it was seen written
 *	any   --FOUND---------------->  LOOK     but what is DUE stays so
 *	any   --WRITTEN-------------->  HELD
 *	any   --GONE----------------->  WAITING  editors remove a file and make it again
 *
 * A file that ends in the client's own closing lines never waits. One that does not may still be
 * appended to by the next command of a script, so it waits. Not long: as a rule it was
 * interrupted, and the prompt of whoever did that waits for the verdict. Only one that goes on
 * where a close left it is known to be written by somebody who opens it for each piece: it is
 * running, like one that is held, and to wait longer delays nobody's prompt. The cap is for who
 * writes it anew all the time. Whoever was seen writing will close (the kernel does it for a
 * killed process), so that such a file is held without a limit. */
#include "daemon/settle.h"

#include "daemon/limits.h"

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void hold(struct settle *settle, int64_t now_ms)
{
	if (settle->state == SETTLE_HELD)
		return;
	settle->state = SETTLE_HELD;
	settle->held_ms = now_ms;
	if (!settle->pieces)
		settle->again_ms = 0;
	settle->preview_ms = later(now_ms + PREVIEW_FIRST_MS, settle->again_ms);
}

/* The time at which a closed file without an end is graded as it is. */
static int64_t waits_until(const struct settle *settle)
{
	if (settle->pieces)
		return settle->last_ms + SETTLE_PIECES_MS;
	return earlier(settle->last_ms + SETTLE_QUIET_MS, settle->first_ms + SETTLE_CAP_MS);
}

static void closed(struct settle *settle, enum settle_state next, int64_t now_ms)
{
	settle->state = next;
	settle->written = false;
	if (!settle->first_ms)
		settle->first_ms = now_ms;
}

void settle_event(struct settle *settle, enum settle_event event, int64_t now_ms)
{
	settle->last_ms = now_ms;
	switch (event) {
	case SETTLE_MADE:
		settle->state = SETTLE_LOOK;
		settle->written = false;
		settle->first_ms = 0;
		break;
	case SETTLE_WRITTEN:
		hold(settle, now_ms);
		settle->written = true;
		if (settle->preview_ms == INT64_MAX)
			settle->preview_ms = later(now_ms, settle->again_ms);
		break;
	case SETTLE_CLOSED: closed(settle, SETTLE_LOOK, now_ms); break;
	case SETTLE_GONE: closed(settle, SETTLE_WAITING, now_ms); break;
	case SETTLE_FOUND:
		if (settle->state != SETTLE_DUE)
			settle->state = SETTLE_LOOK;
		break;
	case SETTLE_LOST:
		settle->written = false;
		if (settle->state == SETTLE_HELD)
			settle->state = SETTLE_LOOK;
		break;
	}
}

void settle_goes_on(struct settle *settle)
{
	settle->pieces = true;
}

void settle_looked(struct settle *settle, bool complete, int64_t now_ms)
{
	if (complete) {
		settle->state = SETTLE_DUE;
	} else if (settle->first_ms) {
		settle->state = SETTLE_WAITING;
		settle_tick(settle, now_ms);
	} else {
		hold(settle, now_ms);
	}
}

void settle_untouched(struct settle *settle, int64_t age_ms, int64_t now_ms)
{
	if (settle->state != SETTLE_HELD || settle->written || age_ms < 0)
		return;
	settle->held_ms = earlier(settle->held_ms, now_ms - age_ms);
	settle_tick(settle, now_ms);
}

void settle_moving(struct settle *settle, int64_t now_ms)
{
	settle->first_ms = 0;
	hold(settle, now_ms);
}

void settle_postponed(struct settle *settle)
{
	*settle = (struct settle){.state = SETTLE_DUE};
}

void settle_graded(struct settle *settle)
{
	*settle = (struct settle){.state = SETTLE_IDLE};
}

void settle_previewed(struct settle *settle, int64_t now_ms)
{
	settle->preview_ms = INT64_MAX;
	settle->again_ms = now_ms + PREVIEW_NEXT_MS;
}

bool settle_piece_due(const struct settle *settle, int64_t now_ms)
{
	return settle->pieces && settle->state == SETTLE_WAITING && now_ms >= settle->again_ms;
}

void settle_tick(struct settle *settle, int64_t now_ms)
{
	if (settle->state == SETTLE_WAITING && now_ms >= waits_until(settle))
		settle->state = SETTLE_DUE;
	else if (settle->state == SETTLE_HELD && !settle->written &&
		 now_ms >= settle->held_ms + SETTLE_FOUND_MS)
		settle->state = SETTLE_DUE;
}

bool settle_preview_due(const struct settle *settle, int64_t now_ms)
{
	return settle->state == SETTLE_HELD && now_ms >= settle->preview_ms;
}

int64_t settle_deadline(const struct settle *settle)
{
	switch (settle->state) {
	case SETTLE_IDLE: return INT64_MAX;
	case SETTLE_LOOK:
	case SETTLE_DUE: return 0;
	case SETTLE_WAITING: return waits_until(settle);
	case SETTLE_HELD: break;
	}
	if (settle->written)
		return settle->preview_ms;
	return earlier(settle->preview_ms, settle->held_ms + SETTLE_FOUND_MS);
}

bool settle_pending(const struct settle *settle)
{
	return settle->state == SETTLE_HELD ? settle->written : settle->state != SETTLE_IDLE;
}

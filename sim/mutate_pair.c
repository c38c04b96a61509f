/* Pairs of mistakes: a short list of those that go together, since all pairs would be too many to
 * be believed. */
#include <errno.h>

#include "sim/mistakes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define MINUTE INT64_C(60000)

/* Delays that people take from examples, in seconds: their places in make_delay(). */
static const size_t delays_s[] = {0, 1, 2, 10, 30, 60};

static int (*const others[])(struct scene *, size_t, struct mistake *) = {make_filter_extra,
	make_filter_missing, make_filter_inverted, make_null_first_row, make_late_cmp,
	make_key_extra, make_interval_missing};

/* Of each of the others so many. */
#define OTHERS_EACH 6

static int both(int err)
{
	return err == -ENOENT ? -EAGAIN : err;
}

MISTAKE(make_delay_and_other)
{
	size_t delay = index / (COUNT(others) * OTHERS_EACH);
	int err;

	if (delay >= COUNT(delays_s) || scene->batch)
		return -ENOENT;
	err = make_delay(scene, delays_s[delay], ret);
	if (err == 0)
		err = others[index / OTHERS_EACH % COUNT(others)](scene, index % OTHERS_EACH, ret);
	scene->part = scene->part && scene->lateness; /* nothing else asks for the watermark */
	scene->lateness = 0;
	return both(err);
}

static const int64_t lengths_ms[] = {
	MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, 60 * MINUTE};

MISTAKE(make_delay_and_size)
{
	size_t delay = index / COUNT(lengths_ms);
	int64_t size_ms = lengths_ms[index % COUNT(lengths_ms)];
	int err;

	if (!scene->window || scene->batch || delay >= COUNT(delays_s))
		return -ENOENT;
	if (size_ms == scene->size_ms || !lengths_fit(scene->kind, scene->step_ms, size_ms))
		return -EAGAIN;
	/* Rows are judged by the windows of that size. */
	scene->touched = true;
	scene->size_ms = size_ms;
	err = make_delay(scene, delays_s[delay], ret);
	if (err < 0)
		return both(err);
	scene->lateness += scene->lateness ? (uint64_t)size_ms : 0;
	cause_add_duration(
		ret, scene->kind == WINDOW_SESSION ? "session-gap" : "window-size", size_ms);
	scene_set_window(scene, scene->kind, scene->step_ms, size_ms, 0);
	return 0;
}

MISTAKE(make_both_lengths)
{
	int64_t step_ms, size_ms;

	if (!scene->window || (scene->kind != WINDOW_HOP && scene->kind != WINDOW_CUMULATE) ||
		index >= COUNT(lengths_ms) * COUNT(lengths_ms))
		return -ENOENT;
	step_ms = lengths_ms[index / COUNT(lengths_ms)];
	size_ms = lengths_ms[index % COUNT(lengths_ms)];
	if (step_ms == scene->step_ms || size_ms == scene->size_ms ||
		!lengths_fit(scene->kind, step_ms, size_ms))
		return -EAGAIN;
	cause_add_duration(ret, "window-slide", step_ms);
	cause_add_duration(ret, "window-size", size_ms);
	scene_set_window(scene, scene->kind, step_ms, size_ms, 0);
	return 0;
}

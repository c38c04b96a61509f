/* Legacy HOP in batch mode: Flink sorts the rows of MIN and MAX of texts, of one phase, and of few
 * rows, and hashes others. Its sort aggregation looks for windows at the end of the input only
 * from the first that the rows before the last pane left open. Where one of those is empty, it
 * goes on behind the last row, and all windows of the last pane are lost. With a key it reads the
 * time from another column, which is not simulated. Recorded: more_sim/legacy_sorted_batch,
 * more_sim/legacy_hop_keys. */
#include "sim/batch_hop.h"

#include <errno.h>

#include "sim/estimate.h"
#include "sim/op.h"

/* So many rows expected without a key are sorted for sure, and so many hashed; between them the
 * number and the types of the calls decide. */
#define SORTED_UP_TO 3
#define HASHED_FROM  12

/* The same with a key: one row is sorted. */
#define KEYED_HASHED_FROM 2

static int not_known(struct run *run)
{
	run->refused = "Such a legacy HOP in batch mode";
	return -ENOTSUP;
}

/* Width of a pane: the widest that makes up both slides and windows. */
static int64_t pane_ms(const struct window *window)
{
	int64_t a = window->size_ms, b = window->step_ms;

	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int64_t time_of(const struct plan *plan, const struct kept_row *row)
{
	return row->cells[plan->agg.spec.time].i;
}

/* The time from which on rows are lost, or INT64_MAX. */
static int64_t first_lost(const struct plan *plan, const struct row_list *rows)
{
	const struct window *window = &plan->agg.spec.window;
	int64_t last = INT64_MIN, before = INT64_MIN, last_pane;

	for (size_t i = 0; i < rows->count; i++)
		if (time_of(plan, rows->rows[i]) > last)
			last = time_of(plan, rows->rows[i]);
	last_pane = window_floor(last, 0, pane_ms(window));
	for (size_t i = 0; i < rows->count; i++)
		if (time_of(plan, rows->rows[i]) < last_pane &&
			time_of(plan, rows->rows[i]) > before)
			before = time_of(plan, rows->rows[i]);
	if (before == INT64_MIN)
		return INT64_MAX;
	before = window_floor(before, 0, window->step_ms) + window->step_ms;
	return before + window->size_ms <= last_pane ? last_pane : INT64_MAX;
}

static void lose(const struct plan *plan, int64_t from_ms, struct row_list *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (time_of(plan, rows->rows[i]) < from_ms)
			rows->rows[count++] = rows->rows[i];
		else
			row_drop(rows, rows->rows[i]);
	rows->count = count;
}

int batch_hop_lose(const struct plan *plan, struct run *run, bool texts, struct row_list *rows)
{
	const struct plan_agg *agg = &plan->agg;
	double expected = estimate_rows(plan->input, run_lines(run));
	bool sorts = texts || !agg->two_phase;
	int64_t from_ms;

	if (!rows->count)
		return 0;
	if (agg->spec.key_count) {
		bool hashes = agg->spec.key_count == 1 && !sorts && expected >= KEYED_HASHED_FROM;

		return hashes ? 0 : not_known(run);
	}
	if (!sorts && expected >= HASHED_FROM)
		return 0;
	from_ms = first_lost(plan, rows);
	if (!agg->time_leads)
		return not_known(run);
	if (from_ms == INT64_MAX)
		return 0;
	if (!sorts && (expected < 0 || expected > SORTED_UP_TO))
		return not_known(run);
	lose(plan, from_ms, rows);
	return 0;
}

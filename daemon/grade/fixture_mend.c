/* One change at random towards a property. Each tries what could help and is simple: whether it
 * did, and whether it broke nothing, is found out by counting. A time that is put anywhere else
 * than behind the highest one would make other rows late; so a wanted time is given to the first
 * row that comes at it or behind it, which stays in its place. */
#include <errno.h>
#include <string.h>

#include "daemon/grade/fixture_deal.h"
#include "parser/arena.h"
#include "sim/op.h"
#include "sim/window.h"

struct mending {
	struct arena *arena;
	const struct deal *deal;
	struct random *random;
	const struct property *property;
	const struct property_count *count;
	struct fixture_rows *rows;
};

static size_t row_count(const struct mending *m)
{
	return m->rows->table.row_count;
}

static int64_t *time_of(const struct mending *m, size_t row)
{
	return &m->rows->table.rows[row].cells[m->rows->rowtime].i;
}

static bool same_key(const struct mending *m, size_t a, size_t b)
{
	size_t by = m->property->by;

	return by == PROPERTY_NO_COLUMN ||
	       value_cmp(&m->rows->table.columns[by].type, &m->rows->table.rows[a].cells[by],
		       &m->rows->table.rows[b].cells[by]) == 0;
}

/* Any row but the first, whose time is the start. */
static size_t some_row(const struct mending *m)
{
	return row_count(m) < 2 ? 0 : 1 + random_below(m->random, row_count(m) - 1);
}

/* The first row at this time or behind it gets it; row_count: there is none that may. */
static size_t give_time(const struct mending *m, int64_t ms)
{
	size_t i = 0;

	while (i < row_count(m) && *time_of(m, i) < ms)
		i++;
	if (i == 0)
		return row_count(m);
	if (i < row_count(m))
		*time_of(m, i) = ms;
	return i;
}

static int64_t highest_before(const struct mending *m, size_t row)
{
	int64_t highest_ms = *time_of(m, 0);

	for (size_t i = 1; i < row; i++)
		if (*time_of(m, i) > highest_ms)
			highest_ms = *time_of(m, i);
	return highest_ms;
}

/* A row goes back behind the watermark that it meets. */
static int make_late(const struct mending *m)
{
	int64_t reach_ms = m->property->size_ms ? m->property->size_ms : 10 * m->deal->grain_ms;
	uint64_t grains = (uint64_t)(reach_ms / m->deal->grain_ms) + 1;
	size_t row = some_row(m);
	int64_t *seen_ms, wanted_ms;

	if (fixture_watermarks(
		    m->arena, m->rows, m->property->delay_ms, m->property->interval_ms, &seen_ms))
		return -ENOMEM;
	if (seen_ms[row] == WATERMARK_NONE)
		return 0;
	wanted_ms = seen_ms[row] - m->deal->grain_ms * (int64_t)random_below(m->random, grains);
	wanted_ms -= (wanted_ms - m->deal->first_ms) % m->deal->grain_ms;
	if (wanted_ms >= m->deal->first_ms)
		*time_of(m, row) = wanted_ms;
	return 0;
}

/* A row closes a window, as early as can be, and the next one is just too late for it. */
static void make_dropped(const struct mending *m)
{
	int64_t grain_ms = m->deal->grain_ms, size_ms = m->property->size_ms;
	int64_t edge_ms = window_floor(*time_of(m, some_row(m)), 0, size_ms) + size_ms;
	size_t row = give_time(m,
		edge_ms + m->property->delay_ms + grain_ms * (int64_t)random_below(m->random, 3));
	int64_t late_ms = edge_ms - grain_ms * (int64_t)(1 + random_below(m->random, 3));

	if (row + 1 < row_count(m) && late_ms >= m->deal->first_ms)
		*time_of(m, row + 1) = late_ms;
}

static int mend_late(const struct mending *m)
{
	if (m->count->count > m->property->max)
		*time_of(m, m->count->row) = highest_before(m, m->count->row);
	else if (m->property->kind == PROPERTY_DROPPED && random_below(m->random, 2))
		make_dropped(m);
	else
		return make_late(m);
	return 0;
}

static void mend_steps(const struct mending *m)
{
	if (m->count->row < row_count(m))
		*time_of(m, m->count->row) = highest_before(m, m->count->row);
}

static void mend_edge(const struct mending *m)
{
	int64_t size_ms = m->property->size_ms;

	if (m->count->count > m->property->max)
		*time_of(m, m->count->row) += m->deal->grain_ms;
	else
		give_time(m, window_floor(*time_of(m, some_row(m)), 0, size_ms) + size_ms);
}

/* The words of a row of old whose key is another one. */
static void change_key(const struct mending *m, size_t row)
{
	struct value *cell = &m->rows->table.rows[row].cells[m->property->by];
	struct value before = *cell;
	const struct sql_type *type = &m->rows->table.columns[m->property->by].type;

	for (int tries = 0; tries < 20 && value_cmp(type, cell, &before) == 0; tries++)
		deal_cell(m->deal, m->random, m->rows, row, m->property->by);
}

/* A row that far behind a random one gets its key, and those of that key between get others. */
static void mend_neighbours(const struct mending *m)
{
	size_t first = random_below(m->random, row_count(m)), second, by = m->property->by;
	int64_t gap_ms = m->property->gap_ms +
			 (m->property->kind == PROPERTY_APART ? m->property->more_ms : 0);
	int64_t first_ms = *time_of(m, first);

	if (m->count->count > m->property->max) {
		*time_of(m, m->count->row) += m->deal->grain_ms;
		return;
	}
	second = give_time(m, first_ms + gap_ms);
	if (second == row_count(m) || second == first)
		return;
	if (by == PROPERTY_NO_COLUMN)
		return;
	m->rows->table.rows[second].cells[by] = m->rows->table.rows[first].cells[by];
	for (size_t i = 0; i < row_count(m); i++)
		if (i != first && *time_of(m, i) > first_ms && *time_of(m, i) < first_ms + gap_ms &&
			same_key(m, first, i))
			change_key(m, i);
}

/* Two rises of the highest time change places. */
static int mend_empty(const struct mending *m)
{
	struct arrival *arrivals;
	size_t a = some_row(m), b = some_row(m);
	int64_t rise_ms;

	if (arrivals_of(m->arena, m->rows, &arrivals))
		return -ENOMEM;
	rise_ms = arrivals[a].rise_ms;
	if (rise_ms == 0 || arrivals[b].rise_ms == 0)
		return 0;
	arrivals[a].rise_ms = arrivals[b].rise_ms;
	arrivals[b].rise_ms = rise_ms;
	arrivals_put(arrivals, m->rows);
	return 0;
}

static void mend_equal(const struct mending *m)
{
	size_t row = m->count->row, column = m->property->column;

	if (m->count->count > m->property->max) {
		deal_cell(m->deal, m->random, m->rows, row, column);
		return;
	}
	row = some_row(m);
	m->rows->table.rows[row].cells[column] =
		m->rows->table.rows[random_below(m->random, row_count(m))].cells[column];
}

int deal_mend(struct arena *scratch, const struct deal *deal, struct random *random,
	const struct property *property, const struct property_count *count,
	struct fixture_rows *rows)
{
	const struct mending m = {scratch, deal, random, property, count, rows};

	switch (property->kind) {
	case PROPERTY_LATE:
	case PROPERTY_DROPPED: return mend_late(&m);
	case PROPERTY_STEPS: mend_steps(&m); break;
	case PROPERTY_EDGE: mend_edge(&m); break;
	case PROPERTY_TOUCHING:
	case PROPERTY_APART: mend_neighbours(&m); break;
	case PROPERTY_UNIQUE:
	case PROPERTY_REPEATS:
	case PROPERTY_NO_TIES: mend_equal(&m); break;
	case PROPERTY_EMPTY_WINDOW: return mend_empty(&m);
	}
	return 0;
}

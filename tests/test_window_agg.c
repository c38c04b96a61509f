/* sim/window_agg.c and sim/session_agg.c: which rows count in which windows. The vectors are
 * those of the recorded run semantics/boundary_ms and of Flink's own tests of its window
 * operators. */
#include "sim/window_agg.h"

#include <stdlib.h>

#include "parser/arena.h"
#include "sim/session_agg.h"
#include "sim/watermark.h"
#include "tests/test.h"

#define MOST	    64
#define ARENA_BYTES (512u << 10) /* far less than the windows of a long run take together */
#define SECOND	    INT64_C(1000)
#define MINUTE	    (60 * SECOND)

static const struct sql_type timestamp = {.kind = SQL_TIMESTAMP, .precision = 3};
static const struct sql_type interval = {.kind = SQL_INTERVAL_DAY};
static const struct sql_type string = {.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH};
static const struct sql_type bigint = {.kind = SQL_BIGINT};

/* A row: key ('\0': NULL), time, number. */
struct in {
	char key;
	int64_t ts_ms;
	int64_t number;
};

/* A result: key ('\0': NULL, '-': none asked), window, COUNT(*), SUM(number). */
struct out {
	char key;
	int64_t start_ms, end_ms, count, sum;
};

struct collector {
	struct op op;
	bool keyed;
	struct out rows[MOST];
	size_t count;
};

static int collect(struct op *op, enum row_op kind, const struct value *cells)
{
	struct collector *collector = (struct collector *)op;
	struct out *row = &collector->rows[collector->count++ % MOST];

	CHECK(kind == OP_INSERT);
	row->key = '-';
	if (collector->keyed) {
		row->key = cells->null ? '\0' : cells->s.ptr[0];
		cells++;
	}
	row->count = cells[0].i;
	row->sum = cells[1].i;
	row->start_ms = cells[2].i;
	row->end_ms = cells[3].i;
	CHECK(cells[4].i == row->end_ms - 1);
	return 0;
}

static int ignore(struct op *op, int64_t wm_ms)
{
	(void)op;
	(void)wm_ms;
	return 0;
}

/* How the rows go through: a window, its phases, the watermark. */
struct setting {
	struct window window;
	bool keyed, two_phase;
	int64_t delay_ms, interval_ms;
};

static struct expr *delayed(struct arena *arena, int64_t delay_ms)
{
	struct expr **args = arena_array(arena, 2, sizeof(*args)), *ret = NULL;

	args[0] = expr_column(arena, 1, &timestamp);
	args[1] = expr_constant(arena, &interval, &(struct value){.i = delay_ms});
	CHECK(expr_op(arena, SQL_OP_SUB, args, 2, &ret) == 0);
	return ret;
}

static void run(const struct setting *setting, const struct in *in, size_t count,
	struct collector *collector, struct run *counts)
{
	static const size_t key = 0;
	const struct agg_call calls[] = {
		{.function = AGG_COUNT_ALL, .type = bigint}, {.function = AGG_SUM,
								     .argument = 2,
								     .argument_type = bigint,
								     .sum_type = bigint,
								     .type = bigint}};
	const struct window_agg_spec spec = {.window = setting->window,
		.time = 1,
		.keys = &key,
		.key_types = &string,
		.key_count = setting->keyed,
		.calls = calls,
		.call_count = 2};
	struct arena arena;
	struct op *op;

	arena_init(&arena, ARENA_BYTES);
	*collector = (struct collector){.op = {collect, ignore, NULL}, .keyed = setting->keyed};
	*counts = (struct run){0};
	op = spec.window.kind == WINDOW_SESSION
		     ? session_agg_new(&arena, &spec, counts, &collector->op)
		     : window_agg_new(&arena, &spec, setting->two_phase, counts, &collector->op);
	op = watermark_new(
		&arena, 1, delayed(&arena, setting->delay_ms), setting->interval_ms, counts, op);
	for (size_t i = 0; i < count; i++) {
		const struct value cells[] = {{.null = !in[i].key, .s = {&in[i].key, 1}},
			{.i = in[i].ts_ms}, {.i = in[i].number}};

		CHECK(op_row(op, OP_INSERT, cells) == 0);
	}
	CHECK(op_watermark(op, WATERMARK_END) == 0);
	arena_finish(&arena);
}

static bool same(const struct out *a, const struct out *b)
{
	return a->key == b->key && a->start_ms == b->start_ms && a->end_ms == b->end_ms &&
	       a->count == b->count && (b->sum < 0 || a->sum == b->sum);
}

static void expect_in_order(const struct collector *got, const struct out *want, size_t count)
{
	CHECK(got->count == count);
	for (size_t i = 0; i < count && i < got->count; i++)
		CHECK(same(&got->rows[i], &want[i]));
}

static void expect_set(const struct collector *got, const struct out *want, size_t count)
{
	CHECK(got->count == count);
	for (size_t i = 0; i < count; i++) {
		bool found = false;

		for (size_t j = 0; j < got->count; j++)
			found |= same(&got->rows[j], &want[i]);
		CHECK(found);
	}
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* semantics/boundary_ms: minute 0 is 09:00 of the recording. */
static const struct in boundary[] = {{'a', 10000, 1}, {'a', 59998, 2}, {'b', 20000, 3},
	{'b', 59999, 4}, {'a', 30000, 5}, {'a', 60998, 6}, {'a', 59500, 7}, {'b', 119999, 8},
	{'b', 119999, 9}, {'a', 60999, 10}, {'a', 120000, 11}};

static struct in shifted[COUNT(boundary)];

/* The times of 1970 would publish no watermark: moved to a whole hour of 2026. */
#define BASE INT64_C(1783328400000)

static const struct in *boundary_rows(void)
{
	for (size_t i = 0; i < COUNT(boundary); i++) {
		shifted[i] = boundary[i];
		shifted[i].ts_ms += BASE;
	}
	return shifted;
}

TEST(tumble_closes_at_end_minus_one)
{
	static const struct out want[] = {{'-', BASE, BASE + MINUTE, 4, 10},
		{'-', BASE + MINUTE, BASE + 2 * MINUTE, 2, 14},
		{'-', BASE + 2 * MINUTE, BASE + 3 * MINUTE, 1, 11}};
	struct setting setting = {.window = {WINDOW_TUMBLE, MINUTE, MINUTE, 0, 0}};
	struct collector got;
	struct run counts;

	for (int phase = 0; phase < 2; phase++) {
		setting.two_phase = phase;
		run(&setting, boundary_rows(), COUNT(boundary), &got, &counts);
		expect_in_order(&got, want, COUNT(want));
		CHECK(counts.rows_dropped == 4);
	}
}

TEST(a_row_late_for_one_hop_window_counts_in_the_next)
{
	static const struct out want[] = {{'-', BASE - MINUTE, BASE + MINUTE, 4, 10},
		{'-', BASE, BASE + 2 * MINUTE, 8, 36},
		{'-', BASE + MINUTE, BASE + 3 * MINUTE, 5, 44},
		{'-', BASE + 2 * MINUTE, BASE + 4 * MINUTE, 1, 11}};
	struct setting setting = {.window = {WINDOW_HOP, 2 * MINUTE, MINUTE, 0, 0}};
	struct collector got;
	struct run counts;

	for (int phase = 0; phase < 2; phase++) {
		setting.two_phase = phase;
		run(&setting, boundary_rows(), COUNT(boundary), &got, &counts);
		expect_in_order(&got, want, COUNT(want));
	}
}

/* Rows of Flink's own window tests, in seconds from a whole 15 s. */
#define OWN   INT64_C(1602288000000)
#define AT(s) (OWN + (s)*SECOND)

static const struct in own[] = {{'a', AT(1), 1}, {'a', AT(2), 1}, {'a', AT(3), 1}, {'a', AT(4), 1},
	{'b', AT(7), 1}, {'b', AT(6), 1}, {'a', AT(8), 1}, {'a', AT(4), 1}, {'b', AT(16), 1},
	{'\0', AT(32), 1}, {'b', AT(34), 1}};

static void run_own(struct window window, const struct out *want, size_t count)
{
	struct setting setting = {
		.window = window, .keyed = true, .delay_ms = SECOND, .interval_ms = 200};
	struct collector got;
	struct run counts;

	for (int phase = 0; phase < 2; phase++) {
		setting.two_phase = phase;
		run(&setting, own, COUNT(own), &got, &counts);
		expect_set(&got, want, count);
	}
}

TEST(tumble_by_key)
{
	static const struct out want[] = {{'a', AT(0), AT(5), 4, -1}, {'a', AT(5), AT(10), 1, -1},
		{'b', AT(5), AT(10), 2, -1}, {'b', AT(15), AT(20), 1, -1},
		{'b', AT(30), AT(35), 1, -1}, {'\0', AT(30), AT(35), 1, -1}};

	run_own((struct window){WINDOW_TUMBLE, 5 * SECOND, 5 * SECOND, 0, 0, NULL}, want,
		COUNT(want));
}

TEST(hop_by_key)
{
	static const struct out want[] = {{'a', AT(-5), AT(5), 4, -1}, {'a', AT(0), AT(10), 6, -1},
		{'a', AT(5), AT(15), 1, -1}, {'b', AT(0), AT(10), 2, -1},
		{'b', AT(5), AT(15), 2, -1}, {'b', AT(10), AT(20), 1, -1},
		{'b', AT(15), AT(25), 1, -1}, {'b', AT(25), AT(35), 1, -1},
		{'b', AT(30), AT(40), 1, -1}, {'\0', AT(25), AT(35), 1, -1},
		{'\0', AT(30), AT(40), 1, -1}};

	run_own((struct window){WINDOW_HOP, 10 * SECOND, 5 * SECOND, 0, 0, NULL}, want,
		COUNT(want));
}

TEST(cumulate_by_key)
{
	static const struct out want[] = {{'a', AT(0), AT(5), 4, -1}, {'a', AT(0), AT(10), 6, -1},
		{'a', AT(0), AT(15), 6, -1}, {'b', AT(0), AT(10), 2, -1},
		{'b', AT(0), AT(15), 2, -1}, {'b', AT(15), AT(20), 1, -1},
		{'b', AT(15), AT(25), 1, -1}, {'b', AT(15), AT(30), 1, -1},
		{'b', AT(30), AT(35), 1, -1}, {'b', AT(30), AT(40), 1, -1},
		{'b', AT(30), AT(45), 1, -1}, {'\0', AT(30), AT(35), 1, -1},
		{'\0', AT(30), AT(40), 1, -1}, {'\0', AT(30), AT(45), 1, -1}};

	run_own((struct window){WINDOW_CUMULATE, 15 * SECOND, 5 * SECOND, 0, 0, NULL}, want,
		COUNT(want));
}

TEST(session_by_key)
{
	static const struct out want[] = {{'a', AT(1), AT(13), 6, -1}, {'b', AT(6), AT(12), 2, -1},
		{'b', AT(16), AT(21), 1, -1}, {'b', AT(34), AT(39), 1, -1},
		{'\0', AT(32), AT(37), 1, -1}};

	run_own((struct window){WINDOW_SESSION, 5 * SECOND, 5 * SECOND, 0, 0, NULL}, want,
		COUNT(want));
}

/* B, A late, A, B: the order of keys in the second minute tells the phases apart. */
TEST(phases_print_keys_in_their_own_order)
{
	static const struct in rows[] = {{'B', BASE, 1}, {'A', BASE - 90 * SECOND, 1},
		{'A', BASE + MINUTE, 1}, {'B', BASE + 65 * SECOND, 1}};
	struct setting setting = {.window = {WINDOW_TUMBLE, MINUTE, MINUTE, 0, 0},
		.keyed = true,
		.delay_ms = 5 * SECOND,
		.interval_ms = 200};
	struct collector got;
	struct run counts;

	run(&setting, rows, COUNT(rows), &got, &counts);
	CHECK(got.count == 3 && got.rows[1].key == 'B' && got.rows[2].key == 'A');
	setting.two_phase = true;
	run(&setting, rows, COUNT(rows), &got, &counts);
	CHECK(got.count == 3 && got.rows[1].key == 'A' && got.rows[2].key == 'B');
}

/* What a window holds is given back when it fires: 200 000 rows open 40 000 windows of 26 keys. */
TEST(memory_is_bounded_by_open_windows)
{
	enum { ROWS = 200000, STEP = 6000 };
	struct in *rows = calloc(ROWS, sizeof(*rows));
	struct setting setting = {.window = {WINDOW_HOP, 2 * MINUTE, MINUTE, 0, 0},
		.keyed = true,
		.two_phase = true,
		.delay_ms = 5 * SECOND,
		.interval_ms = 200};
	struct collector got;
	struct run counts;

	CHECK(rows != NULL);
	for (size_t i = 0; rows && i < ROWS; i++)
		rows[i] = (struct in){(char)('a' + i % 26), BASE + (int64_t)i * STEP, 1};
	if (rows)
		run(&setting, rows, ROWS, &got, &counts);
	CHECK(counts.rows_dropped == 0);
	CHECK(got.count > ROWS);
	setting.window = (struct window){WINDOW_SESSION, MINUTE, MINUTE, 0, 0, NULL};
	if (rows)
		run(&setting, rows, ROWS, &got, &counts);
	CHECK(got.count > ROWS / 2);
	free(rows);
}

int main(void)
{
	RUN(tumble_closes_at_end_minus_one);
	RUN(a_row_late_for_one_hop_window_counts_in_the_next);
	RUN(tumble_by_key);
	RUN(hop_by_key);
	RUN(cumulate_by_key);
	RUN(session_by_key);
	RUN(phases_print_keys_in_their_own_order);
	RUN(memory_is_bounded_by_open_windows);
	return test_finish();
}

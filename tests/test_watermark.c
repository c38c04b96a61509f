/* sim/watermark.c: when a watermark is published, and what a row sees. */
#include "sim/watermark.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/calc.h"
#include "tests/test.h"

static const struct sql_type timestamp = {.kind = SQL_TIMESTAMP, .precision = 3};
static const struct sql_type interval = {.kind = SQL_INTERVAL_DAY};

#define MOST 16

/* What goes down: for each row the watermark that came last before it, and all watermarks. */
struct listener {
	struct op op;
	int64_t wm_ms;
	int64_t seen_ms[MOST], published_ms[MOST];
	size_t rows, watermarks;
};

static int listen_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct listener *listener = (struct listener *)op;

	(void)kind;
	(void)cells;
	listener->seen_ms[listener->rows++] = listener->wm_ms;
	return 0;
}

static int listen_watermark(struct op *op, int64_t wm_ms)
{
	struct listener *listener = (struct listener *)op;

	listener->published_ms[listener->watermarks++] = listener->wm_ms = wm_ms;
	return 0;
}

/* Rows of these times through an assigner of `ts - delay`. */
static struct listener run(
	const int64_t *times_ms, size_t count, int64_t delay_ms, int64_t interval_ms)
{
	struct listener listener = {
		.op = {listen_row, listen_watermark, NULL}, .wm_ms = WATERMARK_NONE};
	struct run counts = {0};
	struct arena arena;
	struct expr *args[2], *watermark;
	struct op *op;

	arena_init(&arena, 1 << 20);
	args[0] = expr_column(&arena, 0, &timestamp);
	args[1] = expr_constant(&arena, &interval, &(struct value){.i = delay_ms});
	CHECK(expr_op(&arena, SQL_OP_SUB, args, 2, &watermark) == 0);
	op = watermark_new(&arena, 0, watermark, interval_ms, &counts, &listener.op);
	for (size_t i = 0; i < count; i++)
		CHECK(op_row(op, OP_INSERT, &(struct value){.i = times_ms[i]}) == 0);
	CHECK(op_watermark(op, WATERMARK_END) == 0);
	arena_finish(&arena);
	return listener;
}

/* Recorded: semantics/watermark_03 (NULL in row 1 only), semantics/boundary_ms. */
TEST(a_row_sees_the_watermark_before_its_own)
{
	static const int64_t times[] = {10000, 20000, 15000, 20000};
	struct listener got = run(times, 4, 5000, 0);

	CHECK(got.seen_ms[0] == WATERMARK_NONE);
	CHECK(got.seen_ms[1] == 5000);
	CHECK(got.seen_ms[2] == 15000);
	CHECK(got.seen_ms[3] == 15000);
	CHECK(got.watermarks == 3);
	CHECK(got.published_ms[2] == WATERMARK_END);
}

/* Recorded: semantics/interval_05: a rise of exactly the interval is not published. */
TEST(a_watermark_must_rise_by_more_than_the_interval)
{
	static const int64_t times[] = {1000, 1200, 1201, 1400, 1402};
	struct listener got = run(times, 5, 0, 200);

	CHECK(got.watermarks == 4);
	CHECK(got.published_ms[0] == 1000);
	CHECK(got.published_ms[1] == 1201);
	CHECK(got.published_ms[2] == 1402);
}

/* Recorded: semantics/interval_03, watermark/ref/slow: whatever the interval, row 1 publishes, and
 * what is pending at the end never comes. */
TEST(a_long_interval_publishes_the_first_row_and_the_end)
{
	static const int64_t times[] = {1783328400000, 1783328460000, 1783328999000};
	struct listener got = run(times, 3, 5000, 3600000);

	CHECK(got.watermarks == 2);
	CHECK(got.published_ms[0] == times[0] - 5000);
	CHECK(got.seen_ms[2] == times[0] - 5000);
	CHECK(got.published_ms[1] == WATERMARK_END);
}

/* Recorded: semantics/errors_csv_null_rowtime. */
TEST(a_row_without_a_time_fails)
{
	struct listener listener = {.op = {listen_row, listen_watermark, NULL}};
	struct run counts = {0};
	struct arena arena;
	struct op *op;

	arena_init(&arena, 1 << 20);
	op = watermark_new(&arena, 0, expr_column(&arena, 0, &timestamp), 0, &counts, &listener.op);
	CHECK(op_row(op, OP_INSERT, &(struct value){.null = true}) == -EBADMSG);
	CHECK(text_eq(counts.fault, TEXT("java.lang.RuntimeException: RowTime field should not be "
					 "null, please convert it "
					 "to a non-null long value.")));
	CHECK(listener.rows == 0);
	arena_finish(&arena);
}

int main(void)
{
	RUN(a_row_sees_the_watermark_before_its_own);
	RUN(a_watermark_must_rise_by_more_than_the_interval);
	RUN(a_long_interval_publishes_the_first_row_and_the_end);
	RUN(a_row_without_a_time_fails);
	return test_finish();
}

/* sim/options.c: durations in the spellings that Flink takes, SET and RESET. */
#include "sim/options.h"

#include <errno.h>

#include "parser/arena.h"
#include "tests/test.h"

/* Recorded: semantics/edge_mode_interval_unit, watermark/mistakes/slow_ok_1h_nospace,
 * slow_ok_1_hour, slow_ok_1d, slow_ok_3600s, slow_interval_1, slow_interval_15min. */
TEST(durations_in_all_spellings)
{
	static const struct {
		struct text text;
		int64_t ms;
	} cases[] = {{{"200 ms", 6}, 200}, {{"1", 1}, 1}, {{"0", 1}, 0}, {{"3600000", 7}, 3600000},
		{{"1 h", 3}, 3600000}, {{"1h", 2}, 3600000}, {{"1 hour", 6}, 3600000},
		{{"1 HOURS", 7}, 3600000}, {{"3600 s", 6}, 3600000}, {{"15 min", 6}, 900000},
		{{"1 d", 3}, 86400000}, {{" 5 s ", 5}, 5000}, {{"PT1H30M", 7}, 5400000}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t ms = -1;

		CHECK(duration_parse(cases[i].text, &ms) == 0);
		CHECK(ms == cases[i].ms);
	}
}

/* Recorded: semantics/errors_mode_interval_wrong, watermark/mistakes/slow_interval_neg,
 * slow_interval_sql. */
TEST(what_is_no_duration)
{
	int64_t ms = 7;

	CHECK(duration_parse(TEXT("abc"), &ms) == -EINVAL);
	CHECK(duration_parse(TEXT("-1 h"), &ms) == -EINVAL);
	CHECK(duration_parse(TEXT("INTERVAL '1' HOUR"), &ms) == -EINVAL);
	CHECK(duration_parse(TEXT("1 fortnight"), &ms) == -ENOTSUP);
	CHECK(duration_parse(TEXT("99999999999999999999 ms"), &ms) == -ENOTSUP);
	CHECK(ms == 7);
}

TEST(set_and_reset)
{
	struct arena arena;
	struct options options = {.arena = &arena};

	arena_init(&arena, 1 << 20);
	CHECK(!options_batch(&options));
	CHECK(options_interval_ms(&options) == 200);
	CHECK(options_set(&options, TEXT("execution.runtime-mode"), TEXT("BATCH")) == 0);
	CHECK(options_set(&options, TEXT("pipeline.auto-watermark-interval"), TEXT("1 h")) == 0);
	CHECK(options_batch(&options));
	CHECK(options_interval_ms(&options) == 3600000);
	options_reset(&options, TEXT("pipeline.auto-watermark-interval"));
	CHECK(options_interval_ms(&options) == 200 && options_batch(&options));
	options_reset(&options, TEXT(""));
	CHECK(!options_batch(&options));
	arena_finish(&arena);
}

int main(void)
{
	RUN(durations_in_all_spellings);
	RUN(what_is_no_duration);
	RUN(set_and_reset);
	return test_finish();
}

/* When a file is graded, by the clock of the test. */
#include "daemon/settle.h"

#include "daemon/limits.h"
#include "tests/test.h"

static struct settle settle;

static void start(void)
{
	settle = (struct settle){0};
}

TEST(complete_is_graded_at_once)
{
	start();
	settle_event(&settle, SETTLE_CLOSED, 1000);
	CHECK(settle.state == SETTLE_LOOK && settle_deadline(&settle) == 0);
	settle_looked(&settle, true, 1000);
	CHECK(settle.state == SETTLE_DUE && settle_pending(&settle));
	settle_graded(&settle);
	CHECK(settle_deadline(&settle) == INT64_MAX && !settle_pending(&settle));
}

TEST(without_an_end_it_waits_75_ms)
{
	start();
	settle_event(&settle, SETTLE_CLOSED, 1000);
	settle_looked(&settle, false, 1000);
	CHECK(settle.state == SETTLE_WAITING && settle_deadline(&settle) == 1075);
	settle_tick(&settle, 1074);
	CHECK(settle.state == SETTLE_WAITING);
	settle_tick(&settle, 1075);
	CHECK(settle.state == SETTLE_DUE);
}

/* A script that appends every 50 ms, opening the file anew each time, must not starve the
 * verdict. */
TEST(appending_for_ever_is_graded_after_500_ms)
{
	int64_t now_ms = 1000;

	start();
	while (settle.state != SETTLE_DUE && now_ms < 3000) {
		settle_event(&settle, SETTLE_WRITTEN, now_ms);
		settle_event(&settle, SETTLE_CLOSED, now_ms);
		settle_looked(&settle, false, now_ms);
		now_ms += 50;
	}
	CHECK(settle.state == SETTLE_DUE && now_ms - 50 == 1500);
}

/* It goes on where a close left it: running, however long that takes, and graded 500 ms after the
 * last piece. */
TEST(written_in_pieces_is_graded_once_no_more_come)
{
	int64_t now_ms = 1000;

	start();
	for (int i = 0; i < 100; i++, now_ms += 400) {
		settle_event(&settle, SETTLE_WRITTEN, now_ms);
		settle_event(&settle, SETTLE_CLOSED, now_ms);
		if (i > 0)
			settle_goes_on(&settle);
		settle_looked(&settle, false, now_ms);
		CHECK(settle.state == SETTLE_WAITING);
		settle_tick(&settle, now_ms + (i ? 399 : 74));
		CHECK(settle.state == SETTLE_WAITING && settle_pending(&settle));
	}
	settle_tick(&settle, now_ms + 99);
	CHECK(settle.state == SETTLE_WAITING);
	settle_tick(&settle, now_ms + 100);
	CHECK(settle.state == SETTLE_DUE);
}

TEST(rows_of_pieces_are_counted_at_a_pace)
{
	int counted = 0;

	start();
	for (int64_t now_ms = 1000; now_ms < 3000; now_ms += 10) {
		settle_event(&settle, SETTLE_WRITTEN, now_ms);
		settle_event(&settle, SETTLE_CLOSED, now_ms);
		settle_goes_on(&settle);
		settle_looked(&settle, false, now_ms);
		if (settle_piece_due(&settle, now_ms)) {
			settle_previewed(&settle, now_ms);
			counted++;
		}
	}
	CHECK(counted == 2000 / PREVIEW_NEXT_MS);
}

TEST(whoever_writes_is_awaited_without_limit)
{
	start();
	settle_event(&settle, SETTLE_MADE, 1000);
	settle_looked(&settle, false, 1000);
	settle_event(&settle, SETTLE_WRITTEN, 1001);
	settle_tick(&settle, 1000 + 24 * 3600 * 1000);
	CHECK(settle.state == SETTLE_HELD && settle_pending(&settle));
	settle_event(&settle, SETTLE_CLOSED, 1000 + 24 * 3600 * 1000);
	settle_looked(&settle, true, 1000 + 24 * 3600 * 1000);
	CHECK(settle.state == SETTLE_DUE);
}

TEST(found_without_an_end_runs_for_60_s)
{
	start();
	settle_event(&settle, SETTLE_FOUND, 1000);
	settle_looked(&settle, false, 1000);
	CHECK(settle.state == SETTLE_HELD && !settle_pending(&settle));
	settle_tick(&settle, 60999);
	CHECK(settle.state == SETTLE_HELD);
	settle_tick(&settle, 61000);
	CHECK(settle.state == SETTLE_DUE);
}

/* However long ago it was: who finds it has not waited for it. */
TEST(found_without_an_end_runs_for_60_s_since_it_was_modified)
{
	start();
	settle_event(&settle, SETTLE_FOUND, 1000);
	settle_looked(&settle, false, 1000);
	settle_untouched(&settle, 40000, 1000);
	CHECK(settle.state == SETTLE_HELD && settle.held_ms == 1000 - 40000);
	settle_tick(&settle, 20999);
	CHECK(settle.state == SETTLE_HELD);
	settle_tick(&settle, 21000);
	CHECK(settle.state == SETTLE_DUE);
	start();
	settle_event(&settle, SETTLE_FOUND, 1000);
	settle_looked(&settle, false, 1000);
	settle_untouched(&settle, SETTLE_FOUND_MS, 1000);
	CHECK(settle.state == SETTLE_DUE);
	/* Dated into the future: it says nothing. */
	start();
	settle_event(&settle, SETTLE_FOUND, 1000);
	settle_looked(&settle, false, 1000);
	settle_untouched(&settle, -5000, 1000);
	CHECK(settle.state == SETTLE_HELD && settle_deadline(&settle) <= 1000 + SETTLE_FOUND_MS);
	/* Its writer was seen. */
	start();
	settle_event(&settle, SETTLE_WRITTEN, 1000);
	settle_untouched(&settle, SETTLE_FOUND_MS, 1000);
	CHECK(settle.state == SETTLE_HELD);
}

TEST(rows_are_counted_at_a_pace_and_only_after_more_was_written)
{
	start();
	settle_event(&settle, SETTLE_WRITTEN, 1000);
	CHECK(!settle_preview_due(&settle, 1000 + PREVIEW_FIRST_MS - 1));
	CHECK(settle_preview_due(&settle, 1000 + PREVIEW_FIRST_MS));
	settle_previewed(&settle, 1150);
	CHECK(settle_deadline(&settle) == INT64_MAX);
	settle_event(&settle, SETTLE_WRITTEN, 1160);
	CHECK(settle_deadline(&settle) == 1150 + PREVIEW_NEXT_MS);
	settle_previewed(&settle, 1650);
	settle_event(&settle, SETTLE_WRITTEN, 9000);
	CHECK(settle_preview_due(&settle, 9000));
}

/* vim: the old file is renamed away, a new one is made and closed. */
TEST(removed_and_made_again_gives_no_missing_in_between)
{
	start();
	settle_event(&settle, SETTLE_GONE, 1000);
	CHECK(settle.state == SETTLE_WAITING && settle_deadline(&settle) == 1075);
	settle_event(&settle, SETTLE_MADE, 1002);
	settle_event(&settle, SETTLE_WRITTEN, 1003);
	settle_event(&settle, SETTLE_CLOSED, 1004);
	CHECK(settle.state == SETTLE_LOOK);
	settle_looked(&settle, true, 1004);
	CHECK(settle.state == SETTLE_DUE);
}

/* A new run after a removal is running, not empty. */
TEST(made_again_by_a_client_that_takes_its_time)
{
	start();
	settle_event(&settle, SETTLE_GONE, 1000);
	settle_event(&settle, SETTLE_MADE, 1002);
	settle_looked(&settle, false, 1002);
	settle_tick(&settle, 6000);
	CHECK(settle.state == SETTLE_HELD);
}

/* With its folder, whose new watch has not told of it. */
TEST(removed_and_found_again_is_looked_at_at_once)
{
	start();
	settle_event(&settle, SETTLE_GONE, 1000);
	settle_event(&settle, SETTLE_FOUND, 1002);
	CHECK(settle.state == SETTLE_LOOK);
	settle_looked(&settle, false, 1002);
	CHECK(settle.state == SETTLE_WAITING && settle_deadline(&settle) == 1077);
	settle_event(&settle, SETTLE_FOUND, 1003);
	settle_looked(&settle, true, 1003);
	CHECK(settle.state == SETTLE_DUE);
}

TEST(lost_events_end_a_hold)
{
	start();
	settle_event(&settle, SETTLE_WRITTEN, 1000);
	settle_event(&settle, SETTLE_LOST, 2000);
	CHECK(settle.state == SETTLE_LOOK);
	settle_looked(&settle, false, 2000);
	settle_tick(&settle, 2000 + SETTLE_FOUND_MS);
	CHECK(settle.state == SETTLE_DUE);
	start();
	settle_event(&settle, SETTLE_LOST, 2000);
	CHECK(settle.state == SETTLE_IDLE);
}

int main(void)
{
	RUN(complete_is_graded_at_once);
	RUN(without_an_end_it_waits_75_ms);
	RUN(appending_for_ever_is_graded_after_500_ms);
	RUN(written_in_pieces_is_graded_once_no_more_come);
	RUN(rows_of_pieces_are_counted_at_a_pace);
	RUN(whoever_writes_is_awaited_without_limit);
	RUN(found_without_an_end_runs_for_60_s);
	RUN(found_without_an_end_runs_for_60_s_since_it_was_modified);
	RUN(rows_are_counted_at_a_pace_and_only_after_more_was_written);
	RUN(removed_and_made_again_gives_no_missing_in_between);
	RUN(made_again_by_a_client_that_takes_its_time);
	RUN(removed_and_found_again_is_looked_at_at_once);
	RUN(lost_events_end_a_hold);
	return test_finish();
}

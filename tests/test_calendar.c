/* parser/calendar.c against the C library's own calendar. */
#include "parser/calendar.h"

#include <time.h>

#include "tests/test.h"

TEST(days_and_dates_agree_with_the_c_library)
{
	/* every 37th day from year 1 to 9999 */
	for (int64_t days = -719162; days < 2932897; days += 37) {
		time_t seconds = (time_t)(days * 86400);
		struct civil_day civil = calendar_civil(days);
		struct tm tm;

		gmtime_r(&seconds, &tm);
		if (civil.year != tm.tm_year + 1900 || civil.month != tm.tm_mon + 1 ||
			civil.day != tm.tm_mday || calendar_days(civil) != days) {
			CHECK(days == INT64_MIN);
			break;
		}
	}
}

TEST(months_know_their_length_and_days_may_run_over)
{
	CHECK(calendar_month_days(2000, 2) == 29 && calendar_month_days(1900, 2) == 28);
	CHECK(calendar_month_days(2024, 2) == 29 && calendar_month_days(2026, 12) == 31);
	CHECK(calendar_days((struct civil_day){1970, 1, 1}) == 0);
	CHECK(calendar_days((struct civil_day){2026, 2, 30}) ==
		calendar_days((struct civil_day){2026, 3, 2}));
}

TEST(times_before_the_epoch_belong_to_the_day_before)
{
	int64_t ms;

	CHECK(calendar_split_ms(-1, &ms) == -1 && ms == MS_PER_DAY - 1);
	CHECK(calendar_split_ms(-MS_PER_DAY, &ms) == -1 && ms == 0);
	CHECK(calendar_split_ms(MS_PER_DAY + 5, &ms) == 1 && ms == 5);
}

TEST(digits_are_cut_by_width)
{
	struct text rest = TEXT("12345");
	int number, nanos;
	bool dropped;

	CHECK(calendar_digits(&rest, 2, &number) && number == 12 && rest.len == 3);
	CHECK(!calendar_digits(&rest, 4, &number) && rest.len == 3);
	CHECK(calendar_fraction(&rest, &nanos, &dropped) == 3 && nanos == 345000000 && !dropped);
	rest = TEXT("00000000010");
	CHECK(calendar_fraction(&rest, &nanos, &dropped) == 11 && nanos == 0 && dropped);
}

int main(void)
{
	RUN(days_and_dates_agree_with_the_c_library);
	RUN(months_know_their_length_and_days_may_run_over);
	RUN(times_before_the_epoch_belong_to_the_day_before);
	RUN(digits_are_cut_by_width);
	return test_finish();
}

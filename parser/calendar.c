/* Calendar: counts days in cycles of 400 years, each begun on 1 March so that the leap day is the
 * last of its year and month lengths follow one formula.
 * Which texts are times, and what happens to a bad one, is said by the readers (value.c for printed
 * cells, csv_value.c for Flink's CSV). */
#include "parser/calendar.h"

#define CYCLE_YEARS 400
#define CYCLE_DAYS  146097
/* From 0000-03-01 to 1970-01-01. */
#define EPOCH_SHIFT 719468

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

int64_t calendar_days(struct civil_day civil)
{
	int64_t year = civil.year - (civil.month <= 2);
	int64_t cycle = floor_div(year, CYCLE_YEARS);
	int64_t year_of_cycle = year - cycle * CYCLE_YEARS;
	int64_t month_from_march = (civil.month + 9) % 12;
	int64_t day_of_year = (153 * month_from_march + 2) / 5 + civil.day - 1;

	return cycle * CYCLE_DAYS + year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 +
	       day_of_year - EPOCH_SHIFT;
}

struct civil_day calendar_civil(int64_t days)
{
	int64_t cycle = floor_div(days + EPOCH_SHIFT, CYCLE_DAYS);
	int64_t day = days + EPOCH_SHIFT - cycle * CYCLE_DAYS;
	int64_t leap_days = day / 1460 - day / 36524 + day / 146096;
	int64_t year = (day - leap_days) / 365;
	int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
	int64_t month_from_march = (5 * day_of_year + 2) / 153;
	struct civil_day civil = {
		.month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9),
		.day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
	};

	civil.year = cycle * CYCLE_YEARS + year + (civil.month <= 2);
	return civil;
}

int calendar_month_days(int64_t year, int month)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return lengths[month - 1] + (leap && month == 2);
}

int64_t calendar_split_ms(int64_t time_ms, int64_t *ms_of_day)
{
	int64_t days = floor_div(time_ms, MS_PER_DAY);

	*ms_of_day = time_ms - days * MS_PER_DAY;
	return days;
}

bool calendar_digits(struct text *rest, size_t width, int *ret)
{
	int sum = 0;

	if (rest->len < width)
		return false;
	for (size_t i = 0; i < width; i++) {
		int digit = rest->ptr[i] - '0';

		if (digit < 0 || digit > 9)
			return false;
		sum = sum * 10 + digit;
	}
	rest->ptr += width;
	rest->len -= width;
	*ret = sum;
	return true;
}

size_t calendar_fraction(struct text *rest, int *nanos, bool *dropped)
{
	int sum = 0, unit = 100000000, digit;
	size_t count = 0;

	*dropped = false;
	while (calendar_digits(rest, 1, &digit)) {
		sum += digit * unit;
		*dropped |= unit == 0 && digit;
		unit /= 10;
		count++;
	}
	*nanos = sum;
	return count;
}

/* Units of time: see time_unit.h. The arithmetic is that of Flink's runtime, which counts from
 * 1970 and cuts toward zero: the day of a time before 1970 is the one after it. Recorded:
 * more_sim/scalar_time, watermark/mistakes/w5_floor_group. */
#include "sim/time_unit.h"

#include "parser/calendar.h"

/* The day of 1970-01-01 in its week, Sunday being 0. */
#define EPOCH_WEEKDAY 4
#define WEEK_DAYS     7

static const struct {
	struct text name;
	int64_t width_ms, months;
} units[] = {
	[UNIT_MILLISECOND] = {{"MILLISECOND", 11}, 1, 0},
	[UNIT_SECOND] = {{"SECOND", 6}, MS_PER_SECOND, 0},
	[UNIT_MINUTE] = {{"MINUTE", 6}, MS_PER_MINUTE, 0},
	[UNIT_HOUR] = {{"HOUR", 4}, MS_PER_HOUR, 0},
	[UNIT_DAY] = {{"DAY", 3}, MS_PER_DAY, 0},
	[UNIT_WEEK] = {{"WEEK", 4}, WEEK_DAYS *MS_PER_DAY, 0},
	[UNIT_MONTH] = {{"MONTH", 5}, 0, 1},
	[UNIT_QUARTER] = {{"QUARTER", 7}, 0, 3},
	[UNIT_YEAR] = {{"YEAR", 4}, 0, 12},
	[UNIT_DOW] = {{"DOW", 3}, 0, 0},
	[UNIT_ISODOW] = {{"ISODOW", 6}, 0, 0},
	[UNIT_DOY] = {{"DOY", 3}, 0, 0},
	[UNIT_ISOYEAR] = {{"ISOYEAR", 7}, 0, 0},
	[UNIT_EPOCH] = {{"EPOCH", 5}, 0, 0},
};

enum time_unit time_unit_of(struct text name)
{
	struct text prefix = TEXT("SQL_TSI_");

	if (text_ieq(text_slice(name, 0, prefix.len), prefix))
		name = text_slice(name, prefix.len, name.len);
	for (size_t i = 1; i < sizeof(units) / sizeof(*units); i++)
		if (text_ieq(name, units[i].name))
			return (enum time_unit)i;
	return UNIT_NONE;
}

int64_t time_unit_ms(enum time_unit unit)
{
	return units[unit].width_ms;
}

int64_t time_unit_months(enum time_unit unit)
{
	return units[unit].months;
}

/* 0 for Sunday. */
static int64_t weekday(int64_t day)
{
	int64_t rest = (day + EPOCH_WEEKDAY) % WEEK_DAYS;

	return rest < 0 ? rest + WEEK_DAYS : rest;
}

/* The first day of this month, counted from month 0 of year 0. */
static int64_t first_of(int64_t month)
{
	return calendar_days(
		(struct civil_day){.year = month / 12, .month = (int)(month % 12) + 1, .day = 1});
}

int64_t time_unit_floor(enum time_unit unit, int64_t day, bool up)
{
	int64_t first, months = units[unit].months, month;
	struct civil_day civil;

	if (!months) {
		first = day - weekday(day);
		return up && first < day ? first + WEEK_DAYS : first;
	}
	civil = calendar_civil(day);
	month = civil.year * 12 + civil.month - 1;
	month -= month % months;
	first = first_of(month);
	return up && first < day ? first_of(month + months) : first;
}

/* The Monday that the ISO year of this day begins with: its week holds the year's first
 * Thursday. */
static int64_t iso_year_begin(int64_t year)
{
	int64_t fourth = calendar_days((struct civil_day){.year = year, .month = 1, .day = 4});

	return fourth - (weekday(fourth) + 6) % WEEK_DAYS;
}

static int64_t iso_year(int64_t day)
{
	int64_t thursday = day - (weekday(day) + 6) % WEEK_DAYS + 3;

	return calendar_civil(thursday).year;
}

int64_t time_unit_of_day(enum time_unit unit, int64_t day)
{
	struct civil_day civil = calendar_civil(day);

	switch (unit) {
	case UNIT_DAY: return civil.day;
	case UNIT_WEEK: return (day - iso_year_begin(iso_year(day))) / WEEK_DAYS + 1;
	case UNIT_MONTH: return civil.month;
	case UNIT_QUARTER: return (civil.month + 2) / 3;
	case UNIT_YEAR: return civil.year;
	case UNIT_DOW: return weekday(day) + 1;
	case UNIT_ISODOW: return (weekday(day) + 6) % WEEK_DAYS + 1;
	case UNIT_DOY: return day - first_of(civil.year * 12) + 1;
	case UNIT_ISOYEAR: return iso_year(day);
	default: return day * (MS_PER_DAY / MS_PER_SECOND);
	}
}

int64_t day_add_months(int64_t day, int64_t months)
{
	struct civil_day civil = calendar_civil(day);
	int most;

	months += civil.year * 12 + civil.month - 1;
	civil.year = months / 12 - (months % 12 < 0);
	civil.month = (int)(months - civil.year * 12) + 1;
	most = calendar_month_days(civil.year, civil.month);
	if (civil.day > most)
		civil.day = most;
	return calendar_days(civil);
}

static int64_t days_between(int64_t from, int64_t to)
{
	int64_t months;

	if (to < from)
		return -days_between(to, from);
	months = (to - from) / 31;
	while (day_add_months(from, months) < to && day_add_months(from, months + 1) <= to)
		months++;
	return months;
}

int64_t months_between(int64_t from_ms, int64_t to_ms)
{
	int64_t from_rest, to_rest;
	int64_t from = calendar_split_ms(from_ms, &from_rest);
	int64_t to = calendar_split_ms(to_ms, &to_rest);
	int64_t months = days_between(from, to);

	return months - (day_add_months(from, months) == to && to_rest < from_rest);
}

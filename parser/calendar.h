/* Calendar: dates and times of day as numbers and back, in the proleptic Gregorian calendar that
 * Java's LocalDate uses. No time zones: a wall-clock text is taken as UTC. */
#ifndef EWIN_PARSER_CALENDAR_H
#define EWIN_PARSER_CALENDAR_H

#include "parser/text.h"

#define MS_PER_SECOND INT64_C(1000)
#define MS_PER_MINUTE (60 * MS_PER_SECOND)
#define MS_PER_HOUR   (60 * MS_PER_MINUTE)
#define MS_PER_DAY    (24 * MS_PER_HOUR)
#define NANOS_PER_MS  1000000

/* A day: month 1..12, day 1..31. */
struct civil_day {
	int64_t year;
	int month, day;
};

/* Days since 1970-01-01. The day may lie outside its month: 02-30 is the day behind 02-29. */
int64_t calendar_days(struct civil_day civil);

/* The day that many days after 1970-01-01. */
struct civil_day calendar_civil(int64_t days);

/* 28 to 31. */
int calendar_month_days(int64_t year, int month);

/* Splits a time into whole days since the epoch and the milliseconds of that day, 0..86399999. */
int64_t calendar_split_ms(int64_t time_ms, int64_t *ms_of_day);

/* Cuts one number of exactly `width` digits off *rest. False, with *rest untouched, where there are
 * not that many digits; further digits behind them are left in *rest. */
bool calendar_digits(struct text *rest, size_t width, int *ret);

/* Cuts the digits of a fraction of a second off *rest and gives them as nanoseconds, all digits
 * behind the ninth dropped: *dropped says whether one of those was not 0. Returns how many. */
size_t calendar_fraction(struct text *rest, int *nanos, bool *dropped);

#endif

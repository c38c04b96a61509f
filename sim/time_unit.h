/* Units of time, as FLOOR, EXTRACT and their like name them. */
#ifndef EWIN_SIM_TIME_UNIT_H
#define EWIN_SIM_TIME_UNIT_H

#include "parser/text.h"

enum time_unit {
	UNIT_NONE,
	UNIT_MILLISECOND,
	UNIT_SECOND,
	UNIT_MINUTE,
	UNIT_HOUR,
	UNIT_DAY,
	UNIT_WEEK,
	UNIT_MONTH,
	UNIT_QUARTER,
	UNIT_YEAR,
	/* Of EXTRACT alone: */
	UNIT_DOW, /* Sunday is 1 */
	UNIT_ISODOW,
	UNIT_DOY,
	UNIT_ISOYEAR,
	UNIT_EPOCH,
};

/* The unit of this name, in any case, with or without SQL_TSI_ before it; UNIT_NONE: none. */
enum time_unit time_unit_of(struct text name);

/* Its length in milliseconds, or in months; the other one is 0. */
int64_t time_unit_ms(enum time_unit unit);
int64_t time_unit_months(enum time_unit unit);

/* The day that the unit, from WEEK to YEAR, around this day begins with; `up`: the one behind it
 * where the day itself is not such a beginning. Weeks begin on Sundays. */
int64_t time_unit_floor(enum time_unit unit, int64_t day, bool up);

/* What EXTRACT gives of a day. */
int64_t time_unit_of_day(enum time_unit unit, int64_t day);

/* The day so many months later, at the latest the last one of its month. */
int64_t day_add_months(int64_t day, int64_t months);

/* Whole months between two times. */
int64_t months_between(int64_t from_ms, int64_t to_ms);

#endif

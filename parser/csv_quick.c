/* Values in their usual form: a timestamp's day is most often the day of the row before, and its
 * time of day eight bytes that are checked at once; numbers are so short that they cannot
 * overflow. */
#include "parser/csv_quick.h"

#include <string.h>

#include "parser/calendar.h"

#define SECONDS_SIZE 19 /* "2026-07-06 09:00:00" */
#define MILLIS_SIZE  23 /* "2026-07-06 09:00:00.000" */

/* 18 digits fit into an int64_t. */
#define MOST_DIGITS 18

static bool read_digits(struct text text, int64_t *ret)
{
	int64_t sum = 0;

	if (text.len == 0 || text.len > MOST_DIGITS)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		unsigned digit = (unsigned)(text.ptr[i] - '0');

		if (digit > 9)
			return false;
		sum = sum * 10 + digit;
	}
	*ret = sum;
	return true;
}

static int two_digits(const char *at)
{
	return (at[0] - '0') * 10 + at[1] - '0';
}

/* Is it digits where the form has '0', and the form's own character elsewhere? */
static bool has_form(const char *at, const char *form, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (form[i] == '0' ? (unsigned)(at[i] - '0') > 9 : at[i] != form[i])
			return false;
	return true;
}

static bool learn_day(struct csv_day *day, const char *at)
{
	struct civil_day civil;

	if (!has_form(at, "0000-00-00 ", CSV_DAY_SIZE))
		return false;
	civil.year = two_digits(at) * 100 + two_digits(at + 2);
	civil.month = two_digits(at + 5);
	civil.day = two_digits(at + 8);
	if (civil.month < 1 || civil.month > 12 || civil.day < 1 ||
		civil.day > calendar_month_days(civil.year, civil.month))
		return false;
	day->known = true;
	memcpy(day->text, at, CSV_DAY_SIZE);
	day->day_ms = calendar_days(civil) * MS_PER_DAY;
	return true;
}

/* has_form(at, "00:00:00", 8), in one word: what differs from '0' is at most 9 in a digit, so
 * that 6 more leaves its high half empty, and 0 in a colon. No byte that passes carries into
 * another. */
static bool has_clock_form(const char *at)
{
	uint64_t bytes, form, sixes, wrong;

	memcpy(&bytes, at, sizeof(bytes));
	memcpy(&form, "00:00:00", sizeof(form));
	memcpy(&sixes, "\x06\x06\x00\x06\x06\x00\x06\x06", sizeof(sixes));
	memcpy(&wrong, "\xf0\xf0\xff\xf0\xf0\xff\xf0\xf0", sizeof(wrong));
	bytes ^= form;
	return ((bytes | (bytes + sixes)) & wrong) == 0;
}

static bool read_clock(const char *at, int64_t *ret_ms)
{
	int hour, minute, second;

	if (!has_clock_form(at))
		return false;
	hour = two_digits(at);
	minute = two_digits(at + 3);
	second = two_digits(at + 6);
	*ret_ms = ((hour * 60 + minute) * 60 + second) * MS_PER_SECOND;
	return hour < 24 && minute < 60 && second < 60;
}

bool csv_quick_timestamp(struct text field, struct csv_day *day, int64_t *ret_ms)
{
	int64_t clock_ms, millis = 0;

	if (field.len != SECONDS_SIZE && field.len != MILLIS_SIZE)
		return false;
	if (!(day->known && memcmp(day->text, field.ptr, CSV_DAY_SIZE) == 0) &&
		!learn_day(day, field.ptr))
		return false;
	if (!read_clock(field.ptr + CSV_DAY_SIZE, &clock_ms))
		return false;
	if (field.len == MILLIS_SIZE &&
		(field.ptr[SECONDS_SIZE] != '.' ||
			!read_digits(text_slice(field, SECONDS_SIZE + 1, MILLIS_SIZE), &millis)))
		return false;
	*ret_ms = day->day_ms + clock_ms + millis;
	return true;
}

bool csv_quick_value(
	struct text field, const struct sql_type *type, struct csv_day *day, struct value *ret)
{
	int64_t i = 0;
	bool quick = false;

	switch (type->kind) {
	case SQL_VARCHAR:
		if (type->precision != SQL_MAX_LENGTH)
			return false;
		*ret = (struct value){.s = field};
		return true;
	case SQL_INT: quick = read_digits(field, &i) && i <= INT32_MAX; break;
	case SQL_BIGINT: quick = read_digits(field, &i); break;
	case SQL_TIMESTAMP:
		quick = (type->precision >= 3 || field.len == SECONDS_SIZE) &&
			csv_quick_timestamp(field, day, &i);
		break;
	default: break;
	}
	if (quick)
		*ret = (struct value){.i = i};
	return quick;
}

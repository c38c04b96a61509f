/* Printing values as the SQL client shows them: Flink's CAST to STRING, with NULL as "<NULL>".
 * Cutting and padding to a column's width is sim/tableau.c's work.
 * Recorded: format/types_*, format/double_values_*, semantics/types_stream. */
#include "parser/table.h"

#include <inttypes.h>
#include <stdio.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/double.h"

_Static_assert(VALUE_TEXT >= DOUBLE_SIZE, "a double fits");

/* Always `scale` digits behind the point, and at least one in front of it. */
static int print_decimal(int128 dec, int scale, char buf[VALUE_TEXT])
{
	char reversed[VALUE_TEXT];
	int count = 0, len = 0;

	for (int128 rest = dec; rest || count <= scale; rest /= 10) {
		int digit = (int)(rest % 10);

		reversed[count++] = (char)('0' + (digit < 0 ? -digit : digit));
	}
	if (dec < 0)
		buf[len++] = '-';
	while (count) {
		if (count == scale)
			buf[len++] = '.';
		buf[len++] = reversed[--count];
	}
	return len;
}

/* Exactly `width` digits, the lowest ones. printf() took half of the time of a large table. */
static void put_digits(char *at, uint64_t number, int width)
{
	while (width-- > 0) {
		at[width] = (char)('0' + number % 10);
		number /= 10;
	}
}

static int count_digits(uint64_t number)
{
	int count = 1;

	while ((number /= 10))
		count++;
	return count;
}

static int print_integer(int64_t i, char buf[VALUE_TEXT])
{
	uint64_t number = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
	int len = count_digits(number);

	buf[0] = '-';
	put_digits(buf + (i < 0), number, len);
	return len + (i < 0);
}

static int print_date(int64_t days, char buf[VALUE_TEXT])
{
	struct civil_day day = calendar_civil(days);

	if (day.year < 0 || day.year > 9999)
		return snprintf(
			buf, VALUE_TEXT, "%04" PRId64 "-%02d-%02d", day.year, day.month, day.day);
	put_digits(buf, (uint64_t)day.year, 4);
	put_digits(buf + 5, (uint64_t)day.month, 2);
	put_digits(buf + 8, (uint64_t)day.day, 2);
	buf[4] = buf[7] = '-';
	return sizeof("0000-00-00") - 1;
}

/* HH:mm:ss and `precision` digits of a second, the rest cut off. */
static int print_time(int64_t ms_of_day, int32_t nanos, int precision, char *buf)
{
	unsigned ms = (unsigned)ms_of_day;

	put_digits(buf, ms / 3600000, 2);
	put_digits(buf + 3, ms / 60000 % 60, 2);
	put_digits(buf + 6, ms / 1000 % 60, 2);
	put_digits(buf + 9, ms % 1000, 3);
	put_digits(buf + 12, (unsigned)nanos, 6);
	buf[2] = buf[5] = ':';
	buf[8] = '.';
	return precision ? 9 + precision : 8;
}

/* Zeros at the end are left out, but for the first digit behind the point. */
static int print_time_of_day(int64_t ms_of_day, int precision, char buf[VALUE_TEXT])
{
	int len = print_time(ms_of_day, 0, precision, buf);
	const int least = (int)sizeof("HH:mm:ss.0") - 1;

	while (len > least && buf[len - 1] == '0')
		len--;
	return len;
}

static int print_timestamp(const struct value *value, int precision, char buf[VALUE_TEXT])
{
	int64_t ms_of_day;
	int len = print_date(calendar_split_ms(value->i, &ms_of_day), buf);

	buf[len++] = ' ';
	return len + print_time(ms_of_day, value->nanos, precision, buf + len);
}

static int print_interval_day(int64_t interval_ms, char buf[VALUE_TEXT])
{
	uint64_t ms = interval_ms < 0 ? 0 - (uint64_t)interval_ms : (uint64_t)interval_ms;
	int len = snprintf(buf, VALUE_TEXT, "%c%" PRIu64 " ", interval_ms < 0 ? '-' : '+',
		ms / (uint64_t)MS_PER_DAY);

	return len + print_time((int64_t)(ms % (uint64_t)MS_PER_DAY), 0, 3, buf + len);
}

static int print_interval_month(int64_t interval, char buf[VALUE_TEXT])
{
	uint64_t months = interval < 0 ? 0 - (uint64_t)interval : (uint64_t)interval;

	return snprintf(buf, VALUE_TEXT, "%c%" PRIu64 "-%02" PRIu64, interval < 0 ? '-' : '+',
		months / 12, months % 12);
}

static int print_short(const struct sql_type *type, const struct value *value, char buf[VALUE_TEXT])
{
	switch (type->kind) {
	case SQL_BOOLEAN: return snprintf(buf, VALUE_TEXT, "%s", value->i ? "TRUE" : "FALSE");
	case SQL_DECIMAL: return print_decimal(value->dec, type->scale, buf);
	case SQL_FLOAT: return double_print(value->f, true, buf);
	case SQL_DOUBLE: return double_print(value->f, false, buf);
	case SQL_DATE: return print_date(value->i, buf);
	case SQL_TIME: return print_time_of_day(value->i, type->precision, buf);
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return print_timestamp(value, type->precision, buf);
	case SQL_INTERVAL_DAY: return print_interval_day(value->i, buf);
	case SQL_INTERVAL_MONTH: return print_interval_month(value->i, buf);
	default: return print_integer(value->i, buf);
	}
}

struct text value_text(const struct sql_type *type, const struct value *value, char buf[VALUE_TEXT])
{
	if (value->null)
		return TEXT("<NULL>");
	switch (type->kind) {
	case SQL_ANY:
	case SQL_CHAR:
	case SQL_VARCHAR:
	case SQL_BINARY:
	case SQL_VARBINARY:
	case SQL_OTHER: return value->s;
	default: return (struct text){buf, (size_t)print_short(type, value, buf)};
	}
}

struct text value_print(struct arena *arena, const struct sql_type *type, const struct value *value)
{
	char buf[VALUE_TEXT];

	return text_copy(arena, value_text(type, value, buf));
}

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

static int print_date(int64_t days, char buf[VALUE_TEXT])
{
	struct civil_day day = calendar_civil(days);

	return snprintf(buf, VALUE_TEXT, "%04" PRId64 "-%02d-%02d", day.year, day.month, day.day);
}

/* HH:mm:ss and `precision` digits of a second, the rest cut off. */
static int print_time(int64_t ms_of_day, int32_t nanos, int precision, char *buf, size_t size)
{
	int ms = (int)ms_of_day;
	int len = snprintf(buf, size, "%02d:%02d:%02d.%03d%06d", ms / 3600000, ms / 60000 % 60,
		ms / 1000 % 60, ms % 1000, nanos);

	return precision ? len - 9 + precision : len - 10;
}

static int print_timestamp(const struct value *value, int precision, char buf[VALUE_TEXT])
{
	int64_t ms_of_day;
	int len = print_date(calendar_split_ms(value->i, &ms_of_day), buf);

	buf[len++] = ' ';
	return len +
	       print_time(ms_of_day, value->nanos, precision, buf + len, VALUE_TEXT - (size_t)len);
}

static int print_interval_day(int64_t interval_ms, char buf[VALUE_TEXT])
{
	uint64_t ms = interval_ms < 0 ? 0 - (uint64_t)interval_ms : (uint64_t)interval_ms;
	int len = snprintf(buf, VALUE_TEXT, "%c%" PRIu64 " ", interval_ms < 0 ? '-' : '+',
		ms / (uint64_t)MS_PER_DAY);

	return len + print_time((int64_t)(ms % (uint64_t)MS_PER_DAY), 0, 3, buf + len,
			     VALUE_TEXT - (size_t)len);
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
	case SQL_TIME: return print_time(value->i, 0, type->precision, buf, VALUE_TEXT);
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return print_timestamp(value, type->precision, buf);
	case SQL_INTERVAL_DAY: return print_interval_day(value->i, buf);
	case SQL_INTERVAL_MONTH: return print_interval_month(value->i, buf);
	default: return snprintf(buf, VALUE_TEXT, "%" PRId64, value->i);
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

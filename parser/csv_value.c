/* CSV fields as values: Flink's csv format over the reading of Java's number and time classes.
 * Integers and timestamps in their usual form, which a large file is full of, are tried first by the
 * read_plain_*(); whatever these do not take goes the long way. Nothing is allocated.
 * Recorded: semantics/errors_csv_*, semantics/edge_csv_*, semantics/types_stream. */
#include "parser/csv_value.h"

#include <errno.h>
#include <inttypes.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/double.h"
#include "parser/encoding.h"

#define JACKSON "org.apache.flink.shaded.jackson2.com.fasterxml.jackson."

/* Java shortens a longer text in the message of a DateTimeParseException. */
#define JAVA_TEXT_SHOWN 64

bool csv_type_known(const struct sql_type *type)
{
	switch (type->kind) {
	case SQL_BOOLEAN:
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT:
	case SQL_DECIMAL:
	case SQL_FLOAT:
	case SQL_DOUBLE:
	case SQL_CHAR:
	case SQL_VARCHAR:
	case SQL_DATE:
	case SQL_TIME:
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return true;
	default: return false;
	}
}

static int read_integer(struct text text, int64_t lowest, int64_t highest, struct value *ret)
{
	int64_t i;

	if (text_to_int64(text, &i) < 0 || i < lowest || i > highest)
		return -EINVAL;
	ret->i = i;
	return 0;
}

static bool cut_char(struct text *rest, char c)
{
	if (!rest->len || rest->ptr[0] != c)
		return false;
	*rest = text_slice(*rest, 1, rest->len);
	return true;
}

/* A decimal number being read: digits beyond the scale are dropped but for the first of them. */
struct decimal {
	int128 dec;
	int scale; /* digits still to come */
	bool any, round_up;
};

static int add_digits(struct text *rest, struct decimal *decimal, bool fraction)
{
	int digit;

	while (calendar_digits(rest, 1, &digit)) {
		decimal->any = true;
		if (fraction && decimal->scale <= 0) {
			decimal->round_up |= decimal->scale-- == 0 && digit >= 5;
			continue;
		}
		decimal->scale -= fraction;
		if (__builtin_mul_overflow(decimal->dec, 10, &decimal->dec) ||
			__builtin_add_overflow(decimal->dec, digit, &decimal->dec))
			return -EINVAL;
	}
	return 0;
}

static int128 power_of_ten(int exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* Rounded half up to the type's scale; NULL where it then has too many digits. */
static int read_decimal(struct text text, const struct sql_type *type, struct value *ret)
{
	struct decimal decimal = {.scale = type->scale};
	bool negative = cut_char(&text, '-');
	int128 dec;

	if (!negative)
		cut_char(&text, '+');
	if (add_digits(&text, &decimal, false) < 0 ||
		(cut_char(&text, '.') && add_digits(&text, &decimal, true) < 0) || !decimal.any ||
		text.len)
		return -EINVAL;
	if (__builtin_mul_overflow(
		    decimal.dec, power_of_ten(decimal.scale > 0 ? decimal.scale : 0), &dec) ||
		__builtin_add_overflow(dec, decimal.round_up, &dec))
		return -EINVAL;
	ret->null = dec >= power_of_ten(type->precision);
	ret->dec = ret->null ? 0 : negative ? -dec : dec;
	return 0;
}

/* How far a text is a time, for the message that says so. */
struct time_reader {
	struct text rest;
	bool bad; /* *rest is where it stopped */
};

static int expect_digits(struct time_reader *reader, size_t width)
{
	int number = 0;

	reader->bad = reader->bad || !calendar_digits(&reader->rest, width, &number);
	return number;
}

static void expect(struct time_reader *reader, char c)
{
	reader->bad = reader->bad || !cut_char(&reader->rest, c);
}

/* yyyy-MM-dd. A year of more digits is Java's only with a sign. */
static struct civil_day expect_date(struct time_reader *reader)
{
	struct text start = reader->rest;
	struct civil_day day;

	day.year = expect_digits(reader, 4);
	if (!reader->bad && reader->rest.len && reader->rest.ptr[0] >= '0' &&
		reader->rest.ptr[0] <= '9')
		*reader = (struct time_reader){start, true};
	expect(reader, '-');
	day.month = expect_digits(reader, 2);
	expect(reader, '-');
	day.day = expect_digits(reader, 2);
	return day;
}

/* HH:mm:ss, and perhaps a point with up to nine digits. Gives ms of the day; a day's last instant is
 * 24:00:00. -1 where a number is beyond its range. */
static int64_t expect_time(struct time_reader *reader, int *nanos)
{
	int hour, minute, second;
	struct text digits;
	bool dropped;

	*nanos = 0;
	hour = expect_digits(reader, 2);
	expect(reader, ':');
	minute = expect_digits(reader, 2);
	expect(reader, ':');
	second = expect_digits(reader, 2);
	if (!reader->bad && cut_char(&reader->rest, '.')) {
		digits = text_slice(reader->rest, 0, 9);
		reader->rest = text_slice(reader->rest, calendar_fraction(&digits, nanos, &dropped),
			reader->rest.len);
	}
	if (hour > 24 || minute > 59 || second > 59 || (hour == 24 && (minute || second || *nanos)))
		return -1;
	return hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND +
	       *nanos / NANOS_PER_MS;
}

/* Days 29 to 31 that a month does not have are its last day: Java's SMART resolver. */
static int64_t resolve_date(struct civil_day day)
{
	int last;

	if (day.month < 1 || day.month > 12 || day.day < 1 || day.day > 31)
		return INT64_MIN;
	last = calendar_month_days(day.year, day.month);
	day.day = day.day < last ? day.day : last;
	return calendar_days(day);
}

/* yyyy-MM-dd HH:mm:ss[.digits], with a Z behind it for TIMESTAMP_LTZ. Up to TIMESTAMP(3) what is
 * finer than a millisecond is cut. *reader tells how far the text was one. */
static int read_timestamp(
	struct time_reader *reader, const struct sql_type *type, struct value *ret)
{
	struct civil_day day = expect_date(reader);
	int64_t days, ms;
	int nanos;

	expect(reader, ' ');
	ms = expect_time(reader, &nanos);
	if (type->kind == SQL_TIMESTAMP_LTZ)
		expect(reader, 'Z');
	if (reader->bad || reader->rest.len)
		return -EINVAL;
	days = resolve_date(day);
	if (days == INT64_MIN || ms < 0)
		return -EINVAL;
	ret->i = days * MS_PER_DAY + ms;
	ret->nanos = type->precision > 3 ? nanos % NANOS_PER_MS : 0;
	return 0;
}

/* One or two digits. */
static int cut_short_number(struct text *rest)
{
	int number = 0;

	if (!calendar_digits(rest, 2, &number))
		calendar_digits(rest, 1, &number);
	return number;
}

/* yyyy-[M]M-[d]d; a day beyond the month's end goes on into the next: java.sql.Date.valueOf. */
static int read_date(struct text text, struct value *ret)
{
	struct civil_day day;
	int year;

	if (!calendar_digits(&text, 4, &year) || !cut_char(&text, '-'))
		return -EINVAL;
	day.year = year;
	day.month = cut_short_number(&text);
	if (!cut_char(&text, '-'))
		return -EINVAL;
	day.day = cut_short_number(&text);
	if (text.len || day.month < 1 || day.month > 12 || day.day < 1 || day.day > 31)
		return -EINVAL;
	ret->i = calendar_days(day);
	return 0;
}

static int read_time(struct text text, int precision, struct value *ret)
{
	struct time_reader reader = {text, false};
	int nanos;
	int64_t ms = expect_time(&reader, &nanos);

	if (reader.bad || reader.rest.len || ms < 0 || ms >= MS_PER_DAY)
		return -EINVAL;
	ret->i = precision ? ms : ms - ms % MS_PER_SECOND;
	return 0;
}

static int read_trimmed(struct text text, const struct sql_type *type, struct value *ret)
{
	switch (type->kind) {
	case SQL_BOOLEAN: return ret->i = text_ieq(text, TEXT("true")), 0;
	case SQL_TINYINT: return read_integer(text, INT8_MIN, INT8_MAX, ret);
	case SQL_SMALLINT: return read_integer(text, INT16_MIN, INT16_MAX, ret);
	case SQL_INT: return read_integer(text, INT32_MIN, INT32_MAX, ret);
	case SQL_BIGINT: return read_integer(text, INT64_MIN, INT64_MAX, ret);
	case SQL_DECIMAL: return read_decimal(text, type, ret);
	case SQL_FLOAT: return double_parse(text, true, &ret->f);
	case SQL_DOUBLE: return double_parse(text, false, &ret->f);
	case SQL_DATE: return read_date(text, ret);
	case SQL_TIME: return read_time(text, type->precision, ret);
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ:
		return read_timestamp(&(struct time_reader){text, false}, type, ret);
	default: return -EINVAL;
	}
}

/* Digits alone, so few that they cannot overflow. */
static bool read_plain_integer(struct text field, int64_t highest, int64_t *ret)
{
	int64_t sum = 0;

	if (field.len == 0 || field.len > 18)
		return false;
	for (size_t i = 0; i < field.len; i++) {
		unsigned digit = (unsigned)(field.ptr[i] - '0');

		if (digit > 9)
			return false;
		sum = sum * 10 + digit;
	}
	*ret = sum;
	return sum <= highest;
}

/* yyyy-MM-dd HH:mm:ss with days that every month has. */
static bool read_plain_timestamp(struct text field, int64_t *ret)
{
	static const char form[] = "0000-00-00 00:00:00";
	int n[sizeof(form)];
	struct civil_day day;

	if (field.len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < field.len; i++) {
		n[i] = field.ptr[i] - form[i];
		if (form[i] == '0' ? n[i] < 0 || n[i] > 9 : n[i] != 0)
			return false;
	}
	day = (struct civil_day){
		n[0] * 1000 + n[1] * 100 + n[2] * 10 + n[3], n[5] * 10 + n[6], n[8] * 10 + n[9]};
	if (day.month < 1 || day.month > 12 || day.day < 1 || day.day > 28 ||
		n[11] * 10 + n[12] > 23 || n[14] > 5 || n[17] > 5)
		return false;
	*ret = calendar_days(day) * MS_PER_DAY + (n[11] * 10 + n[12]) * MS_PER_HOUR +
	       (n[14] * 10 + n[15]) * MS_PER_MINUTE + (n[17] * 10 + n[18]) * MS_PER_SECOND;
	return true;
}

static bool read_plain(struct text field, enum sql_kind kind, int64_t *ret)
{
	switch (kind) {
	case SQL_INT: return read_plain_integer(field, INT32_MAX, ret);
	case SQL_BIGINT: return read_plain_integer(field, INT64_MAX, ret);
	case SQL_TIMESTAMP: return read_plain_timestamp(field, ret);
	default: return false;
	}
}

int csv_value(struct text field, const struct sql_type *type, struct value *ret)
{
	struct value value = {0};
	int64_t i;
	int r;

	if (type->kind == SQL_CHAR || type->kind == SQL_VARCHAR) {
		*ret = (struct value){.s = field};
		return 0;
	}
	if (read_plain(field, type->kind, &i)) {
		*ret = (struct value){.i = i};
		return 0;
	}
	r = read_trimmed(text_trim(field), type, &value);
	if (r == 0)
		*ret = value;
	return r;
}

static struct text timestamp_error(
	struct arena *arena, struct text text, const struct sql_type *type)
{
	struct time_reader reader = {text, false};
	struct value value;

	read_timestamp(&reader, type, &value);
	if (!reader.bad && !reader.rest.len)
		return TEXT("");
	return text_format(arena,
		"java.time.format.DateTimeParseException: Text '%.*s' could not be parsed%s at "
		"index %zu",
		TEXT_ARG(text), reader.bad ? "" : ", unparsed text found",
		text.len - reader.rest.len);
}

struct text csv_value_error(struct arena *arena, struct text field, const struct sql_type *type)
{
	struct text text = text_trim(field);
	int64_t i;

	switch (type->kind) {
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT:
		if (text_to_int64(text, &i) != -EINVAL)
			return TEXT("");
		return text_format(arena,
			"java.lang.NumberFormatException: For input string: \"%.*s\"",
			TEXT_ARG(text));
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ:
		return text.len > JAVA_TEXT_SHOWN ? TEXT("") : timestamp_error(arena, text, type);
	default: return TEXT("");
	}
}

struct text csv_few_error(struct arena *arena, size_t expected, size_t count)
{
	return text_format(arena,
		"java.lang.RuntimeException: Row length mismatch. %zu fields expected but was %zu.",
		expected, count);
}

struct text csv_many_error(struct arena *arena, const struct csv_reader *reader,
	const struct csv_record *record, size_t expected)
{
	struct text first = record->fields[expected].text;
	struct csv_place place = csv_reader_field(reader, expected);

	return text_format(arena,
		JACKSON "dataformat.csv.CsvReadException: Too many entries: expected at most %zu "
			"(value #%zu (%zu chars) \"%.*s\")\n"
			" at [Source: UNKNOWN; line: %" PRId64 ", column: %" PRId64 "]",
		expected, expected, utf16_units(first), TEXT_ARG(first), place.line, place.col);
}

struct text csv_open_quote_error(struct arena *arena, const struct csv_reader *reader)
{
	struct csv_place place = csv_reader_end(reader);

	return text_format(arena,
		JACKSON "core.JsonParseException: Missing closing quote for value\n"
			" at [Source: UNKNOWN; line: %" PRId64 ", column: %" PRId64 "]",
		place.line, place.col);
}

/* Times in CSV fields: Flink reads them with Java's formatters, whose lenient corners and words are
 * kept. Recorded: semantics/edge_csv_bad_day, semantics/errors_csv_bad_ts,
 * semantics/errors_csv_ts_z; the fixture frac.csv. */
#include "parser/csv_time.h"

#include <errno.h>
#include <inttypes.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/encoding.h"

/* Java shortens a longer text in the message of a DateTimeParseException. */
#define JAVA_TEXT_SHOWN 64

/* Years that are simulated, of the widest that Java reads. */
#define YEAR_LOWEST  0
#define YEAR_HIGHEST 9999
#define YEAR_JAVA    999999999

#define YEAR_DIGITS	 4
#define YEAR_MOST_DIGITS 10

/* How far a text is a time, for the message that says so. */
struct time_reader {
	struct text rest;
	bool bad; /* *rest is where it stopped */
};

/* A time as it is written. */
struct time_fields {
	struct civil_day day;
	int hour, minute, second, nanos;
};

static int expect_digits(struct time_reader *reader, size_t width)
{
	int number = 0;

	reader->bad = reader->bad || !calendar_digits(&reader->rest, width, &number);
	return number;
}

static void expect(struct time_reader *reader, char c)
{
	reader->bad = reader->bad || !text_cut_char(&reader->rest, c);
}

/* Four digits, or with a sign up to ten: '-' before any, '+' only before more than four. */
static int64_t expect_year(struct time_reader *reader)
{
	struct text start = reader->rest, rest = start;
	bool plus = text_cut_char(&rest, '+'), minus = !plus && text_cut_char(&rest, '-');
	int64_t year = 0;
	size_t count = 0;
	int digit;

	while (count < YEAR_MOST_DIGITS && calendar_digits(&rest, 1, &digit)) {
		year = year * 10 + digit;
		count++;
	}
	if (count < YEAR_DIGITS) {
		*reader = (struct time_reader){text_slice(start, plus || minus, start.len), true};
	} else if ((plus && count == YEAR_DIGITS) || (minus && !year) ||
		   (!plus && !minus && count > YEAR_DIGITS)) {
		*reader = (struct time_reader){start, true};
	} else {
		reader->rest = rest;
	}
	return minus ? -year : year;
}

/* yyyy-MM-dd */
static void expect_date(struct time_reader *reader, struct time_fields *fields)
{
	fields->day.year = expect_year(reader);
	expect(reader, '-');
	fields->day.month = expect_digits(reader, 2);
	expect(reader, '-');
	fields->day.day = expect_digits(reader, 2);
}

/* Perhaps seconds, and behind them perhaps a point with up to nine digits. */
static void cut_seconds(struct time_reader *reader, struct time_fields *fields)
{
	struct text rest = reader->rest, digits;
	bool dropped;

	if (reader->bad || !text_cut_char(&rest, ':') ||
		!calendar_digits(&rest, 2, &fields->second))
		return;
	if (text_cut_char(&rest, '.')) {
		digits = text_slice(rest, 0, 9);
		rest = text_slice(
			rest, calendar_fraction(&digits, &fields->nanos, &dropped), rest.len);
	}
	reader->rest = rest;
}

/* HH:mm[:ss[.digits]] */
static void expect_time(struct time_reader *reader, struct time_fields *fields, bool seconds)
{
	size_t before;

	fields->hour = expect_digits(reader, 2);
	expect(reader, ':');
	fields->minute = expect_digits(reader, 2);
	before = reader->rest.len;
	cut_seconds(reader, fields);
	if (!seconds || reader->bad || reader->rest.len < before)
		return;
	expect(reader, ':');
	expect_digits(reader, 2);
}

/* yyyy-MM-dd HH:mm:ss[.digits], with a Z behind it for TIMESTAMP_LTZ. */
static struct time_reader read_timestamp(
	struct text text, const struct sql_type *type, struct time_fields *fields)
{
	struct time_reader reader = {text, false};

	expect_date(&reader, fields);
	expect(&reader, ' ');
	expect_time(&reader, fields, true);
	if (type->kind == SQL_TIMESTAMP_LTZ)
		expect(&reader, 'Z');
	return reader;
}

/* A number beyond the range of its field, in the order in which Java looks. */
struct range_fault {
	const char *field, *range; /* NULL: none */
	int64_t value;
};

static struct range_fault check_date(const struct civil_day *day)
{
	if (day->year > YEAR_JAVA || day->year < -YEAR_JAVA)
		return (struct range_fault){"Year", "-999999999 - 999999999", day->year};
	if (day->month < 1 || day->month > 12)
		return (struct range_fault){"MonthOfYear", "1 - 12", day->month};
	if (day->day < 1 || day->day > 31)
		return (struct range_fault){"DayOfMonth", "1 - 28/31", day->day};
	return (struct range_fault){0};
}

/* Where a day's last instant may be written 24:00, that is the next day's first. */
static struct range_fault check_time(const struct time_fields *fields, bool midnight)
{
	if (fields->minute > 59)
		return (struct range_fault){"MinuteOfHour", "0 - 59", fields->minute};
	if (midnight && fields->hour == 24 && !fields->minute && !fields->second && !fields->nanos)
		return (struct range_fault){0};
	if (fields->hour > 23)
		return (struct range_fault){"HourOfDay", "0 - 23", fields->hour};
	if (fields->second > 59)
		return (struct range_fault){"SecondOfMinute", "0 - 59", fields->second};
	return (struct range_fault){0};
}

static struct range_fault check_timestamp(const struct time_fields *fields)
{
	struct range_fault fault = check_date(&fields->day);

	return fault.field ? fault : check_time(fields, true);
}

static int64_t ms_of_day(const struct time_fields *fields)
{
	return fields->hour * MS_PER_HOUR + fields->minute * MS_PER_MINUTE +
	       fields->second * MS_PER_SECOND + fields->nanos / NANOS_PER_MS;
}

/* Days 29 to 31 that a month does not have are its last day: Java's SMART resolver. Up to
 * TIMESTAMP(3) what is finer than a millisecond is cut. */
int csv_timestamp(struct text text, const struct sql_type *type, struct value *ret)
{
	struct time_fields fields = {0};
	struct time_reader reader = read_timestamp(text, type, &fields);
	struct civil_day day = fields.day;
	int last;

	if (reader.bad || reader.rest.len || check_timestamp(&fields).field)
		return -EINVAL;
	if (day.year < YEAR_LOWEST || day.year > YEAR_HIGHEST)
		return -ENOTSUP;
	last = calendar_month_days(day.year, day.month);
	day.day = day.day < last ? day.day : last;
	ret->i = calendar_days(day) * MS_PER_DAY + ms_of_day(&fields);
	ret->nanos = type->precision > 3 ? fields.nanos % NANOS_PER_MS : 0;
	return 0;
}

static struct text range_error(struct arena *arena, struct range_fault fault)
{
	return text_format(arena,
		"java.time.DateTimeException: Invalid value for %s (valid values %s): %" PRId64,
		fault.field, fault.range, fault.value);
}

/* A text of ASCII in front of what is not, cut as Java cuts it. */
static struct text parse_error(struct arena *arena, struct text text, struct time_reader reader)
{
	bool cut = text.len > JAVA_TEXT_SHOWN;
	struct text shown = text_slice(text, 0, JAVA_TEXT_SHOWN);

	if (cut && utf16_units(shown) != JAVA_TEXT_SHOWN)
		return TEXT("");
	return text_format(arena,
		"java.time.format.DateTimeParseException: Text '%.*s%s' could not be parsed%s at "
		"index %zu",
		TEXT_ARG(shown), cut ? "..." : "", reader.bad ? "" : ", unparsed text found",
		text.len - reader.rest.len);
}

struct text csv_timestamp_error(struct arena *arena, struct text text, const struct sql_type *type)
{
	struct time_fields fields = {0};
	struct time_reader reader = read_timestamp(text, type, &fields);

	if (reader.bad || reader.rest.len)
		return parse_error(arena, text, reader);
	return range_error(arena, check_timestamp(&fields));
}

/* A day as java.sql.Date.valueOf() reads it: where the dashes are decides, and each number may
 * have a sign. */
struct date_parts {
	struct text year, month, day;
};

static bool split_date(struct text field, struct date_parts *ret)
{
	size_t first = text_find(field, TEXT("-")), second;
	struct text rest = text_slice(field, first + 1, field.len);

	second = text_find(rest, TEXT("-"));
	*ret = (struct date_parts){text_slice(field, 0, first), text_slice(rest, 0, second),
		text_slice(rest, second + 1, rest.len)};
	return first == YEAR_DIGITS && second < rest.len && ret->month.len >= 1 &&
	       ret->month.len <= 2 && ret->day.len >= 1 && ret->day.len <= 2;
}

/* A number with an optional sign; *rest is where it stopped. */
static bool read_part(struct text part, int *ret, struct text *rest)
{
	bool negative = text_cut_char(&part, '-');
	int digit;

	if (!negative)
		text_cut_char(&part, '+');
	*rest = part;
	if (!part.len)
		return false;
	for (*ret = 0; calendar_digits(rest, 1, &digit);)
		*ret = *ret * 10 + digit;
	if (negative)
		*ret = -*ret;
	return !rest->len;
}

static bool is_ascii(struct text text)
{
	return utf16_units(text) == text.len;
}

/* Julian before 15 October 1582, and days beyond their month's end go on into the next one; then
 * the year, month and day are taken as Gregorian ones. False: there is no such day. */
static bool resolve_date(struct civil_day *day)
{
	bool julian =
		day->year < 1582 ||
		(day->year == 1582 && (day->month < 10 || (day->month == 10 && day->day < 15)));
	int last;

	if (julian && day->year == 1582 && day->month == 10 && day->day > 4) {
		day->day += 10;
		return true;
	}
	last = calendar_month_days(julian ? day->year % 4 : day->year, day->month);
	if (julian && day->month == 2)
		last = day->year % 4 ? 28 : 29;
	if (day->day > last) {
		day->day -= last;
		day->month++;
	}
	day->year += day->year == 0;
	return day->day <= calendar_month_days(day->year, day->month);
}

static int read_date(struct text field, struct civil_day *ret)
{
	struct date_parts parts;
	struct civil_day day;
	struct text rest;
	int year;

	if (!split_date(field, &parts) || !read_part(parts.year, &year, &rest) ||
		!read_part(parts.month, &day.month, &rest) ||
		!read_part(parts.day, &day.day, &rest))
		return -EINVAL;
	day.year = year;
	if (day.month < 1 || day.month > 12 || day.day < 1 || day.day > 31)
		return -EINVAL;
	*ret = day;
	return 0;
}

int csv_date(struct text field, int64_t *days)
{
	struct civil_day day;

	if (!is_ascii(field))
		return -ENOTSUP;
	if (read_date(field, &day) < 0 || !resolve_date(&day))
		return -EINVAL;
	*days = calendar_days(day);
	return 0;
}

static struct text part_error(struct arena *arena, struct text part, struct text rest)
{
	return text_format(arena,
		"java.lang.NumberFormatException: Error at index %zu in: \"%.*s\"",
		part.len - rest.len, TEXT_ARG(part));
}

struct text csv_date_error(struct arena *arena, struct text field)
{
	struct date_parts parts;
	struct civil_day day;
	struct text rest;
	int number;

	if (split_date(field, &parts)) {
		if (!read_part(parts.year, &number, &rest))
			return part_error(arena, parts.year, rest);
		if (!read_part(parts.month, &number, &rest))
			return part_error(arena, parts.month, rest);
		if (!read_part(parts.day, &number, &rest))
			return part_error(arena, parts.day, rest);
	}
	if (read_date(field, &day) < 0)
		return TEXT("java.lang.IllegalArgumentException: null");
	return text_format(arena,
		"java.time.DateTimeException: Invalid date 'February 29' as '%" PRId64
		"' is not a leap year",
		day.year + (day.year == 0));
}

/* HH:mm[:ss[.digits]], cut to the precision, which is at most milliseconds. */
static struct time_reader read_time(struct text field, struct time_fields *fields)
{
	struct time_reader reader = {field, false};

	expect_time(&reader, fields, false);
	return reader;
}

int csv_time(struct text field, int precision, int64_t *ret_ms)
{
	static const int widths[] = {1000, 100, 10, 1};
	struct time_fields fields = {0};
	struct time_reader reader = read_time(field, &fields);

	if (reader.bad || reader.rest.len || check_time(&fields, false).field)
		return -EINVAL;
	*ret_ms = ms_of_day(&fields);
	*ret_ms -= *ret_ms % widths[precision];
	return 0;
}

struct text csv_time_error(struct arena *arena, struct text field)
{
	struct time_fields fields = {0};
	struct time_reader reader = read_time(field, &fields);

	if (reader.bad || reader.rest.len)
		return parse_error(arena, field, reader);
	return range_error(arena, check_time(&fields, false));
}

/* Times in CSV fields: Flink reads them with Java's formatters, whose lenient corners and words are
 * kept. Recorded: semantics/edge_csv_bad_day, semantics/errors_csv_bad_ts, semantics/errors_csv_ts_z;
 * the fixture frac.csv. */
#include "parser/csv_time.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/calendar.h"

/* Java shortens a longer text in the message of a DateTimeParseException. */
#define JAVA_TEXT_SHOWN 64

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
	reader->bad = reader->bad || !text_cut_char(&reader->rest, c);
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
	if (!reader->bad && text_cut_char(&reader->rest, '.')) {
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
static int expect_timestamp(
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

int csv_timestamp(struct text text, const struct sql_type *type, struct value *ret)
{
	return expect_timestamp(&(struct time_reader){text, false}, type, ret);
}

struct text csv_timestamp_error(struct arena *arena, struct text text, const struct sql_type *type)
{
	struct time_reader reader = {text, false};
	struct value value;

	expect_timestamp(&reader, type, &value);
	if (text.len > JAVA_TEXT_SHOWN || (!reader.bad && !reader.rest.len))
		return TEXT("");
	return text_format(arena,
		"java.time.format.DateTimeParseException: Text '%.*s' could not be parsed%s at "
		"index %zu",
		TEXT_ARG(text), reader.bad ? "" : ", unparsed text found",
		text.len - reader.rest.len);
}

bool csv_plain_timestamp(struct text text, int64_t *time_ms)
{
	static const char form[] = "0000-00-00 00:00:00.000";
	const size_t seconds = 19;
	int n[sizeof(form)] = {0};
	struct civil_day day;

	if (text.len != seconds && text.len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		n[i] = text.ptr[i] - form[i];
		if (form[i] == '0' ? n[i] < 0 || n[i] > 9 : n[i] != 0)
			return false;
	}
	day = (struct civil_day){
		n[0] * 1000 + n[1] * 100 + n[2] * 10 + n[3], n[5] * 10 + n[6], n[8] * 10 + n[9]};
	if (day.month < 1 || day.month > 12 || day.day < 1 || day.day > 28 ||
		n[11] * 10 + n[12] > 23 || n[14] > 5 || n[17] > 5)
		return false;
	*time_ms = calendar_days(day) * MS_PER_DAY + (n[11] * 10 + n[12]) * MS_PER_HOUR +
		   (n[14] * 10 + n[15]) * MS_PER_MINUTE + (n[17] * 10 + n[18]) * MS_PER_SECOND +
		   n[20] * 100 + n[21] * 10 + n[22];
	return true;
}

/* One or two digits. */
static int cut_short_number(struct text *rest)
{
	int number = 0;

	if (!calendar_digits(rest, 2, &number))
		calendar_digits(rest, 1, &number);
	return number;
}

int csv_date(struct text text, int64_t *days)
{
	struct civil_day day;
	int year;

	if (!calendar_digits(&text, 4, &year) || !text_cut_char(&text, '-'))
		return -EINVAL;
	day.year = year;
	day.month = cut_short_number(&text);
	if (!text_cut_char(&text, '-'))
		return -EINVAL;
	day.day = cut_short_number(&text);
	if (text.len || day.month < 1 || day.month > 12 || day.day < 1 || day.day > 31)
		return -EINVAL;
	*days = calendar_days(day);
	return 0;
}

int csv_time(struct text text, int precision, int64_t *ms_of_day)
{
	struct time_reader reader = {text, false};
	int nanos;
	int64_t ms = expect_time(&reader, &nanos);

	if (reader.bad || reader.rest.len || ms < 0 || ms >= MS_PER_DAY)
		return -EINVAL;
	*ms_of_day = precision ? ms : ms - ms % MS_PER_SECOND;
	return 0;
}

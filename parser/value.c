/* Values: reading a printed cell as the type that is expected there, and their order.
 * Reading is for comparing what a learner's query printed with what the reference gives, so that it
 * takes every spelling of the same value (5 and 5.00 and 5.0E0, true and TRUE, a time with fewer or
 * more zeros), and refuses what is no value of the type. Flink's own reading of a CSV field is
 * stricter and differs: csv_value.c. */
#include "parser/table.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "parser/calendar.h"
#include "parser/double.h"

/* The most that int128 holds for sure. */
#define DECIMAL_DIGITS 38

/* A decimal number as written: mantissa times 10^exponent, no zero at the mantissa's end. */
struct number {
	int128 mantissa;
	int64_t exponent;
};

static bool cut_sign(struct text *rest)
{
	bool negative = text_cut_char(rest, '-');

	if (!negative)
		text_cut_char(rest, '+');
	return negative;
}

/* Adds digits to the mantissa; zeros that may turn out to stand at the end are held back. */
struct digit_reader {
	struct number number;
	int significant; /* digits in the mantissa */
	int64_t zeros;	 /* held back */
	bool any;
};

static int add_digit(struct digit_reader *reader, int digit)
{
	reader->any = true;
	if (!digit) {
		reader->zeros += reader->significant > 0;
		return 0;
	}
	if (reader->significant + reader->zeros >= DECIMAL_DIGITS)
		return -EINVAL;
	for (int64_t i = 0; i <= reader->zeros; i++)
		reader->number.mantissa *= 10;
	reader->number.mantissa += digit;
	reader->significant += (int)reader->zeros + 1;
	reader->zeros = 0;
	return 0;
}

static int read_digits(struct text *rest, struct digit_reader *reader, bool fraction)
{
	int digit;

	while (calendar_digits(rest, 1, &digit)) {
		if (add_digit(reader, digit) < 0)
			return -EINVAL;
		reader->number.exponent -= fraction;
	}
	return 0;
}

/* [sign] digits [. digits] [E exponent] */
static int read_number(struct text text, struct number *ret)
{
	struct digit_reader reader = {0};
	struct text rest = text;
	bool negative = cut_sign(&rest);
	int64_t exponent = 0;

	if (read_digits(&rest, &reader, false) < 0)
		return -EINVAL;
	if (text_cut_char(&rest, '.') && read_digits(&rest, &reader, true) < 0)
		return -EINVAL;
	if (!reader.any)
		return -EINVAL;
	if (text_cut_char(&rest, 'E') || text_cut_char(&rest, 'e')) {
		if (text_to_int64(rest, &exponent) < 0 || exponent > 1000 || exponent < -1000)
			return -EINVAL;
		rest.len = 0;
	}
	if (rest.len)
		return -EINVAL;
	*ret = reader.number;
	ret->exponent += exponent + reader.zeros;
	if (negative)
		ret->mantissa = -ret->mantissa;
	return 0;
}

/* The number times 10^scale where that is a whole one of at most 38 digits. */
static int read_scaled(struct text text, int scale, int128 *ret)
{
	struct number number;
	int64_t shift;

	if (read_number(text, &number) < 0)
		return -EINVAL;
	shift = number.mantissa ? number.exponent + scale : 0;
	if (shift < 0)
		return -EINVAL;
	for (; shift; shift--)
		if (__builtin_mul_overflow(number.mantissa, 10, &number.mantissa))
			return -EINVAL;
	*ret = number.mantissa;
	return 0;
}

static int read_integer(struct text text, int64_t lowest, int64_t highest, struct value *ret)
{
	int128 whole;

	if (read_scaled(text, 0, &whole) < 0 || whole < lowest || whole > highest)
		return -EINVAL;
	ret->i = (int64_t)whole;
	return 0;
}

static int read_decimal(struct text text, int scale, struct value *ret)
{
	int128 dec;

	if (read_scaled(text, scale, &dec) < 0)
		return -EINVAL;
	ret->dec = dec;
	return 0;
}

static int read_boolean(struct text text, struct value *ret)
{
	bool is_true = text_ieq(text, TEXT("TRUE"));

	if (!is_true && !text_ieq(text, TEXT("FALSE")))
		return -EINVAL;
	ret->i = is_true;
	return 0;
}

/* yyyy-MM-dd, a day that exists. */
static int cut_date(struct text *rest, int64_t *days)
{
	struct civil_day day;
	int year;

	if (!calendar_digits(rest, 4, &year) || !text_cut_char(rest, '-') ||
		!calendar_digits(rest, 2, &day.month) || !text_cut_char(rest, '-') ||
		!calendar_digits(rest, 2, &day.day))
		return -EINVAL;
	day.year = year;
	if (day.month < 1 || day.month > 12 || day.day < 1 ||
		day.day > calendar_month_days(day.year, day.month))
		return -EINVAL;
	*days = calendar_days(day);
	return 0;
}

/* HH:mm[:ss[.fraction]]; what stands behind the nanoseconds must be zeros. */
static int cut_time(struct text *rest, int64_t *ms_of_day, int *nanos)
{
	int hour, minute, second = 0;
	bool dropped = false;

	*nanos = 0;
	if (!calendar_digits(rest, 2, &hour) || !text_cut_char(rest, ':') ||
		!calendar_digits(rest, 2, &minute))
		return -EINVAL;
	if (text_cut_char(rest, ':') && !calendar_digits(rest, 2, &second))
		return -EINVAL;
	if (text_cut_char(rest, '.') && !calendar_fraction(rest, nanos, &dropped))
		return -EINVAL;
	if (hour > 23 || minute > 59 || second > 59 || dropped)
		return -EINVAL;
	*ms_of_day = hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND +
		     *nanos / NANOS_PER_MS;
	*nanos %= NANOS_PER_MS;
	return 0;
}

static int read_date(struct text text, struct value *ret)
{
	int64_t days;

	if (cut_date(&text, &days) < 0 || text.len)
		return -EINVAL;
	ret->i = days;
	return 0;
}

static int read_time(struct text text, struct value *ret)
{
	int64_t ms;
	int nanos;

	if (cut_time(&text, &ms, &nanos) < 0 || text.len || nanos)
		return -EINVAL;
	ret->i = ms;
	return 0;
}

static int read_timestamp(struct text text, struct value *ret)
{
	int64_t days, ms;
	int nanos;

	if (cut_date(&text, &days) < 0 ||
		!(text_cut_char(&text, ' ') || text_cut_char(&text, 'T')) ||
		cut_time(&text, &ms, &nanos) < 0 || text.len)
		return -EINVAL;
	ret->i = days * MS_PER_DAY + ms;
	ret->nanos = nanos;
	return 0;
}

/* Digits up to a separator: the days or years of an interval. */
static int cut_count(struct text *rest, char separator, int64_t *ret)
{
	size_t end = text_find(*rest, (struct text){&separator, 1});
	int64_t count;

	if (end == rest->len || rest->ptr[0] < '0' ||
		text_to_int64(text_slice(*rest, 0, end), &count) < 0 || count > INT32_MAX)
		return -EINVAL;
	*rest = text_slice(*rest, end + 1, rest->len);
	*ret = count;
	return 0;
}

/* [sign] days HH:mm:ss.fraction */
static int read_interval_day(struct text text, struct value *ret)
{
	bool negative = cut_sign(&text);
	int64_t days, ms;
	int nanos;

	if (cut_count(&text, ' ', &days) < 0 || cut_time(&text, &ms, &nanos) < 0 || text.len ||
		nanos)
		return -EINVAL;
	ms += days * MS_PER_DAY;
	ret->i = negative ? -ms : ms;
	return 0;
}

/* [sign] years-months */
static int read_interval_month(struct text text, struct value *ret)
{
	bool negative = cut_sign(&text);
	int64_t years;
	int months;

	if (cut_count(&text, '-', &years) < 0 || !calendar_digits(&text, 2, &months) || text.len ||
		months > 11)
		return -EINVAL;
	ret->i = years * 12 + months;
	if (negative)
		ret->i = -ret->i;
	return 0;
}

/* x'00ff', in lower case; the value is that text. */
static int read_binary(struct text text, struct value *ret)
{
	struct text hex = text_slice(text, 2, text.len - 1);

	if (text.len < 3 || !text_starts(text, TEXT("x'")) || !text_ends(text, TEXT("'")) ||
		hex.len % 2)
		return -EINVAL;
	for (size_t i = 0; i < hex.len; i++)
		if (!memchr("0123456789abcdef", hex.ptr[i], 16))
			return -EINVAL;
	ret->s = text;
	return 0;
}

static int read_trimmed(struct text text, const struct sql_type *type, struct value *ret)
{
	switch (type->kind) {
	case SQL_BOOLEAN: return read_boolean(text, ret);
	case SQL_TINYINT: return read_integer(text, INT8_MIN, INT8_MAX, ret);
	case SQL_SMALLINT: return read_integer(text, INT16_MIN, INT16_MAX, ret);
	case SQL_INT: return read_integer(text, INT32_MIN, INT32_MAX, ret);
	case SQL_BIGINT: return read_integer(text, INT64_MIN, INT64_MAX, ret);
	case SQL_DECIMAL: return read_decimal(text, type->scale, ret);
	case SQL_FLOAT: return double_parse(text, true, &ret->f);
	case SQL_DOUBLE: return double_parse(text, false, &ret->f);
	case SQL_DATE: return read_date(text, ret);
	case SQL_TIME: return read_time(text, ret);
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return read_timestamp(text, ret);
	case SQL_INTERVAL_DAY: return read_interval_day(text, ret);
	case SQL_INTERVAL_MONTH: return read_interval_month(text, ret);
	case SQL_BINARY:
	case SQL_VARBINARY: return read_binary(text, ret);
	default: return -EINVAL;
	}
}

int value_parse(struct text printed, const struct sql_type *type, struct value *ret)
{
	struct value value = {0};
	int r;

	switch (text_eq(printed, TEXT("<NULL>")) ? SQL_NULL : type->kind) {
	case SQL_NULL:
		if (!text_eq(printed, TEXT("<NULL>")))
			return -EINVAL;
		value.null = true;
		break;
	case SQL_ANY:
	case SQL_CHAR:
	case SQL_VARCHAR:
	case SQL_OTHER: value.s = printed; break;
	default:
		r = read_trimmed(text_trim(printed), type, &value);
		if (r < 0)
			return r;
	}
	*ret = value;
	return 0;
}

/* NaN is highest, as in Java. */
static int cmp_double(double a, double b)
{
	if (isnan(a) || isnan(b))
		return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
	return (a > b) - (a < b);
}

int value_cmp(const struct sql_type *type, const struct value *a, const struct value *b)
{
	if (a->null || b->null)
		return b->null - a->null;
	switch (type->kind) {
	case SQL_ANY:
	case SQL_CHAR:
	case SQL_VARCHAR:
	case SQL_BINARY:
	case SQL_VARBINARY:
	case SQL_OTHER: return text_cmp(a->s, b->s);
	case SQL_FLOAT:
	case SQL_DOUBLE: return cmp_double(a->f, b->f);
	case SQL_DECIMAL: return (a->dec > b->dec) - (a->dec < b->dec);
	default:
		if (a->i != b->i)
			return a->i < b->i ? -1 : 1;
		return (a->nanos > b->nanos) - (a->nanos < b->nanos);
	}
}

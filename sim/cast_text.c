/* Texts cast to other types. Numbers and dates may have blanks around them, times and timestamps
 * not; an integer may have a fraction, which is dropped; a date may lack its day and month, and
 * whatever stands behind a blank; a timestamp clamps its day to the month's end. Recorded:
 * more_sim/scalar_cast, more_sim/late_string_cmp. */
#include "sim/cast_text.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/csv_number.h"

static int cast_boolean(struct text text, struct value *ret)
{
	static const struct text words[][2] = {{{"f", 1}, {"t", 1}}, {{"false", 5}, {"true", 4}},
		{{"n", 1}, {"y", 1}}, {{"no", 2}, {"yes", 3}}, {{"0", 1}, {"1", 1}}};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (int64_t is = 0; is < 2; is++)
			if (text_ieq(text, words[i][is])) {
				*ret = (struct value){.i = is};
				return 0;
			}
	return -EINVAL;
}

static bool all_digits(struct text text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] < '0' || text.ptr[i] > '9')
			return false;
	return true;
}

/* [sign] digits [. digits], with a digit somewhere. */
static int cast_integer(struct text text, const struct sql_type *type, struct value *ret)
{
	struct text whole = text_slice(text, 0, text_find(text, TEXT(".")));
	struct text fraction = text_slice(text, whole.len + 1, text.len), digits = whole;
	struct value value;

	if (!text_cut_char(&digits, '-'))
		text_cut_char(&digits, '+');
	if (!all_digits(digits) || !all_digits(fraction) || !(digits.len + fraction.len))
		return -EINVAL;
	if (!digits.len)
		value = (struct value){0};
	else if (value_parse(whole, type, &value) < 0)
		return -EINVAL;
	*ret = value;
	return 0;
}

/* A single letter is taken for a number by mistake, and so it is not simulated. */
static int cast_decimal(struct text text, const struct sql_type *type, struct value *ret)
{
	struct value value;

	if (text.len == 1 && !all_digits(text))
		return -ENOTSUP;
	if (csv_double(text, false, &(struct value){0}) < 0)
		return -EINVAL;
	if (csv_decimal(text, type, &value) < 0 || value.null)
		return -ENOTSUP;
	*ret = value;
	return 0;
}

/* A number of one to `most` digits. */
static bool cut_number(struct text *rest, size_t most, int *ret)
{
	size_t len = 0;

	while (len < rest->len && len < most && rest->ptr[len] >= '0' && rest->ptr[len] <= '9')
		len++;
	return len && calendar_digits(rest, len, ret);
}

/* y[-m[-d]] */
static int cast_date(struct text text, struct value *ret)
{
	struct civil_day day = {.month = 1, .day = 1};
	size_t blank = text_find(text, TEXT(" "));
	int year;

	if (blank)
		text = text_slice(text, 0, blank);
	text = text_trim(text);
	if (!cut_number(&text, 4, &year))
		return -EINVAL;
	if (text_cut_char(&text, '-') && !cut_number(&text, 2, &day.month))
		return -EINVAL;
	if (text_cut_char(&text, '-') && !cut_number(&text, 2, &day.day))
		return -EINVAL;
	if (!year)
		return -ENOTSUP;
	day.year = year;
	if (text.len || day.month < 1 || day.month > 12 || day.day < 1 ||
		day.day > calendar_month_days(day.year, day.month))
		return -EINVAL;
	*ret = (struct value){.i = calendar_days(day)};
	return 0;
}

/* h[:m[:s[.fraction]]] */
static int cut_time(struct text *rest, int64_t *ret_ms, int *nanos)
{
	int hour, minute = 0, second = 0;
	bool dropped;

	*nanos = 0;
	if (!cut_number(rest, 2, &hour))
		return -EINVAL;
	if (text_cut_char(rest, ':')) {
		if (!cut_number(rest, 2, &minute))
			return -EINVAL;
		if (text_cut_char(rest, ':')) {
			if (!cut_number(rest, 2, &second))
				return -EINVAL;
			if (text_cut_char(rest, '.') &&
				calendar_fraction(rest, nanos, &dropped) - 1 > 8)
				return -EINVAL;
		}
	}
	if (rest->len || hour > 23 || minute > 59 || second > 59)
		return -EINVAL;
	*ret_ms = hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND +
		  *nanos / NANOS_PER_MS;
	*nanos %= NANOS_PER_MS;
	return 0;
}

static int cast_time(struct text text, const struct sql_type *type, struct value *ret)
{
	int64_t ms;
	int nanos;

	if (cut_time(&text, &ms, &nanos) < 0)
		return -EINVAL;
	if (type->precision == 0)
		ms -= ms % MS_PER_SECOND;
	else if (type->precision < 3)
		return -ENOTSUP;
	*ret = (struct value){.i = ms};
	return 0;
}

/* Cuts *nanos behind the precision, and gives what is to be cut of the milliseconds. */
static int64_t cut_fraction(int precision, int64_t ms, int *nanos)
{
	int step = 1;

	for (int i = precision < 3 ? precision + 6 : precision; i < 9; i++)
		step *= 10;
	if (precision >= 3) {
		*nanos -= *nanos % step;
		return 0;
	}
	*nanos = 0;
	return ms % step;
}

/* Two colons stand in a time of day that has its seconds. */
static bool has_seconds(struct text text)
{
	size_t first = text_find(text, TEXT(":"));

	text = text_slice(text, first + 1, text.len);
	return text_find(text, TEXT(":")) < text.len;
}

/* yyyy-[m]m-[d]d[ [h]h:[m]m:[s]s[.fraction]] */
static int cast_timestamp(struct text text, const struct sql_type *type, struct value *ret)
{
	struct civil_day day;
	int64_t ms = 0;
	int year, nanos = 0, most;

	if (!calendar_digits(&text, 4, &year) || !text_cut_char(&text, '-') ||
		!cut_number(&text, 2, &day.month) || !text_cut_char(&text, '-') ||
		!cut_number(&text, 2, &day.day) || day.month < 1 || day.month > 12 || day.day < 1 ||
		day.day > 31)
		return -EINVAL;
	if (text.len && (!text_cut_char(&text, ' ') || !has_seconds(text) ||
				cut_time(&text, &ms, &nanos) < 0))
		return -EINVAL;
	if (!year)
		return -ENOTSUP;
	day.year = year;
	most = calendar_month_days(day.year, day.month);
	if (day.day > most)
		day.day = most;
	ms -= cut_fraction(type->precision, ms, &nanos);
	*ret = (struct value){.i = calendar_days(day) * MS_PER_DAY + ms, .nanos = nanos};
	return 0;
}

int cast_text(struct text text, const struct sql_type *type, struct value *ret)
{
	switch (type->kind) {
	case SQL_BOOLEAN: return cast_boolean(text, ret);
	case SQL_DECIMAL: return cast_decimal(text_trim(text), type, ret);
	case SQL_FLOAT:
	case SQL_DOUBLE: return csv_double(text_trim(text), type->kind == SQL_FLOAT, ret);
	case SQL_DATE: return cast_date(text, ret);
	case SQL_TIME: return cast_time(text, type, ret);
	case SQL_TIMESTAMP: return cast_timestamp(text, type, ret);
	default: return cast_integer(text_trim(text), type, ret);
	}
}

struct text cast_text_error(struct arena *arena, struct text text, const struct sql_type *type)
{
	struct text trimmed = text_trim(text);

	switch (type->kind) {
	case SQL_BOOLEAN:
		return text_format(arena,
			"org.apache.flink.table.api.TableException: Cannot parse '%.*s' as "
			"BOOLEAN.",
			TEXT_ARG(text));
	case SQL_DATE:
		return text_format(arena, "java.time.DateTimeException: For input string: '%.*s'.",
			TEXT_ARG(text));
	case SQL_TIMESTAMP:
		if (!text.len || (text.ptr[0] >= '0' && text.ptr[0] <= '9'))
			return TEXT("");
		return text_format(arena,
			"java.time.format.DateTimeParseException: Text '%.*s' could not be parsed "
			"at index 0",
			TEXT_ARG(text));
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT:
		if (!trimmed.len || (trimmed.ptr[0] < 'A' && trimmed.ptr[0] != ','))
			return TEXT("");
		return text_format(arena,
			"java.lang.NumberFormatException: For input string: '%.*s'. Invalid "
			"character found.",
			TEXT_ARG(trimmed));
	case SQL_FLOAT:
	case SQL_DOUBLE: return csv_double_error(arena, trimmed);
	default: return TEXT("");
	}
}

/* parser/csv_value.c: what each type takes of a field and the words for what it does not, as the
 * csv format of Flink 2.3.0 on Java 17 gave them for these fields. */
#include "parser/csv_value.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/csv_bytes.h"
#include "tests/test.h"

#define MEMORY (1u << 20)
#define NFE    "java.lang.NumberFormatException: "
#define DTE    "java.time.DateTimeException: "
#define DTPE   "java.time.format.DateTimeParseException: Text "
#define NEITHER \
	" is neither a decimal digit number, decimal point, nor \"e\" notation exponential mark."
#define BASE64                                                                         \
	"org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.exc."         \
	"InvalidFormatException: Cannot access contents of TextNode as binary due to " \
	"broken Base64 encoding: "

struct field_case {
	enum sql_kind kind;
	int precision, scale;
	const char *field, *printed; /* or the error */
};

static int read_value(
	struct arena *arena, const struct sql_type *type, struct text field, struct value *ret)
{
	if (type->kind != SQL_VARBINARY)
		return csv_value(field, type, ret);
	*ret = (struct value){0};
	return csv_bytes(field, arena_alloc(arena, csv_bytes_room(field)), &ret->s);
}

static bool reads_as(const struct field_case *c)
{
	struct sql_type type = {.kind = c->kind, .precision = c->precision, .scale = c->scale};
	struct text field = text_of(c->field), got = TEXT("not simulated");
	struct arena arena;
	struct value value;
	bool same;
	int err;

	arena_init(&arena, MEMORY);
	err = read_value(&arena, &type, field, &value);
	if (err == 0)
		got = value_print(&arena, &type, &value);
	else if (err == -EINVAL)
		got = csv_value_error(&arena, field, &type);
	same = text_eq(got, text_of(c->printed));
	if (!same)
		printf("# '%s': %.*s\n", c->field, TEXT_ARG(got));
	arena_finish(&arena);
	return same;
}

static bool all_read(const struct field_case *cases, size_t count)
{
	bool right = true;

	for (size_t i = 0; i < count; i++)
		right &= reads_as(&cases[i]);
	return right;
}

#define ALL(cases) all_read(cases, sizeof(cases) / sizeof(*(cases)))

TEST(integers)
{
	static const struct field_case cases[] = {
		{SQL_TINYINT, 0, 0, "\t+05 ", "5"},
		{SQL_TINYINT, 0, 0, "128", NFE "Value out of range. Value:\"128\" Radix:10"},
		{SQL_TINYINT, 0, 0, "2147483648", NFE "For input string: \"2147483648\""},
		{SQL_SMALLINT, 0, 0, "-32769", NFE "Value out of range. Value:\"-32769\" Radix:10"},
		{SQL_INT, 0, 0, "2147483648", NFE "For input string: \"2147483648\""},
		{SQL_INT, 0, 0, "-2147483648", "-2147483648"},
		{SQL_INT, 0, 0, " 1e3 ", NFE "For input string: \"1e3\""},
		{SQL_INT, 0, 0, "+", NFE "For input string: \"+\""},
		{SQL_INT, 0, 0, "5\u00a0", NFE "For input string: \"5\u00a0\""},
		{SQL_BIGINT, 0, 0, "\uff15\u0663", "53"},
		{SQL_BIGINT, 0, 0, "-9223372036854775808", "-9223372036854775808"},
		{SQL_BIGINT, 0, 0, "9223372036854775808",
			NFE "For input string: \"9223372036854775808\""},
	};

	CHECK(ALL(cases));
}

TEST(decimals)
{
	static const struct field_case cases[] = {
		{SQL_DECIMAL, 10, 2, "1.5E2", "150.00"},
		{SQL_DECIMAL, 10, 2, "1e-2", "0.01"},
		{SQL_DECIMAL, 10, 2, "-.5", "-0.50"},
		{SQL_DECIMAL, 10, 2, "99999999.994", "99999999.99"},
		{SQL_DECIMAL, 10, 2, "99999999.995", "<NULL>"},
		{SQL_DECIMAL, 10, 2, "1e400", "<NULL>"},
		{SQL_DECIMAL, 10, 2, "1e-400", "0.00"},
		{SQL_DECIMAL, 38, 0, "-1.5", "-2"},
		{SQL_DECIMAL, 38, 0, "12345678901234567890123456789012345678",
			"12345678901234567890123456789012345678"},
		{SQL_DECIMAL, 38, 0, "123456789012345678901234567890123456789", "<NULL>"},
		{SQL_DECIMAL, 38, 38, "0.1234567890123456789012345678901234567890",
			"0.12345678901234567890123456789012345679"},
		{SQL_DECIMAL, 38, 38, "5", "<NULL>"},
		{SQL_DECIMAL, 10, 2, " 5", NFE "Character  " NEITHER},
		{SQL_DECIMAL, 10, 2, "1;5", NFE "Character ;" NEITHER},
		{SQL_DECIMAL, 10, 2, "1.2.3",
			NFE "Character array contains more than one decimal point."},
		{SQL_DECIMAL, 10, 2, "-", NFE "No digits found."},
		{SQL_DECIMAL, 10, 2, "1E99999999999", NFE "Too many nonzero exponent digits."},
		{SQL_DECIMAL, 10, 2, "",
			"java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for "
			"length 0"},
		{SQL_DECIMAL, 10, 2, "1e+",
			"java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for "
			"length 3"},
	};

	CHECK(ALL(cases));
}

TEST(doubles)
{
	static const struct field_case cases[] = {
		{SQL_DOUBLE, 0, 0, " 1.5F ", "1.5"},
		{SQL_DOUBLE, 0, 0, "5.e1", "50.0"},
		{SQL_DOUBLE, 0, 0, "1e309", "Infinity"},
		{SQL_DOUBLE, 0, 0, "-0", "-0.0"},
		{SQL_FLOAT, 0, 0, "3.5e38", "Infinity"},
		{SQL_FLOAT, 0, 0, "16777217", "1.6777216E7"},
		{SQL_DOUBLE, 0, 0, "nan", NFE "For input string: \"nan\""},
		{SQL_DOUBLE, 0, 0, "0x10", NFE "For input string: \"0x10\""},
		{SQL_DOUBLE, 0, 0, "0x1p3", "not simulated"},
		{SQL_DOUBLE, 0, 0, "", NFE "empty String"},
		{SQL_DOUBLE, 0, 0, "1.2.3", NFE "multiple points"},
	};

	CHECK(ALL(cases));
}

TEST(days)
{
	static const struct field_case cases[] = {
		{SQL_DATE, 0, 0, "2026-7-6", "2026-07-06"},
		{SQL_DATE, 0, 0, "2026-02-30", "2026-03-02"},
		{SQL_DATE, 0, 0, "2026-+7-06", "2026-07-06"},
		{SQL_DATE, 0, 0, "1500-02-30", "1500-03-01"},
		{SQL_DATE, 0, 0, "1582-10-10", "1582-10-20"},
		{SQL_DATE, 0, 0, "0000-01-01", "0001-01-01"},
		{SQL_DATE, 0, 0, "1500-02-29",
			DTE "Invalid date 'February 29' as '1500' is not a leap year"},
		{SQL_DATE, 0, 0, " 2026-07-06", "java.lang.IllegalArgumentException: null"},
		{SQL_DATE, 0, 0, "2026-13-01", "java.lang.IllegalArgumentException: null"},
		{SQL_DATE, 0, 0, "2026-1x-06", NFE "Error at index 1 in: \"1x\""},
		{SQL_DATE, 0, 0, "2026-+-01", NFE "Error at index 1 in: \"+\""},
		{SQL_DATE, 0, 0, "2026- 7-06", NFE "Error at index 0 in: \" 7\""},
	};

	CHECK(ALL(cases));
}

TEST(times_of_day)
{
	static const struct field_case cases[] = {
		{SQL_TIME, 0, 0, "09:05", "09:05:00"},
		{SQL_TIME, 1, 0, "09:05:07.19", "09:05:07.1"},
		{SQL_TIME, 3, 0, "09:05:07.", "09:05:07.0"},
		{SQL_TIME, 0, 0, "9:05:07", DTPE "'9:05:07' could not be parsed at index 0"},
		{SQL_TIME, 0, 0, "09:05:7",
			DTPE "'09:05:7' could not be parsed, unparsed text found at index 5"},
		{SQL_TIME, 0, 0, "09:05:07 ",
			DTPE "'09:05:07 ' could not be parsed, unparsed text found at index 8"},
		{SQL_TIME, 0, 0, "24:00:00",
			DTE "Invalid value for HourOfDay (valid values 0 - 23): 24"},
		{SQL_TIME, 0, 0, "25:60:61",
			DTE "Invalid value for MinuteOfHour (valid values 0 - 59): 60"},
	};

	CHECK(ALL(cases));
}

TEST(timestamps)
{
	static const struct field_case cases[] = {
		{SQL_TIMESTAMP, 3, 0, "2026-07-06 24:00:00", "2026-07-07 00:00:00.000"},
		{SQL_TIMESTAMP, 9, 0, "1969-12-31 23:59:59.9999", "1969-12-31 23:59:59.999900000"},
		{SQL_TIMESTAMP, 3, 0, "0000-01-01 00:00:00", "0000-01-01 00:00:00.000"},
		{SQL_TIMESTAMP, 3, 0, "+12345-01-01 09:05:07", "not simulated"},
		{SQL_TIMESTAMP, 3, 0, "+2026-07-06 09:05:07",
			DTPE "'+2026-07-06 09:05:07' could not be parsed at index 0"},
		{SQL_TIMESTAMP, 3, 0, "-202-01-01 00:00:00",
			DTPE "'-202-01-01 00:00:00' could not be parsed at index 1"},
		{SQL_TIMESTAMP, 3, 0, "+12345678901-01-01 00:00:00",
			DTPE "'+12345678901-01-01 00:00:00' could not be parsed at index 11"},
		{SQL_TIMESTAMP, 3, 0, "+9999999999-01-01 00:00:00",
			DTE
			"Invalid value for Year (valid values -999999999 - 999999999): 9999999999"},
		{SQL_TIMESTAMP, 3, 0, "2026-13-32 25:60:61",
			DTE "Invalid value for MonthOfYear (valid values 1 - 12): 13"},
		{SQL_TIMESTAMP, 3, 0, "2026-02-00 00:00:00",
			DTE "Invalid value for DayOfMonth (valid values 1 - 28/31): 0"},
		{SQL_TIMESTAMP, 3, 0, "2026-01-01 24:00:61",
			DTE "Invalid value for HourOfDay (valid values 0 - 23): 24"},
		{SQL_TIMESTAMP, 3, 0, "2026-01-01 09:05:60",
			DTE "Invalid value for SecondOfMinute (valid values 0 - 59): 60"},
		{SQL_TIMESTAMP, 3, 0,
			"2026-01-01 "
			"09:05:07.12345678901234567890123456789012345678901234567890",
			DTPE
			"'2026-01-01 09:05:07.12345678901234567890123456789012345678901234...' "
			"could not be parsed, unparsed text found at index 29"},
		{SQL_TIMESTAMP_LTZ, 3, 0, " 2026-07-06 09:05:07.Z", "2026-07-06 09:05:07.000"},
		{SQL_TIMESTAMP_LTZ, 3, 0, "2026-07-06 09:05:07",
			DTPE "'2026-07-06 09:05:07' could not be parsed at index 19"},
	};

	CHECK(ALL(cases));
}

TEST(bytes)
{
	static const struct field_case cases[] = {
		{SQL_VARBINARY, 0, 0, "", "x''"},
		{SQL_VARBINARY, 0, 0, "AAE=", "x'0001'"},
		{SQL_VARBINARY, 0, 0, " Zm9v ", "x'666f6f'"},
		{SQL_VARBINARY, 0, 0, "Zm9vYg==Zm9v", "x'666f6f62666f6f'"},
		{SQL_VARBINARY, 0, 0, "Zm 9v",
			BASE64
			"Illegal white space character (code 0x20) as character #3 of 4-char "
			"base64 unit: can only used between units"},
		{SQL_VARBINARY, 0, 0, "Zm9-",
			BASE64 "Illegal character '-' (code 0x2d) in base64 content"},
		{SQL_VARBINARY, 0, 0, "\u65e5",
			BASE64 "Illegal character '\u65e5' (code 0x65e5) in base64 content"},
		{SQL_VARBINARY, 0, 0, "===",
			BASE64
			"Unexpected padding character ('=') as character #1 of 4-char base64 unit: "
			"padding only legal as 3rd or 4th character"},
		{SQL_VARBINARY, 0, 0, "Zg=",
			BASE64
			"Unexpected end of base64-encoded String: base64 variant "
			"'MIME-NO-LINEFEEDS' expects padding (one or more '=' characters) at the "
			"end. This Base64Variant might have been incorrectly configured"},
	};

	CHECK(ALL(cases));
}

int main(void)
{
	RUN(integers);
	RUN(decimals);
	RUN(doubles);
	RUN(days);
	RUN(times_of_day);
	RUN(timestamps);
	RUN(bytes);
	return test_finish();
}

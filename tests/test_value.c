/* parser/value.c, value_print.c, table.c: what the client prints for a value and which spellings
 * are the same value. The printed forms are cells of recorded tables, named beside them. */
#include "parser/table.h"

#include <errno.h>
#include <math.h>

#include "parser/arena.h"
#include "tests/test.h"

static struct arena arena;

static struct sql_type type_of(enum sql_kind kind, int precision, int scale)
{
	return (struct sql_type){.kind = kind, .precision = precision, .scale = scale};
}

/* Does this text read as the type, and is it printed the same again? */
static bool round_trip(enum sql_kind kind, int precision, int scale, const char *printed)
{
	struct sql_type type = type_of(kind, precision, scale);
	struct value value;

	if (value_parse(text_of(printed), &type, &value) < 0)
		return false;
	return text_eq(value_print(&arena, &type, &value), text_of(printed));
}

static bool same(struct sql_type type, const char *a, const char *b)
{
	struct value va, vb;

	return value_parse(text_of(a), &type, &va) == 0 &&
	       value_parse(text_of(b), &type, &vb) == 0 && value_cmp(&type, &va, &vb) == 0;
}

static bool refused(struct sql_type type, const char *printed)
{
	struct value value = {.i = 77};

	return value_parse(text_of(printed), &type, &value) == -EINVAL && value.i == 77;
}

static struct text print_double(enum sql_kind kind, double f)
{
	struct sql_type type = type_of(kind, 0, 0);
	struct value value = {.f = f};

	return value_print(&arena, &type, &value);
}

TEST(prints_what_the_client_printed_for_numbers)
{
	/* recorded: format/types_numeric_stream */
	CHECK(round_trip(SQL_BOOLEAN, 0, 0, "TRUE"));
	CHECK(round_trip(SQL_TINYINT, 0, 0, "-128"));
	CHECK(round_trip(SQL_SMALLINT, 0, 0, "32767"));
	CHECK(round_trip(SQL_INT, 0, 0, "-2147483648"));
	CHECK(round_trip(SQL_BIGINT, 0, 0, "-9223372036854775807"));
	CHECK(round_trip(SQL_DECIMAL, 10, 2, "-99999999.99"));
	CHECK(round_trip(SQL_DECIMAL, 10, 2, "1.50"));
	CHECK(round_trip(SQL_DECIMAL, 38, 18, "0.000000000000000000"));
	CHECK(round_trip(SQL_DECIMAL, 38, 18, "12345678901234567890.123456789012345678"));
	CHECK(round_trip(SQL_BIGINT, 0, 0, "<NULL>"));
}

TEST(doubles_print_as_in_java)
{
	/* recorded: format/double_values_stream, format/types_numeric_stream */
	CHECK(text_eq(print_double(SQL_DOUBLE, 0), TEXT("0.0")));
	CHECK(text_eq(print_double(SQL_DOUBLE, NAN), TEXT("NaN")));
	CHECK(text_eq(print_double(SQL_DOUBLE, INFINITY), TEXT("Infinity")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 1e7), TEXT("1.0E7")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 1e-3), TEXT("0.001")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 1e-4), TEXT("1.0E-4")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 123456789.125), TEXT("1.23456789125E8")));
	CHECK(text_eq(print_double(SQL_FLOAT, 3.4028234663852886e38), TEXT("3.4028235E38")));
	CHECK(text_eq(print_double(SQL_FLOAT, (double)-1e-20f), TEXT("-1.0E-20")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 0.1), TEXT("0.1")));
	/* recorded: semantics/types_stream */
	CHECK(text_eq(print_double(SQL_DOUBLE, 9999999), TEXT("9999999.0")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 0.0009999), TEXT("9.999E-4")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 1e-320), TEXT("1.0E-320")));
	CHECK(text_eq(
		print_double(SQL_DOUBLE, 1.7976931348623157e308), TEXT("1.7976931348623157E308")));
	CHECK(text_eq(print_double(SQL_FLOAT, 9999999), TEXT("9999999.0")));
	CHECK(text_eq(print_double(SQL_FLOAT, 2e7), TEXT("2.0E7")));
	/* java.lang.Double's documentation: MIN_VALUE */
	CHECK(text_eq(print_double(SQL_DOUBLE, 4.9e-324), TEXT("4.9E-324")));
	CHECK(text_eq(print_double(SQL_DOUBLE, 0.1 + 0.2), TEXT("0.30000000000000004")));
	CHECK(text_eq(print_double(SQL_DOUBLE, -1234.5), TEXT("-1234.5")));
}

TEST(prints_what_the_client_printed_for_times)
{
	/* recorded: format/types_time_stream */
	CHECK(round_trip(SQL_DATE, 0, 0, "2026-07-06"));
	CHECK(round_trip(SQL_TIME, 0, 0, "09:00:01"));
	CHECK(round_trip(SQL_TIME, 3, 0, "09:00:01.123"));
	CHECK(round_trip(SQL_TIMESTAMP, 0, 0, "2026-07-06 09:00:01"));
	CHECK(round_trip(SQL_TIMESTAMP, 1, 0, "2026-07-06 09:00:01.1"));
	CHECK(round_trip(SQL_TIMESTAMP, 6, 0, "2026-07-06 09:00:01.123456"));
	CHECK(round_trip(SQL_TIMESTAMP_LTZ, 9, 0, "2026-07-06 09:00:01.500000000"));
	CHECK(round_trip(SQL_TIMESTAMP, 3, 0, "0001-01-01 00:00:00.000"));
	CHECK(round_trip(SQL_TIMESTAMP, 3, 0, "9999-12-31 23:59:59.999"));
	CHECK(round_trip(SQL_TIMESTAMP, 3, 0, "1969-12-31 23:59:59.999"));
	CHECK(round_trip(SQL_INTERVAL_MONTH, 0, 0, "+1-02"));
	CHECK(round_trip(SQL_INTERVAL_MONTH, 0, 0, "+0-03"));
	CHECK(round_trip(SQL_INTERVAL_DAY, 0, 0, "+1 02:03:04.567"));
	CHECK(round_trip(SQL_INTERVAL_DAY, 0, 0, "-1 00:00:00.000"));
	/* recorded: format/types_string_stream */
	CHECK(round_trip(SQL_VARBINARY, SQL_MAX_LENGTH, 0, "x'00ff41'"));
	CHECK(round_trip(SQL_CHAR, 5, 0, "ab   "));
}

/* Integers and times are written without printf(), in the form that it gives them. */
TEST(digits_are_those_of_printf)
{
	static const int64_t numbers[] = {0, 9, 10, 99, 100, -1, -10, 1783328400123,
		-62135596800000, 253402300799999, -1000, INT64_MAX, INT64_MIN};
	struct sql_type bigint = type_of(SQL_BIGINT, 0, 0), ms = type_of(SQL_TIMESTAMP, 3, 0);
	struct value again;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct value value = {.i = numbers[i]};

		CHECK(text_eq(value_print(&arena, &bigint, &value),
			text_format(&arena, "%lld", (long long)numbers[i])));
		if (numbers[i] > INT64_MIN / 2 && numbers[i] < INT64_MAX / 2)
			CHECK(value_parse(value_print(&arena, &ms, &value), &ms, &again) == 0 &&
				again.i == numbers[i]);
	}
}

TEST(one_value_has_many_spellings)
{
	CHECK(same(type_of(SQL_BOOLEAN, 0, 0), "true", "TRUE"));
	CHECK(same(type_of(SQL_BIGINT, 0, 0), "5", "+5.00"));
	CHECK(same(type_of(SQL_BIGINT, 0, 0), "10000000", "1.0E7"));
	CHECK(same(type_of(SQL_DECIMAL, 10, 2), "5.0", "5.00000"));
	CHECK(same(type_of(SQL_DECIMAL, 10, 2), "0.50", "5.0E-1"));
	CHECK(same(type_of(SQL_DOUBLE, 0, 0), "1.0E1", "10"));
	CHECK(same(type_of(SQL_FLOAT, 0, 0), "0.1", "0.10000000149"));
	CHECK(same(
		type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06 09:00:00", "2026-07-06 09:00:00.000000"));
	CHECK(same(type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06 09:00", "2026-07-06T09:00:00.0"));
	CHECK(!same(
		type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06 09:00:00.000001", "2026-07-06 09:00:00"));
	CHECK(same(type_of(SQL_TIME, 0, 0), "10:20:30", "10:20:30.000"));
	CHECK(!same(type_of(SQL_VARCHAR, SQL_MAX_LENGTH, 0), "a", "A"));
}

TEST(rubbish_is_refused)
{
	CHECK(refused(type_of(SQL_BIGINT, 0, 0), ""));
	CHECK(refused(type_of(SQL_BIGINT, 0, 0), "."));
	CHECK(refused(type_of(SQL_BIGINT, 0, 0), "5.5"));
	CHECK(refused(type_of(SQL_BIGINT, 0, 0), "1,234"));
	CHECK(refused(type_of(SQL_BIGINT, 0, 0), "1E999999999"));
	CHECK(refused(type_of(SQL_BIGINT, 0, 0), "9223372036854775808"));
	CHECK(refused(type_of(SQL_INT, 0, 0), "2147483648"));
	CHECK(refused(type_of(SQL_DECIMAL, 10, 2), "0.001"));
	CHECK(refused(type_of(SQL_DECIMAL, 38, 0), "100000000000000000000000000000000000000000"));
	CHECK(refused(type_of(SQL_DOUBLE, 0, 0), "0x10"));
	CHECK(refused(type_of(SQL_DOUBLE, 0, 0), "nan"));
	CHECK(refused(type_of(SQL_BOOLEAN, 0, 0), "1"));
	CHECK(refused(type_of(SQL_DATE, 0, 0), "2026-02-29"));
	CHECK(refused(type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06"));
	CHECK(refused(type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06 24:00:00"));
	CHECK(refused(type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06 09:00:00Z"));
	CHECK(refused(type_of(SQL_TIMESTAMP, 3, 0), "2026-07-06 09:00:00.0000000001"));
	CHECK(refused(type_of(SQL_INTERVAL_DAY, 0, 0), "++1 00:00:00"));
	CHECK(refused(type_of(SQL_INTERVAL_MONTH, 0, 0), "+1-12"));
	CHECK(refused(type_of(SQL_VARBINARY, 9, 0), "x'0g'"));
	CHECK(refused(type_of(SQL_VARBINARY, 9, 0), "x'"));
	CHECK(refused(type_of(SQL_NULL, 0, 0), "NULL"));
}

TEST(no_beginning_of_a_value_reads_outside_it)
{
	static const char timestamp[] = "2026-07-06 09:00:00.123456789";
	struct sql_type type = type_of(SQL_TIMESTAMP, 9, 0);
	struct value value;

	for (size_t len = 0; len < sizeof(timestamp) - 1; len++) {
		bool whole = len == 16 || len == 19 || len > 20;

		CHECK((value_parse((struct text){timestamp, len}, &type, &value) == 0) == whole);
	}
}

TEST(order_goes_by_type_with_null_lowest)
{
	struct sql_type bigint = type_of(SQL_BIGINT, 0, 0), dbl = type_of(SQL_DOUBLE, 0, 0);
	struct sql_type string = type_of(SQL_VARCHAR, 9, 0), decimal = type_of(SQL_DECIMAL, 38, 0);
	struct value null = {.null = true}, two = {.i = 2}, ten = {.i = 10};
	struct value nan = {.f = NAN}, inf = {.f = INFINITY};
	struct value text_two = {.s = TEXT("2")}, text_ten = {.s = TEXT("10")};
	struct value small = {.dec = 1}, large = {.dec = (int128)INT64_MAX * 1000};

	CHECK(value_cmp(&bigint, &two, &ten) < 0 && value_cmp(&bigint, &ten, &two) > 0);
	CHECK(value_cmp(&bigint, &null, &two) < 0 && value_cmp(&bigint, &two, &null) > 0);
	CHECK(value_cmp(&bigint, &null, &null) == 0);
	CHECK(value_cmp(&string, &text_two, &text_ten) > 0);
	CHECK(value_cmp(&dbl, &nan, &inf) > 0 && value_cmp(&dbl, &nan, &nan) == 0);
	CHECK(value_cmp(&decimal, &small, &large) < 0);
}

TEST(types_have_the_names_that_describe_shows)
{
	/* recorded: format/stmt_describe_types */
	struct sql_type rowtime = type_of(SQL_TIMESTAMP_LTZ, 3, 0), proctime = rowtime;
	struct sql_type decimal = type_of(SQL_DECIMAL, 10, 2), time = type_of(SQL_TIME, 0, 0);
	struct sql_type string = type_of(SQL_VARCHAR, SQL_MAX_LENGTH, 0);
	struct sql_type bytes = type_of(SQL_VARBINARY, SQL_MAX_LENGTH, 0);
	struct sql_type varchar = type_of(SQL_VARCHAR, 10, 0), fixed = type_of(SQL_CHAR, 3, 0);
	struct sql_type other = {.kind = SQL_OTHER, .spelled = TEXT("MAP<STRING, INT>")};

	rowtime.attribute = TIME_ROWTIME;
	proctime.attribute = TIME_PROCTIME;
	CHECK(text_eq(sql_type_print(&arena, &rowtime), TEXT("TIMESTAMP_LTZ(3) *ROWTIME*")));
	CHECK(text_eq(sql_type_print(&arena, &proctime), TEXT("TIMESTAMP_LTZ(3) *PROCTIME*")));
	CHECK(text_eq(sql_type_print(&arena, &decimal), TEXT("DECIMAL(10, 2)")));
	CHECK(text_eq(sql_type_print(&arena, &time), TEXT("TIME(0)")));
	CHECK(text_eq(sql_type_print(&arena, &string), TEXT("STRING")));
	CHECK(text_eq(sql_type_print(&arena, &bytes), TEXT("BYTES")));
	CHECK(text_eq(sql_type_print(&arena, &varchar), TEXT("VARCHAR(10)")));
	CHECK(text_eq(sql_type_print(&arena, &fixed), TEXT("CHAR(3)")));
	CHECK(text_eq(sql_type_print(&arena, &other), TEXT("MAP<STRING, INT>")));
}

TEST(a_column_is_found_by_its_exact_name)
{
	struct column columns[] = {{.name = TEXT("cnt")}, {.name = TEXT("CNT")}};
	struct table table = {.columns = columns, .column_count = 2};

	CHECK(table_column(&table, TEXT("CNT")) == 1);
	CHECK(table_column(&table, TEXT("Cnt")) == 2);
	CHECK(text_eq(row_op_text(OP_UPDATE_BEFORE), TEXT("-U")));
	CHECK(text_eq(row_op_text(OP_DELETE), TEXT("-D")));
}

int main(void)
{
	arena_init(&arena, 1 << 20);
	RUN(prints_what_the_client_printed_for_numbers);
	RUN(doubles_print_as_in_java);
	RUN(prints_what_the_client_printed_for_times);
	RUN(digits_are_those_of_printf);
	RUN(one_value_has_many_spellings);
	RUN(rubbish_is_refused);
	RUN(no_beginning_of_a_value_reads_outside_it);
	RUN(order_goes_by_type_with_null_lowest);
	RUN(types_have_the_names_that_describe_shows);
	RUN(a_column_is_found_by_its_exact_name);
	arena_finish(&arena);
	return test_finish();
}

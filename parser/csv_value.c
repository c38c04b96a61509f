/* CSV fields as values: Flink's csv format over the reading of Java's number and time classes.
 * Integers and timestamps in their usual form, which a large file is full of, are tried first in a
 * short way; whatever that does not take goes the long one. Nothing is allocated.
 * Recorded: semantics/errors_csv_*, semantics/edge_csv_*, semantics/types_stream. */
#include "parser/csv_value.h"

#include <errno.h>
#include <inttypes.h>

#include "parser/arena.h"
#include "parser/csv_bytes.h"
#include "parser/csv_number.h"
#include "parser/csv_time.h"
#include "parser/encoding.h"

#define JACKSON "org.apache.flink.shaded.jackson2.com.fasterxml.jackson."

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
	case SQL_BINARY:
	case SQL_VARBINARY:
	case SQL_DATE:
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return true;
	case SQL_TIME: return type->precision <= CSV_TIME_DIGITS;
	default: return false;
	}
}

static int read_trimmed(struct text text, const struct sql_type *type, struct value *ret)
{
	switch (type->kind) {
	case SQL_BOOLEAN: return ret->i = text_ieq(text, TEXT("true")), 0;
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT: return csv_integer(text, type, ret);
	case SQL_FLOAT: return csv_double(text, true, ret);
	case SQL_DOUBLE: return csv_double(text, false, ret);
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return csv_timestamp(text, type, ret);
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

static bool read_plain(struct text field, enum sql_kind kind, int64_t *ret)
{
	switch (kind) {
	case SQL_INT: return read_plain_integer(field, INT32_MAX, ret);
	case SQL_BIGINT: return read_plain_integer(field, INT64_MAX, ret);
	case SQL_TIMESTAMP: return csv_plain_timestamp(field, ret);
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
	switch (type->kind) {
	case SQL_DECIMAL: r = csv_decimal(field, type, &value); break;
	case SQL_DATE: r = csv_date(field, &value.i); break;
	case SQL_TIME: r = csv_time(field, type->precision, &value.i); break;
	default: r = read_trimmed(text_trim(field), type, &value);
	}
	if (r == 0)
		*ret = value;
	return r;
}

struct text csv_value_error(struct arena *arena, struct text field, const struct sql_type *type)
{
	switch (type->kind) {
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT: return csv_integer_error(arena, text_trim(field), type);
	case SQL_FLOAT:
	case SQL_DOUBLE: return csv_double_error(arena, text_trim(field));
	case SQL_DECIMAL: return csv_decimal_error(arena, field);
	case SQL_DATE: return csv_date_error(arena, field);
	case SQL_TIME: return csv_time_error(arena, field);
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return csv_timestamp_error(arena, text_trim(field), type);
	case SQL_BINARY:
	case SQL_VARBINARY: return csv_bytes_error(arena, field);
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

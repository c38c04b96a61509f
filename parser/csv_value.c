/* CSV fields as values: Flink's csv format over the reading of Java's number and time classes.
 * Nothing is allocated. Fields in their usual form have a shorter way, csv_quick.h.
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

int csv_value(struct text field, const struct sql_type *type, struct value *ret)
{
	struct value value = {0};
	int r;

	if (type->kind == SQL_CHAR || type->kind == SQL_VARCHAR) {
		*ret = (struct value){.s = field};
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

bool csv_extra_blank(const struct csv_record *record, size_t expected)
{
	return record->count == expected + 1 && !text_trim(record->fields[expected].text).len;
}

struct text csv_many_error(struct arena *arena, const struct csv_reader *reader,
	const struct csv_record *record, size_t expected)
{
	struct text first = text_trim(record->fields[expected].text);
	struct csv_place place = csv_reader_field(reader, expected + !first.len);

	return text_format(arena,
		JACKSON "dataformat.csv.CsvReadException: Too many entries: expected at most %zu "
			"(value #%zu (%zu chars) \"%.*s\")\n"
			" at [Source: UNKNOWN; line: %" PRId64 ", column: %" PRId64 "]",
		expected, expected, utf16_units(first), TEXT_ARG(first), place.line, place.col);
}

struct text csv_behind_quote_error(
	struct arena *arena, const struct csv_reader *reader, char delimiter)
{
	char c;
	struct csv_place place = csv_reader_behind_quote(reader, &c);

	if ((unsigned char)c >= 0x80 || delimiter < ' ')
		return TEXT("");
	return text_format(arena,
		JACKSON "core.JsonParseException: Unexpected character ('%c' (code %d)): Expected "
			"column separator character ('%c' (code %d)) or end-of-line\n"
			" at [Source: UNKNOWN; line: %" PRId64 ", column: %" PRId64 "]",
		c, c, delimiter, delimiter, place.line, place.col);
}

struct text csv_open_quote_error(struct arena *arena, const struct csv_reader *reader)
{
	struct csv_place place = csv_reader_end(reader);

	return text_format(arena,
		JACKSON "core.JsonParseException: Missing closing quote for value\n"
			" at [Source: UNKNOWN; line: %" PRId64 ", column: %" PRId64 "]",
		place.line, place.col);
}

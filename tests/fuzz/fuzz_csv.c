/* Any bytes as a CSV file, in pieces of every size, and each field as every type. The first byte
 * says how it is read: the delimiter, whether comments are skipped. */
#include <errno.h>

#include "parser/arena.h"
#include "parser/csv_value.h"
#include "parser/limits.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY (64u << 20)

/* So many sizes of pieces are tried for one input. */
#define SIZES 8

static const struct sql_type types[] = {
	{.kind = SQL_BOOLEAN},
	{.kind = SQL_TINYINT},
	{.kind = SQL_SMALLINT},
	{.kind = SQL_INT},
	{.kind = SQL_BIGINT},
	{.kind = SQL_DECIMAL, .precision = 10, .scale = 2},
	{.kind = SQL_DECIMAL, .precision = 38, .scale = 18},
	{.kind = SQL_FLOAT},
	{.kind = SQL_DOUBLE},
	{.kind = SQL_CHAR, .precision = 3},
	{.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH},
	{.kind = SQL_VARBINARY, .precision = SQL_MAX_LENGTH},
	{.kind = SQL_DATE},
	{.kind = SQL_TIME},
	{.kind = SQL_TIME, .precision = 3},
	{.kind = SQL_TIMESTAMP, .precision = 3},
	{.kind = SQL_TIMESTAMP, .precision = 9},
	{.kind = SQL_TIMESTAMP_LTZ, .precision = 3},
};

#define TYPES (sizeof(types) / sizeof(types[0]))

struct reading {
	struct arena arena;
	struct csv_reader *reader;
	bool typed; /* read fields as values, too */
	uint64_t hash;
	int64_t records, last_line;
};

static void mix(struct reading *reading, uint64_t number)
{
	reading->hash = (reading->hash ^ number) * UINT64_C(1099511628211);
}

static void mix_text(struct reading *reading, struct text text)
{
	mix(reading, text.len);
	for (size_t i = 0; i < text.len; i++)
		mix(reading, (unsigned char)text.ptr[i]);
}

/* What is read prints, and what prints as a number reads as the same. */
static void read_as(struct reading *reading, struct text field, const struct sql_type *type)
{
	struct value value, again;
	struct text printed;

	if (!csv_type_known(type))
		return;
	if (csv_value(field, type, &value) < 0) {
		csv_value_error(&reading->arena, field, type);
		return;
	}
	printed = value_print(&reading->arena, type, &value);
	MUST(printed.ptr);
	if (!value.null && type->kind >= SQL_BOOLEAN && type->kind <= SQL_DECIMAL) {
		MUST(csv_value(printed, type, &again) == 0);
		MUST(value_cmp(type, &value, &again) == 0);
	}
}

static int take(void *ctx, const struct csv_record *record)
{
	struct reading *reading = ctx;
	size_t kept = record->count < LIMIT_COLUMNS ? record->count : LIMIT_COLUMNS;

	MUST(record->count > 0 && record->line > reading->last_line);
	reading->last_line = record->line;
	reading->records++;
	mix(reading, (uint64_t)record->line);
	mix(reading, record->count);
	for (size_t i = 0; i < kept; i++) {
		struct csv_place place = csv_reader_field(reading->reader, i);

		MUST(place.line >= record->line && place.col > 0);
		mix(reading, (uint64_t)place.line);
		mix(reading, (uint64_t)place.col);
		mix(reading, record->fields[i].quoted);
		mix_text(reading, record->fields[i].text);
		for (size_t type = 0; reading->typed && type < TYPES; type++)
			read_as(reading, record->fields[i].text, &types[type]);
	}
	if (reading->typed)
		csv_many_error(&reading->arena, reading->reader, record, record->count - 1);
	return 0;
}

/* Reads all in pieces of this size; what came of it is in *reading. */
static int read_pieces(struct text bytes, struct csv_options options, size_t piece, bool typed,
	struct reading *reading)
{
	int err;

	*reading = (struct reading){.typed = typed};
	arena_init(&reading->arena, MEMORY);
	options.record = take;
	options.ctx = reading;
	err = csv_reader_new(&reading->arena, &options, &reading->reader);
	for (size_t at = 0; err == 0 && at < bytes.len; at += piece) {
		struct text part = text_slice(bytes, at, at + piece);
		char *copy = fuzz_copy(part);

		err = csv_reader_push(reading->reader, (struct text){copy, part.len});
		free(copy);
	}
	if (err == 0)
		err = csv_reader_finish(reading->reader);
	if (err == -EINVAL)
		csv_open_quote_error(&reading->arena, reading->reader);
	csv_reader_free(reading->reader);
	arena_finish(&reading->arena);
	return err;
}

void fuzz(struct text input)
{
	static const char delimiters[] = ",;|\t";
	struct text bytes = text_slice(input, 1, input.len);
	struct csv_options options = {.delimiter = ',', .quote = '"'};
	struct reading whole, pieces;
	int err;

	if (input.len) {
		options.delimiter = delimiters[input.ptr[0] & 3];
		options.comments = input.ptr[0] & 4;
	}
	err = read_pieces(bytes, options, bytes.len + 1, true, &whole);
	MUST(err == 0 || err == -EINVAL || err == -EILSEQ || err == -ENOTSUP || err == -E2BIG ||
		err == -ENOMEM);
	for (size_t i = 1; i <= SIZES && i < bytes.len; i++) {
		MUST(read_pieces(bytes, options, i, false, &pieces) == err);
		MUST(pieces.hash == whole.hash && pieces.records == whole.records);
	}
}

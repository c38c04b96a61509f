/* parser/csv.c and csv_value.c: libcsv's traps one by one, each at every chunk size, and the errors
 * that Flink printed for the recorded fixtures. */
#include "parser/csv_value.h"

#include <errno.h>
#include <stdlib.h>

#include "parser/arena.h"
#include "parser/csv_quick.h"
#include "parser/limits.h"
#include "tests/test.h"

#define FIXTURES "tests/recorded/root/opt/lab/fixtures/data/semtest/"
#define MEMORY	 (64u << 20)

/* Writes records as "line:[field][field]", quoted fields in <>. */
struct notes {
	char text[4096];
	size_t len;
	int stop_after, records;
};

static int note_record(void *ctx, const struct csv_record *record)
{
	struct notes *notes = ctx;

	notes->len += (size_t)snprintf(notes->text + notes->len, sizeof(notes->text) - notes->len,
		"%d:", (int)record->line);
	for (size_t i = 0; i < record->count && i < LIMIT_COLUMNS; i++)
		notes->len +=
			(size_t)snprintf(notes->text + notes->len, sizeof(notes->text) - notes->len,
				record->fields[i].quoted ? "<%.*s>" : "[%.*s]",
				TEXT_ARG(record->fields[i].text));
	return ++notes->records == notes->stop_after ? -ECANCELED : 0;
}

static int read_in_chunks(
	struct text bytes, size_t chunk, struct csv_options options, struct csv_place *end)
{
	struct arena arena;
	struct csv_reader *reader = NULL;
	int r;

	arena_init(&arena, MEMORY);
	r = csv_reader_new(&arena, &options, &reader);
	for (size_t at = 0; r == 0 && at < bytes.len; at += chunk) {
		struct text piece = text_slice(bytes, at, at + chunk);
		/* a copy of its own, so that reading beyond the piece is seen */
		char *copy = malloc(piece.len);

		memcpy(copy, piece.ptr, piece.len);
		r = csv_reader_push(reader, (struct text){copy, piece.len});
		free(copy);
	}
	if (r == 0)
		r = csv_reader_finish(reader);
	if (end && reader)
		*end = csv_reader_end(reader);
	csv_reader_free(reader);
	arena_finish(&arena);
	return r;
}

static bool gives_with(
	struct csv_options options, struct text bytes, int result, const char *records)
{
	for (size_t chunk = 1; chunk <= bytes.len + 1; chunk++) {
		struct notes notes = {0};
		int r;

		options.record = note_record;
		options.ctx = &notes;
		r = read_in_chunks(bytes, chunk, options, NULL);
		if (r != result || strcmp(notes.text, records) != 0) {
			printf("# chunks of %zu: %d %s\n", chunk, r, notes.text);
			return false;
		}
	}
	return true;
}

static bool gives(struct text bytes, int result, const char *records)
{
	return gives_with(
		(struct csv_options){.delimiter = ',', .quote = '"'}, bytes, result, records);
}

TEST(fields_keep_their_blanks)
{
	CHECK(gives(TEXT("a, b ,c\t\n d\n"), 0, "1:[a][ b ][c\t]2:[ d]"));
}

TEST(the_last_newline_is_optional)
{
	CHECK(gives(TEXT("a,b\nc,d"), 0, "1:[a][b]2:[c][d]"));
	CHECK(gives(TEXT("a,"), 0, "1:[a][]"));
	CHECK(gives(TEXT("a,\"b\""), 0, "1:[a]<b>"));
	CHECK(gives(TEXT(""), 0, ""));
}

TEST(a_blank_line_is_a_record_of_one_field)
{
	CHECK(gives(TEXT("a,b\n\nc,d\n\n"), 0, "1:[a][b]2:[]3:[c][d]4:[]"));
	CHECK(gives(TEXT("a\r\n\r\nb\r\n"), 0, "1:[a]2:[]3:[b]"));
	CHECK(gives(TEXT("\n\n"), 0, "1:[]2:[]"));
	CHECK(gives(TEXT("a\r\rb"), 0, "1:[a]2:[]3:[b]"));
}

TEST(crlf_ends_one_line)
{
	CHECK(gives(TEXT("a,b\r\n\"c\"\r\nd"), 0, "1:[a][b]2:<c>3:[d]"));
}

TEST(a_bom_is_dropped_and_half_a_bom_is_text)
{
	CHECK(gives(TEXT("\xef\xbb\xbf\"a\",b\n"), 0, "1:<a>[b]"));
	CHECK(gives(TEXT("\xef\xbb"
			 "a,b\n"),
		0,
		"1:[\xef\xbb"
		"a][b]"));
	CHECK(gives(TEXT("\xef\xbb"), 0, "1:[\xef\xbb]"));
	CHECK(gives(TEXT("a,\xef\xbb\xbf\n"), 0, "1:[a][\xef\xbb\xbf]"));
}

TEST(quotes_hold_delimiters_newlines_and_doubled_quotes)
{
	CHECK(gives(TEXT("1,\"a,b\"\n\"say \"\"hi\"\"\",2\n"), 0, "1:[1]<a,b>2:<say \"hi\">[2]"));
	CHECK(gives(TEXT("\"a\nb\r\n\",1\nc\n"), 0, "1:<a\nb\r\n>[1]4:[c]"));
	CHECK(gives(TEXT("\"\",,\"\"\"\"\n"), 0, "1:<>[]<\">"));
}

TEST(a_quote_within_a_field_is_text)
{
	CHECK(gives(TEXT("a\"b,c\"d\"\n \"e\",f\n"), 0, "1:[a\"b][c\"d\"]2:[ \"e\"][f]"));
}

TEST(blanks_behind_a_closing_quote_are_dropped_and_text_is_not)
{
	CHECK(gives(TEXT("\"a\" \t,b\n\"c\" \n"), 0, "1:<a>[b]2:<c>"));
	CHECK(gives(TEXT("x\n\"a\"b,c\n"), -EILSEQ, "1:[x]"));
	CHECK(gives(TEXT("\"a\" \"b\"\n"), -EILSEQ, ""));
}

TEST(an_open_quote_is_an_error_at_the_end)
{
	struct csv_options options = {.delimiter = ',', .quote = '"', .record = note_record};
	struct text bytes = TEXT("a,b\n1,\"b\n\xe4\xb8\xad"
				 "c,");
	struct notes notes = {0};
	struct csv_place end;

	CHECK(gives(bytes, -EINVAL, "1:[a][b]"));
	options.ctx = &notes;
	for (size_t chunk = 1; chunk <= bytes.len; chunk++) {
		CHECK(read_in_chunks(bytes, chunk, options, &end) == -EINVAL);
		CHECK(end.line == 3 && end.col == 4);
	}
	CHECK(read_in_chunks(TEXT("1,\"b"), 1, options, &end) == -EINVAL);
	CHECK(end.line == 1 && end.col == 5);
}

TEST(comments_and_blank_lines_are_skipped_where_allowed)
{
	struct csv_options options = {.delimiter = ',', .quote = '"', .comments = true};

	CHECK(gives_with(options, TEXT("#x\n\na,#b\n  # \"c\r\n\r\n  d\n\"#\n\"\n#"), 0,
		"3:[a][#b]6:[d]7:<#\n>"));
	CHECK(gives(TEXT("#x\na\n"), 0, "1:[#x]2:[a]"));
}

TEST(the_delimiter_may_be_another)
{
	struct csv_options options = {.delimiter = ';', .quote = '\''};

	CHECK(gives_with(options, TEXT("a;'b;c';\"d\"\n"), 0, "1:[a]<b;c>[\"d\"]"));
	options.delimiter = '\t';
	CHECK(gives_with(options, TEXT("a\t'b'\tc\n"), 0, "1:[a]<b>[c]"));
}

TEST(a_callback_can_stop)
{
	struct notes notes = {.stop_after = 2};
	struct csv_options options = {
		.delimiter = ',', .quote = '"', .record = note_record, .ctx = &notes};

	CHECK(read_in_chunks(TEXT("a\nb\nc\nd\n"), 100, options, NULL) == -ECANCELED);
	CHECK(strcmp(notes.text, "1:[a]2:[b]") == 0);
}

static int count_record(void *ctx, const struct csv_record *record)
{
	size_t *widest = ctx;

	if (record->count > *widest)
		*widest = record->count;
	return 0;
}

TEST(a_record_and_its_fields_are_limited)
{
	size_t widest = 0, len = LIMIT_CSV_RECORD + (128u << 10);
	struct csv_options options = {
		.delimiter = ',', .quote = '"', .record = count_record, .ctx = &widest};
	char *big = malloc(len);

	memset(big, 'x', len);
	CHECK(read_in_chunks((struct text){big, len}, 1000, options, NULL) == -E2BIG);
	CHECK(read_in_chunks((struct text){big, LIMIT_CSV_RECORD}, 1000, options, NULL) == 0);
	memset(big, ',', 5000);
	CHECK(read_in_chunks((struct text){big, 5000}, 1000, options, NULL) == 0 && widest == 5001);
	free(big);
}

/* What a query over all of (id BIGINT, k STRING, v INT, ts TIMESTAMP(3)) makes of a file. */
struct reading {
	struct arena arena;
	struct csv_reader *reader;
	struct text error;
	int64_t ids, last_ms;
	char keys[64];
};

static const struct sql_type columns[] = {{.kind = SQL_BIGINT},
	{.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH}, {.kind = SQL_INT},
	{.kind = SQL_TIMESTAMP, .precision = 3}};

static int read_record(void *ctx, const struct csv_record *record)
{
	struct reading *reading = ctx;
	struct value cells[4];

	if (record->count > 4)
		reading->error = csv_many_error(&reading->arena, reading->reader, record, 4);
	else if (record->count < 4)
		reading->error = csv_few_error(&reading->arena, 4, record->count);
	for (size_t i = 0; !reading->error.len && i < 4; i++)
		if (csv_value(record->fields[i].text, &columns[i], &cells[i]) < 0)
			reading->error = csv_value_error(
				&reading->arena, record->fields[i].text, &columns[i]);
	if (reading->error.len)
		return -EINVAL;
	reading->ids += cells[0].i;
	strncat(reading->keys, cells[1].s.ptr, cells[1].s.len);
	reading->last_ms = cells[3].i;
	return 0;
}

static struct text read_whole(struct arena *arena, const char *path)
{
	size_t size = 1 << 20;
	char *bytes = arena_alloc(arena, size);
	FILE *file = fopen(path, "r");
	struct text whole = {bytes, 0};

	if (file) {
		whole.len = fread(bytes, 1, size, file);
		fclose(file);
	}
	return whole;
}

static void read_fixture(const char *name, struct reading *reading)
{
	struct csv_options options = {
		.delimiter = ',', .quote = '"', .record = read_record, .ctx = reading};
	char path[256];
	int r;

	*reading = (struct reading){0};
	arena_init(&reading->arena, MEMORY);
	snprintf(path, sizeof(path), FIXTURES "%s.csv", name);
	CHECK(csv_reader_new(&reading->arena, &options, &reading->reader) == 0);
	r = csv_reader_push(reading->reader, read_whole(&reading->arena, path));
	if (r == 0)
		r = csv_reader_finish(reading->reader);
	if (r == -EINVAL && !reading->error.len)
		reading->error = csv_open_quote_error(&reading->arena, reading->reader);
	csv_reader_free(reading->reader);
}

/* Is the fixture's error the one that this recorded output shows? */
static bool fails_as(const char *fixture, const char *recorded)
{
	struct reading reading;
	struct text out, message;
	char path[256];
	bool same;

	read_fixture(fixture, &reading);
	snprintf(path, sizeof(path), "tests/recorded/semantics/%s.out", recorded);
	out = read_whole(&reading.arena, path);
	message = text_format(&reading.arena, "Reason:\n%.*s\x1b[0m\n", TEXT_ARG(reading.error));
	same = reading.error.len && text_find(out, message) < out.len;
	if (!same)
		printf("# %s: %.*s\n", fixture, TEXT_ARG(message));
	arena_finish(&reading.arena);
	return same;
}

TEST(bad_fixtures_fail_with_flinks_words)
{
	CHECK(fails_as("bad_int", "errors_csv_bad_int_false"));
	CHECK(fails_as("dec_int", "errors_csv_dec_int"));
	CHECK(fails_as("empty_int", "errors_csv_empty_int"));
	CHECK(fails_as("header", "errors_csv_header_first_line"));
	CHECK(fails_as("bad_ts", "errors_csv_bad_ts"));
	CHECK(fails_as("ts_z", "errors_csv_ts_z"));
	CHECK(fails_as("blank_line", "errors_csv_blank_line"));
	CHECK(fails_as("blank_end", "errors_csv_blank_end"));
	CHECK(fails_as("comment", "errors_csv_comment"));
	CHECK(fails_as("few", "errors_csv_few"));
	CHECK(fails_as("many", "errors_csv_many"));
}

/* Messages that Flink gave for these two fixtures, in runs without a file here. */
TEST(open_quotes_and_missing_seconds_fail_with_flinks_words)
{
	struct reading reading;

	read_fixture("badquote", &reading);
	CHECK(text_eq(reading.error, TEXT("org.apache.flink.shaded.jackson2.com.fasterxml.jackson."
					  "core.JsonParseException: "
					  "Missing closing quote for value\n at [Source: UNKNOWN; "
					  "line: 5, column: 1]")));
	arena_finish(&reading.arena);
	read_fixture("no_seconds", &reading);
	CHECK(text_eq(
		reading.error, TEXT("java.time.format.DateTimeParseException: Text '2026-07-06 "
				    "09:01' could not be parsed at index 16")));
	arena_finish(&reading.arena);
}

static bool reads(const char *fixture, int64_t ids, const char *keys)
{
	struct reading reading;
	bool right;

	read_fixture(fixture, &reading);
	right = !reading.error.len && reading.ids == ids && strcmp(reading.keys, keys) == 0;
	arena_finish(&reading.arena);
	return right;
}

TEST(good_fixtures_are_read)
{
	CHECK(reads("ok4", 10, "abab"));
	CHECK(reads("bom", 10, "abab"));
	CHECK(reads("crlf", 10, "abab"));
	CHECK(reads("no_final_nl", 10, "abab"));
	CHECK(reads("empty", 0, ""));
	CHECK(reads("empty_str", 10, "abb"));
	CHECK(reads("quote", 10, "a,bsay \"hi\" c d"));
}

static bool converts(
	enum sql_kind kind, int precision, int scale, const char *field, const char *printed)
{
	struct sql_type type = {.kind = kind, .precision = precision, .scale = scale};
	struct arena arena;
	struct value value;
	bool same = false;

	arena_init(&arena, MEMORY);
	if (csv_value(text_of(field), &type, &value) == 0)
		same = text_eq(value_print(&arena, &type, &value), text_of(printed));
	arena_finish(&arena);
	return same;
}

static bool refuses(enum sql_kind kind, const char *field)
{
	struct sql_type type = {
		.kind = kind, .precision = kind == SQL_DECIMAL ? 10 : 3, .scale = 2};
	struct value value;

	return csv_value(text_of(field), &type, &value) == -EINVAL;
}

TEST(timestamps_are_read_as_in_flink)
{
	/* recorded: semantics/edge_csv_bad_day; the fixture frac.csv */
	CHECK(converts(SQL_TIMESTAMP, 3, 0, "2026-02-30 09:01:05", "2026-02-28 09:01:05.000"));
	CHECK(converts(
		SQL_TIMESTAMP, 3, 0, "2026-07-06 09:00:31.123456", "2026-07-06 09:00:31.123"));
	CHECK(converts(SQL_TIMESTAMP, 3, 0, "2026-07-06 09:01:05.", "2026-07-06 09:01:05.000"));
	CHECK(converts(SQL_TIMESTAMP, 3, 0, " 2026-07-06 09:00:01.5 ", "2026-07-06 09:00:01.500"));
	CHECK(converts(
		SQL_TIMESTAMP, 6, 0, "2026-07-06 09:00:31.123456", "2026-07-06 09:00:31.123456"));
	CHECK(converts(SQL_TIMESTAMP, 3, 0, "1969-12-31 23:59:59.999", "1969-12-31 23:59:59.999"));
	CHECK(converts(SQL_TIMESTAMP_LTZ, 3, 0, "2026-07-06 09:00:01Z", "2026-07-06 09:00:01.000"));
	CHECK(refuses(SQL_TIMESTAMP_LTZ, "2026-07-06 09:00:01"));
	CHECK(refuses(SQL_TIMESTAMP, "2026-07-06 09:00:01Z"));
	CHECK(refuses(SQL_TIMESTAMP, "2026-07-32 09:00:01"));
	CHECK(refuses(SQL_TIMESTAMP, "2026-13-01 09:00:01"));
	CHECK(refuses(SQL_TIMESTAMP, "2026-07-06 25:00:01"));
	CHECK(refuses(SQL_TIMESTAMP, "2026-7-6 09:00:01"));
	CHECK(refuses(SQL_TIMESTAMP, ""));
}

TEST(other_types_are_read_as_in_flink)
{
	/* recorded: semantics/types_stream over alltypes.csv */
	CHECK(converts(SQL_DECIMAL, 10, 2, "-0.005", "-0.01"));
	CHECK(converts(SQL_DECIMAL, 10, 2, "99.999", "100.00"));
	CHECK(converts(
		SQL_DECIMAL, 38, 4, "99999999999999999999.9999", "99999999999999999999.9999"));
	CHECK(converts(SQL_DECIMAL, 10, 2, "1", "1.00"));
	CHECK(converts(SQL_DOUBLE, 0, 0, "1E-320", "1.0E-320"));
	CHECK(converts(SQL_DOUBLE, 0, 0, "1e7", "1.0E7"));
	CHECK(converts(SQL_FLOAT, 0, 0, "3.4028235E38", "3.4028235E38"));
	CHECK(converts(SQL_BOOLEAN, 0, 0, "true", "TRUE") &&
		converts(SQL_BOOLEAN, 0, 0, "TRUE", "TRUE"));
	CHECK(converts(SQL_BOOLEAN, 0, 0, "yes", "FALSE"));
	CHECK(converts(SQL_DATE, 0, 0, "2024-02-29", "2024-02-29"));
	CHECK(converts(SQL_TIME, 0, 0, "10:20:30", "10:20:30"));
	CHECK(converts(SQL_INT, 0, 0, " +40 ", "40"));
	CHECK(converts(SQL_VARCHAR, SQL_MAX_LENGTH, 0, " c ", " c "));
	CHECK(refuses(SQL_INT, "2147483648") && refuses(SQL_TINYINT, "128") &&
		refuses(SQL_INT, "30.5"));
	CHECK(refuses(SQL_DECIMAL, "") && refuses(SQL_DECIMAL, "1,5") && refuses(SQL_DOUBLE, "x"));
	CHECK(refuses(SQL_DATE, "06.07.2026") && refuses(SQL_TIME, "24:00:00"));
}

/* A field as the short way and the long one read it: the short one may only be silent. */
static bool quick_is_right(
	const char *field, size_t len, const struct sql_type *type, struct csv_day *day)
{
	struct text text = {field, len};
	struct value quick = {0}, value = {0};

	if (!csv_quick_value(text, type, day, &quick))
		return true;
	return csv_value(text, type, &value) == 0 && value_cmp(type, &quick, &value) == 0 &&
	       quick.nanos == value.nanos;
}

TEST(the_short_way_reads_what_the_long_one_reads)
{
	static const struct sql_type types[] = {{.kind = SQL_INT}, {.kind = SQL_BIGINT},
		{.kind = SQL_TIMESTAMP, .precision = 3}, {.kind = SQL_TIMESTAMP, .precision = 0},
		{.kind = SQL_TIMESTAMP, .precision = 9},
		{.kind = SQL_TIMESTAMP_LTZ, .precision = 3},
		{.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH},
		{.kind = SQL_VARCHAR, .precision = 5}, {.kind = SQL_DATE}, {.kind = SQL_DOUBLE}};
	static const char *const fields[] = {"2026-07-06 09:00:31", "2024-02-29 23:59:59.999",
		"2147483648", "000000000000000007", "9223372036854775808", "12"};
	static const char bytes[] = "0123456789:-. +Z\0\xff/;";
	struct csv_day days[sizeof(types) / sizeof(*types)] = {0};
	uint64_t state = 1;
	bool right = true;

	for (int i = 0; i < 200000; i++) {
		char field[32] = "";
		const char *from = fields[(state >> 40) % 6];
		size_t len = strlen(from);

		memcpy(field, from, len);
		for (int changes = i % 4; changes; changes--) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			field[(state >> 33) % len] = bytes[(state >> 50) % (sizeof(bytes) - 1)];
		}
		for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++)
			right = right && quick_is_right(field, len - (state >> 60 == 0), &types[t],
						 &days[t]);
	}
	CHECK(right);
}

TEST(usual_fields_are_read_the_short_way)
{
	struct sql_type timestamp = {.kind = SQL_TIMESTAMP, .precision = 3};
	struct csv_day day = {0};
	struct value value;

	CHECK(csv_quick_value(TEXT("2026-07-31 09:00:31"), &timestamp, &day, &value));
	CHECK(csv_quick_value(TEXT("2026-07-31 23:59:59.001"), &timestamp, &day, &value));
	CHECK(!csv_quick_value(TEXT("2026-02-29 09:00:31"), &timestamp, &day, &value));
	CHECK(!csv_quick_value(TEXT("2026-07-31 24:00:00"), &timestamp, &day, &value));
	CHECK(csv_quick_value(TEXT("42"), &(struct sql_type){.kind = SQL_INT}, &day, &value) &&
		value.i == 42);
}

int main(void)
{
	RUN(fields_keep_their_blanks);
	RUN(the_last_newline_is_optional);
	RUN(a_blank_line_is_a_record_of_one_field);
	RUN(crlf_ends_one_line);
	RUN(a_bom_is_dropped_and_half_a_bom_is_text);
	RUN(quotes_hold_delimiters_newlines_and_doubled_quotes);
	RUN(a_quote_within_a_field_is_text);
	RUN(blanks_behind_a_closing_quote_are_dropped_and_text_is_not);
	RUN(an_open_quote_is_an_error_at_the_end);
	RUN(comments_and_blank_lines_are_skipped_where_allowed);
	RUN(the_delimiter_may_be_another);
	RUN(a_callback_can_stop);
	RUN(a_record_and_its_fields_are_limited);
	RUN(bad_fixtures_fail_with_flinks_words);
	RUN(open_quotes_and_missing_seconds_fail_with_flinks_words);
	RUN(good_fixtures_are_read);
	RUN(timestamps_are_read_as_in_flink);
	RUN(other_types_are_read_as_in_flink);
	RUN(the_short_way_reads_what_the_long_one_reads);
	RUN(usual_fields_are_read_the_short_way);
	return test_finish();
}

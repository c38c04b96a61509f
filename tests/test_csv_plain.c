/* parser/csv_plain.c: the short way for plain lines reads what libcsv reads. The same bytes go
 * through both, whole and in pieces; they are made of what a CSV reader could stumble over. */
#include "parser/csv_plain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/limits.h"
#include "tests/test.h"

#define MEMORY (8u << 20)

/* All that a reader says: its records, its places and how it ended. */
struct notes {
	char text[1 << 16];
	size_t len;
	const struct csv_reader *reader;
};

static void note(struct notes *notes, const char *kind, int64_t a, int64_t b)
{
	notes->len += (size_t)snprintf(notes->text + notes->len, sizeof(notes->text) - notes->len,
		"%s%d:%d", kind, (int)a, (int)b);
}

static int note_record(void *ctx, const struct csv_record *record)
{
	struct notes *notes = ctx;

	note(notes, "\nrecord ", record->line, (int64_t)record->count);
	for (size_t i = 0; i < record->count && i < LIMIT_COLUMNS; i++) {
		struct csv_place place = csv_reader_field(notes->reader, i);
		struct text text = record->fields[i].text;

		note(notes, record->fields[i].quoted ? " quoted " : " ", place.line, place.col);
		notes->text[notes->len++] = '[';
		if (text.len)
			memcpy(notes->text + notes->len, text.ptr, text.len);
		notes->len += text.len;
		notes->text[notes->len++] = ']';
	}
	return notes->len > sizeof(notes->text) / 2 ? -ECANCELED : 0;
}

static void read_all(
	struct notes *notes, struct text bytes, size_t chunk, struct csv_options options)
{
	struct arena arena;
	struct csv_reader *reader = NULL;
	int r;

	arena_init(&arena, MEMORY);
	notes->len = 0;
	options.record = note_record;
	options.ctx = notes;
	r = csv_reader_new(&arena, &options, &reader);
	notes->reader = reader;
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
	note(notes, "\nend ", r, 0);
	if (r == 0 || r == -EINVAL)
		note(notes, " ", csv_reader_end(reader).line, csv_reader_end(reader).col);
	csv_reader_free(reader);
	arena_finish(&arena);
}

static bool same_at(struct text bytes, size_t chunk, struct csv_options options)
{
	static struct notes libcsv, both;

	options.libcsv_only = true;
	read_all(&libcsv, bytes, chunk, options);
	options.libcsv_only = false;
	read_all(&both, bytes, chunk, options);
	if (libcsv.len == both.len && memcmp(libcsv.text, both.text, both.len) == 0)
		return true;
	printf("# chunks of %zu, delimiter %d\n# libcsv: %.*s\n# with plain lines: %.*s\n", chunk,
		options.delimiter, (int)libcsv.len, libcsv.text, (int)both.len, both.text);
	return false;
}

static const struct csv_options usual = {.delimiter = ',', .quote = '"'};

static bool same_in_all_chunks(struct text bytes, struct csv_options options)
{
	for (size_t chunk = 1; chunk <= bytes.len + 1; chunk++)
		if (!same_at(bytes, chunk, options))
			return false;
	return true;
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Bytes of which `hostile` in a hundred are not a letter. */
static struct text random_bytes(uint64_t *state, char *buf, size_t len, unsigned hostile)
{
	static const char marks[] = ",,,\n\n\r\"; \t#'\\\0\x80\xff\xef\xbb\xbf";

	for (size_t i = 0; i < len; i++)
		buf[i] = next_random(state) % 100 < hostile
				 ? marks[next_random(state) % (sizeof(marks) - 1)]
				 : (char)('a' + next_random(state) % 26);
	return (struct text){buf, len};
}

TEST(short_bytes_are_read_alike_at_every_boundary)
{
	uint64_t state = 1;
	char buf[100];

	for (int i = 0; i < 1500; i++) {
		size_t len = next_random(&state) % sizeof(buf);
		struct text bytes = random_bytes(&state, buf, len, 10 + next_random(&state) % 90);

		if (!same_in_all_chunks(bytes, usual)) {
			CHECK(!"alike");
			return;
		}
	}
	CHECK(true);
}

TEST(blocks_are_read_alike_wherever_their_marks_stand)
{
	char buf[200];
	bool same = true;

	for (size_t at = 0; at < 140; at++)
		for (const char *mark = ",\n\r\""; *mark; mark++) {
			memset(buf, 'x', sizeof(buf));
			buf[130] = buf[190] = '\n';
			buf[at] = *mark;
			same = same && same_at((struct text){buf, sizeof(buf)}, 200, usual) &&
			       same_at((struct text){buf, sizeof(buf)}, at + 1, usual);
		}
	CHECK(same);
}

TEST(long_bytes_are_read_alike)
{
	uint64_t state = 2;
	char buf[3000];
	bool same = true;

	for (int i = 0; i < 600; i++) {
		struct text bytes = random_bytes(
			&state, buf, sizeof(buf), i % 2 ? 3 : 1 + next_random(&state) % 60);

		same = same && same_at(bytes, 1 + next_random(&state) % sizeof(buf), usual) &&
		       same_at(bytes, bytes.len, usual);
	}
	CHECK(same);
}

TEST(any_delimiter_and_quote_are_read_alike)
{
	static const char marks[] = ",;\t'\"\n\r a\0\x80\xff";
	uint64_t state = 3;
	char buf[300];
	bool same = true;

	for (size_t d = 0; d < sizeof(marks) - 1; d++)
		for (size_t q = 0; q < sizeof(marks) - 1; q++)
			for (int i = 0; i < 8; i++) {
				struct csv_options options = {.delimiter = marks[d],
					.quote = marks[q],
					.comments = i % 4 == 0};
				struct text bytes = random_bytes(
					&state, buf, sizeof(buf), 10 + 10 * (unsigned)i);

				same = same &&
				       same_at(bytes, 1 + next_random(&state) % 300, options);
			}
	CHECK(same);
}

static int count_fields(void *ctx, const struct csv_record *record)
{
	*(size_t *)ctx = record->count;
	return 0;
}

TEST(fields_beyond_the_limit_are_counted)
{
	struct arena arena;
	struct csv_reader *reader;
	size_t count = 0;
	struct csv_options options = usual;
	char line[LIMIT_COLUMNS * 3];

	arena_init(&arena, MEMORY);
	options.record = count_fields;
	options.ctx = &count;
	memset(line, ',', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	CHECK(csv_reader_new(&arena, &options, &reader) == 0);
	CHECK(csv_reader_push(reader, (struct text){line, sizeof(line)}) == 0);
	CHECK(count == sizeof(line));
	csv_reader_free(reader);
	arena_finish(&arena);
}

int main(void)
{
	RUN(short_bytes_are_read_alike_at_every_boundary);
	RUN(blocks_are_read_alike_wherever_their_marks_stand);
	RUN(long_bytes_are_read_alike);
	RUN(any_delimiter_and_quote_are_read_alike);
	RUN(fields_beyond_the_limit_are_counted);
	return test_finish();
}

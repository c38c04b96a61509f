/* Plain lines: delimiters and line ends are found 64 bytes at a time instead of byte by byte.
 * Nearly all lines of nearly all files are plain. A line is not plain if it holds a quote,
 * wherever it stands, or a CR that no LF follows. tests/test_csv_plain.c compares with libcsv on
 * hostile bytes. */
#include "parser/csv_plain.h"

#include <string.h>

#include "parser/limits.h"

#define BLOCK 64

/* A walk over the bytes that end something. */
struct walk {
	char delimiter, quote;
	const char *block, *end; /* the block at hand; the end of the bytes */
	uint64_t marks;		 /* a bit for each such byte of the block that is not yet passed */
};

static bool ends_lines(char c)
{
	return c == '\n' || c == '\r';
}

bool csv_plain_possible(const struct csv_options *options)
{
	return !options->libcsv_only && !options->comments && !ends_lines(options->delimiter) &&
	       !ends_lines(options->quote) && options->delimiter != options->quote;
}

/* The marks of 16 bytes, the first byte's lowest. The compiler makes vector instructions of it. */
static uint64_t mark_16(const struct walk *walk, const char *at)
{
	__attribute__((vector_size(16))) signed char bytes;
	const __attribute__((vector_size(16))) signed char bits = {
		1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128};
	uint64_t halves[2];

	memcpy(&bytes, at, sizeof(bytes));
	bytes = ((bytes == (signed char)walk->delimiter) | (bytes == (signed char)walk->quote) |
			(bytes == '\n') | (bytes == '\r')) &
		bits;
	memcpy(halves, &bytes, sizeof(halves));
	/* the highest byte of a product is the sum of all eight */
	return halves[0] * 0x0101010101010101u >> 56 | (halves[1] * 0x0101010101010101u >> 56) << 8;
}

static uint64_t mark_block(const struct walk *walk, const char *at)
{
	return mark_16(walk, at) | mark_16(walk, at + 16) << 16 | mark_16(walk, at + 32) << 32 |
	       mark_16(walk, at + 48) << 48;
}

/* The last block lacks bytes. */
static __attribute__((noinline)) uint64_t mark_last(const struct walk *walk, size_t len)
{
	char bytes[BLOCK] = {0};

	memcpy(bytes, walk->block, len);
	return mark_block(walk, bytes) & ((UINT64_C(1) << len) - 1);
}

/* Passes the next mark. NULL: there is none. */
static inline const char *next_mark(struct walk *walk)
{
	const char *at;

	while (!walk->marks) {
		size_t left = (size_t)(walk->end - walk->block);

		if (left <= BLOCK)
			return NULL;
		walk->block += BLOCK;
		left -= BLOCK;
		walk->marks = left < BLOCK ? mark_last(walk, left) : mark_block(walk, walk->block);
	}
	at = walk->block + __builtin_ctzll(walk->marks);
	walk->marks &= walk->marks - 1;
	return at;
}

static struct walk begin(const struct csv_options *options, struct text bytes)
{
	struct walk walk = {.delimiter = options->delimiter,
		.quote = options->quote,
		.block = bytes.ptr,
		.end = bytes.ptr + bytes.len};

	walk.marks = bytes.len < BLOCK ? mark_last(&walk, bytes.len) : mark_block(&walk, bytes.ptr);
	return walk;
}

int csv_plain_read(const struct csv_options *options, struct text bytes, struct csv_record *record,
	struct csv_field *fields, size_t *done)
{
	struct walk walk = begin(options, bytes);
	const char *start = bytes.ptr, *at;
	size_t count = 0;
	int err = 0;

	*done = 0;
	while ((at = next_mark(&walk))) {
		bool newline = *at == '\n';

		if (*at == '\r' && at + 1 < walk.end && at[1] == '\n')
			continue;
		if (!newline && *at != walk.delimiter)
			break;
		if (count <= LIMIT_COLUMNS) {
			const char *end = at - (newline && at > start && at[-1] == '\r');

			fields[count] = (struct csv_field){{start, (size_t)(end - start)}, false};
		}
		count++;
		start = at + 1;
		if (!newline)
			continue;
		record->count = count;
		err = options->record(options->ctx, record);
		if (err < 0)
			break;
		record->line++;
		*done = (size_t)(start - bytes.ptr);
		count = 0;
	}
	return err;
}

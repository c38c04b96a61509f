/* UTF-8 as Jackson's CSV parser decodes it: it looks at the first byte and at the two high bits
 * of those that follow, so that overlong forms, surrogates and code points beyond Unicode's pass.
 * What they then are in Flink is not simulated. Its byte numbers are one too low, and those of
 * the end are not. Recorded: more_sim/csv_utf8_start, more_sim/csv_utf8_middle,
 * more_sim/csv_utf8_end, more_sim/csv_utf8_before, more_sim/csv_utf8_bom. */
#include "parser/csv_utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/encoding.h"

#define BLOCK 64

/* No character to Jackson. */
#define BOM TEXT("\xef\xbb\xbf")

static bool is_ascii_block(const char *at)
{
	uint64_t words[BLOCK / sizeof(uint64_t)], all = 0;

	memcpy(words, at, sizeof(words));
	for (size_t i = 0; i < BLOCK / sizeof(uint64_t); i++)
		all |= words[i];
	return (all & 0x8080808080808080u) == 0;
}

static size_t ascii_length(struct text bytes)
{
	size_t len = 0;

	while (bytes.len - len >= BLOCK && is_ascii_block(bytes.ptr + len))
		len += BLOCK;
	while (len < bytes.len && (unsigned char)bytes.ptr[len] < 0x80)
		len++;
	return len;
}

/* The size that a first byte announces; 0: it is none. */
static int size_of(char first)
{
	unsigned char c = (unsigned char)first;

	if (c < 0xc0 || c >= 0xf8)
		return 0;
	return c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* Which byte of the character at `bytes` is not one that follows; 0: none. */
static size_t bad_middle(struct text bytes, int size)
{
	for (size_t i = 1; i < (size_t)size && i < bytes.len; i++)
		if (((unsigned char)bytes.ptr[i] & 0xc0) != 0x80)
			return i;
	return 0;
}

/* 1: passed; 0: it is not complete; -errno as csv_utf8_check(). */
static int check_wide(struct csv_utf8 *utf8, struct text bytes)
{
	int size = size_of(bytes.ptr[0]);

	if (!size)
		return -EILSEQ;
	if (bytes.len < (size_t)size)
		return 0;
	if (bad_middle(bytes, size))
		return -EILSEQ;
	if (utf8_length(bytes) != (size_t)size)
		return -ENOTSUP;
	utf8->units += size == 4 ? 2 : 1;
	utf8->offset += size;
	return 1;
}

/* UTF-16 is known by its BOM or by a zero among the first two bytes. */
static bool is_utf16(struct text bytes)
{
	return bytes.len >= 2 &&
	       (!bytes.ptr[0] || !bytes.ptr[1] || text_starts(bytes, TEXT("\xff\xfe")) ||
		       text_starts(bytes, TEXT("\xfe\xff")));
}

int csv_utf8_check(struct csv_utf8 *utf8, struct text bytes)
{
	size_t len;
	int r = 1;

	if (!utf8->offset && is_utf16(bytes))
		return -ENOTSUP;
	if (!utf8->offset && text_starts(bytes, BOM)) {
		utf8->offset = (int64_t)BOM.len;
		bytes = text_slice(bytes, BOM.len, bytes.len);
	}
	while (r > 0 && bytes.len) {
		len = ascii_length(bytes);
		utf8->units += (int64_t)len;
		utf8->offset += (int64_t)len;
		bytes = text_slice(bytes, len, bytes.len);
		if (!bytes.len)
			break;
		r = check_wide(utf8, bytes);
		if (r > 0)
			bytes = text_slice(bytes, (size_t)size_of(bytes.ptr[0]), bytes.len);
	}
	return r < 0 ? r : 0;
}

#define CONVERSION "java.io.CharConversionException: "

struct text csv_utf8_error(struct arena *arena, const struct csv_utf8 *utf8, struct text bytes)
{
	int size = size_of(bytes.ptr[0]);
	size_t middle = bad_middle(bytes, size);

	if (size && bytes.len < (size_t)size)
		return text_format(arena,
			CONVERSION "Unexpected EOF in the middle of a multi-byte UTF-8 character: "
				   "got %zu, needed %d, at char #%" PRId64 ", byte #%" PRId64 ")",
			bytes.len, size, utf8->units, utf8->offset + (int64_t)bytes.len);
	return text_format(arena,
		CONVERSION "Invalid UTF-8 %s byte 0x%x (at char #%" PRId64 ", byte #%" PRId64
			   "): check content encoding, does not look like UTF-8",
		size ? "middle" : "start", (unsigned char)bytes.ptr[middle], utf8->units + 1,
		utf8->offset + (int64_t)middle - 1);
}

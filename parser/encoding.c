/* Encodings: a saved file becomes UTF-8 before anybody looks at its lines. Editors add a BOM, and
 * PowerShell's ">" writes UTF-16. Other bytes stay as they are, since the client prints whatever
 * its locale asks for (recorded: format/locale_csv_ja_jp_eucjp); readers treat a bad byte as one
 * column. */
#include "parser/encoding.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"

#define REPLACEMENT 0xfffd

/* Bytes from the start that decide whether a file without a BOM is UTF-16. */
#define UTF16_SAMPLE 4096

static unsigned char byte_at(struct text t, size_t i)
{
	return (unsigned char)t.ptr[i];
}

static bool is_tail(struct text t, size_t i)
{
	return i < t.len && (byte_at(t, i) & 0xc0) == 0x80;
}

size_t utf8_length(struct text t)
{
	unsigned char first, second;

	if (t.len == 0)
		return 0;
	first = byte_at(t, 0);
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4 || !is_tail(t, 1))
		return 0;
	second = byte_at(t, 1);
	if (first < 0xe0)
		return 2;
	if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || !is_tail(t, 2))
		return 0;
	if (first < 0xf0)
		return 3;
	if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f) || !is_tail(t, 3))
		return 0;
	return 4;
}

uint32_t utf8_decode(struct text t, size_t *len)
{
	static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	size_t n = utf8_length(t);
	uint32_t c;

	*len = n ? n : 1;
	if (n == 0)
		return REPLACEMENT;
	c = byte_at(t, 0) & lead_mask[n];
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (byte_at(t, i) & 0x3f);
	return c;
}

/* The length of the ASCII at t's start, in steps of a word. */
static size_t ascii_words(struct text t)
{
	size_t i = 0;
	uint64_t word;

	for (; i + sizeof(word) <= t.len; i += sizeof(word)) {
		memcpy(&word, t.ptr + i, sizeof(word));
		if (word & UINT64_C(0x8080808080808080))
			break;
	}
	return i;
}

bool utf8_valid(struct text t)
{
	size_t n;

	for (size_t i = ascii_words(t); i < t.len; i += n) {
		n = byte_at(t, i) < 0x80 ? 1 : utf8_length(text_slice(t, i, t.len));
		if (n == 0)
			return false;
	}
	return true;
}

size_t utf8_encode(uint32_t c, char *out)
{
	if (c >= 0xd800 && c <= 0xdfff)
		c = REPLACEMENT;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static uint32_t utf16_unit(struct text t, size_t i, bool big)
{
	uint32_t first = byte_at(t, i), second = byte_at(t, i + 1);

	return big ? first << 8 | second : second << 8 | first;
}

/* Converts UTF-16 without a BOM. A half unit at the end is a cut file: U+FFFD. */
static int utf16_decode(
	struct arena *arena, struct text t, bool big, struct text *ret, struct diag *reterr)
{
	char *out = arena_array(arena, t.len / 2 + 1, 3);
	size_t len = 0;

	if (!out)
		return diag_nomem(reterr);
	for (size_t i = 0; i < t.len; i += 2) {
		uint32_t c = i + 1 < t.len ? utf16_unit(t, i, big) : REPLACEMENT;

		if (c >= 0xd800 && c <= 0xdbff && i + 3 < t.len) {
			uint32_t low = utf16_unit(t, i + 2, big);

			if (low >= 0xdc00 && low <= 0xdfff) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			}
		}
		len += utf8_encode(c, out + len);
	}
	*ret = (struct text){out, len};
	return 0;
}

/* Text without a BOM is UTF-16 where most of one half of the bytes is 0 and the other half is not:
 * SQL and the client's frame are ASCII. */
static bool looks_utf16(struct text t, bool *big)
{
	size_t zeros[2] = {0, 0}, len = t.len < UTF16_SAMPLE ? t.len : UTF16_SAMPLE;

	if (len == 0 || !memchr(t.ptr, '\0', len))
		return false;
	for (size_t i = 0; i < len; i++)
		zeros[i % 2] += t.ptr[i] == '\0';
	*big = zeros[0] > zeros[1];
	return zeros[!*big] > len / 4 && zeros[*big] <= len / 64;
}

int encoding_decode(struct arena *arena, struct text bytes, struct text *ret, unsigned *remarks,
	struct diag *reterr)
{
	unsigned bom = 0;
	bool big = false;
	int err;

	if (text_starts(bytes, TEXT("\xef\xbb\xbf"))) {
		*ret = text_slice(bytes, 3, bytes.len);
		*remarks = ENCODING_BOM;
		return 0;
	}
	if (text_starts(bytes, TEXT("\xff\xfe")) || text_starts(bytes, TEXT("\xfe\xff"))) {
		big = byte_at(bytes, 0) == 0xfe;
		bom = ENCODING_BOM;
		bytes = text_slice(bytes, 2, bytes.len);
	} else if (!looks_utf16(bytes, &big)) {
		*ret = bytes;
		*remarks = 0;
		return 0;
	}
	err = utf16_decode(arena, bytes, big, ret, reterr);
	if (err)
		return err;
	*remarks = bom | ENCODING_UTF16;
	return 0;
}

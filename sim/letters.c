/* Characters: what Java's String.toUpperCase and toLowerCase do to the letters of Europe's usual
 * alphabets; scripts without case stay as they are, and of other letters nothing is known here.
 * Letters whose other form depends on their neighbours or is longer are left out, but for the
 * German sharp s. Recorded: more_sim/scalar_text. */
#include "sim/letters.h"

#include <string.h>

#include "parser/encoding.h"
#include "sim/scratch.h"

#define SHARP_S 0xdf

size_t characters(struct text text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
	return count;
}

/* The byte at which character n begins, or the text's end. */
static size_t byte_of(struct text text, size_t n)
{
	size_t i = 0;

	for (; i < text.len; i++)
		if (((unsigned char)text.ptr[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

struct text characters_slice(struct text text, size_t from, size_t to)
{
	text = text_slice(text, byte_of(text, from), text.len);
	return text_slice(text, 0, to > from ? byte_of(text, to - from) : 0);
}

bool has_surrogates(struct text text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] >= 0xf0)
			return true;
	return false;
}

/* Capitals, and how far behind each its small letter lies. In a paired range capitals and small
 * letters take turns. */
static const struct {
	uint32_t first, last;
	int32_t distance;
	bool paired;
} capitals[] = {
	{0xc0, 0xd6, 32, false},
	{0xd8, 0xde, 32, false},
	{0x100, 0x12f, 1, true},
	{0x132, 0x137, 1, true},
	{0x139, 0x148, 1, true},
	{0x14a, 0x177, 1, true},
	{0x178, 0x178, -121, false},
	{0x179, 0x17e, 1, true},
	{0x386, 0x386, 38, false},
	{0x388, 0x38a, 37, false},
	{0x38c, 0x38c, 64, false},
	{0x38e, 0x38f, 63, false},
	{0x391, 0x3a1, 32, false},
	{0x3a4, 0x3ab, 32, false},
	{0x400, 0x40f, 80, false},
	{0x410, 0x42f, 32, false},
	{0x460, 0x481, 1, true},
	{0x48a, 0x4bf, 1, true},
	{0xff21, 0xff3a, 32, false},
};

/* Characters without case, apart from ASCII. */
static const struct {
	uint32_t first, last;
} caseless[] = {
	{0x80, 0xb4},
	{0xb6, 0xbf},
	{0xd7, 0xd7},
	{0xf7, 0xf7},
	{0x138, 0x138},
	{0x5d0, 0x5ea},
	{0x621, 0x64a},
	{0x900, 0x97f},
	{0xe00, 0xe7f},
	{0x2000, 0x206f},
	{0x20a0, 0x20bf},
	{0x2190, 0x2426},
	{0x2500, 0x2bff},
	{0x3000, 0x318f},
	{0x3400, 0x4dbf},
	{0x4e00, 0x9fff},
	{0xac00, 0xd7a3},
	{0xff01, 0xff20},
	{0xff61, 0xffdc},
	{0x1f300, 0x1faff},
	{0x20000, 0x2fa1f},
};

static bool has_case(uint32_t c)
{
	for (size_t i = 0; i < sizeof(caseless) / sizeof(*caseless); i++)
		if (c >= caseless[i].first && c <= caseless[i].last)
			return false;
	return true;
}

/* The other form of a letter, or itself where it has that form already. False: it is not known. */
static bool change(uint32_t c, bool upper, uint32_t *ret)
{
	*ret = c;
	if (c < 0x80) {
		if (upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z')
			*ret = c ^ 0x20;
		return true;
	}
	for (size_t i = 0; i < sizeof(capitals) / sizeof(*capitals); i++) {
		uint32_t first = capitals[i].first, last = capitals[i].last;
		uint32_t distance = (uint32_t)capitals[i].distance;
		uint32_t capital = upper ? c - distance : c;
		bool small;

		if (capitals[i].paired && c >= first && c <= last) {
			small = (c - first) % 2;
			*ret = small == upper ? c + (upper ? -distance : distance) : c;
			return true;
		}
		if (!capitals[i].paired && capital >= first && capital <= last) {
			*ret = upper ? capital : c + distance;
			return true;
		}
		if (!capitals[i].paired && c - (upper ? 0 : distance) >= first &&
			c - (upper ? 0 : distance) <= last)
			return true;
	}
	return !has_case(c);
}

bool letters_append(struct scratch *scratch, struct text text, bool upper)
{
	char buf[4];
	uint32_t changed;
	size_t len;

	for (; text.len; text = text_slice(text, len, text.len)) {
		uint32_t c = utf8_decode(text, &len);
		struct text form = text_slice(text, 0, len);

		if (c == SHARP_S) {
			form = upper ? TEXT("SS") : form;
		} else if (!change(c, upper, &changed)) {
			return false;
		} else if (changed != c) {
			form = (struct text){buf, utf8_encode(changed, buf)};
		}
		if (!scratch_append(scratch, form))
			return false;
	}
	return true;
}

/* Cleaning, by Unicode 15: general category Cc, the property Default_Ignorable_Code_Point without
 * its variation selectors, U+2028, U+2029, format characters for interlinear annotation,
 * noncharacters. */
#include "parser/clean.h"

#include <stdio.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/encoding.h"

static const struct range {
	uint32_t from, to;
} hidden[] = {
	{0x0, 0x1f},
	{0x7f, 0x9f},
	{0xad, 0xad},
	{0x34f, 0x34f},
	{0x61c, 0x61c},
	{0x115f, 0x1160},
	{0x17b4, 0x17b5},
	{0x180e, 0x180e},
	{0x200b, 0x200f},
	{0x2028, 0x202e},
	{0x2060, 0x206f},
	{0x3164, 0x3164},
	{0xfdd0, 0xfdef},
	{0xfeff, 0xfeff},
	{0xffa0, 0xffa0},
	{0xfff0, 0xffff},
	{0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a},
	{0xe0000, 0xe00ff},
	{0xe01f0, 0xe0fff},
};

bool clean_shows(uint32_t c)
{
	if (c >= 0x20 && c < 0x7f)
		return true;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]) && c >= hidden[i].from; i++)
		if (c <= hidden[i].to)
			return false;
	return (c & 0xfffe) != 0xfffe;
}

/* What is left is never longer, so it may be written where the text stands. */
size_t clean_bytes(char *bytes, size_t len)
{
	struct text rest = {bytes, len};
	char *out = bytes;

	while (rest.len) {
		size_t width;
		uint32_t c = utf8_decode(rest, &width);

		if (clean_shows(c)) {
			memmove(out, rest.ptr, width);
			out += width;
		} else {
			*out++ = '?';
		}
		rest = text_slice(rest, width, rest.len);
	}
	return (size_t)(out - bytes);
}

struct text clean_copy(struct arena *arena, struct text t)
{
	struct text copy = text_copy(arena, t);

	if (copy.ptr) {
		copy.len = clean_bytes((char *)copy.ptr, copy.len);
		((char *)copy.ptr)[copy.len] = '\0';
	}
	return copy;
}

const char *clean_name(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s", name);
	buf[clean_bytes(buf, strlen(buf))] = '\0';
	return buf;
}

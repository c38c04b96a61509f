/* Base64 in CSV fields, in the variant that Jackson calls MIME-NO-LINEFEEDS: units of four
 * letters with blanks only between them; the last unit must be padded, and any other may be.
 * Measured: tests/test_csv_value.c. */
#include "parser/csv_bytes.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/encoding.h"

#define BROKEN                                                                         \
	"org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.exc."         \
	"InvalidFormatException: Cannot access contents of TextNode as binary due to " \
	"broken Base64 encoding: "

#define UNIT 4

enum { PADDING = -1, NO_LETTER = -2 };

/* Where the reading stopped. */
struct base64_fault {
	struct text at; /* empty: the field ended within a unit */
	int place;	/* in its unit, from 0 */
	bool want_padding;
};

static int letter_value(char c)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(letters, c) : NULL;

	if (at)
		return (int)(at - letters);
	return c == '=' ? PADDING : NO_LETTER;
}

/* Reads a unit off *rest: its bits, and how many bytes they make. */
static int read_unit(struct text *rest, uint32_t *bits, int *bytes, struct base64_fault *fault)
{
	*bits = 0;
	*bytes = 3;
	for (int place = 0; place < UNIT; place++) {
		int value = rest->len ? letter_value(rest->ptr[0]) : NO_LETTER;
		bool padded = *bytes == 1;

		*fault = (struct base64_fault){*rest, place, padded};
		if (value == NO_LETTER || (value == PADDING && place < 2) ||
			(padded && value != PADDING))
			return -EINVAL;
		if (value == PADDING && !padded)
			*bytes = place - 1;
		*bits = *bits << 6 | (uint32_t)(value < 0 ? 0 : value);
		*rest = text_slice(*rest, 1, rest->len);
	}
	return 0;
}

static int decode(struct text field, char *buf, size_t *len, struct base64_fault *fault)
{
	static const char hex[] = "0123456789abcdef";
	uint32_t bits;
	int bytes;

	for (*len = 0;;) {
		field = text_trim_left(field);
		if (!field.len)
			return 0;
		if (read_unit(&field, &bits, &bytes, fault) < 0)
			return -EINVAL;
		for (int i = 0; buf && i < bytes; i++) {
			buf[(*len)++] = hex[bits >> (20 - 8 * i) & 15];
			buf[(*len)++] = hex[bits >> (16 - 8 * i) & 15];
		}
	}
}

size_t csv_bytes_room(struct text field)
{
	return sizeof("x''") + field.len / UNIT * 6;
}

int csv_bytes(struct text field, char *buf, struct text *ret)
{
	struct base64_fault fault;
	size_t len;

	if (decode(field, buf + 2, &len, &fault) < 0)
		return -EINVAL;
	buf[0] = 'x';
	buf[1] = buf[len + 2] = '\'';
	*ret = (struct text){buf, len + 3};
	return 0;
}

struct text csv_bytes_error(struct arena *arena, struct text field)
{
	struct base64_fault fault;
	const char *padding;
	uint32_t code;
	size_t len;

	if (decode(field, NULL, &len, &fault) == 0)
		return TEXT("");
	if (!fault.at.len)
		return TEXT(BROKEN "Unexpected end of base64-encoded String: base64 variant "
				   "'MIME-NO-LINEFEEDS' "
				   "expects padding (one or more '=' characters) at the end. This "
				   "Base64Variant "
				   "might have been incorrectly configured");
	padding = fault.want_padding ? ": expected padding character '='" : "";
	code = utf8_decode(fault.at, &len);
	if (code <= ' ')
		return text_format(arena,
			BROKEN
			"Illegal white space character (code 0x%x) as character #%d of 4-char "
			"base64 unit: can only used between units%s",
			code, fault.place + 1, padding);
	if (code == '=')
		return text_format(arena,
			BROKEN
			"Unexpected padding character ('=') as character #%d of 4-char base64 "
			"unit: padding only legal as 3rd or 4th character",
			fault.place + 1);
	if (code < 0x7f)
		return text_format(arena,
			BROKEN "Illegal character '%c' (code 0x%x) in base64 content%s", (char)code,
			code, padding);
	if (code < 0xa0)
		return text_format(arena,
			BROKEN "Illegal character (code 0x%x) in base64 content%s", code, padding);
	if (code > 0xffff)
		return TEXT("");
	return text_format(arena, BROKEN "Illegal character '%.*s' (code 0x%x) in base64 content%s",
		(int)len, fault.at.ptr, code, padding);
}

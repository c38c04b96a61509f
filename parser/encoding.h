/* Encodings: what editors and shells do to a text file before anybody reads it. */
#ifndef EWIN_PARSER_ENCODING_H
#define EWIN_PARSER_ENCODING_H

#include "parser/text.h"

struct arena;
struct diag;

enum encoding_remark {
	ENCODING_BOM = 1 << 0,
	ENCODING_UTF16 = 1 << 1,
};

/* Decodes a file to UTF-8: a UTF-8 BOM is dropped; UTF-16 (by BOM, or by every other byte being 0)
 * is converted, a lone surrogate becomes U+FFFD. Other bytes stay as they are. *remarks is a set of
 * enum encoding_remark. 0 or -ENOMEM. */
int encoding_decode(struct arena *arena, struct text bytes, struct text *ret, unsigned *remarks,
	struct diag *reterr);

/* Length of the UTF-8 sequence at t's start, or 0 where it is none (overlong and surrogates
 * too). */
size_t utf8_length(struct text t);

/* The code point at t's start and its length in *len; a bad byte gives U+FFFD and 1. t is not
 * empty. */
uint32_t utf8_decode(struct text t, size_t *len);

/* Writes c as UTF-8, at most 4 bytes, and returns how many; a surrogate becomes U+FFFD. */
size_t utf8_encode(uint32_t c, char *out);

bool utf8_valid(struct text t);

/* UTF-16 units of t: Java's length of a text. */
size_t utf16_units(struct text t);

/* Columns that the SQL client counts for t: UTF-16 units, plus one for each code point of East
 * Asian width F or W (Flink's own measure, not wcwidth: an emoji is 3). */
size_t client_width(struct text t);

/* The columns of the one code point at t's start, and its length in *len. t is not empty. */
size_t client_width_next(struct text t, size_t *len);

#endif

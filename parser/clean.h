/* Cleaning: text that somebody else chose, on its way to people. A learner chooses file names and
 * what is in the files, an author what is in a lab; a terminal, a prompt or a page would obey
 * some of it, or show it as something else than it is. All that shows such text asks here. */
#ifndef EWIN_PARSER_CLEAN_H
#define EWIN_PARSER_CLEAN_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/text.h"

struct arena;

/* May this code point be shown? Not: controls (C0, DEL, C1), what turns the direction of writing
 * or is not seen (Unicode's default ignorables: zero widths, tags, fillers), line and paragraph
 * separators, what is no character, and U+FFFD, which utf8_decode() gives for a bad byte.
 * Variation selectors may: emoji and names in Japanese have them, and they alter the character
 * before them only in its looks. */
bool clean_shows(uint32_t c);

/* Puts '?' for each character that may not be shown, in place, and returns the length that is
 * left. */
size_t clean_bytes(char *bytes, size_t len);

/* A cleaned copy in the arena, NUL-terminated behind its end. On lack of memory its ptr is NULL. */
struct text clean_copy(struct arena *arena, struct text t);

/* A name as somebody typed it, cleaned and cut to what fits into buf (size > 0). Returns buf. */
const char *clean_name(const char *name, char *buf, size_t size);

#endif

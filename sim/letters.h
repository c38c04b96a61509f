/* Characters of UTF-8 texts: counted, cut, and turned into capitals and small letters. */
#ifndef EWIN_SIM_LETTERS_H
#define EWIN_SIM_LETTERS_H

#include "parser/text.h"

struct scratch;

/* Code points of a text, which is Flink's length of a text. */
size_t characters(struct text text);

/* The characters [from, to) of a text; both are cut to its length. */
struct text characters_slice(struct text text, size_t from, size_t to);

/* Is there a character beyond U+FFFF, which Java counts as two in some functions? */
bool has_surrogates(struct text text);

/* Appends the text in capitals, or in small letters. False where a letter's other form is not known
 * here, or there is no memory. */
bool letters_append(struct scratch *scratch, struct text text, bool upper);

#endif

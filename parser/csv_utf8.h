/* The bytes of a CSV file as UTF-8, before they are split: where Flink's reader (Jackson's) fails
 * over them, and with which words. */
#ifndef EWIN_PARSER_CSV_UTF8_H
#define EWIN_PARSER_CSV_UTF8_H

#include "parser/text.h"

struct arena;

/* Bytes of a character that is not complete, at most. */
#define CSV_UTF8_HELD 3

/* How far the bytes of a file were checked; zero at its start. */
struct csv_utf8 {
	int64_t offset; /* in bytes */
	int64_t units;	/* in UTF-16 units; a BOM is none */
};

/* Checks bytes that follow those that were checked; utf8->offset stands behind the last good
 * character then, also where one is not complete at the end. 0; -EILSEQ: Flink reads what is
 * before that place and then fails; -ENOTSUP: it makes something of it that is not UTF-8, or it
 * reads UTF-16. */
int csv_utf8_check(struct csv_utf8 *utf8, struct text bytes);

/* "class: message" for the bytes at utf8->offset, bad ones or, at the end of the file, too few.
 * Its ptr is NULL on lack of memory. */
struct text csv_utf8_error(struct arena *arena, const struct csv_utf8 *utf8, struct text bytes);

#endif

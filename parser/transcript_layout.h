/* The lines of a table's head, as they stand in a file. */
#ifndef EWIN_PARSER_TRANSCRIPT_LAYOUT_H
#define EWIN_PARSER_TRANSCRIPT_LAYOUT_H

#include "parser/transcript_frame.h"

/* A line of a table fills a narrow terminal at most so many times; bounds the look ahead. */
#define PIECES_MAX 8

/* The lines around a header, as they stand in the file. */
struct layout {
	struct text first;	     /* the line in which the first border begins */
	struct text run[PIECES_MAX]; /* what a terminal left of that border on further lines */
	struct text header[PIECES_MAX + 1];
	struct text border[PIECES_MAX + 1]; /* the border below the header */
	size_t run_count, header_count, border_count;
	bool ended; /* the file ended before the border below the header did */
	bool crlf;
	struct cursor at_header;
	struct cursor behind;
};

/* Collects the lines of a head whose first border ends the line `first`, behind which is *behind.
 * False where no header and second border follow; what was collected until then is in *ret. */
bool layout_find(struct text first, const struct cursor *behind, struct layout *ret);

/* Do all pieces but the last fill the terminal? */
bool layout_fills(const struct layout *layout);

/* A border, or what a terminal's edge left of one. */
bool is_dashes(struct text line);

#endif

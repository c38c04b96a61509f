/* Frames within a transcript: where a table begins, and what cuts its rows. */
#ifndef EWIN_PARSER_TRANSCRIPT_FRAME_H
#define EWIN_PARSER_TRANSCRIPT_FRAME_H

#include "parser/text.h"

struct arena;
struct diag;
struct line_patterns;

/* A place in a file: what is left of it, and the number of its first line. */
struct cursor {
	struct text rest;
	int line;
};

/* Cuts the next line off. False, and nothing changed, at the end. */
bool cursor_next(struct cursor *cursor, struct text *line);

/* The same, without the line's blanks at either end. */
bool cursor_next_trimmed(struct cursor *cursor, struct text *line);

/* What everything that reads a transcript needs. */
struct reader {
	struct arena *arena;
	const struct line_patterns *patterns;
	struct cursor cursor;
	size_t rows;	    /* read so far, of all tables */
	size_t join_budget; /* bytes that may still be looked at in vain for rows of several lines */
	struct diag *reterr;
};

struct frame {
	bool begun;	    /* a table starts here, of which the file has less than its header */
	bool bordered;	    /* both borders around the header are there */
	struct text head;   /* what stands before it on its line: echoed SQL */
	struct text border; /* empty where none was seen above the rows */
	struct text header; /* the line with the names; empty where rows alone were saved */
	size_t *plus;	    /* offsets of '+' in the border: count + 1 of them */
	size_t count;	    /* columns, op among them */
	size_t indent;	    /* blanks before each line */
	bool crlf;	    /* lines end in CR NL, also those within a cell */
	size_t pieces;	    /* lines of a terminal that make up one line of the table, mostly 1 */
	size_t terminal;    /* its width, where pieces > 1 */
};

/* Does a table start at the cursor? If so, *found is set and the cursor moves behind the header.
 * 0, -E2BIG or -ENOMEM. */
int frame_find(struct reader *reader, struct frame *ret, bool *found);

/* Takes a line of the table, without its indentation and CR; pieces are put together. *found is
 * false at the end. 0 or -ENOMEM. */
int frame_line(struct reader *reader, const struct frame *frame, struct text *line, bool *found);

#endif

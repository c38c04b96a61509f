/* What editors, mailers and web pages do to every line of a transcript. */
#ifndef EWIN_PARSER_TRANSCRIPT_RESTORE_H
#define EWIN_PARSER_TRANSCRIPT_RESTORE_H

#include "parser/text.h"

struct reader;

/* Undoes it: *text becomes what the client printed, line by line (in the reader's arena, or as it
 * was), and *remarks says what was found. Uses the reader's arena and patterns only. 0 or
 * -ENOMEM. */
int transcript_restore(struct reader *reader, struct text *text, unsigned *remarks);

#endif

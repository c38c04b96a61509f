/* Colours in the tables of a transcript. */
#ifndef EWIN_PARSER_TRANSCRIPT_COLOUR_H
#define EWIN_PARSER_TRANSCRIPT_COLOUR_H

#include "parser/text.h"

struct reader;

/* Takes the colours off that were put into tables and what frames them: *text stays as it is, or
 * is a copy in the reader's arena. Codes that cells brought along stay. 0 or -ENOMEM. */
int transcript_uncolour(struct reader *reader, struct text *text);

#endif

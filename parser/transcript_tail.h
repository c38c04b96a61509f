/* The end of a transcript. */
#ifndef EWIN_PARSER_TRANSCRIPT_TAIL_H
#define EWIN_PARSER_TRANSCRIPT_TAIL_H

#include "parser/text.h"

/* Does this text, or the end of one, end in the client's own closing lines? */
bool transcript_ends(struct text text);

#endif

/* The rows of a table within a transcript. */
#ifndef EWIN_PARSER_TRANSCRIPT_TABLE_H
#define EWIN_PARSER_TRANSCRIPT_TABLE_H

#include "parser/transcript.h"
#include "parser/transcript_frame.h"

/* Reads rows, closing border and footer of a table whose header the cursor has passed, into the
 * table's part of *ret. 0 or -ENOMEM. */
int table_read(struct reader *reader, const struct frame *frame, struct result *ret);

#endif

/* The kind of a table within a transcript. */
#ifndef EWIN_PARSER_TRANSCRIPT_FORM_H
#define EWIN_PARSER_TRANSCRIPT_FORM_H

#include <stdbool.h>

struct reader;
struct result;

/* Reads the footer at the cursor, if there is one, and settles the table in *out by it: its form,
 * the ops of its rows, which cells are NULL. `headed`: its names were seen. 0 or -ERANGE. */
int form_settle(struct reader *reader, bool headed, struct result *out);

#endif

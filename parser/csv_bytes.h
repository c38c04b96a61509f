/* BYTES in the fields of a CSV file: base64, as Jackson reads it; for csv_value.c. */
#ifndef EWIN_PARSER_CSV_BYTES_H
#define EWIN_PARSER_CSV_BYTES_H

#include "parser/text.h"

struct arena;

/* Writes the bytes as they are printed, x'00ff', to buf, which has room for
 * csv_bytes_room(field). 0 or -EINVAL. */
size_t csv_bytes_room(struct text field);
int csv_bytes(struct text field, char *buf, struct text *ret);

/* "class: message" of a refused field; empty where it is not known; ptr is NULL without memory. */
struct text csv_bytes_error(struct arena *arena, struct text field);

#endif

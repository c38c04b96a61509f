/* Plain lines of a CSV file: those that hold no quote, which are split at their delimiters and
 * nothing else. For csv.c, which gives all others to libcsv. */
#ifndef EWIN_PARSER_CSV_PLAIN_H
#define EWIN_PARSER_CSV_PLAIN_H

#include "parser/csv.h"

/* Can lines be split with these options? */
bool csv_plain_possible(const struct csv_options *options);

/* Reads plain lines from bytes that begin at a line's start, until one is not plain or does not end
 * here: *done says where that line begins. record->fields must be `fields`; record->line counts on.
 * 0, or what the callback ended the reading with. */
int csv_plain_read(const struct csv_options *options, struct text bytes, struct csv_record *record,
	struct csv_field *fields, size_t *done);

#endif

/* Fields of a CSV file as values, by the rules of Flink's csv format, and the texts of its
 * errors. */
#ifndef EWIN_PARSER_CSV_VALUE_H
#define EWIN_PARSER_CSV_VALUE_H

#include "parser/csv.h"
#include "parser/table.h"

/* Is the type one that csv_value() reads? */
bool csv_type_known(const struct sql_type *type);

/* Reads a field as this type, but for BYTES, which csv_bytes.h reads; a null-literal is compared
 * by the caller before. Integers, doubles and timestamps are trimmed. 0; -EINVAL with *ret
 * untouched: Flink fails, with the text of csv_value_error(), or takes NULL where
 * csv.ignore-parse-errors is set; or -ENOTSUP: what Flink reads is not simulated. A text stays
 * where it is. */
int csv_value(struct text field, const struct sql_type *type, struct value *ret);

/* What Flink fails with, as "class: message", in the arena; its ptr is NULL on lack of memory. */

/* A field that csv_value() or csv_bytes() refused. Empty where it is not known what Flink says. */
struct text csv_value_error(struct arena *arena, struct text field, const struct sql_type *type);

/* A record of fewer fields than the table's columns. */
struct text csv_few_error(struct arena *arena, size_t expected, size_t count);

/* The record at hand has more fields than that; one more that is blank csv_extra_blank() allows.
 * Where the first of them is blank, Flink names it when it has read the second. */
bool csv_extra_blank(const struct csv_record *record, size_t expected);
struct text csv_many_error(struct arena *arena, const struct csv_reader *reader,
	const struct csv_record *record, size_t expected);

/* Text stands behind a closing quote. Empty where it is not of ASCII. */
struct text csv_behind_quote_error(
	struct arena *arena, const struct csv_reader *reader, char delimiter);

/* The file ended within a quoted field. */
struct text csv_open_quote_error(struct arena *arena, const struct csv_reader *reader);

#endif

/* The short way to the values of CSV fields in their usual form, which a large file is full of. */
#ifndef EWIN_PARSER_CSV_QUICK_H
#define EWIN_PARSER_CSV_QUICK_H

#include "parser/table.h"

#define CSV_DAY_SIZE 11

/* The day of a column's last timestamp. Zero at first. */
struct csv_day {
	bool known;
	char text[CSV_DAY_SIZE]; /* "2026-07-06 " */
	int64_t day_ms;
};

/* Reads a STRING, an INT or a BIGINT of digits alone, or a timestamp of the form yyyy-MM-dd
 * HH:mm:ss or, from TIMESTAMP(3) on, yyyy-MM-dd HH:mm:ss.SSS. False, with *ret untouched, for
 * anything else, be it good or bad: csv_value() knows, and says of what is read here the same. */
bool csv_quick_value(
	struct text field, const struct sql_type *type, struct csv_day *day, struct value *ret);

/* Such a timestamp. */
bool csv_quick_timestamp(struct text field, struct csv_day *day, int64_t *ret_ms);

#endif

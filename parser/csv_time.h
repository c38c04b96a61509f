/* Times in the fields of a CSV file, as Flink reads them; for csv_value.c. */
#ifndef EWIN_PARSER_CSV_TIME_H
#define EWIN_PARSER_CSV_TIME_H

#include "parser/table.h"

struct arena;

/* Of a second, in a TIME. */
#define CSV_TIME_DIGITS 3

/* yyyy-MM-dd HH:mm:ss[.digits], with a Z behind it for TIMESTAMP_LTZ, without blanks. 0; -EINVAL;
 * -ENOTSUP: a year beyond four digits. */
int csv_timestamp(struct text text, const struct sql_type *type, struct value *ret);

/* What Java says about a text that csv_timestamp() refused: "class: message". Empty where it is
 * not known; its ptr is NULL on lack of memory. */
struct text csv_timestamp_error(struct arena *arena, struct text text, const struct sql_type *type);

/* A day as java.sql.Date reads it: yyyy-[M]M-[d]d without blanks, Julian before 1582; a day
 * beyond its month's end goes on into the next one. 0, -EINVAL or -ENOTSUP. */
int csv_date(struct text field, int64_t *days);

/* HH:mm[:ss[.digits]] without blanks, cut to the precision. 0 or -EINVAL. */
int csv_time(struct text field, int precision, int64_t *ret_ms);

/* As csv_timestamp_error(), for them. */
struct text csv_date_error(struct arena *arena, struct text field);
struct text csv_time_error(struct arena *arena, struct text field);

#endif

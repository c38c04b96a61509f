/* Times in the fields of a CSV file, as Flink reads them; for csv_value.c. Blanks around are gone. */
#ifndef EWIN_PARSER_CSV_TIME_H
#define EWIN_PARSER_CSV_TIME_H

#include "parser/table.h"

struct arena;

/* yyyy-MM-dd HH:mm:ss[.digits], with a Z behind it for TIMESTAMP_LTZ. 0 or -EINVAL. */
int csv_timestamp(struct text text, const struct sql_type *type, struct value *ret);

/* What Java says about a text that csv_timestamp() refused: "class: message". Empty where no
 * recording shows it; its ptr is NULL on lack of memory. */
struct text csv_timestamp_error(struct arena *arena, struct text text, const struct sql_type *type);

/* The short way for most timestamps: yyyy-MM-dd HH:mm:ss[.SSS] with a day that every month has. False for
 * any other text, be it a timestamp or not. */
bool csv_plain_timestamp(struct text text, int64_t *time_ms);

/* yyyy-[M]M-[d]d; a day beyond its month's end goes on into the next one. 0 or -EINVAL. */
int csv_date(struct text text, int64_t *days);

/* HH:mm:ss[.digits], cut to whole seconds for precision 0. 0 or -EINVAL. */
int csv_time(struct text text, int precision, int64_t *ms_of_day);

#endif

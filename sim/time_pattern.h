/* Patterns of java.time.format.DateTimeFormatter, as DATE_FORMAT and TO_TIMESTAMP take them. */
#ifndef EWIN_SIM_TIME_PATTERN_H
#define EWIN_SIM_TIME_PATTERN_H

#include "parser/table.h"

struct scratch;

/* Is it made of letters and characters that are known here? */
bool time_pattern_known(struct text pattern);

/* The first letter that Java knows nothing of, or '\0'. */
char time_pattern_unknown(struct text pattern);

/* Appends the time as the pattern says, which is a known one. False: no memory, or a year that is
 * not of four digits. */
bool time_pattern_format(struct scratch *scratch, struct text pattern, const struct value *time);

/* Reads a text by a known pattern, whose parts are numbers of fixed widths; what it does not say
 * is that of 1970-01-01 00:00:00. 0; -EINVAL: it is no such time; -ENOTSUP: such a pattern is not
 * read here. */
int time_pattern_parse(struct text pattern, struct text text, int64_t *time_ms);

#endif

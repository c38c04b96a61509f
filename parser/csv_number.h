/* Numbers in the fields of a CSV file, as Java's classes read them; for csv_value.c. */
#ifndef EWIN_PARSER_CSV_NUMBER_H
#define EWIN_PARSER_CSV_NUMBER_H

#include "parser/table.h"

struct arena;

/* Each 0; -EINVAL: Flink refuses the field, the _error() says how; or -ENOTSUP. *ret is untouched
 * on failure. Blanks around integers and doubles are gone; a decimal must not have any. */
int csv_integer(struct text text, const struct sql_type *type, struct value *ret);
int csv_double(struct text text, bool single, struct value *ret);

/* Rounded half up to the type's scale; NULL where it then has too many digits. */
int csv_decimal(struct text text, const struct sql_type *type, struct value *ret);

/* "class: message" of a refused text; empty where it is not known; ptr is NULL without memory. */
struct text csv_integer_error(struct arena *arena, struct text text, const struct sql_type *type);
struct text csv_double_error(struct arena *arena, struct text text);
struct text csv_decimal_error(struct arena *arena, struct text text);

#endif

/* Texts as values of other types, as Flink's CAST and TO_TIMESTAMP read them. */
#ifndef EWIN_SIM_CAST_TEXT_H
#define EWIN_SIM_CAST_TEXT_H

#include "parser/table.h"

struct arena;

/* 0; -EINVAL: Flink refuses the text; -ENOTSUP: what it makes of it is not simulated. *ret is
 * untouched on failure. */
int cast_text(struct text text, const struct sql_type *type, struct value *ret);

/* "class: message" of a text that cast_text() refused; empty: not known; its ptr is NULL: no
 * memory. */
struct text cast_text_error(struct arena *arena, struct text text, const struct sql_type *type);

#endif

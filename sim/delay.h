/* Delay: how far a watermark lies behind its row, read from the syntax alone. */
#ifndef EWIN_SIM_DELAY_H
#define EWIN_SIM_DELAY_H

#include "parser/sql.h"

/* Is the expression the column minus a constant, however that is written? The constant in
 * milliseconds; negative: ahead of the row. */
bool delay_of(const struct sql_expr *expr, struct text column, int64_t *ret_ms);

/* Is the expression a constant length of time, however it is put together? In milliseconds. */
bool interval_ms_of(const struct sql_expr *expr, int64_t *ret_ms);

/* Width of a unit that is always as long, SECOND to DAY in any case; 0: none. */
int64_t unit_width_ms(struct text unit);

#endif

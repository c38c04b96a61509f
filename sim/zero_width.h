/* Characters that take no column of a terminal. */
#ifndef EWIN_SIM_ZERO_WIDTH_H
#define EWIN_SIM_ZERO_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

/* Is this code point shown within its neighbour, or not at all? */
bool zero_width(uint32_t c);

#endif

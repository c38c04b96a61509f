/* Scratch: memory of one expression in which it makes a text. The text lies there until the
 * expression is evaluated again. */
#ifndef EWIN_SIM_SCRATCH_H
#define EWIN_SIM_SCRATCH_H

#include "parser/text.h"

struct arena;

struct scratch {
	struct arena *arena;
	char *bytes;
	size_t len, room;
};

/* Appends; false where there is no memory left. */
bool scratch_append(struct scratch *scratch, struct text text);

/* What was appended since len was set to 0. */
struct text scratch_text(const struct scratch *scratch);

#endif

/* Quote: a path as a shell takes it, for commands that people are told. */
#ifndef EWIN_DAEMON_QUOTE_H
#define EWIN_DAEMON_QUOTE_H

#include "parser/text.h"

struct arena;

/* The word itself where it means nothing to a shell, else a copy in single quotes in the arena.
 * On lack of memory its ptr is NULL. */
struct text quote_word(struct arena *arena, struct text word);

#endif

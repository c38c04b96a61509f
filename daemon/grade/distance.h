/* Names that are nearly one: how far a misspelling is from what was meant. */
#ifndef EWIN_DAEMON_GRADE_DISTANCE_H
#define EWIN_DAEMON_GRADE_DISTANCE_H

#include "parser/text.h"

/* Steps of changing one text into the other, whatever the case: letters put in, left out, or
 * exchanged. 64 where one is longer than that. */
size_t text_distance(struct text a, struct text b);

#endif

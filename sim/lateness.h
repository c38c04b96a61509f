/* Lateness: what watermarks decide about each row of a table. Two settings of delay and interval
 * that decide the same of every row give the same table, so that one run is enough for both. */
#ifndef EWIN_SIM_LATENESS_H
#define EWIN_SIM_LATENESS_H

#include "sim/scene.h"

/* Sets scene->lateness, a number for all decisions under this delay and interval: whether each
 * row is late, and whether its window is closed. 0: they are not known to be all that the query
 * depends on. */
void lateness(struct scene *scene, int64_t delay_ms, int64_t interval_ms);

#endif

/* Assigning columns: which saved column stands for which asked one, told by their values alone. */
#ifndef EWIN_DAEMON_GRADE_ASSIGN_H
#define EWIN_DAEMON_GRADE_ASSIGN_H

#include "daemon/grade/compare.h"

/* Looks for an assignment under which the rows are equal; one asked column may be left out that no
 * saved one could be meant for. Fills the map, whose `of` has room, and *ret where there is one.
 * `corrected`: the saved rows change afterwards. 0 or -ENOMEM. */
int assign_columns(struct arena *arena, const struct table *asked, const struct table *saved,
	bool corrected, struct column_map *map, bool *ret);

#endif

/* Between the files of the separability report. */
#ifndef EWIN_DAEMON_GRADE_SEPARATING_H
#define EWIN_DAEMON_GRADE_SEPARATING_H

#include "daemon/grade/separate.h"

/* Text that grows. */
struct line {
	struct arena *arena;
	char *bytes;
	size_t count, room;
	bool nomem;
};

void line_put(struct line *line, struct text text);

struct text line_text(const struct line *line);

/* How many kinds of mistakes a group has: one kind is told for certain, but for its parameter. */
size_t lookalikes_kinds(const struct lookalikes *group);

/* "delay=6s to 7s | interval=1s to 2s" */
void lookalikes_spell(
	struct line *line, const struct separation *s, const struct lookalikes *group);

#endif

/* Causes: what diagnosing a file turned up. */
#ifndef EWIN_DAEMON_GRADE_CAUSES_H
#define EWIN_DAEMON_GRADE_CAUSES_H

#include "daemon/grade/diagnosis.h"

struct arena;

struct causes {
	struct arena *arena;
	struct diagnosis *items;
	size_t count, room;
	bool nomem; /* something was lost for lack of memory */
	bool cut;   /* the search was ended before its end: there may be others */
};

void causes_init(struct causes *causes, struct arena *arena);

/* Adds a cause of the whole file; `param` may be empty. One that is there already is not added. */
void causes_add(struct causes *causes, enum diagnosis_id id, struct text param);

/* The same, of one result table (from 1). */
void causes_add_at(struct causes *causes, enum diagnosis_id id, struct text param, int table);

/* The same, with all that is known of it. */
void causes_add_measured(struct causes *causes, const struct diagnosis *cause);

bool causes_have(const struct causes *causes, enum diagnosis_id id);

/* The causes from index `from` on are alternatives: the evidence cannot tell which it was. A
 * single one stays as it is. */
void causes_either(struct causes *causes, size_t from);

#endif

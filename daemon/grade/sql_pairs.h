/* What was saved, statement by statement: which query of the SQL beside it a result is of, and
 * which one is asked. */
#ifndef EWIN_DAEMON_GRADE_SQL_PAIRS_H
#define EWIN_DAEMON_GRADE_SQL_PAIRS_H

#include "daemon/grade/causes.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/profile.h"

/* One asked result and what there is for it. */
struct pair {
	const struct result *saved; /* a table or an error; NULL: nothing */
	const struct profile *asked, *mine;
	bool right; /* the saved rows are the asked ones */
};

struct evidence_of_sql {
	struct grading *g;
	const struct verdict *verdict;
	struct causes *causes;
	const struct profiles *asked; /* of the reference */
	struct profiles script;
	struct sql_script pieces;
	bool *used; /* a result of the script: it is taken */
	struct pair *pairs;
	size_t count;
};

/* Finds for each asked result the saved one and its query. 0 or -ENOMEM. */
int pair_tables(struct evidence_of_sql *e);

/* A refusal is asked: of the reference's last query. The last that was printed is held against
 * it. */
void pair_refusal(struct evidence_of_sql *e);

#endif

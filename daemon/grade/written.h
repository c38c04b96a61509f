/* Written: what a learner wrote, statement by statement, as trees. It is read from the .sql where
 * the client's echo shows that this .sql was run, and else from the echo itself, which ends at
 * each statement's last closing bracket. */
#ifndef EWIN_DAEMON_GRADE_WRITTEN_H
#define EWIN_DAEMON_GRADE_WRITTEN_H

#include "parser/sql.h"
#include "parser/transcript.h"

struct arena;

struct written_statement {
	struct sql_piece piece;
	int err; /* 0: tree is set; -EINVAL: its syntax is refused; -ENOTSUP: it is outside the front end */
	struct sql_statement tree;
};

struct written {
	struct written_statement *items;
	size_t count;
	bool whole; /* statements are complete; false: echoes only, what is not there proves nothing */
};

/* Cuts and parses a .sql. 0 or -ENOMEM; a file that cannot be cut, or of far too many
 * statements, has none. */
int written_sql(struct arena *arena, struct text sql, struct written *ret);

/* The statements of a transcript: those of the .sql (which may be empty) where the transcript is
 * of its run, else the echoes. Results and statements go by order; *failed is the index of the
 * statement that the last error is of, count: there is none, or it is not known. 0 or -ENOMEM. */
int written_of(struct arena *arena, struct text sql, const struct transcript *transcript,
	struct written *ret, size_t *failed);

/* Was the transcript printed by a run of this .sql, as far as echoes tell? */
bool written_matches(const struct written *written, const struct transcript *transcript);

/* Is this the echo of one of the statements? An empty one is of any. */
bool written_has(const struct written *written, struct text echo);

/* The last definition of a table, before the statement with this index; NULL: there is none.
 * Without regard to case, so that one that is called by another case is found. */
const struct sql_create_table *written_table(
	const struct written *written, size_t before, struct text name);

/* The query of a statement: of a SELECT, a view, an INSERT or EXPLAIN; NULL: it has none. */
const struct sql_query *written_query(const struct written_statement *statement);

#endif

/* Lines: rows of a table as rows of the columns that are asked, sorted, so that two tables can be
 * held against each other as multisets. */
#ifndef EWIN_DAEMON_GRADE_LINES_H
#define EWIN_DAEMON_GRADE_LINES_H

#include "parser/table.h"

struct arena;

/* A row of the asked columns. */
struct line {
	const struct value *cells;
	const struct table *asked;
	size_t columns;	 /* how many of them count for the order */
	bool unreadable; /* some cell is no value of the asked type */
	const struct row *source;
};

struct lines {
	struct line *items;
	size_t count;
};

/* Order of two lines by their first columns. */
int lines_compare(const struct line *a, const struct line *b, size_t columns);

/* The rows that a table holds in the end: ops folded, so a row that was taken back is not there.
 * of[i] is the column of `saved` that stands for the asked column i, NO_COLUMN: none, and NULL
 * then. Each cell is read as the asked type. 0 or -ENOMEM. */
int lines_fold(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, struct lines *ret);

/* Puts lines of one table back into the order of its rows. */
void lines_by_place(struct lines *lines);

/* Takes out of both sides what they share; what stays is in *a and *b. An unreadable line is equal
 * to none. */
void lines_cancel(struct lines *a, struct lines *b);

#endif

/* Readings: what a saved table is under the columns of a shape, for holding many tables of that
 * shape against it, and for seeing from one row of theirs that they are another. */
#ifndef EWIN_DAEMON_GRADE_READING_H
#define EWIN_DAEMON_GRADE_READING_H

#include "daemon/grade/fingerprint.h"

struct arena;

/* Columns that tables of mutants have in common. */
struct shape {
	enum table_form form;
	struct column *columns;
	size_t column_count;
};

/* Numbers in ascending order. */
struct number_set {
	uint64_t *items;
	size_t count;
};

/* Of a shape's columns those that the saved table has by their names. */
struct reading {
	bool readable;
	size_t *of; /* which of the shape's */
	size_t count;
	struct fingerprint print; /* of them */
	/* Of a readable one, whole: all of the shape's columns are there. */
	bool whole;
	uint64_t *names;	    /* of the shape's columns, see fingerprint_names() */
	struct number_set rows;	    /* whole: its rows */
	struct number_set *columns; /* else, one a column that is there: its cells */
};

/* Reads a saved table. 0 or -ENOMEM. */
int reading_of(struct arena *arena, const struct shape *shape, const struct table *saved,
	struct reading *ret);

/* May a table of the shape that has this row be the saved one, where neither takes rows back? A
 * row that the saved one has not is not taken back, so no row behind it mends that. */
bool reading_may_have(
	const struct reading *reading, const struct shape *shape, const struct value *cells);

/* May a table of the shape with this fingerprint be the saved one? All columns by their names: it
 * is as good as sure. Some: those that are there hold its values. */
bool reading_may_be(const struct reading *reading, const struct fingerprint *print);

#endif

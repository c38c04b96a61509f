/* Fingerprints: two numbers of 64 bits for the rows of a table as a multiset, ops folded, so that
 * many tables can be held against one at the price of a comparison of numbers. */
#ifndef EWIN_DAEMON_GRADE_FINGERPRINT_H
#define EWIN_DAEMON_GRADE_FINGERPRINT_H

#include "parser/table.h"

struct arena;

struct fingerprint {
	int64_t rows;	   /* that the table holds in the end */
	uint64_t sums[2];  /* of all rows, in whatever order they and their columns stand */
	uint64_t *columns; /* one a column: of its values alone, whatever it is called */
};

/* The number of a cell; of each column's name; and of a row under such names. */
uint64_t fingerprint_cell(const struct sql_type *type, const struct value *value);
void fingerprint_names(const struct column *columns, size_t count, uint64_t *names);
uint64_t fingerprint_row(const struct column *columns, const uint64_t *names, size_t count,
	const struct value *cells);

/* Of a typed table. 0 or -ENOMEM. */
int fingerprint_of(struct arena *arena, const struct table *table, struct fingerprint *ret);

/* The same rows under the same column names? */
bool fingerprint_equal(const struct fingerprint *a, const struct fingerprint *b);

/* The columns of `shape` out of a saved table, found by their names (in the arena): its cells are
 * read as the shape's types. False where a column is not there or a cell is no value of its type;
 * -ENOMEM is in *nomem. */
bool table_read_as(struct arena *arena, const struct table *saved, const struct column *shape,
	size_t count, struct table *ret, bool *nomem);

#endif

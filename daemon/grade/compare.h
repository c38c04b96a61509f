/* Comparing a saved table with the one asked: parsed values, rows as a multiset, ops folded. */
#ifndef EWIN_DAEMON_GRADE_COMPARE_H
#define EWIN_DAEMON_GRADE_COMPARE_H

#include "daemon/grade/grade.h"
#include "parser/table.h"

struct arena;

#define NO_COLUMN ((size_t)-1)

/* Which saved column stands for which asked one. */
struct column_map {
	size_t *of;    /* an entry an asked column: index of the saved column, or NO_COLUMN */
	size_t found;  /* asked columns that have one */
	bool named;    /* all were found by exactly their name */
	bool in_order; /* the found ones stand in the asked order */
	size_t extra;  /* saved columns that stand for none */
};

struct comparison {
	bool equal;	/* the same rows, as far as the columns are there */
	bool cut;	/* equal only if cells that were cut to "..." hold what is asked */
	bool corrected; /* rows of the saved table were corrected by -U, +U or -D */
	struct column_map map;
	size_t differing; /* rows by which they differ: the more of those that one side alone has */
	struct evidence *
		evidence; /* where they differ, at most EVIDENCE_LIMIT entries: missing rows without a name are one */
	size_t evidence_count;
};

/* A report of what is off is read by people: more is noise. */
#define EVIDENCE_LIMIT 20

/* Compares under the map that fits best: by name, or, where rows then differ, by any assignment of
 * saved columns under which they do not; one asked column may then be left out that no saved one
 * could be meant for. `number` is the table's place among those asked, from 1.
 * 0 or -ENOMEM. */
int compare_tables(struct arena *arena, const struct table *asked, const struct table *saved,
	int number, struct comparison *ret);

/* Maps columns by name; what is left, by its place among what is left: so a table that was saved
 * without its header is mapped by place alone. 0 or -ENOMEM. */
int map_columns(struct arena *arena, const struct table *asked, const struct table *saved,
	struct column_map *ret);

/* Are the rows the same under this map? 0 and *ret, or -ENOMEM. */
int rows_equal(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, bool *ret);

/* Do the rows that stay when changes are folded stand in the asked order? Under this map they are
 * the same. 0 and *ret, or -ENOMEM. */
int rows_in_order(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, bool *ret);

/* Are some of its rows corrected, by -U, +U or -D? */
bool table_is_corrected(const struct table *table);

/* Could they hold the same rows? Not where nothing was corrected, and one has more of them: that
 * is quickly seen. */
bool tables_may_be_equal(const struct table *asked, const struct table *saved);

/* Do two tables hold the same rows under the same column names? 0 and *ret, or -ENOMEM. */
int tables_equal(struct arena *arena, const struct table *a, const struct table *b, bool *ret);

#endif

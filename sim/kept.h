/* Kept rows: the decoded rows of tables' files, for many queries over the same data. A file is read
 * once, whatever number of queries follows; one that cannot be read to its end is not kept, and
 * each query reads it by itself, with the fault that it then finds. */
#ifndef EWIN_SIM_KEPT_H
#define EWIN_SIM_KEPT_H

#include "sim/op.h"
#include "sim/plan.h"

struct arena;

/* What a query reads instead of the rows as they lie there. */
enum input_change {
	INPUT_AS_IS,
	INPUT_SORTED,  /* by the time attribute, in place of the order of arrival */
	INPUT_TWICE,   /* the whole file, and then once more */
	INPUT_DOUBLED, /* each row twice, one behind the other */
	INPUT_HALVES,  /* the second half, and then the first: a folder of two files */
	INPUT_FIRST,   /* the first rows alone: a file that was cut */
	INPUT_ENDLESS  /* no end: what only the end lets out stays inside */
};

struct kept_file {
	const struct catalog_entry *table;
	bool usable;
	struct value *cells; /* row by row, physical columns alone */
	size_t width, rows, room;
	int64_t lines;	 /* as struct run has them */
	size_t *by_time; /* the rows in order of one column, where that was asked for */
	size_t time;	 /* which */
	struct kept_file *next;
};

struct kept_rows {
	struct arena *arena; /* of all rows and their texts */
	struct kept_file *first;
	enum input_change change; /* for the queries to come */
	size_t first_rows;	  /* INPUT_FIRST: how many */
};

/* The rows of the table's file, or NULL: not asked for yet. The same file read with other columns
 * or options is another one. */
struct kept_file *kept_find(const struct kept_rows *kept, const struct catalog_entry *table);

/* The same by the table's definition; NULL also where its file cannot be read to its end. */
const struct kept_file *kept_of(const struct kept_rows *kept, const struct sql_create_table *table);

/* A file without rows, and an operator that takes them: rows of the table, all its physical
 * columns read. NULL: no memory. The table need not outlive the call. */
struct kept_file *kept_add(struct kept_rows *kept, const struct catalog_entry *table);
struct op *kept_op(
	struct kept_rows *kept, struct kept_file *file, const struct catalog_entry *table);

/* Sends the rows, as changed, and WATERMARK_END (not of an endless input) to `down`. 0; -errno of
 * an operator; -ENOMEM. */
int kept_run(struct arena *arena, struct kept_rows *kept, struct kept_file *file,
	const struct plan *scan, struct run *run, struct op *down);

#endif

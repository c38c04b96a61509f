/* Plan: a query as typed relations, each over the rows of its input. Made from the syntax tree by
 * planner.h, run by run.h. */
#ifndef EWIN_SIM_PLAN_H
#define EWIN_SIM_PLAN_H

#include "sim/catalog.h"
#include "sim/expr.h"
#include "sim/window_agg.h"

/* What a window function or a window aggregate put into a column. */
enum column_role { ROLE_NONE, ROLE_WINDOW_START, ROLE_WINDOW_END, ROLE_WINDOW_TIME };

/* How the values of one key change in a changelog, as far as Flink's planner knows. */
enum column_change {
	CHANGE_ANY,
	CHANGE_NONE,
	CHANGE_UP,
	CHANGE_DOWN,
	CHANGE_UNKNOWN /* it depends on ranges of values that the planner works out */
};

struct plan_column {
	struct text name;
	struct sql_type type;
	enum column_role role;
	enum column_change change; /* where the plan has updates */
};

struct sort_key {
	struct expr *expr;
	bool descending;
	bool nulls_last;
};

/* What Flink's planner knows of the rows of a relation before it reads one. */
enum plan_rows { ROWS_ANY, ROWS_DOUBT, ROWS_NONE };

enum plan_kind {
	PLAN_SCAN,
	PLAN_ROW, /* one row without columns, for SELECT 'x' */
	PLAN_VALUES,
	PLAN_FILTER,
	PLAN_PROJECT,
	PLAN_WINDOW, /* a window function: appends window_start, window_end, window_time */
	PLAN_EXPAND, /* copies each row for each grouping set; appends keys and marks */
	PLAN_WINDOW_AGG,
	PLAN_GROUP_AGG, /* GROUP BY without windows: a changelog when streaming */
	PLAN_RANK,	/* ROW_NUMBER: appends the number */
	PLAN_SORT,
	PLAN_LIMIT
};

/* A time attribute has them in a query, whatever was declared. Recorded:
 * more_sim/rowtime_digits. */
#define ROWTIME_DIGITS 3

struct plan_scan {
	const struct catalog_entry *table;
	struct expr **computed; /* a column: its expression over the scan's own row, or NULL */
	bool *needed;		/* columns that the query reads */
	bool has_rowtime;	/* streaming: a watermark is made */
	size_t rowtime;
	struct expr *watermark; /* NULL: it is not simulated */
};

struct plan_values {
	struct expr ***rows; /* without columns, one expression a column */
	size_t count;
};

struct plan_window {
	struct window window;
	size_t time;
	size_t *keys; /* PARTITION BY of SESSION */
	size_t key_count;
};

/* A column of GROUP BY in its written order, for the sort of batch mode. */
#define GROUP_BY_START SIZE_MAX
#define GROUP_BY_END   (SIZE_MAX - 1)

struct plan_agg {
	struct window_agg_spec spec; /* PLAN_GROUP_AGG: its window and time are unused */
	bool at_once; /* windows of the rows, timers set by each row: legacy windows, SESSION */
	bool two_phase;
	bool time_leads; /* legacy HOP of batch mode: the time is the first column that Flink reads */
	size_t *group_order; /* index of a key, or GROUP_BY_* */
	size_t group_order_count;
};

/* How the rank of a stream without windows is kept. */
enum rank_strategy { RANK_APPEND, RANK_UPDATE, RANK_RETRACT };

struct plan_rank {
	bool ties, dense; /* RANK and DENSE_RANK: equal rows have one number */
	bool silent;	  /* no -U is printed */
	bool windowed;	  /* partitioned by both window columns */
	bool numbered;	  /* somebody reads the number */
	enum rank_strategy strategy;
	size_t *unique; /* RANK_UPDATE: columns that tell rows apart */
	size_t unique_count;
	size_t *keys; /* PARTITION BY without the window columns */
	struct sql_type *key_types;
	size_t key_count;
	size_t *partition; /* all of PARTITION BY, in the order in which batch mode sorts them */
	size_t partition_count;
	size_t window_end;
	struct sort_key *order;
	size_t order_count;
	bool bounded;
	int64_t lowest, highest; /* ranks printed, from 1 */
	bool dedup;		 /* highest is 1, ordered by the time attribute alone */
	struct sql_pos pos;
};

struct plan_sort {
	struct sort_key *order;
	size_t order_count;
	size_t time;  /* streaming: the time attribute that comes first */
	bool limited; /* batch: a LIMIT follows */
	int64_t limit;
};

struct plan_expand {
	size_t set_count, copy_count, mark_count;
	size_t *sources; /* columns that are appended once more */
	bool *kept;	 /* a set: copy_count; others are NULL */
	int64_t *marks;	 /* a set: mark_count numbers */
};

struct plan_limit {
	int64_t skipped, count;
};

struct plan {
	enum plan_kind kind;
	struct plan *input;
	struct plan_column *columns;
	size_t column_count;
	double share; /* PLAN_FILTER: of rows that Flink's planner believes to pass */
	const struct window
		*window; /* of the window columns that its rows carry; NULL: none known */
	enum plan_rows rows;
	bool updates; /* a changelog: Flink plans for -U and +U, though none may come */
	/* By which of its columns the rows are spread over subtasks: batch mode's estimates
	 * (estimate.h) know what an aggregate of the same keys finds. */
	bool spread_known;
	size_t *spread;
	size_t spread_count;
	union {
		struct plan_scan scan;
		struct plan_values values;
		struct expr *condition;
		struct expr **exprs; /* PLAN_PROJECT: one a column */
		struct plan_window tvf;
		struct plan_expand expand;
		struct plan_agg agg;
		struct plan_rank rank;
		struct plan_sort sort;
		struct plan_limit limit;
	};
};

/* The scan at the bottom, or NULL. */
const struct plan *plan_source(const struct plan *plan);

/* ROW_NUMBER that keeps the first row by event time of each key, without windows. */
bool plan_first_by_time(const struct plan *plan);

/* Sets the scans' needed columns from what the plan reads; all columns of the plan itself are
 * needed. 0 or -ENOMEM. */
int plan_mark_needed(struct arena *arena, struct plan *plan, bool streaming);

#endif

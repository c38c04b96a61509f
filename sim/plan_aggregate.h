/* An aggregate under construction, between the files that plan one: plan_calls.c (the functions), plan_reduce.c,
 * plan_groups.c (GROUP BY and its windows), plan_aggregate.c (the whole). */
#ifndef EWIN_SIM_PLAN_AGGREGATE_H
#define EWIN_SIM_PLAN_AGGREGATE_H

#include "sim/planner.h"

struct aggregate {
	struct planner *planner;
	const struct sql_query *query;
	struct binder input; /* the columns in front of the aggregate */
	struct agg_scope scope;
	size_t room; /* of scope.terms */
	const struct sql_expr **calls;
	struct agg_call *calls_of; /* bound */
	size_t call_count, call_room;
	const struct sql_expr **group; /* GROUP BY, each expression once */
	size_t group_count;
	uint64_t *sets;	    /* masks of `group`, in the order in which rows are copied for them */
	size_t set_count;   /* 1: no grouping sets */
	struct expr **keys; /* GROUP BY without the window columns; NULL: a number of the set */
	size_t key_count;
	size_t plain_count;	       /* keys that are expressions; the others tell the sets */
	size_t *key_places;	       /* of those: index in `group` */
	const struct sql_expr **marks; /* GROUPING and the like: keys behind that of the set */
	bool has_start, has_end, has_time;
	struct expr **columns; /* what the aggregate reads, to be projected */
	size_t column_count, column_room;
	struct plan_agg agg;
	struct window window;
	bool windowed;
};

/* Notes that this expression is in this column of the aggregate's output. 0 or -ENOMEM. */
int aggregate_add_term(struct aggregate *a, const struct sql_expr *ast, size_t column);

/* The column of the projection in front of the aggregate that holds this expression. 0 or
 * -ENOMEM. */
int aggregate_input(struct aggregate *a, struct expr *expr, size_t *ret);

/* GROUPING SETS: reads GROUP BY; makes keys that tell the sets; copies each row for each set. */
int aggregate_read_groups(struct aggregate *a);
int aggregate_add_set_keys(struct aggregate *a);
int aggregate_expand(struct aggregate *a, struct plan **plan);

/* Is this expression of GROUP BY in all sets? */
bool aggregate_in_all_sets(const struct aggregate *a, size_t i);

/* Finds the aggregate calls of SELECT and HAVING, and later binds them; keys come before. */
int aggregate_collect_calls(struct aggregate *a);
int aggregate_bind_calls(struct aggregate *a);

/* A call that keeps the first or last value: it has no merge. */
bool call_is_first_or_last(const struct agg_call *call);

/* Finds the windows of GROUP BY over this plan; binds the other keys; and at last puts the window
 * into the aggregate, which may take a window function off *plan. */
int aggregate_find_windows(struct aggregate *a, const struct plan *plan);
int aggregate_bind_keys(struct aggregate *a);
int aggregate_place_keys(struct aggregate *a);
int aggregate_add_window_terms(struct aggregate *a);
int aggregate_place_window(struct aggregate *a, struct plan **plan);

/* Takes the calls as Flink's planner may work them out; keys are placed. 0 or -ENOTSUP. */
int aggregate_reduce(struct aggregate *a);

/* What the planner says of calls over bytes. 0, -EBADMSG or -ENOMEM. */
int aggregate_check_bytes(struct aggregate *a);

/* Refuses calls whose results, or whose order, are not simulated. 0 or -ENOTSUP. */
int aggregate_check_calls(struct aggregate *a);

/* Windows that share rows merge them, which some of Flink's own functions cannot. 0 or -EBADMSG. */
int aggregate_check_merge(struct aggregate *a, enum window_kind kind);

/* Places a legacy window. 0; -EBADMSG, -ENOTSUP or -ENOMEM as in planner.h. */
int aggregate_place_legacy(struct aggregate *a, const struct plan *plan);

#endif

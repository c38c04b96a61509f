/* Planner: a syntax tree becomes a plan. Names are resolved, types derived, time attributes
 * followed, and what Flink would refuse is refused with its words. */
#ifndef EWIN_SIM_PLANNER_H
#define EWIN_SIM_PLANNER_H

#include "sim/options.h"
#include "sim/plan.h"
#include "sim/session.h"

struct diag;

/* The names of WITH that are in scope. */
struct with_scope {
	const struct sql_with *names;
	const struct sql_with *end; /* the first that is not in scope */
	const struct with_scope *outer;
};

struct planner {
	struct arena *arena;
	const struct catalog *catalog;
	const struct options *options;
	enum flink_release release;
	bool batch;
	struct text fault;	  /* of -EBADMSG */
	struct sql_pos fault_pos; /* what the fault is about; line 0: the statement as a whole */
	struct text
		late_fault; /* what the optimizer would say of a query that the validator passes */
	struct sql_pos late_pos;
	struct run *run;   /* whose steps it takes */
	struct diag *diag; /* of -ENOTSUP and -ENOMEM; may be NULL */
	const struct with_scope *with;
	int depth;		 /* of views and sub-queries */
	size_t shown;		 /* columns that the last SELECT shows; behind them ORDER BY's */
	const struct zone *zone; /* of the session; NULL: UTC */
	bool repeats;		 /* a SELECT has two columns of one name */
	bool legacy_window;	 /* GROUP BY TUMBLE(ts, ...) was met */
};

/* Plans a query. 0; -EBADMSG: Flink refuses it, planner->fault is its text; -ENOTSUP: not
 * simulated, the diag names the construct; -ENOMEM. */
int plan_query(struct planner *planner, const struct sql_query *query, struct plan **ret);

/* The scan of a table with all its columns, computed ones and the watermark bound. As above. */
int plan_table(struct planner *planner, const struct catalog_entry *table, struct plan **ret);

/* The query of a view, with the names that it lists. As above. */
int plan_view(struct planner *planner, const struct catalog_entry *view, struct plan **ret);

/* ---- between the files of the planner ---- */

/* Refuses a construct by name and place; returns -ENOTSUP. */
int refuse(struct planner *planner, struct sql_pos pos, const char *what);

/* A fault of Flink's optimizer comes only where its validator found none: keeps the first of them
 * for later and returns 0. Other errors pass. */
int plan_defer(struct planner *planner, int err);

/* Places a fault, unless it was placed further inside; returns err. */
int plan_locate(struct planner *planner, int err, struct sql_pos pos);

/* Sets planner->fault and returns -EBADMSG. */
#define plan_fault(planner, ...) fault_set((planner)->arena, &(planner)->fault, __VA_ARGS__)

/* Where names are looked up. */
struct binder {
	struct planner *planner;
	const struct plan_column *columns;
	size_t column_count;
	struct text
		alias; /* of the relation, which may have none; without a ptr: qualifiers are not checked */
	const struct agg_scope *agg; /* behind an aggregate: what its output offers */
};

/* A GROUP BY expression, an aggregate call or an OVER, as syntax, and the column that holds it. */
struct agg_term {
	const struct sql_expr *ast;
	size_t column;
};

/* What an aggregate offers to SELECT and HAVING. */
struct agg_scope {
	const struct binder
		*input; /* of the aggregate: its columns are hidden; NULL: they are not */
	struct agg_term *terms;
	size_t term_count;
	const struct sql_expr *legacy; /* TUMBLE(ts, ...) of GROUP BY, or NULL */
	size_t window_start;	       /* of the three window columns */
};

/* A typed expression over the binder's columns. As plan_query(). */
int bind_expr(const struct binder *binder, const struct sql_expr *ast, struct expr **ret);

/* The same, which must be a condition. */
int bind_condition(const struct binder *binder, const struct sql_expr *ast, struct expr **ret);

/* The column that a bare name means, or -EBADMSG ("Column ... not found"). */
int bind_column(const struct binder *binder, const struct sql_expr *ast, size_t *ret);

/* A type as Flink names it in errors: "TIMESTAMP(3) NOT NULL". */
struct text type_summary(struct arena *arena, const struct sql_type *type);

struct plan *plan_new(struct planner *planner, enum plan_kind kind, struct plan *input);
/* Puts a condition over *plan; `ast` is what it was bound from. */
int plan_filter(struct planner *planner, struct expr *condition, const struct sql_expr *ast,
	struct plan **plan);
int plan_project(struct planner *planner, struct expr **exprs, struct plan_column *columns,
	size_t count, struct plan **plan);

/* Only the first columns. */
int plan_show(struct planner *planner, size_t count, struct plan **plan);

/* FROM: a table, view, sub-query or window function. */
int plan_from(
	struct planner *planner, const struct sql_rel *rel, struct plan **ret, struct text *alias);

/* VALUES as a relation: its columns are EXPR$0 and so on. */
int plan_values(struct planner *planner, const struct sql_query *query, struct plan **ret);

/* DISTINCT: a GROUP BY all columns. */
int plan_distinct(struct planner *planner, struct plan **plan);

/* GROUP BY and aggregate calls over `input`; WHERE is part of it, as it may change the plan. */
int plan_aggregate(struct planner *planner, const struct sql_query *query, struct text alias,
	struct plan **plan);
/* WHERE has no aggregates. */
int plan_check_where(struct planner *planner, const struct sql_expr *where);
bool query_aggregates(const struct sql_query *query);

/* SELECT items over `plan`, where an aggregate (or NULL) lies in between. */
int plan_items(struct planner *planner, const struct sql_query *query, const struct binder *binder,
	struct plan **plan);

/* ROW_NUMBER() OVER: a rank, and later its bounds from the WHERE around it; what is left of the
 * condition comes back in *where (NULL: nothing). plan_top() decides how a rank without windows is
 * kept; plan_is_silent() says that a -U is missing from the rows. */
int plan_over(struct planner *planner, const struct sql_query *query, const struct binder *binder,
	struct plan **plan);
int plan_rank_bounds(struct planner *planner, struct plan *plan, struct sql_expr **where);
bool plan_is_silent(const struct plan *plan);
int plan_top(struct planner *planner, struct plan *rank);
bool query_ranks(const struct sql_query *query);

/* ORDER BY with LIMIT, or LIMIT over a changelog, in streaming mode: a Top-N. */
int plan_top_rows(struct planner *planner, const struct sql_query *query,
	const struct binder *binder, struct plan **plan);

/* ORDER BY. */
int plan_order(struct planner *planner, const struct sql_query *query, const struct binder *binder,
	struct plan **plan);
int bind_order(const struct binder *binder, const struct sql_order *order, struct sort_key **ret,
	size_t *count);

#endif

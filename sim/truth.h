/* What a condition can be where one term of it, a column or what is worked out of one, has this or
 * that value: between the files of sim/never.h. */
#ifndef EWIN_SIM_TRUTH_H
#define EWIN_SIM_TRUTH_H

#include "parser/limits.h"
#include "parser/sql.h"

struct planner;

/* IS_UNTRUE: FALSE or NULL. IS_OPEN: any of them. */
enum truth { IS_FALSE, IS_NULL, IS_UNTRUE, IS_TRUE, IS_OPEN };

/* Values of one term, by place: NULL, below the first constant, the constant, above it, and so
 * on. */
struct probe {
	struct planner *planner;
	const struct sql_expr *term;
	const struct sql_type *type;
	const struct sql_expr *constants[LIMIT_NEVER_CONSTANTS];
	size_t count;
	size_t place;
	bool beyond, doubt;
};

/* Notes the constants that the term is compared with: for ast_walk(). */
bool probe_collect(const struct sql_expr *expr, void *probe);

/* What the condition is at the probe's place. */
enum truth truth_at(const struct probe *probe, const struct sql_expr *condition);
bool can_be_true(enum truth truth);

/* What the planner works out of a condition that has no column. */
enum truth truth_of_constant(struct planner *planner, const struct sql_expr *expr);

/* Is it this very term? */
bool is_term(const struct probe *probe, const struct sql_expr *expr);

/* Is it CASE, or a function that stands for one? The planner rewrites it first. */
bool is_chosen(const struct sql_expr *expr);

/* For ast_walk(): goes on until a column is met. */
bool is_no_column(const struct sql_expr *expr, void *ctx);

#endif

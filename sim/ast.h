/* Questions about syntax trees. */
#ifndef EWIN_SIM_AST_H
#define EWIN_SIM_AST_H

#include "parser/sql.h"

/* The same expression, positions aside? */
bool ast_same(const struct sql_expr *a, const struct sql_expr *b);

/* The same literal? Both are literals or intervals. */
bool ast_same_value(const struct sql_expr *a, const struct sql_expr *b);

/* Is it one of the aggregate functions, without OVER? */
bool ast_is_aggregate(const struct sql_expr *expr);

/* Is one in the expression? */
bool ast_has_aggregate(const struct sql_expr *expr);

/* Calls visit() for the expression and all below it, but not into sub-queries; stops at false. */
bool ast_walk(
	const struct sql_expr *expr, bool (*visit)(const struct sql_expr *, void *), void *ctx);

#endif

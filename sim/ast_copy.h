/* Copies of syntax trees, to be changed without changing the original. Texts, types, table
 * columns and options are shared; nodes are not. */
#ifndef EWIN_SIM_AST_COPY_H
#define EWIN_SIM_AST_COPY_H

#include "parser/sql.h"

struct arena;

/* Copies `count` statements with all below them. NULL: no memory. */
struct sql_statement *ast_copy_statements(
	struct arena *arena, const struct sql_statement *statements, size_t count);

#endif

/* The inside of profile_query(): a query is followed from relation to relation. */
#ifndef EWIN_DAEMON_GRADE_FOLLOWING_H
#define EWIN_DAEMON_GRADE_FOLLOWING_H

#include "daemon/grade/profile.h"
#include "sim/planner.h"

/* Columns of a relation. */
struct relation {
	struct profile_item *items;
	size_t count, room;
};

struct following {
	struct profile_builder *builder;
	struct arena *arena;
	struct profile *profile;
	const struct with_scope *with;
	int depth;
	size_t size; /* parts of the expression under way */
};

/* An expression that is NULL makes the profile unknown. */
void add_term(struct following *f, struct terms *terms, struct sql_expr *expr);

/* A column more. `size`: parts of its expression. */
void add_item(struct following *f, struct relation *relation, struct text name,
	struct sql_expr *expr, size_t size);

struct sql_expr *new_column(struct following *f, struct text qualifier, struct text name);

/* The expression with columns replaced by what they are; NULL: it is not understood. Its parts
 * are f->size. */
struct sql_expr *expand(
	struct following *f, const struct relation *relation, const struct sql_expr *expr);

/* ROW_NUMBER() OVER and its kin. */
bool is_rank_call(const struct sql_expr *expr);

/* Lengths of a window function whose first one stands at this place; the keys of its PARTITION
 * BY. */
void take_sizes(struct profile_window *window, const struct sql_expr *call, size_t first);
void take_partition(
	struct following *f, const struct relation *relation, const struct sql_expr *data);

#endif

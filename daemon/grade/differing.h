/* The inside of a comparison of two profiles: what sets a learner's query apart from the asked
 * one. One function a kind of difference; each says what it finds, by id and with the learner's
 * own value. */
#ifndef EWIN_DAEMON_GRADE_DIFFERING_H
#define EWIN_DAEMON_GRADE_DIFFERING_H

#include "daemon/grade/causes.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/profile.h"

struct differing {
	struct arena *arena;
	const struct grading *grading;
	const struct profile *asked, *mine;
	const struct profiles *script; /* all of the learner's */
	struct text error;	       /* that the client printed for this statement; empty: none */
	const struct table *saved;     /* what was saved of it; NULL: no table */
	bool right;		       /* the rows that were saved are the asked ones */
	int table;		       /* that a cause is said of; 0: the whole file */
	bool same_step;		       /* the whole query is that of another step */
	struct causes *causes;
};

void differ_say(struct differing *d, enum diagnosis_id id, struct text param);

/* In the order of their effect. */
void differ_mode(struct differing *d);
void differ_tableau(struct differing *d);
void differ_source(struct differing *d);
void differ_columns_declared(struct differing *d);
void differ_watermark(struct differing *d);
void differ_zone(struct differing *d);
void differ_creation(struct differing *d);
void differ_window(struct differing *d);
void differ_union(struct differing *d);
void differ_filter(struct differing *d);
void differ_grouping(struct differing *d);
void differ_rank(struct differing *d);
void differ_items(struct differing *d);
void differ_limit(struct differing *d);
void differ_interval(struct differing *d);
void differ_emit(struct differing *d);
void differ_parallelism(struct differing *d);

/* Is there no window where one is asked, or is it not among what is grouped by? */
bool loses_windows(const struct differing *d);

/* A ranking of groups is asked, and rows are ranked, or the other way round. */
bool differ_ranked_level(const struct differing *d);

/* Single rows where groups are asked, or groups where rows are. */
bool differ_level(const struct differing *d);

/* Is one key of GROUP BY lost, and another one there? A column that is lost with its key, or
 * comes with it, is the key's. */
bool differ_keys_exchanged(struct differing *d);

/* A statement that could not run: SET with a bad value. */
void differ_set(struct differing *d);

/* The asked item and the learner's whose comparison gives this very cause. False: none does. */
bool differ_find_item(
	struct differing *d, const struct diagnosis *cause, size_t *ret_asked, size_t *ret_mine);

/* Have two queries the same windows, keys and columns? */
bool profiles_alike(const struct profile *a, const struct profile *b);

/* Do both read a table? Is a DESCRIBE asked? */
bool differ_tables(const struct differing *d);
bool differ_described(const struct differing *d);

/* Does an aggregate leave late rows out, by FILTER? */
bool differ_filters_aggregate(const struct profile *mine);

/* ---- terms ---- */

/* The same value, whatever it is cast to? The numbers of ROW_NUMBER and RANK are. */
bool term_equal(const struct sql_expr *a, const struct sql_expr *b);

/* Without the casts around it. */
const struct sql_expr *term_bare(const struct sql_expr *expr);

bool term_is_window(const struct sql_expr *expr, const char *column);
bool term_is_of_window(const struct sql_expr *expr); /* any of them */
bool terms_have(const struct terms *terms, const struct sql_expr *expr);

/* Printed without the qualifier that a window's columns have here. */
struct text term_print(struct differing *d, const struct sql_expr *expr);

/* As the learner wrote it: a column by its own name in their table. */
struct text term_text(
	struct differing *d, const struct profile *profile, const struct sql_expr *expr);

/* Does text hold this, whatever the case? */
bool text_has(struct text t, const char *part);

#endif

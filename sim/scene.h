/* A scene: one query of a script with all that it reads, as syntax that may be changed. What
 * mutations ask for is found once: the table, the window, the aggregate, the ranking, the filter
 * on lateness. */
#ifndef EWIN_SIM_SCENE_H
#define EWIN_SIM_SCENE_H

#include "parser/sql.h"
#include "sim/kept.h"
#include "sim/window.h"

struct arena;

/* A setting that goes before the script's own. */
struct scene_setting {
	const char *key;
	struct text value;
};

#define SCENE_SETTINGS 2

/* A window of a lab has so many rows. */
#define SCENE_COUNTS 128

struct scene {
	struct arena *arena;
	bool nomem;
	bool touched; /* it is no fresh copy any more; builders set it */
	struct sql_statement *statements;
	size_t target; /* index of the query's statement; those behind it are not run */
	struct scene_setting settings[SCENE_SETTINGS];
	size_t setting_count;
	enum input_change change;
	size_t first_rows; /* see sim/kept.h */
	uint64_t lateness; /* see sim/lateness.h; of mutants that change nothing else */
	bool untied;	   /* it holds as long as no two rows rank alike */
	bool part;	   /* whatever rows it has, the reference has them too */
	bool batch;
	int64_t interval_ms;
	const struct table *asked; /* the reference's */
	const bool *counts; /* by number below SCENE_COUNTS: has a group of it so many rows? */

	struct sql_query *query;	/* of the target */
	struct sql_create_table *table; /* NULL: not found, then nothing is changed */
	struct text rowtime;		/* column of its watermark; ptr NULL: none */
	bool delay_known;
	int64_t delay_ms;

	struct sql_expr *window; /* call of a window function, its arguments by place; or NULL */
	struct sql_rel *window_rel;
	struct sql_query *window_query; /* whose FROM it is */
	size_t window_count;
	enum window_kind kind;
	int64_t size_ms, step_ms; /* TUMBLE and SESSION have no step */

	bool rowwise; /* each row is made of one of the table's, whatever others there are */
	struct sql_query *agg;	      /* the innermost that aggregates, or NULL */
	struct sql_query *ranked;     /* with ROW_NUMBER() in its items, or NULL */
	struct sql_expr *rank;	      /* that call */
	struct sql_query *bound;      /* around it, with the WHERE that bounds it */
	struct sql_query *late;	      /* whose WHERE reads CURRENT_WATERMARK, or NULL */
	const struct kept_file *file; /* rows of the table, where they were read already; or NULL */
};

void scene_set(struct scene *scene, const char *key, struct text value);

/* Finds what is above in a copy of statements. The settings in force are the caller's. */
void scene_find(struct scene *scene);

/* Builders; NULL sets scene->nomem. */
struct sql_expr *scene_column(struct scene *scene, struct text name);
struct sql_expr *scene_number(struct scene *scene, int64_t number);
struct sql_expr *scene_string(struct scene *scene, struct text text);
struct sql_expr *scene_time(struct scene *scene, int64_t ms); /* TIMESTAMP '...' */
struct sql_expr *scene_interval(struct scene *scene, int64_t ms);
struct sql_expr *scene_op(
	struct scene *scene, enum sql_op op, struct sql_expr *a, struct sql_expr *b);
struct sql_expr *scene_call(
	struct scene *scene, struct text name, struct sql_expr *a, struct sql_expr *b);
struct sql_query *scene_select(struct scene *scene, struct sql_rel *from);
void scene_item(
	struct scene *scene, struct sql_query *query, struct sql_expr *expr, struct text alias);
void scene_group(struct scene *scene, struct sql_query *query, struct sql_expr *expr);

/* ts, or ts - INTERVAL: what a watermark of this delay is. */
struct sql_expr *scene_delayed(struct scene *scene, int64_t delay_ms);

/* CURRENT_WATERMARK(ts) */
struct sql_expr *scene_watermark(struct scene *scene);

/* Makes it show COUNT(*) of each group of scene->agg, and nothing else. */
void scene_count_groups(struct scene *scene);

/* Puts a condition in front of the query's own WHERE. */
void scene_where(struct scene *scene, struct sql_query *query, struct sql_expr *condition);

/* Is it a bare column of that name? Of the window (window_start, window_end)? */
bool scene_is_column(const struct sql_expr *expr, struct text name);
bool scene_is_window_column(const struct sql_expr *expr);

bool scene_is_numeric(const struct sql_type *type);

/* The call of a window function, its lengths replaced: kind, lengths (step 0: none), offset (0:
 * none). */
void scene_set_window(struct scene *scene, enum window_kind kind, int64_t step_ms, int64_t size_ms,
	int64_t offset_ms);

/* Takes an item or key of that column out of the query, and out of those around it. */
void scene_drop_column(struct scene *scene, struct text name);

#endif

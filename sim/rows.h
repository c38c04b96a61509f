/* Kept rows: copies of whole rows that wait in an operator, and their sorting. */
#ifndef EWIN_SIM_ROWS_H
#define EWIN_SIM_ROWS_H

#include "sim/plan.h"

struct pool;

/* A row that waits; span is the window that it was counted for, where it has one. */
struct kept_row {
	struct window_span span;
	int64_t number; /* in which it came, where that is asked for later */
	struct value cells[];
};

struct row_list {
	struct pool *pool;
	const struct plan_column *columns;
	size_t width;
	struct kept_row **rows;
	size_t count, room;
};

void row_list_init(
	struct row_list *list, struct pool *pool, const struct plan_column *columns, size_t width);

/* Appends a copy. 0 or -ENOMEM. */
int row_list_add(struct row_list *list, const struct value *cells, struct window_span span);

/* Puts a kept row at a place, which those behind it make free; takes one out. 0 or -ENOMEM. */
int row_list_insert(struct row_list *list, size_t place, struct kept_row *row);
struct kept_row *row_list_take(struct row_list *list, size_t place);

/* A copy of a row outside the list, and giving it back. NULL: no memory. */
struct kept_row *row_keep(
	const struct row_list *list, const struct value *cells, struct window_span span);
void row_drop(const struct row_list *list, struct kept_row *row);

/* Moves all rows of another list of the same columns into this one, both in order of their numbers.
 * 0 or -ENOMEM. */
int row_list_move(struct row_list *list, struct row_list *from);

/* Gives back all rows. */
void row_list_clear(struct row_list *list);

/* Order of two rows: <0, 0, >0. */
struct row_order {
	int (*cmp)(const void *ctx, const struct kept_row *a, const struct kept_row *b);
	const void *ctx;
};

/* Flink's sort of batch mode, which is not stable. */
void batch_sort(struct kept_row **rows, size_t count, struct row_order order);

/* A stable sort. 0 or -ENOMEM. */
int stable_sort(struct pool *pool, struct kept_row **rows, size_t count, struct row_order order);

/* Order by keys. 0 too where an expression fails. */
int sort_keys_cmp(const struct sort_key *keys, size_t count, const struct kept_row *a,
	const struct kept_row *b);

#endif

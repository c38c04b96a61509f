/* Kept rows and the two sorts. Batch mode sorts in memory as Flink's BinaryInMemorySort does: an
 * insertion sort below 13 rows, else a three-way quicksort whose pivot is the median of first,
 * middle and last, moved to the front; rows equal to it gather at both ends and are swapped back.
 * The fixed way in which it shuffles equal rows decides the order that is printed. Recorded:
 * semantics/batch_03, semantics/batch_05, semantics/manybatch_04. */
#include "sim/rows.h"

#include <errno.h>
#include <string.h>

#include "sim/key.h"
#include "sim/pool.h"
#include "sim/value_set.h"

#define INSERTION_SORT_BELOW 13
#define FIRST_ROOM	     16

void row_list_init(
	struct row_list *list, struct pool *pool, const struct plan_column *columns, size_t width)
{
	*list = (struct row_list){.pool = pool, .columns = columns, .width = width};
}

static size_t row_size(const struct row_list *list)
{
	return sizeof(struct kept_row) + list->width * sizeof(struct value);
}

static int make_room(struct row_list *list)
{
	size_t room = list->room ? list->room * 2 : FIRST_ROOM;
	struct kept_row **rows;

	if (list->count < list->room)
		return 0;
	rows = pool_resize(
		list->pool, list->rows, list->room * sizeof(*rows), room * sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	list->rows = rows;
	list->room = room;
	return 0;
}

struct kept_row *row_keep(
	const struct row_list *list, const struct value *cells, struct window_span span)
{
	struct kept_row *row = pool_alloc(list->pool, row_size(list));

	if (!row)
		return NULL;
	row->span = span;
	row->number = 0;
	for (size_t i = 0; i < list->width; i++)
		if (value_keep(list->pool, &list->columns[i].type, &cells[i], &row->cells[i]) < 0)
			return NULL;
	return row;
}

void row_drop(const struct row_list *list, struct kept_row *row)
{
	for (size_t i = 0; i < list->width; i++)
		value_drop(list->pool, &list->columns[i].type, &row->cells[i]);
	pool_free(list->pool, row, row_size(list));
}

int row_list_add(struct row_list *list, const struct value *cells, struct window_span span)
{
	struct kept_row *row;

	if (make_room(list) < 0)
		return -ENOMEM;
	row = row_keep(list, cells, span);
	if (!row)
		return -ENOMEM;
	list->rows[list->count++] = row;
	return 0;
}

int row_list_insert(struct row_list *list, size_t place, struct kept_row *row)
{
	if (make_room(list) < 0)
		return -ENOMEM;
	memmove(&list->rows[place + 1], &list->rows[place],
		(list->count - place) * sizeof(struct kept_row *));
	list->rows[place] = row;
	list->count++;
	return 0;
}

struct kept_row *row_list_take(struct row_list *list, size_t place)
{
	struct kept_row *row = list->rows[place];

	list->count--;
	memmove(&list->rows[place], &list->rows[place + 1],
		(list->count - place) * sizeof(struct kept_row *));
	return row;
}

int row_list_move(struct row_list *list, struct row_list *from)
{
	size_t i = list->count, j = from->count;

	while (list->count < i + j) {
		if (make_room(list) < 0)
			return -ENOMEM;
		list->rows[list->count++] = NULL;
	}
	for (size_t at = list->count; j > 0; at--)
		if (i > 0 && list->rows[i - 1]->number > from->rows[j - 1]->number)
			list->rows[at - 1] = list->rows[--i];
		else
			list->rows[at - 1] = from->rows[--j];
	from->count = 0;
	row_list_clear(from);
	return 0;
}

void row_list_clear(struct row_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		row_drop(list, list->rows[i]);
	pool_free(list->pool, list->rows, list->room * sizeof(*list->rows));
	list->rows = NULL;
	list->count = list->room = 0;
}

static void swap(struct kept_row **rows, size_t a, size_t b)
{
	struct kept_row *row = rows[a];

	rows[a] = rows[b];
	rows[b] = row;
}

static int cmp(const struct row_order *order, struct kept_row **rows, size_t a, size_t b)
{
	return order->cmp(order->ctx, rows[a], rows[b]);
}

static void put_in_order(const struct row_order *order, struct kept_row **rows, size_t a, size_t b)
{
	if (cmp(order, rows, a, b) > 0)
		swap(rows, a, b);
}

static void insertion_sort(const struct row_order *order, struct kept_row **rows, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && cmp(order, rows, j - 1, j) > 0; j--)
			swap(rows, j - 1, j);
}

/* The two halves around the pivot: [0, low) and [high, count). */
struct halves {
	size_t low, high;
};

/* One pass over the rows, the pivot in front. `i` and `j` walk toward each other; `left` is the
 * last of the equal rows in front, `right` the first of those behind. */
static struct halves partition(const struct row_order *order, struct kept_row **rows, size_t count)
{
	size_t i = 0, j = count, left = 0, right = count;

	for (;;) {
		int c;

		for (i++; i < j && (c = cmp(order, rows, i, 0)) <= 0; i++)
			if (c == 0 && ++left != i)
				swap(rows, left, i);
		for (j--; j > i && (c = cmp(order, rows, 0, j)) <= 0; j--)
			if (c == 0 && --right != j)
				swap(rows, right, j);
		if (i >= j)
			break;
		swap(rows, i, j);
	}
	j = i;
	for (left++; left > 0; left--)
		swap(rows, left - 1, --i);
	for (; right < count; right++)
		swap(rows, right, j++);
	return (struct halves){i, j};
}

void batch_sort(struct kept_row **rows, size_t count, struct row_order order)
{
	while (count >= INSERTION_SORT_BELOW) {
		struct halves halves;

		put_in_order(&order, rows, count / 2, 0);
		put_in_order(&order, rows, count / 2, count - 1);
		put_in_order(&order, rows, 0, count - 1);
		halves = partition(&order, rows, count);
		if (halves.low < count - halves.high) {
			batch_sort(rows, halves.low, order);
			rows += halves.high;
			count -= halves.high;
		} else {
			batch_sort(rows + halves.high, count - halves.high, order);
			count = halves.low;
		}
	}
	insertion_sort(&order, rows, count);
}

static void merge(const struct row_order *order, struct kept_row **from, struct kept_row **to,
	size_t half, size_t count)
{
	size_t a = 0, b = half;

	for (size_t i = 0; i < count; i++) {
		bool second = a == half || (b < count && cmp(order, from, a, b) > 0);

		to[i] = second ? from[b++] : from[a++];
	}
}

static void merge_sort(const struct row_order *order, struct kept_row **rows,
	struct kept_row **scratch, size_t count)
{
	size_t half = count / 2;

	if (count < INSERTION_SORT_BELOW) {
		insertion_sort(order, rows, count);
		return;
	}
	merge_sort(order, rows, scratch, half);
	merge_sort(order, rows + half, scratch, count - half);
	merge(order, rows, scratch, half, count);
	memcpy(rows, scratch, count * sizeof(struct kept_row *));
}

int stable_sort(struct pool *pool, struct kept_row **rows, size_t count, struct row_order order)
{
	struct kept_row **scratch = pool_alloc(pool, count * sizeof(struct kept_row *));

	if (!scratch)
		return -ENOMEM;
	merge_sort(&order, rows, scratch, count);
	pool_free(pool, scratch, count * sizeof(struct kept_row *));
	return 0;
}

/* NULL is the lowest value, unless the query puts it elsewhere. */
static int key_cmp(const struct sort_key *key, const struct value *x, const struct value *y)
{
	int order;

	if (x->null != y->null)
		return x->null == key->nulls_last ? 1 : -1;
	order = value_cmp(&key->expr->type, x, y);
	return key->descending ? -order : order;
}

int sort_keys_cmp(const struct sort_key *keys, size_t count, const struct kept_row *a,
	const struct kept_row *b)
{
	for (size_t i = 0; i < count; i++) {
		struct eval left = {.cells = a->cells, .wm_ms = WATERMARK_NONE};
		struct eval right = {.cells = b->cells, .wm_ms = WATERMARK_NONE};
		struct value x, y;
		int order;

		keys[i].expr->eval(keys[i].expr, &left, &x);
		keys[i].expr->eval(keys[i].expr, &right, &y);
		order = key_cmp(&keys[i], &x, &y);
		if (order)
			return order;
	}
	return 0;
}

/* Lines: a saved row becomes a row of the asked columns, each cell read as the asked type; both
 * sides are sorted and merged. */
#include "daemon/grade/lines.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/grade/compare.h"
#include "parser/arena.h"

int lines_compare(const struct line *a, const struct line *b, size_t columns)
{
	for (size_t i = 0; i < columns; i++) {
		int order = value_cmp(&a->asked->columns[i].type, &a->cells[i], &b->cells[i]);

		if (order)
			return order;
	}
	return 0;
}

static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->unreadable != b->unreadable)
		return a->unreadable - b->unreadable;
	return a->unreadable ? 0 : lines_compare(a, b, a->columns);
}

/* The asked row that a saved row stands for. Columns that are not there are NULL on both sides. */
static int project(struct arena *arena, const struct table *asked, const struct table *saved,
	const struct row *row, const size_t *of, struct line *ret)
{
	struct value *cells = arena_array(arena, asked->column_count + 1, sizeof(*cells));
	struct line line = {
		.cells = cells, .asked = asked, .columns = asked->column_count, .source = row};

	if (!cells)
		return -ENOMEM;
	for (size_t i = 0; i < asked->column_count; i++) {
		const struct value *cell = of[i] == NO_COLUMN ? NULL : &row->cells[of[i]];

		if (!cell || cell->null)
			cells[i].null = true;
		else if (saved->columns[of[i]].type.kind != SQL_ANY)
			cells[i] = *cell;
		else if (value_parse(cell->s, &asked->columns[i].type, &cells[i]))
			line.unreadable = true;
	}
	*ret = line;
	return 0;
}

static int project_all(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, enum row_op op, struct lines *ret)
{
	struct lines lines = {
		.items = arena_array(arena, saved->row_count + 1, sizeof(struct line))};

	if (!lines.items)
		return -ENOMEM;
	for (size_t i = 0; i < saved->row_count; i++) {
		bool adds = saved->rows[i].op == OP_INSERT || saved->rows[i].op == OP_UPDATE_AFTER;

		if (adds != (op == OP_INSERT))
			continue;
		if (project(arena, asked, saved, &saved->rows[i], of, &lines.items[lines.count++]))
			return -ENOMEM;
	}
	qsort(lines.items, lines.count, sizeof(*lines.items), compare_lines);
	*ret = lines;
	return 0;
}

static int compare_places(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	return a->source < b->source ? -1 : a->source > b->source;
}

void lines_by_place(struct lines *lines)
{
	qsort(lines->items, lines->count, sizeof(*lines->items), compare_places);
}

void lines_cancel(struct lines *a, struct lines *b)
{
	size_t i = 0, k = 0, left = 0, right = 0;

	while (i < a->count || k < b->count) {
		int order = i == a->count   ? 1
			    : k == b->count ? -1
					    : compare_lines(&a->items[i], &b->items[k]);

		if (order == 0 && !a->items[i].unreadable) {
			i++;
			k++;
		} else if (order <= 0) {
			a->items[left++] = a->items[i++];
		} else {
			b->items[right++] = b->items[k++];
		}
	}
	a->count = left;
	b->count = right;
}

int lines_fold(struct arena *arena, const struct table *asked, const struct table *saved,
	const size_t *of, struct lines *ret)
{
	struct lines added, removed;

	if (project_all(arena, asked, saved, of, OP_INSERT, &added) ||
		project_all(arena, asked, saved, of, OP_DELETE, &removed))
		return -ENOMEM;
	lines_cancel(&added, &removed);
	*ret = added;
	return 0;
}

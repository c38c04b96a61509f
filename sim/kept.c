/* Kept rows are physical columns alone: what a table computes is computed anew by each query. */
#include "sim/kept.h"

#include <stdlib.h>

#include "parser/arena.h"
#include "sim/key.h"
#include "sim/source.h"

static bool same_options(const struct catalog_entry *a, const struct catalog_entry *b)
{
	bool same = a->option_count == b->option_count;

	for (size_t i = 0; same && i < a->option_count; i++)
		same = text_eq(a->options[i].key, b->options[i].key) &&
		       text_eq(a->options[i].value, b->options[i].value);
	return same;
}

/* The physical column at or behind *at, or NULL. */
static const struct sql_column *next_physical(const struct catalog_entry *table, size_t *at)
{
	while (*at < table->column_count && table->columns[*at].kind != COLUMN_PHYSICAL)
		++*at;
	return *at < table->column_count ? &table->columns[(*at)++] : NULL;
}

static bool same_types(const struct catalog_entry *a, const struct catalog_entry *b)
{
	size_t i = 0, k = 0;

	while (true) {
		const struct sql_column *left = next_physical(a, &i), *right = next_physical(b, &k);

		if (!left || !right)
			return left == right;
		if (left->type.kind != right->type.kind ||
			left->type.precision != right->type.precision ||
			left->type.scale != right->type.scale ||
			left->type.not_null != right->type.not_null)
			return false;
	}
}

struct kept_file *kept_find(const struct kept_rows *kept, const struct catalog_entry *table)
{
	for (struct kept_file *file = kept->first; file; file = file->next)
		if (same_options(file->table, table) && same_types(file->table, table))
			return file;
	return NULL;
}

const struct kept_file *kept_of(const struct kept_rows *kept, const struct sql_create_table *table)
{
	struct catalog_entry entry = {0};
	const struct kept_file *file;

	if (!table || table->like.len)
		return NULL;
	entry.columns = table->columns;
	entry.column_count = table->column_count;
	entry.options = table->options;
	entry.option_count = table->option_count;
	file = kept_find(kept, &entry);
	return file && file->usable ? file : NULL;
}

static struct catalog_entry *copy_table(struct arena *arena, const struct catalog_entry *table)
{
	struct catalog_entry *copy = ARENA_NEW(arena, struct catalog_entry);

	if (!copy)
		return NULL;
	*copy = (struct catalog_entry){
		.columns = arena_array(arena, table->column_count + 1, sizeof(*copy->columns)),
		.options = arena_array(arena, table->option_count + 1, sizeof(*copy->options)),
		.column_count = table->column_count,
		.option_count = table->option_count};
	if (!copy->columns || !copy->options)
		return NULL;
	for (size_t i = 0; i < table->column_count; i++)
		copy->columns[i] = (struct sql_column){
			.kind = table->columns[i].kind, .type = table->columns[i].type};
	for (size_t i = 0; i < table->option_count; i++) {
		copy->options[i].key = text_copy(arena, table->options[i].key);
		copy->options[i].value = text_copy(arena, table->options[i].value);
		if (!copy->options[i].key.ptr || !copy->options[i].value.ptr)
			return NULL;
	}
	return copy;
}

struct kept_file *kept_add(struct kept_rows *kept, const struct catalog_entry *table)
{
	struct kept_file *file = ARENA_NEW(kept->arena, struct kept_file);
	size_t at = 0;

	if (!file)
		return NULL;
	*file = (struct kept_file){.table = copy_table(kept->arena, table), .next = kept->first};
	if (!file->table)
		return NULL;
	while (next_physical(table, &at))
		file->width++;
	kept->first = file;
	return file;
}

struct keeper {
	struct op op;
	struct arena *arena;
	struct kept_file *file;
	const struct catalog_entry *table;
};

static bool is_text(const struct sql_type *type)
{
	return type_is_text(type) || type->kind == SQL_BINARY || type->kind == SQL_VARBINARY;
}

static int keeper_row(struct op *op, enum row_op kind, const struct value *cells)
{
	struct keeper *keeper = (struct keeper *)op;
	struct kept_file *file = keeper->file;
	const struct catalog_entry *table = keeper->table;
	struct value *row;

	(void)kind;
	if (arena_grow(keeper->arena, &file->cells, file->rows, &file->room,
		    (file->width ? file->width : 1) * sizeof(*row)))
		return -ENOMEM;
	row = file->cells + file->rows++ * file->width;
	for (size_t i = 0; i < table->column_count; i++) {
		if (table->columns[i].kind != COLUMN_PHYSICAL)
			continue;
		*row = cells[i];
		if (!row->null && is_text(&table->columns[i].type)) {
			row->s = text_copy(keeper->arena, row->s);
			if (!row->s.ptr)
				return -ENOMEM;
		}
		row++;
	}
	return 0;
}

static int keeper_watermark(struct op *op, int64_t wm_ms)
{
	(void)op;
	(void)wm_ms;
	return 0;
}

struct op *kept_op(
	struct kept_rows *kept, struct kept_file *file, const struct catalog_entry *table)
{
	struct keeper *keeper = ARENA_NEW(kept->arena, struct keeper);

	if (!keeper)
		return NULL;
	*keeper = (struct keeper){{keeper_row, keeper_watermark, NULL}, kept->arena, file, table};
	return &keeper->op;
}

/* ---- sending ---- */

/* A row's time beside its number, to be sorted by both. */
struct timed {
	int64_t time_ms;
	int32_t nanos;
	size_t row;
};

static int by_time(const void *left, const void *right)
{
	const struct timed *a = left, *b = right;

	if (a->time_ms != b->time_ms)
		return a->time_ms < b->time_ms ? -1 : 1;
	if (a->nanos != b->nanos)
		return a->nanos < b->nanos ? -1 : 1;
	return a->row < b->row ? -1 : 1;
}

/* Numbers the rows in order of a physical column. */
static int order_by_time(struct kept_rows *kept, struct kept_file *file, size_t time)
{
	struct timed *rows;

	if (file->by_time && file->time == time)
		return 0;
	rows = arena_array(kept->arena, file->rows + 1, sizeof(*rows));
	file->by_time = arena_array(kept->arena, file->rows + 1, sizeof(*file->by_time));
	if (!rows || !file->by_time)
		return -ENOMEM;
	file->time = time;
	for (size_t i = 0; i < file->rows; i++) {
		const struct value *cell = &file->cells[i * file->width + time];

		rows[i] = (struct timed){cell->null ? INT64_MIN : cell->i, cell->nanos, i};
	}
	qsort(rows, file->rows, sizeof(*rows), by_time);
	for (size_t i = 0; i < file->rows; i++)
		file->by_time[i] = rows[i].row;
	return 0;
}

struct sending {
	const struct kept_file *file;
	const struct plan *scan;
	struct run *run;
	struct op *down;
	struct value *cells; /* where the table has more columns than its file; else NULL */
};

static int send_row(const struct sending *sending, size_t index)
{
	const struct catalog_entry *table = sending->scan->scan.table;
	const struct value *row = sending->file->cells + index * sending->file->width;

	for (size_t i = 0, k = 0; sending->cells && i < table->column_count; i++)
		if (table->columns[i].kind == COLUMN_PHYSICAL)
			sending->cells[i] = row[k++];
	if (run_spend(sending->run, STEPS_ROW) < 0)
		return -ENOTSUP;
	sending->run->rows_in++;
	return op_row(sending->down, OP_INSERT, sending->cells ? sending->cells : row);
}

/* Which of the file's columns the time attribute is; the width: it is computed. */
static size_t time_column(const struct kept_file *file, const struct plan *scan)
{
	const struct catalog_entry *table = scan->scan.table;
	size_t at = 0;

	if (table->columns[scan->scan.rowtime].kind != COLUMN_PHYSICAL)
		return file->width;
	for (size_t i = 0; i < scan->scan.rowtime; i++)
		at += table->columns[i].kind == COLUMN_PHYSICAL;
	return at;
}

/* Which row is sent as the i-th. */
static size_t row_at(const struct kept_file *file, enum input_change change, size_t i)
{
	switch (change) {
	case INPUT_SORTED: return file->by_time[i];
	case INPUT_DOUBLED: return i / 2;
	case INPUT_HALVES: return (i + file->rows / 2) % file->rows;
	default: return i;
	}
}

static int send_all(const struct sending *sending, enum input_change change, size_t first_rows)
{
	const struct kept_file *file = sending->file;
	size_t times = change == INPUT_TWICE ? 2 : 1;
	size_t rows = change == INPUT_DOUBLED ? 2 * file->rows : file->rows;
	int err = 0;

	if (change == INPUT_FIRST && first_rows < rows)
		rows = first_rows;
	for (size_t pass = 0; pass < times && err == 0; pass++)
		for (size_t i = 0; i < rows && err == 0; i++)
			err = send_row(sending, row_at(file, change, i));
	return err;
}

int kept_run(struct arena *arena, struct kept_rows *kept, struct kept_file *file,
	const struct plan *scan, struct run *run, struct op *down)
{
	const struct catalog_entry *table = scan->scan.table;
	struct sending sending = {.file = file, .scan = scan, .run = run, .down = down};
	enum input_change change = kept->change;
	int err = 0;

	if (change == INPUT_SORTED && !scan->scan.has_rowtime)
		change = INPUT_AS_IS;
	if (change == INPUT_SORTED) {
		size_t time = time_column(file, scan);

		if (time == file->width)
			return -ENOTSUP;
		err = order_by_time(kept, file, time);
	}
	if (table->column_count != file->width) {
		sending.cells = arena_array(arena, table->column_count + 1, sizeof(struct value));
		if (!sending.cells)
			return -ENOMEM;
		for (size_t i = 0; i < table->column_count; i++)
			sending.cells[i].null = true;
	}
	run->lines = change == INPUT_AS_IS ? file->lines : 0;
	if (err == 0)
		err = send_all(&sending, change, kept->first_rows);
	return err || change == INPUT_ENDLESS ? err : op_watermark(down, WATERMARK_END);
}

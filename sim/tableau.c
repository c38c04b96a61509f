/* The tableau: lays out tables as Flink's TableauStyle does.
 *
 * A cell that is too wide is cut so that "..." fits, and both are padded on the left; nothing is
 * escaped. The header is cut by the same rule. A streaming table prints its head before there are
 * rows; a job that fails has a head and no row, so rows are held back, up to a limit. A batch table
 * and a catalog's (DESCRIBE, SHOW) are printed at their end.
 * Recorded: format/types_*, format/wide_*, format/width_*, format/empty_result_*,
 * format/err_bad_row_middle_stream. */
#include "sim/tableau.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/encoding.h"

/* A streaming column is at least as wide as "<NULL>". */
#define MIN_WIDTH 6

#define OP_WIDTH 2

/* What stands around the text of a cell: " text |". */
#define CELL_FRAME 3

/* Printed rows are held back in pieces of some hundred, and up to some ten thousand rows: a client
 * that prints more has shown the first ones before a job fails, and our memory stays constant. */
#define HELD_BYTES (64u << 10)
#define HELD_LIMIT (8u << 20)

/* Cells are gathered before they go there: a row is some twenty pieces. */
#define ROWS_BUFFER (16u << 10)

/* Printed rows that wait for the end. */
struct held_block {
	struct held_block *next;
	size_t len;
	char bytes[HELD_BYTES];
};

static const struct text dots = {"...", 3};

/* Width that a type's values need at most; 0 where only the limit bounds them. */
static size_t type_width(const struct sql_type *type)
{
	size_t precision = (size_t)type->precision;

	switch (type->kind) {
	case SQL_BOOLEAN: return 5;
	case SQL_TINYINT: return 4;
	case SQL_SMALLINT: return 6;
	case SQL_INT: return 11;
	case SQL_BIGINT: return 20;
	case SQL_DECIMAL: return precision + 2;
	case SQL_DATE: return 10;
	case SQL_TIME: return precision ? precision + 9 : 8;
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ: return precision ? 20 + (precision + 2) / 3 * 3 : 19;
	default: return 0;
	}
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* client_width(), the short way for ASCII: there every byte is one column. */
static size_t width_of(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if ((unsigned char)t.ptr[i] >= 0x80)
			return client_width(t);
	return t.len;
}

/* As much of t as fits, in whole characters. */
static struct text cut_to(struct text t, size_t width)
{
	size_t end = 0, used = 0, len;

	while (end < t.len) {
		used += client_width_next(text_slice(t, end, t.len), &len);
		if (used > width)
			break;
		end += len;
	}
	return text_slice(t, 0, end);
}

static void print_cut_cell(struct writer *out, struct text cell, size_t width)
{
	size_t used;

	cell = cut_to(cell, width > dots.len ? width - dots.len : 0);
	used = width_of(cell) + dots.len;
	writer_repeat(out, ' ', 1 + (used < width ? width - used : 0));
	writer_text(out, cell);
	writer_text(out, dots);
	writer_text(out, TEXT(" |"));
}

static void print_cell(struct writer *out, struct text cell, size_t width)
{
	const struct text end = TEXT(" |");
	size_t used = width_of(cell), pad = 1 + width - used;
	char *at;

	if (used > width) {
		print_cut_cell(out, cell, width);
		return;
	}
	at = cell.len ? writer_reserve(out, pad + cell.len + end.len) : NULL;
	if (at) {
		memset(at, ' ', pad);
		memcpy(at + pad, cell.ptr, cell.len);
		memcpy(at + pad + cell.len, end.ptr, end.len);
		return;
	}
	writer_repeat(out, ' ', pad);
	writer_text(out, cell);
	writer_text(out, end);
}

static bool is_changelog(const struct tableau *tableau)
{
	return tableau->shape.form == TABLE_CHANGELOG;
}

static void print_border(const struct tableau *tableau, struct writer *out)
{
	writer_text(out, TEXT("+"));
	if (is_changelog(tableau))
		writer_text(out, TEXT("----+"));
	for (size_t i = 0; i < tableau->shape.column_count; i++) {
		writer_repeat(out, '-', tableau->widths[i] + 2);
		writer_text(out, TEXT("+"));
	}
	writer_text(out, TEXT("\n"));
}

static void print_head(const struct tableau *tableau)
{
	struct writer *out = tableau->out;

	print_border(tableau, out);
	writer_text(out, TEXT("|"));
	if (is_changelog(tableau))
		print_cell(out, TEXT("op"), OP_WIDTH);
	for (size_t i = 0; i < tableau->shape.column_count; i++)
		print_cell(out, tableau->shape.columns[i].name, tableau->widths[i]);
	writer_text(out, TEXT("\n"));
	print_border(tableau, out);
}

static void release(struct tableau *tableau)
{
	for (const struct held_block *block = tableau->first; block; block = block->next)
		writer_text(tableau->out, (struct text){block->bytes, block->len});
	tableau->released = true;
}

static struct held_block *add_block(struct tableau *tableau)
{
	struct held_block *block = ARENA_NEW(tableau->arena, struct held_block);

	if (!block)
		return NULL;
	*(tableau->last ? &tableau->last->next : &tableau->first) = block;
	tableau->last = block;
	tableau->held += HELD_BYTES;
	return block;
}

static int write_held(void *ctx, const char *bytes, size_t size)
{
	struct tableau *tableau = ctx;
	struct held_block *block = tableau->last;

	if (!tableau->released && tableau->held >= HELD_LIMIT)
		release(tableau);
	if (tableau->released) {
		writer_text(tableau->out, (struct text){bytes, size});
		return tableau->out->err;
	}
	while (size) {
		size_t room = block ? sizeof(block->bytes) - block->len : 0;
		size_t len = size < room ? size : room;

		if (!room && !(block = add_block(tableau)))
			return -ENOMEM;
		memcpy(block->bytes + block->len, bytes, len);
		block->len += len;
		bytes += len;
		size -= len;
	}
	return 0;
}

static bool is_time(const struct sql_type *type)
{
	return type->kind == SQL_TIMESTAMP || type->kind == SQL_TIMESTAMP_LTZ;
}

static int add_time_cells(struct tableau *tableau)
{
	size_t count = tableau->shape.column_count;

	tableau->time_cells = arena_array(tableau->arena, count, sizeof(*tableau->time_cells));
	if (!tableau->time_cells)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct writer *text = &tableau->time_cells[i].text;

		if (!is_time(&tableau->shape.columns[i].type))
			continue;
		text->room = tableau->widths[i] + CELL_FRAME;
		text->buffer = arena_alloc(tableau->arena, text->room);
		if (!text->buffer)
			return -ENOMEM;
	}
	return 0;
}

static int begin(void *ctx, const struct table *shape)
{
	struct tableau *tableau = ctx;
	size_t count = shape->column_count;
	struct column *columns = arena_array(tableau->arena, count, sizeof(*columns));

	tableau->widths = arena_array(tableau->arena, count, sizeof(*tableau->widths));
	if (!columns || !tableau->widths)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		columns[i] = shape->columns[i];
		columns[i].name = text_copy(tableau->arena, shape->columns[i].name);
		if (!columns[i].name.ptr)
			return -ENOMEM;
	}
	tableau->shape =
		(struct table){.form = shape->form, .columns = columns, .column_count = count};
	if (!is_changelog(tableau))
		return 0;
	for (size_t i = 0; i < count; i++) {
		size_t width = type_width(&columns[i].type);

		width = larger(width ? width : tableau->max_width, MIN_WIDTH);
		tableau->widths[i] = larger(width, utf16_units(columns[i].name));
	}
	tableau->rows_out = (struct writer){.write = write_held,
		.ctx = tableau,
		.buffer = arena_alloc(tableau->arena, ROWS_BUFFER),
		.room = ROWS_BUFFER};
	if (!tableau->rows_out.buffer || add_time_cells(tableau) < 0)
		return -ENOMEM;
	print_head(tableau);
	return tableau->out->err;
}

/* The cell, printed anew only where the row before had another time. */
static struct text time_cell(struct tableau *tableau, size_t i, const struct value *value)
{
	struct time_cell *cell = &tableau->time_cells[i];
	char buf[VALUE_TEXT];

	if (!cell->known || cell->time_ms != value->i || cell->nanos != value->nanos) {
		cell->known = true;
		cell->time_ms = value->i;
		cell->nanos = value->nanos;
		cell->text.len = 0;
		print_cell(&cell->text, value_text(&tableau->shape.columns[i].type, value, buf),
			tableau->widths[i]);
	}
	return (struct text){cell->text.buffer, cell->text.len};
}

static int print_row(struct tableau *tableau, enum row_op op, const struct value *cells)
{
	struct writer *out = &tableau->rows_out;
	char buf[VALUE_TEXT];

	writer_text(out, TEXT("|"));
	print_cell(out, row_op_text(op), OP_WIDTH);
	for (size_t i = 0; i < tableau->shape.column_count; i++) {
		const struct sql_type *type = &tableau->shape.columns[i].type;

		if (is_time(type) && !cells[i].null)
			writer_text(out, time_cell(tableau, i, &cells[i]));
		else
			print_cell(out, value_text(type, &cells[i], buf), tableau->widths[i]);
	}
	writer_text(out, TEXT("\n"));
	return out->err;
}

/* Keeps the printed cells: a batch table's widths are known when all rows are. */
static int keep_row(struct tableau *tableau, const struct value *cells)
{
	struct table *kept = &tableau->shape;
	struct value *texts = arena_array(tableau->arena, kept->column_count, sizeof(*texts));

	if (!texts || arena_grow(tableau->arena, &kept->rows, kept->row_count, &tableau->room,
			      sizeof(*kept->rows)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < kept->column_count; i++) {
		if (cells[i].null && kept->form == TABLE_CATALOG)
			texts[i].s = TEXT("");
		else
			texts[i].s = value_print(tableau->arena, &kept->columns[i].type, &cells[i]);
		if (!texts[i].s.ptr)
			return -ENOMEM;
	}
	kept->rows[kept->row_count++] = (struct row){.op = OP_INSERT, .cells = texts};
	return 0;
}

static int take_row(void *ctx, enum row_op op, const struct value *cells)
{
	struct tableau *tableau = ctx;

	tableau->rows++;
	return is_changelog(tableau) ? print_row(tableau, op, cells) : keep_row(tableau, cells);
}

struct sim_sink tableau_sink(struct tableau *tableau)
{
	return (struct sim_sink){.begin = begin, .row = take_row, .ctx = tableau};
}

static void print_kept(struct tableau *tableau)
{
	const struct table *kept = &tableau->shape;

	for (size_t c = 0; c < kept->column_count; c++) {
		size_t width = utf16_units(kept->columns[c].name);

		for (size_t r = 0; r < kept->row_count; r++)
			width = larger(width, width_of(kept->rows[r].cells[c].s));
		if (kept->form == TABLE_BATCH && width > tableau->max_width)
			width = tableau->max_width;
		tableau->widths[c] = width;
	}
	print_head(tableau);
	for (size_t r = 0; r < kept->row_count; r++) {
		writer_text(tableau->out, TEXT("|"));
		for (size_t c = 0; c < kept->column_count; c++)
			print_cell(tableau->out, kept->rows[r].cells[c].s, tableau->widths[c]);
		writer_text(tableau->out, TEXT("\n"));
	}
	print_border(tableau, tableau->out);
}

static void print_footer(const struct tableau *tableau, double time_cost)
{
	const char *rows = tableau->rows < 2 ? "row" : "rows";
	char footer[64], cost[64] = "";
	int len;

	if (time_cost >= 0 && tableau->shape.form != TABLE_CATALOG)
		snprintf(cost, sizeof(cost), " (%.2f seconds)", time_cost);
	if (is_changelog(tableau))
		len = snprintf(footer, sizeof(footer), "Received a total of %" PRId64 " %s",
			tableau->rows, rows);
	else if (tableau->rows)
		len = snprintf(
			footer, sizeof(footer), "%" PRId64 " %s in set", tableau->rows, rows);
	else
		len = snprintf(footer, sizeof(footer), "Empty set");
	writer_text(tableau->out, (struct text){footer, (size_t)len});
	writer_text(tableau->out, text_of(cost));
	writer_text(tableau->out, TEXT("\n"));
}

int tableau_finish(struct tableau *tableau, double time_cost)
{
	if (!tableau->widths)
		return tableau->out->err;
	if (is_changelog(tableau)) {
		writer_flush(&tableau->rows_out);
		if (!tableau->released)
			release(tableau);
		if (tableau->rows)
			print_border(tableau, tableau->out);
	} else if (tableau->rows)
		print_kept(tableau);
	print_footer(tableau, time_cost);
	return tableau->out->err;
}

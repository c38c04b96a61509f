/* Says what kind of table the client printed, once its rows are read.
 *
 * A changelog has "op" in front and "Received a total of" below; a batch result says "in set"
 * with the time that it took, DESCRIBE and SHOW say so without (recorded: watermark/ref/w5,
 * batch, ddl). Names alone do not tell: a batch query may call its columns "op" or "name"
 * (format/col_named_op_stream). What stands for NULL hangs on the kind. */
#include "parser/transcript_form.h"

#include <string.h>

#include "parser/transcript.h"
#include "parser/transcript_frame.h"
#include "parser/transcript_lines.h"

struct footer {
	bool there;
	enum line_kind kind;
	bool cost; /* the time that the query took is given: no DESCRIBE, no SHOW */
};

static int read_footer(struct reader *reader, struct result *out, struct footer *ret)
{
	struct cursor before = reader->cursor;
	struct text line;
	struct line found;

	*ret = (struct footer){0};
	if (!cursor_next(&reader->cursor, &line))
		return 0;
	found = line_classify(reader->patterns, text_trim(line));
	if (found.kind == LINE_RECEIVED || found.kind == LINE_IN_SET ||
		found.kind == LINE_TERMINATED) {
		out->end = found.kind == LINE_TERMINATED ? END_TERMINATED : END_FOOTER;
		*ret = (struct footer){true, found.kind, found.part[1].len > 0};
		return text_to_int64(found.part[0], &out->footer_rows);
	}
	reader->cursor = before;
	if (line_find_mark(reader->patterns, line, &found) && text_eq(found.part[0], TEXT("ERROR")))
		out->end = END_ERROR;
	return 0;
}

/* The op of a changelog's row; false where it is none. */
static bool parse_op(struct text text, enum row_op *ret)
{
	static const char names[][3] = {[OP_INSERT] = "+I",
		[OP_UPDATE_BEFORE] = "-U",
		[OP_UPDATE_AFTER] = "+U",
		[OP_DELETE] = "-D"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(text, text_of(names[i]))) {
			*ret = (enum row_op)i;
			return true;
		}
	return false;
}

/* Does the first column hold ops, and others the values? A batch query may call a column so too
 * (recorded: format/col_named_op_stream shows both), which only its footer tells. */
static bool has_ops(const struct table *table, bool headed, const struct footer *footer)
{
	enum row_op op;

	if (table->column_count < 2 || (footer->there && footer->kind == LINE_IN_SET))
		return false;
	if (headed && !text_eq(table->columns[0].name, TEXT("op")))
		return false;
	for (size_t i = 0; i < table->row_count; i++)
		if (!parse_op(table->rows[i].cells[0].s, &op))
			return false;
	return headed || table->row_count;
}

/* Moves the ops from the first column to the rows. */
static void take_ops(struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		parse_op(table->rows[i].cells[0].s, &table->rows[i].op);
		table->rows[i].cells++;
	}
	table->columns++;
	table->column_count--;
}

/* The columns of DESCRIBE, SHOW, EXPLAIN and of SET without a key. */
static bool has_catalog_columns(const struct table *table)
{
	static const char *const known[][8] = {
		{"name", "type", "null", "key", "extras", "watermark"},
		{"name", "type", "null", "key", "extras", "watermark", "comment"},
		{"result"},
		{"catalog name"},
		{"current catalog name"},
		{"database name"},
		{"current database name"},
		{"table name"},
		{"view name"},
		{"function name"},
		{"partition name"},
		{"module name"},
		{"module name", "used"},
		{"jars"},
		{"key", "value"},
		{"job id", "job name", "status", "start time"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t n = 0;

		while (known[i][n] && n < table->column_count &&
			text_eq(table->columns[n].name, text_of(known[i][n])))
			n++;
		if (n == table->column_count && !known[i][n])
			return true;
	}
	return false;
}

static void mark_nulls(struct table *table)
{
	struct text null = table->form == TABLE_CATALOG ? TEXT("") : TEXT("<NULL>");

	for (size_t i = 0; i < table->row_count; i++)
		for (size_t c = 0; c < table->column_count; c++) {
			struct value *cell = &table->rows[i].cells[c];

			if (text_eq(cell->s, null))
				*cell = (struct value){.null = true};
		}
}

int form_settle(struct reader *reader, bool headed, struct result *out)
{
	struct table *table = &out->table;
	struct footer footer;
	int err = read_footer(reader, out, &footer);

	if (err)
		return err;
	if (has_ops(table, headed, &footer)) {
		table->form = TABLE_CHANGELOG;
		take_ops(table);
	} else if (footer.there && footer.kind != LINE_IN_SET) {
		table->form = TABLE_CHANGELOG;
	} else if (!footer.cost && has_catalog_columns(table)) {
		table->form = TABLE_CATALOG;
		out->cut_cells = false;
	} else {
		table->form = TABLE_BATCH;
	}
	mark_nulls(table);
	return 0;
}

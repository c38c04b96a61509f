/* Cuts the rows of a table into cells; what they mean is settled in transcript_form.c.
 *
 * The client escapes nothing: a cell may hold '|' and newlines, and a line within a cell may look
 * like a border, a row or a footer (recorded: format/border_like_stream,
 * format/pipe_newline_batch). So a row is what fills the border's width, over as many lines as
 * that takes, and cells are cut where the border has its '+'. Two things break the widths: a cell
 * of "..." in a column of one or two (format/width_3_stream), and a C locale, which prints '?'
 * for a character that was counted as two (format/locale_posix). There a line with the right
 * number of bars is a row. */
#include "parser/transcript_table.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/transcript_form.h"
#include "parser/transcript_lines.h"

/* Lines that stand between two rows and are none: a logger's, with a stack trace. */
#define STRAY_LINES 64

/* The table at hand. Until its end is seen, `op` is a column like any other. */
struct rows {
	struct reader *reader;
	const struct frame *frame;
	struct result *out;
	size_t room;
	size_t *bars; /* of the row at hand: offsets of the bars around its cells */
	bool by_bars; /* they were found by counting, not by width */
	bool left;    /* cells are padded on the right */
};

static bool is_ascii(struct text text)
{
	unsigned char bits = 0;

	for (size_t i = 0; i < text.len; i++)
		bits |= (unsigned char)text.ptr[i];
	return bits < 0x80;
}

/* Where a byte is a column, the bars are at the border's own offsets. */
static bool cut_ascii(struct rows *rows, struct text text)
{
	const struct frame *frame = rows->frame;

	if (text.len != frame->border.len)
		return false;
	for (size_t i = 0; i <= frame->count; i++) {
		if (text.ptr[frame->plus[i]] != '|')
			return false;
		rows->bars[i] = frame->plus[i];
	}
	return true;
}

/* The border's offsets, in columns, as offsets into text. False where a bar is not in its place. */
static bool cut_by_width(struct rows *rows, struct text text)
{
	const struct frame *frame = rows->frame;
	size_t at = 0, cell = 0, len = 1;

	if (frame->border.len == 0)
		return false;
	if (is_ascii(text))
		return cut_ascii(rows, text);
	for (size_t i = 0; i < text.len && at <= frame->plus[cell]; i += len) {
		if (at == frame->plus[cell]) {
			if (text.ptr[i] != '|')
				return false;
			rows->bars[cell++] = i;
			if (cell > frame->count)
				return i + 1 == text.len;
		}
		len = 1;
		if ((unsigned char)text.ptr[i] < 0x80)
			at++;
		else
			at += client_width_next(text_slice(text, i, text.len), &len);
	}
	return false;
}

static bool cut_by_bars(struct rows *rows, struct text text)
{
	size_t count = 0;

	if (!text_starts(text, TEXT("|")) || !text_ends(text, TEXT("|")))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '|')
			continue;
		if (count > rows->frame->count)
			return false;
		rows->bars[count++] = i;
	}
	return count == rows->frame->count + 1;
}

static bool is_closing(const struct rows *rows, struct text line)
{
	const struct frame *frame = rows->frame;

	line = text_trim_right(line);
	if (frame->border.len)
		return text_eq(line, frame->border);
	if (!line_is(rows->reader->patterns, LINE_BORDER, line, NULL))
		return false;
	return text_count(line, '+') == frame->count + 1;
}

/* How many lines behind `first` make up a row with it: the columns they fill say so. 0: none do. */
static int count_continuations(struct rows *rows, struct text first, size_t *bytes, size_t *ret)
{
	struct reader *reader = rows->reader;
	struct cursor before = reader->cursor;
	size_t width = client_width(first), wanted = rows->frame->border.len, count = 0;
	struct text line;
	bool more = true;
	int err = 0;

	*ret = 0;
	*bytes = first.len;
	while (width < wanted && more && *ret == 0 && *bytes - first.len < reader->join_budget) {
		err = frame_line(reader, rows->frame, &line, &more);
		if (err || !more)
			break;
		count++;
		*bytes += 1 + line.len;
		width += 1 + client_width(line);
		if (width >= wanted && width - wanted <= line.len &&
			text_ends(text_trim_right(line), TEXT("|")))
			*ret = count;
	}
	reader->cursor = before;
	return err;
}

/* `first` and the next `count` lines as one text of at most `bytes`. */
static int copy_lines(
	struct rows *rows, struct text first, size_t count, size_t bytes, struct text *ret)
{
	struct reader *reader = rows->reader;
	char *joined = arena_alloc(reader->arena, bytes + 1);
	size_t len = first.len;
	struct text line;
	bool more;

	if (!joined)
		return diag_nomem(reader->reterr);
	memcpy(joined, first.ptr, first.len);
	for (size_t i = 0; i < count; i++) {
		int err = frame_line(reader, rows->frame, &line, &more);

		if (err)
			return err;
		joined[len++] = '\n';
		if (line.len)
			memcpy(joined + len, line.ptr, line.len);
		len += line.len;
	}
	*ret = text_trim_right((struct text){joined, len});
	return 0;
}

/* Puts `first` and the lines behind it together where they fill the border's width and cut well.
 * *fits tells; where it is false the cursor has not moved. */
static int join_row(struct rows *rows, struct text first, struct text *ret, bool *fits)
{
	struct reader *reader = rows->reader;
	struct cursor before = reader->cursor;
	size_t count, bytes;
	int err;

	*fits = false;
	if (rows->frame->border.len == 0 || rows->frame->pieces > 1)
		return 0;
	err = count_continuations(rows, first, &bytes, &count);
	if (!err && count)
		err = copy_lines(rows, first, count, bytes, ret);
	if (err)
		return err;
	*fits = count && cut_by_width(rows, *ret);
	if (!*fits) {
		bytes -= first.len;
		reader->join_budget -= bytes < reader->join_budget ? bytes : reader->join_budget;
		reader->cursor = before;
	}
	return 0;
}

/* Does the next line go on with a cell, rather than begin a row or end the table? */
static bool continues(const struct rows *rows)
{
	struct cursor cursor = rows->reader->cursor;
	struct text line;

	if (!cursor_next(&cursor, &line))
		return false;
	line = text_trim(line);
	return !text_starts(line, TEXT("|")) && !is_closing(rows, line);
}

/* Does the file end behind this line, though its table goes on? */
static bool is_cut(const struct rows *rows)
{
	return rows->frame->border.len && rows->reader->cursor.rest.len == 0;
}

/* Finds the bars of the row that begins with `line`; *row is all of it. Bars in a cell may make
 * up for those that the end of the file cut off, so that a last line has to fill its border. */
static int cut_row(struct rows *rows, struct text line, struct text *row, bool *fits)
{
	struct text trimmed = text_trim_right(line);
	bool by_bars;
	int err;

	*row = trimmed;
	rows->by_bars = false;
	*fits = cut_by_width(rows, trimmed);
	if (*fits)
		return 0;
	by_bars = !is_cut(rows) && cut_by_bars(rows, trimmed);
	if (!by_bars || continues(rows)) {
		err = join_row(rows, line, row, fits);
		if (err || *fits)
			return err;
	}
	*row = trimmed;
	rows->by_bars = by_bars;
	*fits = by_bars && cut_by_bars(rows, trimmed);
	return 0;
}

/* A cell without the blank on either side and the padding. The client pads on the left only: blanks
 * on the right are the value's own, except where a page or a hand made the table. */
static struct text cell_text(const struct rows *rows, struct text cell)
{
	size_t blanks = 0;

	if (rows->by_bars || rows->left)
		return text_trim(cell);
	if (text_ends(cell, TEXT(" ")))
		cell.len--;
	while (blanks < cell.len && cell.ptr[blanks] == ' ')
		blanks++;
	return text_slice(cell, blanks, cell.len);
}

/* May the client have cut this cell? Cut text fills its column, but for up to two columns that a
 * wide character did not fit in (recorded: format/wide_chars_cut_batch). */
static bool maybe_cut(const struct rows *rows, size_t cell, struct text text)
{
	const size_t *plus = rows->frame->plus;

	if (!text_ends(text, TEXT("...")))
		return false;
	if (rows->by_bars || !plus)
		return true;
	return client_width(text) + 2 + 2 >= plus[cell + 1] - plus[cell] - 1;
}

static int add_row(struct rows *rows, struct text text, int line)
{
	struct reader *reader = rows->reader;
	struct table *table = &rows->out->table;
	struct row *row;

	if (arena_grow(reader->arena, &table->rows, table->row_count, &rows->room, sizeof(*row)))
		return diag_nomem(reader->reterr);
	row = &table->rows[table->row_count];
	*row = (struct row){.op = OP_INSERT, .line = line};
	row->cells = arena_array(reader->arena, rows->frame->count, sizeof(*row->cells));
	if (!row->cells)
		return diag_nomem(reader->reterr);
	for (size_t i = 0; i < rows->frame->count; i++) {
		row->cells[i].s =
			cell_text(rows, text_slice(text, rows->bars[i] + 1, rows->bars[i + 1]));
		rows->out->cut_cells |= maybe_cut(rows, i, row->cells[i].s);
	}
	table->row_count++;
	return 0;
}

/* Names from the header line. A wide name may make it longer than the border. */
static int read_header(struct rows *rows)
{
	const struct frame *frame = rows->frame;
	struct table *table = &rows->out->table;
	bool cut;

	table->column_count = frame->count;
	table->columns = arena_array(rows->reader->arena, frame->count, sizeof(*table->columns));
	if (!table->columns)
		return diag_nomem(rows->reader->reterr);
	cut = cut_by_width(rows, frame->header) || cut_by_bars(rows, frame->header);
	for (size_t i = 0; i < frame->count; i++) {
		struct text cell = TEXT("");

		if (cut)
			cell = text_slice(frame->header, rows->bars[i] + 1, rows->bars[i + 1]);
		rows->out->cut_cells |= maybe_cut(rows, i, text_trim(cell));
		rows->left |= text_starts(cell, TEXT(" ")) && !text_starts(cell, TEXT("  ")) &&
			      text_ends(cell, TEXT("  "));
		table->columns[i].name = text_trim(cell);
	}
	return 0;
}

/* Is this line, which is neither row nor closing border, left out? One that begins like a row is,
 * where a border says that it cannot be one, the footer's count will tell; and so is a row that the
 * end of the file cut off. Any other is behind the table. */
static bool is_left_out(const struct rows *rows, struct text line)
{
	return text_starts(line, TEXT("|")) &&
	       (rows->frame->border.len || rows->reader->cursor.rest.len == 0);
}

static bool is_footer(const struct rows *rows, struct text line)
{
	enum line_kind kind = line_classify(rows->reader->patterns, text_trim(line)).kind;

	return kind == LINE_RECEIVED || kind == LINE_IN_SET || kind == LINE_TERMINATED;
}

/* The closing border, with its footer below. Elsewhere such a border begins a table. */
static bool ends_here(const struct rows *rows, struct text line)
{
	struct cursor below = rows->reader->cursor;
	struct text footer;

	return is_closing(rows, line) && cursor_next(&below, &footer) && is_footer(rows, footer);
}

/* A line that nobody of the client's wrote. */
static bool is_stray(const struct rows *rows, struct text line)
{
	enum line_kind kind = line_classify(rows->reader->patterns, text_trim(line)).kind;
	struct line mark;

	return (kind == LINE_OTHER || kind == LINE_STDERR) && !text_starts(line, TEXT("|")) &&
	       !text_ends(text_trim_right(line), TEXT("-+")) &&
	       !line_find_mark(rows->reader->patterns, line, &mark);
}

/* Does the table go on behind this line, and few others that are not its own? A logger on the same
 * terminal or a pager writes between rows. Moves the cursor to where the table goes on. */
static int resume(struct rows *rows, struct text line, bool *resumed)
{
	struct reader *reader = rows->reader;
	struct cursor before = reader->cursor, at = before;
	bool more = rows->frame->border.len && rows->frame->pieces == 1;
	int err = 0;

	*resumed = false;
	for (size_t i = 0; !err && more && i < STRAY_LINES && is_stray(rows, line); i++) {
		at = reader->cursor;
		err = frame_line(reader, rows->frame, &line, &more);
		*resumed = more &&
			   (cut_by_width(rows, text_trim_right(line)) || ends_here(rows, line));
		more = more && !*resumed;
	}
	reader->cursor = *resumed ? at : before;
	return err;
}

/* Takes one line, and more where a row has them; *more is false at the table's end. */
static int read_row(struct rows *rows, bool *more)
{
	struct reader *reader = rows->reader;
	struct cursor before = reader->cursor;
	struct text line, row;
	bool fits = false, resumed = false;
	int err = frame_line(reader, rows->frame, &line, more);

	if (err || !*more)
		return err;
	rows->out->closed = is_closing(rows, line);
	*more = !rows->out->closed;
	if (*more && text_starts(line, TEXT("|")))
		err = cut_row(rows, line, &row, &fits);
	if (!err && fits)
		return add_row(rows, row, before.line);
	if (err || !*more || is_left_out(rows, line))
		return err;
	err = resume(rows, line, &resumed);
	if (!err && !resumed) {
		reader->cursor = before;
		*more = false;
	}
	return err;
}

static int read_rows(struct rows *rows)
{
	bool more = true;
	int err = 0;

	while (!err && more)
		err = read_row(rows, &more);
	return err;
}

int table_read(struct reader *reader, const struct frame *frame, struct result *ret)
{
	struct result out = {
		.kind = RESULT_TABLE, .line = ret->line, .end = END_NONE, .footer_rows = -1};
	struct rows rows = {.reader = reader, .frame = frame, .out = &out};
	int err;

	rows.bars = arena_array(reader->arena, frame->count + 1, sizeof(*rows.bars));
	if (!rows.bars)
		return diag_nomem(reader->reterr);
	out.framed = frame->bordered;
	out.wrapped = frame->pieces > 1;
	err = read_header(&rows);
	if (!err)
		err = read_rows(&rows);
	if (!err)
		err = form_settle(reader, frame->header.len > 0, &out);
	if (err)
		return err;
	out.left_aligned = rows.left;
	*ret = out;
	return 0;
}

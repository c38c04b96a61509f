/* Finds the tables of a transcript and the widths that cut their rows.
 *
 * The client ends the echo without a newline, so a table's first border is glued to "Flink SQL> "
 * or to SQL that may itself hold "+---+" (recorded: watermark/ref/w5, format/stmt_comment_table).
 * The border below the header stands alone; a line begins a table where it *ends* in that same
 * border and a header lies between. The header's own width is no condition: a wide name makes it
 * longer (recorded: format/wide_header_batch).
 *
 * Copied from a narrow terminal, each line of a table is several (recorded:
 * watermark/mistakes/w5_interactive_narrow), from a wider one the first border alone, for what it
 * is glued to (watermark/more/w5_ok_wrapped_100); what grep leaves has no frame at all
 * (w5_grep_plusI). */
#include "parser/transcript_frame.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/limits.h"
#include "parser/transcript_layout.h"
#include "parser/transcript_lines.h"

bool cursor_next(struct cursor *cursor, struct text *line)
{
	struct text rest = cursor->rest;
	const char *end = rest.len ? memchr(rest.ptr, '\n', rest.len) : NULL;

	if (rest.len == 0)
		return false;
	*line = (struct text){rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len};
	cursor->rest = text_slice(rest, line->len + 1, rest.len);
	cursor->line++;
	return true;
}

bool cursor_next_trimmed(struct cursor *cursor, struct text *line)
{
	if (!cursor_next(cursor, line))
		return false;
	*line = text_trim(*line);
	return true;
}

static size_t leading_blanks(struct text t)
{
	size_t i = 0;

	while (i < t.len && (t.ptr[i] == ' ' || t.ptr[i] == '\t'))
		i++;
	return i;
}

static bool is_border(const struct reader *reader, struct text line)
{
	return line_is(reader->patterns, LINE_BORDER, line, NULL);
}

static int set_count(const struct reader *reader, size_t count, struct frame *frame)
{
	if (count > LIMIT_COLUMNS)
		return diag_set(reader->reterr, -E2BIG, reader->cursor.line, 0,
			"a table has more than %d columns", LIMIT_COLUMNS);
	frame->count = count;
	return 0;
}

/* Notes where the columns are. */
static int measure(struct reader *reader, struct text border, struct frame *frame)
{
	size_t count = text_count(border, '+'), n = 0;
	int err = set_count(reader, count - 1, frame);

	if (err)
		return err;
	frame->plus = arena_array(reader->arena, count, sizeof(*frame->plus));
	if (!frame->plus)
		return diag_nomem(reader->reterr);
	for (size_t i = 0; i < border.len; i++)
		if (border.ptr[i] == '+')
			frame->plus[n++] = i;
	frame->border = border;
	return 0;
}

/* Joins lines that a terminal wrapped. Blanks at its edge are lost when a screen is copied; they
 * are put back in all but the last piece. */
static struct text join_pieces(
	struct reader *reader, const struct text *pieces, size_t count, size_t terminal)
{
	size_t room = 0, len = 0;
	char *joined;

	for (size_t i = 0; i < count; i++)
		room += pieces[i].len + terminal;
	joined = arena_alloc(reader->arena, room + 1);
	if (!joined)
		return (struct text){NULL, 0};
	for (size_t i = 0; i < count; i++) {
		size_t width = client_width(pieces[i]);

		if (pieces[i].len)
			memcpy(joined + len, pieces[i].ptr, pieces[i].len);
		len += pieces[i].len;
		for (; i + 1 < count && width < terminal; width++)
			joined[len++] = ' ';
	}
	return (struct text){joined, len};
}

static int layout_frame(
	struct reader *reader, const struct layout *layout, struct frame *ret, bool *found)
{
	size_t pieces = layout->border_count;
	size_t terminal = pieces > 1 ? layout->border[0].len : 0;
	struct text border = layout->border[0], header = layout->header[0], top = layout->first;
	struct text tops[PIECES_MAX + 1] = {layout->first};
	struct frame frame = {.bordered = true, .pieces = pieces, .terminal = terminal};
	int err;

	if (!layout_fills(layout))
		return 0;
	if (layout->run_count) {
		memcpy(&tops[1], layout->run, sizeof(layout->run));
		top = join_pieces(reader, tops, layout->run_count + 1, 0);
	}
	if (pieces > 1) {
		border = join_pieces(reader, layout->border, pieces, 0);
		header = join_pieces(reader, layout->header, pieces, terminal);
	}
	if (!border.ptr || !header.ptr || !top.ptr)
		return diag_nomem(reader->reterr);
	if (!is_border(reader, border) || !text_ends(top, border))
		return 0;
	err = measure(reader, border, &frame);
	if (err)
		return err;
	frame.head = text_slice(top, 0, top.len - border.len);
	frame.header = header;
	frame.crlf = layout->crlf;
	*ret = frame;
	*found = true;
	return 0;
}

/* A table that the end of the file cut off within its header: it is no table yet, and its header
 * must not be taken for a row. */
static void layout_begun(
	struct reader *reader, const struct layout *layout, struct frame *ret, bool *found)
{
	struct text head = layout->first;

	if (layout->behind.rest.len || !text_ends(head, TEXT("-+")))
		return;
	while (head.len && (head.ptr[head.len - 1] == '-' || head.ptr[head.len - 1] == '+'))
		head.len--;
	*ret = (struct frame){.begun = true, .head = head};
	*found = true;
	reader->cursor = layout->behind;
}

/* The border at the end of `line`, as far as it reaches. SQL in front of it may end in dashes: it
 * is as wide as the header, which is right but for names of wide characters. */
static struct text border_above(const struct reader *reader, struct text line, struct text header)
{
	size_t width = client_width(header);
	struct text border = text_slice(line, line.len - width, line.len);

	if (width > line.len || !is_border(reader, border) ||
		text_count(border, '+') != text_count(header, '|'))
		return TEXT("");
	return border;
}

/* Names rather than values, where no second border says so: with op, or each begins like a name.
 * One column is not enough to tell. */
static bool is_names(struct text line)
{
	size_t count = 0;

	if (text_starts(line, TEXT("| op |")))
		return true;
	for (size_t i = 0; i + 1 < line.len; i++) {
		struct text cell = text_trim_left(text_slice(line, i + 1, line.len));
		char first = cell.len ? cell.ptr[0] : '\0';

		if (line.ptr[i] != '|')
			continue;
		if (!(((first | 0x20) >= 'a' && (first | 0x20) <= 'z') || first == '_' ||
			    (unsigned char)first >= 0x80))
			return false;
		count++;
	}
	return count > 1;
}

/* A table whose second border is lost, or broken off: the first one cuts its rows as well. */
static int find_headed(
	struct reader *reader, const struct layout *layout, struct frame *ret, bool *found)
{
	struct cursor behind = layout->at_header, next;
	struct text line = TEXT(""), header, border, rest;
	struct frame frame = {.pieces = 1};
	int err;

	if (layout->run_count || !cursor_next(&behind, &line))
		return 0;
	header = text_trim(line);
	border = is_names(header) ? border_above(reader, layout->first, header) : TEXT("");
	if (border.len == 0)
		return 0;
	err = measure(reader, border, &frame);
	if (err)
		return err;
	next = behind;
	if (cursor_next_trimmed(&next, &rest) && is_dashes(rest) && !text_eq(rest, border))
		behind = next;
	frame.head = text_slice(layout->first, 0, layout->first.len - border.len);
	frame.header = header;
	frame.crlf = text_ends(line, TEXT("\r"));
	frame.indent = leading_blanks(line);
	reader->cursor = behind;
	*ret = frame;
	*found = true;
	return 0;
}

/* A table whose first border is at the end of `line`, behind which is *behind. */
static int find_bordered(struct reader *reader, struct text line, const struct cursor *behind,
	struct frame *ret, bool *found)
{
	struct layout layout;
	bool whole;
	int err;

	line = text_trim_right(line);
	if (!text_ends(line, TEXT("+")) && !text_ends(line, TEXT("-")))
		return 0;
	whole = layout_find(line, behind, &layout);
	err = whole && !layout.ended ? layout_frame(reader, &layout, ret, found) : 0;
	if (err)
		return err;
	if (*found) {
		cursor_next(&layout.at_header, &line);
		ret->indent = leading_blanks(line);
		reader->cursor = layout.behind;
		return 0;
	}
	if (whole)
		layout_begun(reader, &layout, ret, found);
	return *found ? 0 : find_headed(reader, &layout, ret, found);
}

/* A row as the client prints it, but for bars within its cells: a blank on either side of each bar.
 * The client's own banner has lines that begin and end in bars (recorded:
 * format/stdin_redirect). */
static bool is_row(struct text line)
{
	if (!text_starts(line, TEXT("| ")) || !text_ends(line, TEXT(" |")))
		return false;
	for (size_t i = 1; i + 1 < line.len; i++)
		if (line.ptr[i] == '|' && (line.ptr[i - 1] != ' ' || line.ptr[i + 1] != ' '))
			return false;
	return true;
}

/* What is left of a table without its first border: from the header on, or rows alone. The cursor
 * stays at those, so that the line has to be one for whoever cuts rows, too: blanks alone are
 * indentation. */
static int find_bare(struct reader *reader, struct text line, const struct cursor *behind,
	struct frame *ret, bool *found)
{
	struct cursor header = *behind, border = *behind;
	struct frame frame = {.pieces = 1, .indent = leading_blanks(line)};
	struct text below;
	int err;

	frame.header = text_trim_right(text_slice(line, frame.indent, line.len));
	if (!is_row(frame.header))
		return 0;
	frame.crlf = text_ends(line, TEXT("\r"));
	err = set_count(reader, text_count(frame.header, '|') - 1, &frame);
	if (err)
		return err;
	if (cursor_next_trimmed(&border, &below) && is_border(reader, below) &&
		text_count(below, '+') == frame.count + 1) {
		err = measure(reader, below, &frame);
		if (err)
			return err;
		header = border;
	} else if (!text_starts(frame.header, TEXT("| op |"))) {
		frame.header = TEXT("");
		header = reader->cursor;
	}
	reader->cursor = header;
	*ret = frame;
	*found = true;
	return 0;
}

int frame_find(struct reader *reader, struct frame *ret, bool *found)
{
	struct cursor behind = reader->cursor;
	struct text line;
	int err;

	*found = false;
	if (!cursor_next(&behind, &line) || line.len == 0)
		return 0;
	err = find_bordered(reader, line, &behind, ret, found);
	if (err || *found)
		return err;
	return find_bare(reader, line, &behind, ret, found);
}

static struct text cut_line(const struct frame *frame, struct text line)
{
	size_t blanks = leading_blanks(line);

	if (frame->crlf && text_ends(line, TEXT("\r")))
		line.len--;
	return text_slice(line, blanks < frame->indent ? blanks : frame->indent, line.len);
}

int frame_line(struct reader *reader, const struct frame *frame, struct text *line, bool *found)
{
	struct text pieces[PIECES_MAX];
	size_t count = 0;

	*found = cursor_next(&reader->cursor, line);
	if (!*found)
		return 0;
	*line = cut_line(frame, *line);
	if (frame->pieces == 1 || !(text_starts(*line, TEXT("|")) || text_starts(*line, TEXT("+"))))
		return 0;
	pieces[count++] = text_trim_right(*line);
	while (count < frame->pieces && cursor_next(&reader->cursor, line))
		pieces[count++] = text_trim_right(cut_line(frame, *line));
	*line = join_pieces(
		reader, pieces, count, text_starts(pieces[0], TEXT("+")) ? 0 : frame->terminal);
	return line->ptr ? 0 : diag_nomem(reader->reterr);
}

/* Collects the lines of a table's head: border, header, border. Each is one line, or, copied from a
 * narrow terminal, as many as the terminal's edge made of it (recorded:
 * watermark/mistakes/w5_interactive_narrow). Whether they are a table's is said in
 * transcript_frame.c. */
#include "parser/transcript_layout.h"

#include "parser/encoding.h"

/* A terminal that wraps a table has a width between these. */
#define TERMINAL_MIN 20
#define TERMINAL_MAX 1000

bool is_dashes(struct text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] != '-' && line.ptr[i] != '+')
			return false;
	return line.len > 0;
}

/* Collects the lines of a wrapped border that come before the header. All but the last are as wide
 * as the terminal, and so is the line in which the border begins. */
static void collect_run(struct layout *layout)
{
	struct cursor cursor = layout->behind;
	size_t terminal = client_width(layout->first);
	struct text line = layout->first;
	bool full = terminal >= TERMINAL_MIN && terminal <= TERMINAL_MAX;

	while (full && layout->run_count < PIECES_MAX && cursor_next_trimmed(&cursor, &line) &&
		line.len <= terminal && is_dashes(line)) {
		layout->run[layout->run_count++] = line;
		layout->behind = cursor;
		full = line.len == terminal;
	}
}

/* Collects header and second border. False where it is no such thing. */
static bool collect_header(struct layout *layout)
{
	struct text line, next;

	if (!cursor_next(&layout->behind, &line) || !text_starts(text_trim_left(line), TEXT("|")))
		return false;
	layout->crlf = text_ends(line, TEXT("\r"));
	next = text_trim(line);
	do {
		if (layout->header_count > layout->run_count)
			return false;
		layout->header[layout->header_count++] = next;
		layout->ended = !cursor_next_trimmed(&layout->behind, &next);
	} while (!layout->ended && !(is_dashes(next) && next.ptr[0] == '+'));
	if (layout->ended)
		return true;
	layout->border[layout->border_count++] = next;
	while (layout->border_count < layout->header_count) {
		if (!cursor_next_trimmed(&layout->behind, &next) || !is_dashes(next))
			return false;
		layout->border[layout->border_count++] = next;
	}
	return true;
}

bool layout_fills(const struct layout *layout)
{
	for (size_t i = 1; i + 1 < layout->border_count; i++)
		if (layout->border[i].len != layout->border[0].len)
			return false;
	return layout->border_count == 1 ||
	       layout->border[layout->border_count - 1].len <= layout->border[0].len;
}

bool layout_find(struct text first, const struct cursor *behind, struct layout *ret)
{
	*ret = (struct layout){.first = first, .behind = *behind};
	collect_run(ret);
	ret->at_header = ret->behind;
	return collect_header(ret);
}

/* Takes off the colours that grep and highlighters put into tables.
 *
 * The client colours its messages only, and those keep their codes: they tell a mark from an
 * echo. But it escapes nothing, so a cell may bring codes of its own, each byte of which is
 * counted as a column (recorded: format/pipe_newline_stream). So a line of a table loses its
 * codes only where it is as wide as its border without them, and so was not with them. */
#include "parser/transcript_colour.h"

#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/transcript_frame.h"
#include "parser/transcript_lines.h"
#include "parser/transcript_text.h"

/* What the lines so far say of the next one. */
struct painting {
	struct reader *reader;
	struct builder bare; /* the line at hand without its codes */
	size_t width;	     /* of the last border; 0 before the first */
	bool open;	     /* a cell of several lines goes on */
};

/* The columns of the border at the line's end. */
static size_t border_width(struct text line)
{
	size_t start = line.len;

	while (start && (line.ptr[start - 1] == '-' || line.ptr[start - 1] == '+'))
		start--;
	return line.len - start;
}

static void pass_line(struct painting *painting, struct text line)
{
	line = text_trim(line);
	if (painting->open)
		painting->open = !text_ends(line, TEXT("|"));
	else if (text_ends(line, TEXT("-+")))
		painting->width = border_width(line);
	else
		painting->open = painting->width && text_starts(line, TEXT("|")) &&
				 !text_ends(line, TEXT("|"));
}

static bool is_other(const struct painting *painting, struct text line)
{
	return line_classify(painting->reader->patterns, line).kind == LINE_OTHER;
}

/* Is it without its codes what the client printed? Rows alone have no border to say so: there only
 * the two codes count that grep always puts together. */
static bool is_painted(const struct painting *painting, struct text line, struct text bare)
{
	line = text_trim(line);
	bare = text_trim(bare);
	if (painting->open)
		return false;
	if (text_ends(bare, TEXT("-+")))
		return true;
	if (!text_starts(bare, TEXT("|")))
		return is_other(painting, line) && !is_other(painting, bare);
	if (painting->width == 0)
		return text_find(line, TEXT("m\x1b[K")) < line.len;
	return client_width(bare) == painting->width;
}

/* The line as the client printed it: *line itself, or what painting->bare holds. */
static int uncolour_line(struct painting *painting, struct text *line)
{
	struct text bare;
	int err;

	if (!line->len || !memchr(line->ptr, '\x1b', line->len))
		return 0;
	painting->bare.len = 0;
	err = builder_append(painting->reader, &painting->bare, *line);
	if (err)
		return err;
	bare = (struct text){painting->bare.ptr, painting->bare.len};
	if (is_painted(painting, *line, bare))
		*line = bare;
	return 0;
}

int transcript_uncolour(struct reader *reader, struct text *text)
{
	struct painting painting = {.reader = reader};
	struct text rest = *text, line;
	char *out = NULL;
	size_t len = 0;

	while (text_next_line(&rest, &line)) {
		const char *start = line.ptr, *end = line.ptr + line.len;
		int err = uncolour_line(&painting, &line);

		if (err)
			return err;
		if (!out && line.ptr != start) {
			len = (size_t)(start - text->ptr);
			out = arena_alloc(reader->arena, text->len + 1);
			if (!out)
				return diag_nomem(reader->reterr);
			memcpy(out, text->ptr, len);
		}
		pass_line(&painting, line);
		if (!out)
			continue;
		if (line.len)
			memcpy(out + len, line.ptr, line.len);
		len += line.len;
		if (end < text->ptr + text->len)
			out[len++] = '\n';
	}
	if (out)
		*text = (struct text){out, len};
	return 0;
}

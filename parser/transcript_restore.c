/* Undoes what was done to a file as a whole, before its lines are read: other blanks than the
 * client's, line ends of CR alone, and what a mail, a chat, a diff or an editor puts in front of each
 * line, be it the same everywhere or a number. Encodings are encoding.c's.
 *
 * The client prints nothing before its lines, but its own lines may look alike: the rows of one window
 * begin with the same cells, an echo's lines with "> ". So a prefix is only one where every line that
 * is not blank has it and where, behind it, a line begins that the client prints at a line's start and
 * nowhere else. In any other case the text stays as it is: better unread than a cell eaten. */
#include "parser/transcript_restore.h"

#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "parser/transcript.h"
#include "parser/transcript_frame.h"
#include "parser/transcript_lines.h"

/* Longer prefixes than that of a mail quoted a few times are none. */
#define PREFIX_MAX 16

/* A shorter line may be a prefix alone, without the blank at its end. */
#define LINE_MIN 8

/* Digits of a line's number. */
#define NUMBER_MAX 9

/* Pages and editors put U+00A0 or TABs where the client printed blanks (recorded:
 * watermark/mistakes/w5_nbsp_paste). The signs are what it always prints with blanks. */
static const struct {
	const char *blank, *signs[2];
} odd_blanks[] = {
	{"\u00a0", {"\u00a0|\u00a0", "Flink\u00a0SQL>"}},
	{"\t", {"\t|\t", "Flink\tSQL>"}},
};

static char *find_byte(struct text text, char c)
{
	return text.len ? memchr(text.ptr, c, text.len) : NULL;
}

static int replace(struct reader *reader, struct text from, char to, struct text *text)
{
	char *out = arena_alloc(reader->arena, text->len + 1);
	size_t len = 0;

	if (!out)
		return diag_nomem(reader->reterr);
	for (size_t i = 0; i < text->len;) {
		bool here = text->ptr[i] == from.ptr[0] &&
			    text_starts(text_slice(*text, i, text->len), from);

		out[len++] = here ? to : text->ptr[i];
		i += here ? from.len : 1;
	}
	*text = (struct text){out, len};
	return 0;
}

static int restore_blanks(struct reader *reader, struct text *text)
{
	for (size_t i = 0; i < sizeof(odd_blanks) / sizeof(odd_blanks[0]); i++) {
		struct text blank = text_of(odd_blanks[i].blank);
		bool odd = false;
		int err;

		if (!find_byte(*text, blank.ptr[0]))
			continue;
		for (size_t j = 0; j < 2; j++)
			odd |= text_find(*text, text_of(odd_blanks[i].signs[j])) < text->len;
		err = odd ? replace(reader, blank, ' ', text) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Lines end in CR alone where there is no newline, or one only that somebody put at the end. Within
 * lines, a CR is a cell's (recorded: format/pipe_newline_batch). */
static int restore_newlines(struct reader *reader, struct text *text, unsigned *remarks)
{
	struct text body = *text;

	if (text_ends(body, TEXT("\n")))
		body.len--;
	if (text_ends(body, TEXT("\r")))
		body.len--;
	if (find_byte(body, '\n') || !find_byte(body, '\r'))
		return 0;
	*remarks |= REMARK_CR;
	return replace(reader, TEXT("\r"), '\n', text);
}

/* What stands before each line: a number or not, then what all lines have in common. */
struct prefix {
	bool numbered;
	struct text common;
};

/* The length of blanks and digits at the line's start, and the number; 0 where there is none. */
static size_t number_length(struct text line, int64_t *ret)
{
	size_t from = 0, to;

	while (from < line.len && line.ptr[from] == ' ')
		from++;
	to = from;
	while (to < line.len && to - from < NUMBER_MAX && line.ptr[to] >= '0' &&
		line.ptr[to] <= '9')
		to++;
	return to > from && !text_to_int64(text_slice(line, from, to), ret) ? to : 0;
}

/* Cuts a line's number off, which must be one above *last. A blank line may have none. */
static bool cut_number(struct text *line, int64_t *last)
{
	int64_t number;
	size_t len = number_length(*line, &number);

	if (len == 0)
		return text_trim(*line).len == 0;
	if (*last >= 0 && number != *last + 1)
		return false;
	*last = number;
	*line = text_slice(*line, len, line->len);
	return true;
}

static size_t common_length(struct text a, struct text b)
{
	size_t i = 0;

	while (i < a.len && i < b.len && a.ptr[i] == b.ptr[i])
		i++;
	return i;
}

/* The longest prefix that all lines have, or as much of it as their blanks at the end leave. */
static bool measure(struct text text, bool numbered, struct prefix *ret)
{
	struct prefix prefix = {.numbered = numbered};
	unsigned count = 0;
	int64_t last = -1;
	struct text line;

	while (text_next_line(&text, &line)) {
		size_t common;

		if (++count > LIMIT_OUT_LINES)
			return false;
		if (numbered && !cut_number(&line, &last))
			return false;
		line = text_trim_right(line);
		if (!prefix.common.ptr && line.len >= LINE_MIN)
			prefix.common = text_slice(line, 0, PREFIX_MAX);
		common = common_length(prefix.common, line);
		if (prefix.common.ptr && common < line.len)
			prefix.common.len = common;
		if (prefix.common.ptr && prefix.common.len == 0)
			return false;
	}
	*ret = prefix;
	return prefix.common.len && (numbered || text_trim(prefix.common).len);
}

/* A line that the client prints at a line's start and never within a table. */
static bool is_own_line(const struct reader *reader, struct text line)
{
	enum line_kind kind = line_classify(reader->patterns, line).kind;

	return kind == LINE_PROMPT || kind == LINE_HISTORY || kind == LINE_SHUTDOWN ||
	       line_is(reader->patterns, LINE_BORDER, line, NULL);
}

/* What is behind the prefix, if the line has it. A blank line may have lost its end. */
static bool cut_prefix(const struct prefix *prefix, struct text *line, int64_t *last)
{
	if (prefix->numbered && !cut_number(line, last))
		return false;
	if (text_starts(*line, prefix->common)) {
		*line = text_slice(*line, prefix->common.len, line->len);
		return true;
	}
	*line = text_trim_right(*line);
	if (!text_starts(prefix->common, *line))
		return false;
	line->len = 0;
	return true;
}

/* Do all lines have it, and is one behind it the client's own? Where the prefix may be a part of
 * rows, no line that ends like a row counts, and one is not enough. */
static bool is_prefix(const struct reader *reader, const struct prefix *prefix, struct text text)
{
	bool bars = find_byte(prefix->common, '|') != NULL;
	int own = 0;
	int64_t last = -1;
	struct text line;

	while (text_next_line(&text, &line)) {
		if (!cut_prefix(prefix, &line, &last))
			return false;
		line = text_trim(line);
		if (own < 2 && !(bars && text_ends(line, TEXT("|"))))
			own += is_own_line(reader, line);
	}
	return own > bars;
}

static int remove_prefix(struct reader *reader, const struct prefix *prefix, struct text *text)
{
	char *out = arena_alloc(reader->arena, text->len + 1);
	struct text rest = *text, line;
	int64_t last = -1;
	size_t len = 0;

	if (!out)
		return diag_nomem(reader->reterr);
	while (text_next_line(&rest, &line)) {
		bool ended = line.ptr + line.len < text->ptr + text->len;

		cut_prefix(prefix, &line, &last);
		if (line.len)
			memcpy(out + len, line.ptr, line.len);
		len += line.len;
		if (ended)
			out[len++] = '\n';
	}
	*text = (struct text){out, len};
	return 0;
}

static int restore_starts(struct reader *reader, struct text *text, unsigned *remarks)
{
	struct prefix prefix;

	/* A border's own dashes are no prefix. */
	if (!(measure(*text, true, &prefix) || measure(*text, false, &prefix)) ||
		text_starts(prefix.common, TEXT("+-")) || !is_prefix(reader, &prefix, *text))
		return 0;
	*remarks |= REMARK_PREFIX;
	return remove_prefix(reader, &prefix, text);
}

int transcript_restore(struct reader *reader, struct text *text, unsigned *remarks)
{
	int err = restore_newlines(reader, text, remarks);

	if (!err)
		err = restore_blanks(reader, text);
	return err ? err : restore_starts(reader, text, remarks);
}

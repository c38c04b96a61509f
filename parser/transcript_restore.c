/* Undoes what was done to a file as a whole, before its lines are read: other blanks than the
 * client's, line ends of CR alone or doubled, and what a mail, a log or an editor puts in front
 * of each line, be it the same but for its digits (a time) or the line's number. Encodings are
 * encoding.c's, colours transcript_colour.c's.
 *
 * The client prints nothing before its lines, but its own lines may look alike: the rows of one
 * window begin with the same cells, an echo's lines with "> ". So a prefix is only one where
 * every line that is not blank has it and where, behind it, a line begins that the client prints
 * at a line's start and nowhere else. In any other case the text stays as it is: better unread
 * than a cell eaten. */
#include "parser/transcript_restore.h"

#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "parser/transcript.h"
#include "parser/transcript_colour.h"
#include "parser/transcript_frame.h"
#include "parser/transcript_lines.h"

/* A pod's name has up to 63 bytes and its container's as many, behind them comes a time: a longer
 * prefix is none. */
#define PREFIX_MAX 192

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

/* A page keeps blanks by making every second one, or all but one, U+00A0: so a cell's padding has
 * some, and nowhere are three plain blanks left. */
static bool is_page_copy(struct text text)
{
	return (text_find(text, TEXT("|\u00a0")) < text.len ||
		       text_find(text, TEXT("| \u00a0")) < text.len) &&
	       text_find(text, TEXT("   ")) == text.len;
}

static int restore_blanks(struct reader *reader, struct text *text)
{
	for (size_t i = 0; i < sizeof(odd_blanks) / sizeof(odd_blanks[0]); i++) {
		struct text blank = text_of(odd_blanks[i].blank);
		bool odd = i == 0 && is_page_copy(*text);
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

/* Is every second line blank? The client's own output has neighbours from its third line on. */
static bool is_double_spaced(struct text text)
{
	struct text line;
	size_t count = 0;

	for (; text_next_line(&text, &line); count++)
		if (count % 2 && text_trim(line).len)
			return false;
	return count > 2 && count <= LIMIT_OUT_LINES;
}

static int restore_spacing(struct reader *reader, struct text *text)
{
	struct text rest = *text, line;
	size_t len = 0;
	char *out;

	if (!is_double_spaced(*text))
		return 0;
	out = arena_alloc(reader->arena, text->len + 1);
	if (!out)
		return diag_nomem(reader->reterr);
	while (text_next_line(&rest, &line)) {
		if (line.len)
			memcpy(out + len, line.ptr, line.len);
		len += line.len;
		if (line.ptr + line.len < text->ptr + text->len)
			out[len++] = '\n';
		text_next_line(&rest, &line);
	}
	*text = (struct text){out, len};
	return 0;
}

/* What stands before each line: a number or not, then what all lines have in common but for
 * digits. */
struct prefix {
	bool numbered;
	struct text common;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The length of blanks and digits at the line's start, and the number; 0 where there is none. */
static size_t number_length(struct text line, int64_t *ret)
{
	size_t from = 0, to;

	while (from < line.len && line.ptr[from] == ' ')
		from++;
	to = from;
	while (to < line.len && to - from < NUMBER_MAX && is_digit(line.ptr[to]))
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

static size_t behind_digits(struct text t, size_t at)
{
	while (at < t.len && is_digit(t.ptr[at]))
		at++;
	return at;
}

/* How much of `common` the line begins with, a number being as good as another: a time goes on
 * from line to line. *len is how much of the line that is. */
static size_t common_length(struct text common, struct text line, size_t *len)
{
	size_t i = 0, k = 0;

	while (i < common.len && k < line.len) {
		if (is_digit(common.ptr[i]) && is_digit(line.ptr[k])) {
			i = behind_digits(common, i);
			k = behind_digits(line, k);
		} else if (common.ptr[i++] != line.ptr[k++]) {
			i--;
			k--;
			break;
		}
	}
	*len = k;
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
		size_t common, len;

		if (++count > LIMIT_OUT_LINES)
			return false;
		if (numbered && !cut_number(&line, &last))
			return false;
		line = text_trim_right(line);
		if (!prefix.common.ptr && line.len >= LINE_MIN)
			prefix.common = text_slice(line, 0, PREFIX_MAX);
		common = common_length(prefix.common, line, &len);
		if (prefix.common.ptr && len < line.len)
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
	size_t len;

	if (prefix->numbered && !cut_number(line, last))
		return false;
	if (common_length(prefix->common, *line, &len) < prefix->common.len) {
		*line = text_trim_right(*line);
		common_length(prefix->common, *line, &len);
		if (len < line->len)
			return false;
	}
	*line = text_slice(*line, len, line->len);
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
	for (int numbered = 1; numbered >= 0; numbered--) {
		struct prefix prefix;

		/* A border's own dashes are no prefix. */
		if (!measure(*text, numbered, &prefix) || text_starts(prefix.common, TEXT("+-")) ||
			!is_prefix(reader, &prefix, *text))
			continue;
		*remarks |= REMARK_PREFIX;
		return remove_prefix(reader, &prefix, text);
	}
	return 0;
}

int transcript_restore(struct reader *reader, struct text *text, unsigned *remarks)
{
	int err = restore_newlines(reader, text, remarks);

	if (!err)
		err = restore_blanks(reader, text);
	if (!err)
		err = restore_spacing(reader, text);
	if (!err)
		err = restore_starts(reader, text, remarks);
	return err ? err : transcript_uncolour(reader, text);
}

/* Reads what sql-client.sh printed: walks over the lines of a file and hands over the results in
 * order. What was done to the file as a whole is undone before (transcript_restore.c), lines are
 * told apart in transcript_lines.c, tables found in transcript_frame.c and cut in
 * transcript_table.c; which result counts for what is the grader's question.
 *
 * A session is a few opening lines, then for each statement "Flink SQL> ", an echo and a result,
 * then the closing lines. The echo goes up to the statement's last bracket and has no newline
 * behind it, so a message, a table or "Empty set" is glued to it, or to the prompt where there is
 * no bracket (recorded: watermark/ref/w5, format/stmt_no_bracket). It may be missing, and it may
 * hold anything; so nothing hangs on it. Terminals, editors and web pages change what lies
 * between, never the text: colours go, blanks become others, lines are indented or wrapped. */
#include "parser/transcript.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/limits.h"
#include "parser/transcript_frame.h"
#include "parser/transcript_lines.h"
#include "parser/transcript_restore.h"
#include "parser/transcript_table.h"
#include "parser/transcript_tail.h"
#include "parser/transcript_text.h"

/* A text has at most one control byte in so many. */
#define BINARY_SHARE 20

/* Bytes that may be looked at in vain for rows of several lines: a border's length each. */
#define JOIN_BUDGET (1u << 20)

struct walk {
	struct reader reader;
	struct transcript out;
	size_t room;
	struct builder echo; /* of the statement at hand */
	bool in_echo;	     /* its prompt was seen, its result was not */
	bool closed;	     /* the closing lines were seen, and no new session */
	bool after_table;    /* no prompt since the last table */
	bool history;	     /* a session's opening lines were seen */
};

/* Notes a result; it takes the echo that stands before it. */
static int add_result(struct walk *walk, struct result result)
{
	struct reader *reader = &walk->reader;
	struct transcript *out = &walk->out;

	if (out->count >= LIMIT_OUT_RESULTS)
		return diag_set(reader->reterr, -E2BIG, result.line, 0,
			"the output has more than %u results", LIMIT_OUT_RESULTS);
	if (arena_grow(reader->arena, &out->results, out->count, &walk->room, sizeof(result)))
		return diag_nomem(reader->reterr);
	result.echo = builder_text(&walk->echo);
	walk->echo = (struct builder){0};
	walk->in_echo = false;
	walk->after_table = result.kind == RESULT_TABLE;
	out->results[out->count++] = result;
	return 0;
}

static int add_text(struct walk *walk, enum result_kind kind, int line, struct text text)
{
	return add_result(walk, (struct result){.kind = kind,
					.line = line,
					.text = text,
					.footer_rows = -1,
					.end = END_NONE});
}

/* A line that opens a session. Each has one that names the history file, so a second one means a
 * second session, even if the first was killed. */
static void open_session(struct walk *walk, bool history)
{
	if (walk->closed || (history && walk->history))
		walk->out.remarks |= REMARK_SESSIONS;
	walk->history = history || (walk->history && !walk->closed);
	walk->closed = false;
	walk->out.client = true;
}

/* t without its indentation; an ESC is none. */
static struct text unindented(struct text t)
{
	size_t i = 0;

	while (i < t.len && (t.ptr[i] == ' ' || t.ptr[i] == '\t'))
		i++;
	return text_slice(t, i, t.len);
}

/* Does this line end an error's text? */
static bool is_behind_error(const struct walk *walk, struct text line)
{
	struct line found = line_classify(walk->reader.patterns, line);

	if (found.kind == LINE_PROMPT || found.kind == LINE_SHUTDOWN || found.kind == LINE_HISTORY)
		return true;
	return line_find_mark(walk->reader.patterns, line, &found) && found.start == 0;
}

static bool ends_in_reset(struct text line)
{
	line = text_trim_right(line);
	return text_ends(line, TEXT("[0m"));
}

static struct text without_reset(struct text line)
{
	if (!ends_in_reset(line))
		return line;
	line = text_trim_right(line);
	line.len -= 3;
	if (text_ends(line, TEXT("^[")))
		line.len -= 2;
	return text_ends(line, TEXT("\x1b")) ? text_slice(line, 0, line.len - 1) : line;
}

/* Reads an error's text, up to the code that ends its colour; where that is lost, up to the next
 * line of the client's (recorded: watermark/mistakes/w5_ansi_half_stripped). */
static int read_error(struct walk *walk, int number, struct text first)
{
	struct reader *reader = &walk->reader;
	struct builder text = {0};
	bool ended = ends_in_reset(first);
	struct text line = without_reset(first);
	int err = 0;

	if (!text_eq(text_trim(line), TEXT("Could not execute SQL statement. Reason:")))
		err = builder_append(reader, &text, line);
	while (!err && !ended) {
		struct cursor before = reader->cursor;

		if (!cursor_next(&reader->cursor, &line))
			break;
		if (is_behind_error(walk, text_trim_right(unindented(line)))) {
			reader->cursor = before;
			break;
		}
		ended = ends_in_reset(line);
		err = builder_append(reader, &text, TEXT("\n"));
		if (!err)
			err = builder_append(reader, &text, text_trim_right(without_reset(line)));
	}
	return err ? err : add_text(walk, RESULT_ERROR, number, builder_text(&text));
}

/* A message of the client's. */
static int read_mark(struct walk *walk, int number, struct text line, const struct line *mark)
{
	struct text text = text_trim(without_reset(mark->part[1]));

	walk->out.client = true;
	if (line.ptr[mark->start] != '\x1b')
		walk->out.remarks |= REMARK_ANSI_STRIPPED;
	if (text_eq(mark->part[0], TEXT("ERROR")))
		return read_error(walk, number, mark->part[1]);
	if (text_eq(text, TEXT("Executing SQL from file."))) {
		open_session(walk, false);
		return 0;
	}
	/* These two announce the job id, or an error, which is the result. */
	if (text_starts(text, TEXT("Submitting SQL update statement")) ||
		text_starts(text, TEXT("SQL update statement has been successfully submitted")))
		return 0;
	return add_text(walk, RESULT_MESSAGE, number, text);
}

/* Reads what follows a prompt or stands alone: an echo, with the result that may be glued to it. */
static int read_plain(struct walk *walk, int number, struct text line)
{
	const struct line_patterns *patterns = walk->reader.patterns;
	struct line found;
	int err = 0;

	if (line_find_mark(patterns, line, &found)) {
		if (walk->in_echo)
			err = builder_append(
				&walk->reader, &walk->echo, text_slice(line, 0, found.start));
		return err ? err : read_mark(walk, number, line, &found);
	}
	if (line_find_empty_set(patterns, line, &found) && (walk->in_echo || found.start == 0)) {
		err = builder_append(&walk->reader, &walk->echo, text_slice(line, 0, found.start));
		return err ? err : add_text(walk, RESULT_EMPTY, number, TEXT(""));
	}
	return walk->in_echo ? builder_append(&walk->reader, &walk->echo, line) : 0;
}

static int read_prompt(struct walk *walk, int number, struct text rest)
{
	if (walk->closed)
		open_session(walk, false);
	walk->out.client = true;
	walk->echo.len = 0;
	walk->in_echo = true;
	walk->after_table = false;
	return read_plain(walk, number, rest);
}

static int read_continued(struct walk *walk, int number, struct text rest)
{
	int err;

	if (!walk->in_echo)
		return 0;
	err = builder_append(&walk->reader, &walk->echo, TEXT("\n"));
	return err ? err : read_plain(walk, number, rest);
}

static void read_shutdown(struct walk *walk)
{
	const struct transcript *out = &walk->out;
	const struct result *last = out->count ? &out->results[out->count - 1] : NULL;

	walk->out.client = true;
	walk->closed = true;
	walk->out.interrupted = walk->after_table && last->framed && last->end == END_NONE;
}

static int read_line(struct walk *walk, int number, struct text line)
{
	struct text text = unindented(line);
	struct line found;

	if (text_ends(text, TEXT("\r"))) {
		walk->out.remarks |= REMARK_CRLF;
		text.len--;
	}
	if (text.len == 0)
		return 0;
	found = line_classify(walk->reader.patterns, text);
	if (found.kind == LINE_PROMPT && text_starts(line, TEXT(" ")))
		walk->out.remarks |= REMARK_INDENTED;
	switch (found.kind) {
	case LINE_PROMPT: return read_prompt(walk, number, found.part[0]);
	case LINE_CONTINUED: return read_continued(walk, number, found.part[0]);
	case LINE_JOB: return add_text(walk, RESULT_JOB, number, found.part[0]);
	case LINE_INIT_FAILED:
	case LINE_CRASH: return add_text(walk, RESULT_ERROR, number, text_trim(found.part[0]));
	case LINE_SHUTDOWN: read_shutdown(walk); return 0;
	case LINE_HISTORY:
	case LINE_INIT_OK: open_session(walk, found.kind == LINE_HISTORY); return 0;
	case LINE_STDERR: walk->out.remarks |= REMARK_STDERR; return 0;
	case LINE_OTHER: return read_plain(walk, number, text);
	default: return 0;
	}
}

static int read_table(struct walk *walk, int number, const struct frame *frame)
{
	struct result result = {.line = number};
	int err = 0;

	if (frame->crlf)
		walk->out.remarks |= REMARK_CRLF;
	if (frame->indent)
		walk->out.remarks |= REMARK_INDENTED;
	if (frame->head.len)
		err = read_line(walk, number, frame->head);
	if (!err && !frame->begun)
		err = table_read(&walk->reader, frame, &result);
	if (err)
		return err;
	walk->out.client |= frame->begun || (result.framed && !result.left_aligned);
	return frame->begun ? 0 : add_result(walk, result);
}

static int walk_lines(struct walk *walk)
{
	struct reader *reader = &walk->reader;

	while (reader->cursor.rest.len) {
		int number = reader->cursor.line;
		struct frame frame;
		struct text line;
		bool found = false;
		int err = 0;

		if (reader->cursor.rest.ptr[0] != '\n')
			err = frame_find(reader, &frame, &found);
		if (!err && found) {
			err = read_table(walk, number, &frame);
		} else if (!err) {
			cursor_next(&reader->cursor, &line);
			err = read_line(walk, number, line);
		}
		if (err)
			return err;
	}
	if (walk->in_echo)
		walk->out.echo = builder_text(&walk->echo);
	return 0;
}

static size_t count_controls(struct text text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		count += c < 0x20 && !memchr("\t\n\f\r\a\x1b", c, 6);
	}
	return count;
}

static unsigned remarks_of(struct text text, unsigned encoding)
{
	return (encoding & ENCODING_BOM ? REMARK_BOM : 0u) |
	       (encoding & ENCODING_UTF16 ? REMARK_UTF16 : 0u) |
	       (utf8_valid(text) ? 0u : REMARK_BAD_UTF8) |
	       (text.len && memchr(text.ptr, '\0', text.len) ? REMARK_NUL : 0u);
}

static bool has_too_many_lines(struct text text)
{
	struct text line;
	size_t count = 0;

	while (count <= LIMIT_OUT_LINES && text_next_line(&text, &line))
		count++;
	return count > LIMIT_OUT_LINES;
}

/* No word of the client's and many control bytes: no text. */
static int refuse_binary(const struct walk *walk, struct text text)
{
	size_t controls;

	if (walk->out.client || walk->out.count)
		return 0;
	controls = count_controls(text);
	if (controls <= text.len / BINARY_SHARE)
		return 0;
	return diag_set(walk->reader.reterr, -EINVAL, 0, 0,
		"this is no text: %zu of its %zu bytes are control bytes", controls, text.len);
}

static int parse_text(struct walk *walk, struct text text)
{
	int err = transcript_restore(&walk->reader, &text, &walk->out.remarks);

	if (err)
		return err;
	if (has_too_many_lines(text))
		return diag_set(walk->reader.reterr, -E2BIG, 0, 0,
			"the output has more than %u lines", LIMIT_OUT_LINES);
	walk->reader.cursor = (struct cursor){text, 1};
	err = walk_lines(walk);
	if (!err)
		err = refuse_binary(walk, text);
	walk->out.complete = transcript_ends(text);
	return err;
}

int transcript_parse(struct arena *arena, const struct line_patterns *compiled, struct text bytes,
	struct transcript *ret, struct diag *reterr)
{
	struct walk walk = {
		.reader = {.arena = arena, .join_budget = JOIN_BUDGET, .reterr = reterr}};
	struct line_patterns *patterns;
	unsigned encoding;
	struct text text;
	int err;

	if (bytes.len > LIMIT_OUT_BYTES)
		return diag_set(reterr, -E2BIG, 0, 0, "the output is larger than %u MiB",
			LIMIT_OUT_BYTES >> 20);
	err = encoding_decode(arena, bytes, &text, &encoding, reterr);
	if (!err)
		err = line_patterns_new(arena, compiled, &patterns, reterr);
	if (err)
		return err;
	walk.reader.patterns = patterns;
	walk.out.remarks = remarks_of(text, encoding);
	err = parse_text(&walk, text);
	if (!err)
		*ret = walk.out;
	return err;
}

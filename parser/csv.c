/* CSV: libcsv splits, this file makes it read what Flink reads (Jackson's CSV parser).
 *
 * libcsv alone trims fields, drops blank lines, knows no line numbers and cannot be stopped; and
 * where quotes stand in odd places its strict mode refuses more and its lax mode less than Flink.
 * So the quotes are followed here too: whole runs of bytes without one go to libcsv in one piece,
 * and what is around a quote byte by byte:
 *   - a quote within an unquoted field is text (libcsv: an error in strict mode);
 *   - blanks behind a closing quote are dropped, anything else there is an error;
 *   - a quote that is never closed is an error at the end of the file.
 * Whole lines without a quote do not need libcsv: csv_plain.h splits them.
 * Recorded: semantics/errors_csv_*, semantics/edge_csv_*; the fixtures quote.csv and
 * badquote.csv. */
#include "parser/csv.h"

#include <csv.h>
#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/csv_plain.h"
#include "parser/limits.h"

/* Bytes handed to libcsv at once: bounds what is read on after the callback said stop. */
#define SLICE 65536
_Static_assert(
	SLICE <= LIMIT_CSV_RECORD, "a plain line, which lies in one slice, is no long record");

/* Growth of libcsv's own buffer; its default of 128 makes long fields slow. */
#define FIELD_BLOCK 16384

#define FIRST_BUFFER 4096

#define BOM TEXT("\xef\xbb\xbf")

#define STRICT_OPTIONS (CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL)

enum csv_where {
	CSV_OUTSIDE,	 /* of any quotes */
	CSV_INSIDE,	 /* between quotes */
	CSV_AFTER_QUOTE, /* behind a quote within quotes: the closing one, or the first of two */
	CSV_COMMENT
};

struct csv_reader {
	struct csv_options options;
	struct csv_parser parser;
	struct arena *arena;
	bool plain; /* plain lines are split without libcsv */
	enum csv_where where;
	char previous;	 /* byte handled last; '\n' at the start of the file */
	size_t bom_seen; /* bytes of a BOM that the file began with so far; 3: looked at */
	int err;
	/* the record being read; the texts of its fields lie in buffer */
	struct csv_field fields[LIMIT_COLUMNS + 1];
	struct csv_record record;
	char *buffer;
	size_t used, room;
	size_t record_bytes; /* read since its start, or up to a slice less */
	int row_end;	     /* '\r' where that ended the record before and nothing came since */
	int64_t line;	     /* of the byte that comes next */
	/* since the opening quote or the last newline behind it */
	int64_t inside_units;
	bool inside_newline;
	int64_t behind_units; /* blanks behind the closing quote */
	bool dropping;	      /* the record is passed over */
};

/* UTF-16 units, told by the first byte of each character: one may be split between two pushes. */
static int64_t units_begun(struct text t)
{
	int64_t units = 0;

	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		units += ((c & 0xc0) != 0x80) + (c >= 0xf0);
	}
	return units;
}

static int no_space(unsigned char c)
{
	(void)c;
	return 0;
}

/* Makes room for a field's text; the texts read so far move along. */
static int grow_buffer(struct csv_reader *reader, size_t len)
{
	size_t kept =
		reader->record.count < LIMIT_COLUMNS + 1 ? reader->record.count : LIMIT_COLUMNS + 1;
	size_t room = reader->room;
	char *buffer;

	while (room - reader->used < len)
		room *= 2;
	buffer = arena_alloc(reader->arena, room);
	if (!buffer)
		return -ENOMEM;
	memcpy(buffer, reader->buffer, reader->used);
	for (size_t i = 0; i < kept; i++)
		reader->fields[i].text.ptr = buffer + (reader->fields[i].text.ptr - reader->buffer);
	reader->buffer = buffer;
	reader->room = room;
	return 0;
}

static void take_field(void *bytes, size_t len, void *ctx)
{
	struct csv_reader *reader = ctx;
	struct csv_field *field;
	char *at;

	reader->row_end = 0;
	if (reader->err || reader->dropping)
		return;
	if (reader->record.count >= LIMIT_COLUMNS + 1) {
		reader->record.count++;
		return;
	}
	if (reader->room - reader->used < len && (reader->err = grow_buffer(reader, len)) < 0)
		return;
	at = reader->buffer + reader->used;
	if (len)
		memcpy(at, bytes, len);
	reader->used += len;
	field = &reader->fields[reader->record.count++];
	*field = (struct csv_field){{at, len}, reader->where == CSV_AFTER_QUOTE};
}

static void take_row(int end, void *ctx)
{
	struct csv_reader *reader = ctx;
	bool second_of_crlf = reader->row_end == '\r' && end == '\n';

	reader->row_end = end;
	if (reader->err || second_of_crlf)
		return;
	if (!reader->dropping && (reader->record.count || !reader->options.comments)) {
		if (!reader->record.count)
			reader->fields[reader->record.count++] =
				(struct csv_field){TEXT(""), false};
		reader->err = reader->options.record(reader->options.ctx, &reader->record);
		if (reader->err)
			return;
	}
	reader->dropping = false;
	reader->record.count = 0;
	reader->record.line = ++reader->line;
	reader->used = 0;
	reader->record_bytes = 0;
}

int csv_reader_new(struct arena *arena, const struct csv_options *options, struct csv_reader **ret)
{
	struct csv_reader *reader = ARENA_NEW(arena, struct csv_reader);

	if (!reader)
		return -ENOMEM;
	reader->buffer = arena_alloc(arena, FIRST_BUFFER);
	if (!reader->buffer || csv_init(&reader->parser, STRICT_OPTIONS) != 0)
		return -ENOMEM;
	reader->options = *options;
	reader->arena = arena;
	reader->plain = csv_plain_possible(options);
	reader->room = FIRST_BUFFER;
	reader->previous = '\n';
	reader->line = 1;
	reader->record = (struct csv_record){.fields = reader->fields, .line = 1};
	csv_set_space_func(&reader->parser, no_space);
	csv_set_blk_size(&reader->parser, FIELD_BLOCK);
	csv_set_delim(&reader->parser, (unsigned char)options->delimiter);
	csv_set_quote(&reader->parser, (unsigned char)options->quote);
	*ret = reader;
	return 0;
}

void csv_reader_free(struct csv_reader *reader)
{
	if (reader)
		csv_free(&reader->parser);
}

/* Hands bytes to libcsv. In strict mode it cannot object, since the callers see to the quotes. */
static int feed(struct csv_reader *reader, struct text span)
{
	size_t done;

	if (!span.len)
		return 0;
	reader->previous = span.ptr[span.len - 1];
	reader->record_bytes += span.len;
	if (reader->record_bytes > LIMIT_CSV_RECORD)
		return -E2BIG;
	done = csv_parse(&reader->parser, span.ptr, span.len, take_field, take_row, reader);
	if (reader->err)
		return reader->err;
	if (done < span.len)
		return csv_error(&reader->parser) == CSV_EPARSE ? -ENOTSUP : -ENOMEM;
	return 0;
}

static struct text up_to(struct text bytes, char c)
{
	const char *found = memchr(bytes.ptr, c, bytes.len);

	return found ? text_slice(bytes, 0, (size_t)(found - bytes.ptr)) : bytes;
}

static struct text up_to_line_end(struct text bytes)
{
	return up_to(up_to(bytes, '\n'), '\r');
}

static struct text through_newline(struct text bytes)
{
	return text_slice(bytes, 0, up_to(bytes, '\n').len + 1);
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Blanks at a line's start are dropped and '#' opens a comment, where comments are allowed. Returns
 * how many bytes that was. */
static size_t skip_line_start(struct csv_reader *reader, struct text bytes)
{
	size_t blanks = 0;

	if (!reader->options.comments || !is_line_end(reader->previous))
		return 0;
	while (blanks < bytes.len && bytes.ptr[blanks] == ' ')
		blanks++;
	if (blanks < bytes.len && bytes.ptr[blanks] == '#')
		reader->where = CSV_COMMENT;
	if (blanks || reader->where == CSV_COMMENT)
		reader->row_end = 0;
	return blanks;
}

/* A quote opens a quoted field at a field's start, and is text elsewhere. */
static int outside_quote(struct csv_reader *reader, struct text quote)
{
	int r;

	if (is_line_end(reader->previous) || reader->previous == reader->options.delimiter) {
		reader->where = CSV_INSIDE;
		reader->inside_units = 0;
		reader->inside_newline = false;
		return feed(reader, quote);
	}
	csv_set_opts(&reader->parser, CSV_REPALL_NL);
	r = feed(reader, quote);
	csv_set_opts(&reader->parser, STRICT_OPTIONS);
	return r;
}

/* Between two records libcsv has nothing in hand, so that it needs not know of lines that it does
 * not see. Behind a CR it has: an LF may follow. */
static int read_plain(struct csv_reader *reader, struct text *bytes)
{
	size_t done;
	int err = csv_plain_read(&reader->options, *bytes, &reader->record, reader->fields, &done);

	reader->line = reader->record.line;
	reader->record.count = 0;
	*bytes = text_slice(*bytes, done, bytes->len);
	return err;
}

/* The read_*() take what is next at *bytes and leave the rest there. */
static int read_outside(struct csv_reader *reader, struct text *bytes)
{
	struct text span;
	size_t skipped;
	int r = 0;

	if (reader->plain && reader->previous == '\n')
		r = read_plain(reader, bytes);
	if (r < 0 || !bytes->len)
		return r;
	skipped = skip_line_start(reader, *bytes);
	if (skipped || reader->where == CSV_COMMENT) {
		*bytes = text_slice(*bytes, skipped, bytes->len);
		return 0;
	}
	span = up_to(*bytes, reader->options.quote);
	if (reader->plain)
		span = through_newline(span);
	if (reader->options.comments) {
		span = up_to_line_end(span);
		if (!span.len && is_line_end(bytes->ptr[0]))
			span.len = 1;
	}
	if (span.len) {
		*bytes = text_slice(*bytes, span.len, bytes->len);
		return feed(reader, span);
	}
	span = text_slice(*bytes, 0, 1);
	*bytes = text_slice(*bytes, 1, bytes->len);
	return outside_quote(reader, span);
}

static void count_inside(struct csv_reader *reader, struct text span)
{
	struct text rest = span;

	for (char before = reader->previous;;) {
		struct text line = up_to_line_end(rest);
		char end;

		reader->inside_units += units_begun(line);
		if (line.len == rest.len)
			return;
		end = rest.ptr[line.len];
		reader->line += !(end == '\n' && before == '\r' && !line.len);
		reader->inside_units = 0;
		reader->inside_newline = true;
		before = end;
		rest = text_slice(rest, line.len + 1, rest.len);
	}
}

static int read_inside(struct csv_reader *reader, struct text *bytes)
{
	struct text span = up_to(*bytes, reader->options.quote);

	count_inside(reader, span);
	if (span.len < bytes->len) {
		span.len++;
		reader->where = CSV_AFTER_QUOTE;
		reader->behind_units = 0;
	}
	*bytes = text_slice(*bytes, span.len, bytes->len);
	return feed(reader, span);
}

static int read_after_quote(struct csv_reader *reader, struct text *bytes)
{
	struct text next = text_slice(*bytes, 0, 1);
	char c = next.ptr[0];
	int r;

	*bytes = text_slice(*bytes, 1, bytes->len);
	if (c == reader->options.quote && reader->previous == c) {
		reader->where = CSV_INSIDE;
		reader->inside_units += 2;
		return feed(reader, next);
	}
	if (c == reader->options.delimiter || is_line_end(c)) {
		r = feed(reader, next);
		reader->where = CSV_OUTSIDE;
		return r;
	}
	reader->previous = c;
	if ((unsigned char)c <= ' ') {
		reader->behind_units++;
		return 0;
	}
	if (!reader->options.lenient)
		return -EILSEQ;
	reader->dropping = true;
	reader->where = CSV_COMMENT;
	return 0;
}

static int read_comment(struct csv_reader *reader, struct text *bytes)
{
	struct text comment = up_to_line_end(*bytes);

	if (reader->dropping && up_to(comment, reader->options.quote).len < comment.len)
		return -ENOTSUP;
	if (comment.len < bytes->len)
		reader->where = CSV_OUTSIDE;
	*bytes = text_slice(*bytes, comment.len, bytes->len);
	return 0;
}

static int read_slice(struct csv_reader *reader, struct text bytes)
{
	int r = 0;

	while (r == 0 && bytes.len) {
		switch (reader->where) {
		case CSV_OUTSIDE: r = read_outside(reader, &bytes); break;
		case CSV_INSIDE: r = read_inside(reader, &bytes); break;
		case CSV_AFTER_QUOTE: r = read_after_quote(reader, &bytes); break;
		case CSV_COMMENT: r = read_comment(reader, &bytes); break;
		}
	}
	return r;
}

/* Drops a BOM at the file's start. Bytes that only began like one are read after all. */
static int read_bom(struct csv_reader *reader, struct text *bytes, bool end)
{
	size_t seen = reader->bom_seen;

	while (bytes->len && seen < BOM.len && bytes->ptr[0] == BOM.ptr[seen]) {
		*bytes = text_slice(*bytes, 1, bytes->len);
		seen++;
	}
	reader->bom_seen = seen;
	if (seen == BOM.len || (!bytes->len && !end))
		return 0;
	reader->bom_seen = BOM.len;
	return read_slice(reader, text_slice(BOM, 0, seen));
}

int csv_reader_push(struct csv_reader *reader, struct text bytes)
{
	int r = 0;

	if (reader->bom_seen < BOM.len)
		r = read_bom(reader, &bytes, false);
	while (r == 0 && bytes.len) {
		r = read_slice(reader, text_slice(bytes, 0, SLICE));
		bytes = text_slice(bytes, SLICE, bytes.len);
	}
	return r;
}

int csv_reader_finish(struct csv_reader *reader)
{
	struct text none = TEXT("");
	int r = reader->bom_seen < BOM.len ? read_bom(reader, &none, true) : 0;

	if (r < 0)
		return r;
	if (reader->where == CSV_INSIDE)
		return -EINVAL;
	csv_fini(&reader->parser, take_field, take_row, reader);
	return reader->err;
}

/* Moves a place over a field as it was written. */
static void pass_field(
	struct csv_place *place, const struct csv_field *field, const struct csv_options *options)
{
	struct text rest = field->text, line;

	place->col += field->quoted;
	while ((line = up_to(rest, '\n')).len < rest.len) {
		rest = text_slice(rest, line.len + 1, rest.len);
		*place = (struct csv_place){place->line + 1, 1};
	}
	place->col += units_begun(rest) + field->quoted;
	for (size_t i = 0; field->quoted && i < rest.len; i++)
		place->col += rest.ptr[i] == options->quote;
}

struct csv_place csv_reader_field(const struct csv_reader *reader, size_t i)
{
	struct csv_place place = {reader->record.line, 1};

	for (size_t before = 0; before < i; before++) {
		pass_field(&place, &reader->fields[before], &reader->options);
		place.col++;
	}
	return place;
}

const struct csv_record *csv_reader_record(const struct csv_reader *reader)
{
	return &reader->record;
}

struct csv_place csv_reader_behind_quote(const struct csv_reader *reader, char *ret)
{
	struct csv_place end = csv_reader_end(reader);

	*ret = reader->previous;
	return (struct csv_place){end.line, end.col + 1 + reader->behind_units + 1};
}

struct csv_place csv_reader_end(const struct csv_reader *reader)
{
	struct csv_place open;

	if (reader->inside_newline)
		return (struct csv_place){reader->line, reader->inside_units + 1};
	open = csv_reader_field(reader, reader->record.count);
	return (struct csv_place){open.line, open.col + 1 + reader->inside_units};
}

/* CSV as Flink's csv format reads it, in one pass: bytes are pushed in pieces of any size, records
 * come out one by one. What a field means is csv_value.h's. */
#ifndef EWIN_PARSER_CSV_H
#define EWIN_PARSER_CSV_H

#include "parser/text.h"

struct arena;

struct csv_field {
	struct text text; /* quotes gone, doubled ones single; blanks kept */
	bool quoted;
};

/* Valid during the callback only. A blank line is a record of one empty field. */
struct csv_record {
	const struct csv_field *fields; /* the first LIMIT_COLUMNS + 1 at most */
	size_t count;			/* of all of them */
	int64_t line;			/* of its first byte, from 1 */
};

/* A place in the file, from 1; columns are UTF-16 units, as Java counts them. */
struct csv_place {
	int64_t line, col;
};

struct csv_options {
	char delimiter;	  /* ',' */
	char quote;	  /* '"' */
	bool comments;	  /* skip blank lines and lines whose first character but blanks is '#' */
	bool lenient;	  /* a record with text behind a closing quote is passed over */
	bool libcsv_only; /* no short way for plain lines: for the test that compares both */
	/* Takes each record; 0, or -errno to end the reading. */
	int (*record)(void *ctx, const struct csv_record *record);
	void *ctx;
};

struct csv_reader;

/* A reader whose memory is the arena's, but for what csv_reader_free() gives back. 0 or -ENOMEM. */
int csv_reader_new(struct arena *arena, const struct csv_options *options, struct csv_reader **ret);

/* Gives back what is not the arena's; reader may be NULL. */
void csv_reader_free(struct csv_reader *reader);

/* Reads the next bytes of the file. 0; -errno of the callback; -EILSEQ: text between a closing
 * quote and the delimiter; -ENOTSUP: the same twice in a line that is passed over; -E2BIG: a record
 * beyond LIMIT_CSV_RECORD; -ENOMEM. After a failure nothing more may be pushed. */
int csv_reader_push(struct csv_reader *reader, struct text bytes);

/* The end of the file: a last record needs no newline. 0; -EINVAL where a quote is still open (its
 * record is lost, as in Flink); else as csv_reader_push(). */
int csv_reader_finish(struct csv_reader *reader);

/* The record at hand, of which only the fields behind it that are complete are there: where an
 * error ended the reading. */
const struct csv_record *csv_reader_record(const struct csv_reader *reader);

/* Where the file ended within a quoted field: the place of an open quote's error. */
struct csv_place csv_reader_end(const struct csv_reader *reader);

/* Behind the character that stands between a closing quote and the delimiter, which is *ret: the
 * place of that error. */
struct csv_place csv_reader_behind_quote(const struct csv_reader *reader, char *ret);

/* Where field `i` of the record at hand begins; i may be one behind its last. Blanks that stood
 * between a closing quote and its delimiter are not counted. */
struct csv_place csv_reader_field(const struct csv_reader *reader, size_t i);

#endif

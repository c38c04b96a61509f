/* Transcript: the bytes that sql-client.sh printed, as an ordered list of results.
 * What a result means for a lab is the grader's question; all results are handed over. */
#ifndef EWIN_PARSER_TRANSCRIPT_H
#define EWIN_PARSER_TRANSCRIPT_H

#include "parser/table.h"

struct arena;
struct diag;
struct line_patterns;

enum result_kind {
	RESULT_TABLE,	/* table: streaming, batch, or DESCRIBE/SHOW/EXPLAIN */
	RESULT_EMPTY,	/* "Empty set" */
	RESULT_MESSAGE, /* [INFO] ..., text without the mark */
	RESULT_ERROR,	/* [ERROR] ..., text from the class on */
	RESULT_JOB	/* an INSERT was submitted; text is the job id */
};

enum result_end {
	END_FOOTER,	/* "Received a total of", "N rows in set" */
	END_TERMINATED, /* "Query terminated, received a total of" */
	END_ERROR,	/* an [ERROR] cut the table off */
	END_NONE	/* no footer: cut, interrupted, still running */
};

struct result {
	enum result_kind kind;
	int line;	  /* of its first line, from 1 */
	struct text echo; /* echoed SQL in front of it, "> " removed; empty where none */
	struct text text; /* RESULT_MESSAGE, RESULT_ERROR, RESULT_JOB */
	/* RESULT_TABLE: cells are SQL_ANY text (or null), `op` is no column of a changelog */
	struct table table;
	enum result_end end;
	int64_t footer_rows; /* as the footer says; -1 without one */
	bool closed;	     /* the closing border is there */
	bool framed;	     /* border, header, border are there; false: rows alone were saved */
	bool cut_cells;	     /* some cell may have been cut to "..." by the client */
	bool wrapped;	     /* lines were wrapped by a narrow terminal */
	bool left_aligned;   /* padded on the right: typed by hand or a page's, not the client's */
};

/* What else was noticed about the file. */
enum transcript_remark {
	REMARK_BOM = 1 << 0,
	REMARK_UTF16 = 1 << 1,
	REMARK_CRLF = 1 << 2,
	REMARK_ANSI_STRIPPED = 1 << 3, /* marks without their escape bytes, or none at all */
	REMARK_INDENTED = 1 << 4,
	REMARK_BAD_UTF8 = 1 << 5,
	REMARK_NUL = 1 << 6,
	REMARK_STDERR = 1 << 7,	  /* stderr lines are mixed in */
	REMARK_SESSIONS = 1 << 8, /* more than one run of the client in one file */
	REMARK_CR = 1 << 9,	  /* lines end in CR alone */
	REMARK_PREFIX = 1 << 10	  /* before each line stood the same but for digits */
};

struct transcript {
	struct result *results;
	size_t count;
	unsigned remarks; /* of enum transcript_remark */
	bool client;	  /* something in it is the client's: a prompt, a mark, a frame */
	bool complete;	  /* ends in the client's closing lines ("done.") */
	bool interrupted; /* the closing lines follow a table that has no footer */
	struct text echo; /* the echo behind the last result */
};

/* Reads a whole file. `compiled` is what line_patterns_new() (transcript_lines.h) made once for any
 * number of files; NULL: the patterns are compiled for this one. 0; -EINVAL: binary rubbish (the
 * diag says what); -E2BIG: a limit; -ENOMEM. */
int transcript_parse(struct arena *arena, const struct line_patterns *compiled, struct text bytes,
	struct transcript *ret, struct diag *reterr);

/* The client's closing lines fit well in this many bytes. */
#define TRANSCRIPT_TAIL 4096

/* Does the file end in the client's own closing lines? Looks at the last bytes only, so that a
 * watcher may ask for every save; `tail` is the end of the file, TRANSCRIPT_TAIL are enough. */
bool transcript_tail_complete(struct text tail);

#endif

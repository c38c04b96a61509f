/* Kinds of lines in a transcript, and the parts of one that matter. */
#ifndef EWIN_PARSER_TRANSCRIPT_LINES_H
#define EWIN_PARSER_TRANSCRIPT_LINES_H

#include "parser/text.h"

struct arena;
struct diag;

enum line_kind {
	LINE_PROMPT,	 /* part: what follows "Flink SQL> " */
	LINE_CONTINUED,	 /* part: what follows "> " */
	LINE_JOB,	 /* part: job id */
	LINE_RECEIVED,	 /* part: rows; streaming */
	LINE_TERMINATED, /* part: rows; streaming, stopped by hand */
	LINE_IN_SET,	 /* parts: rows, time cost; batch, SHOW ... */
	LINE_SHUTDOWN,
	LINE_DONE,
	LINE_HISTORY,	  /* the path of the history file: opens a session */
	LINE_INIT_OK,	  /* an init file went through */
	LINE_INIT_FAILED, /* part: the whole sentence */
	LINE_CRASH,	  /* part: a Java exception that ended the client */
	LINE_STDERR,	  /* what else the client writes to stderr */
	LINE_SCRIPT,	  /* script(1)'s first and last line */
	LINE_FENCE,	  /* of a Markdown block */
	LINE_OTHER,	  /* none of the above; the kinds below are only asked for by name */
	LINE_BORDER,	  /* a table's border and nothing else */
	LINE_MARK,	  /* parts: level, text */
	LINE_MARK_WHOLE,  /* the same, where its text is a sentence up to the end of the line */
	LINE_EMPTY_SET,
	LINE_KINDS
};

#define LINE_PARTS 2

struct line {
	enum line_kind kind;
	size_t start;		      /* where it begins; above 0 only from line_find_*() */
	struct text part[LINE_PARTS]; /* empty where the kind has none */
};

/* Compiled patterns, with the memory to match one text at a time. */
struct line_patterns;

/* Patterns that live as long as the arena. Compiling takes longer than reading a usual file: where
 * `compiled` is given, its patterns are shared; they must live as long. 0 or -ENOMEM. */
int line_patterns_new(struct arena *arena, const struct line_patterns *compiled,
	struct line_patterns **ret, struct diag *reterr);

/* What kind of line this is; LINE_OTHER where none fits. `text` has no newline. */
struct line line_classify(const struct line_patterns *patterns, struct text text);

/* Is it a line of this kind? *ret (may be NULL) is filled only then. */
bool line_is(const struct line_patterns *patterns, enum line_kind kind, struct text text,
	struct line *ret);

/* A message within a line, as LINE_MARK: behind an echo that has no newline and may hold anything.
 * It begins at its colour, if that is left. */
bool line_find_mark(const struct line_patterns *patterns, struct text text, struct line *ret);

/* "Empty set" at the end of a line. */
bool line_find_empty_set(const struct line_patterns *patterns, struct text text, struct line *ret);

#endif

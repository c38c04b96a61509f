/* Diagnostics: where something is wrong, and one sentence that says what. */
#ifndef EWIN_PARSER_DIAG_H
#define EWIN_PARSER_DIAG_H

#include <stdarg.h>

#include "parser/limits.h"
#include "parser/text.h"

struct diag {
	char file[LIMIT_DIAG_FILE]; /* "" where it is no file */
	int line;		    /* from 1; 0: not known */
	int col;		    /* from 1, in characters; 0: not known */
	char text[LIMIT_DIAG_TEXT]; /* one sentence, cleaned (parser/clean.h) */
};

/* Fills *reterr (may be NULL) and returns err, so that a function can end in
 * `return diag_set(reterr, -EINVAL, line, col, "...")`. The file is left as it is. What comes in
 * through the arguments is cleaned. */
int diag_set(struct diag *reterr, int err, int line, int col, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The same with the arguments of a function like it. */
int diag_vset(struct diag *reterr, int err, int line, int col, const char *format, va_list args);

/* Names the file of a diagnostic that came back from below; keeps a name that is already there. */
void diag_file(struct diag *reterr, struct text file);

/* The diagnostic of an exhausted arena or heap; returns -ENOMEM. */
int diag_nomem(struct diag *reterr);

/* Bytes that the longest diagnostic takes as one line. */
#define DIAG_LINE (LIMIT_DIAG_FILE + LIMIT_DIAG_TEXT + 32)

/* "file:line:col: text" in buf, leaving out what is not known. Returns buf. */
const char *diag_format(const struct diag *diag, char *buf, size_t size);

#endif

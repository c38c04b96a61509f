/* Echo: what the SQL client prints around its results when it runs a file: the frame, each
 * statement's echo, messages and errors.
 *
 *	echo_begin, { echo_statement, the result, echo_gap }, echo_end
 *
 * Nothing is printed between an echo and its result, and a result ends with a newline. */
#ifndef EWIN_SIM_ECHO_H
#define EWIN_SIM_ECHO_H

#include "sim/writer.h"

/* The first lines; history is the path of the client's history file. */
void echo_begin(struct writer *out, struct text history);

/* The prompt and the part of a statement that the client shows: from its first character to its
 * last closing bracket. source is the statement as cut from the file, with its blank lines, TABs
 * and CRs. Bytes that are no UTF-8 come out as U+FFFD. */
void echo_statement(struct writer *out, struct text source);

/* An [INFO] line. */
void echo_info(struct writer *out, struct text message);

/* A job that was submitted. Its id is made up: all zeros. */
void echo_job(struct writer *out);

/* What HELP prints. */
void echo_help(struct writer *out);

/* A statement that failed; error is "class: message", perhaps of several lines. */
void echo_error(struct writer *out, struct text error);

/* The blank line behind a result. */
void echo_gap(struct writer *out);

/* The end of a file that was read to its end: the last prompt, with the echo of what never became a
 * statement (or with nothing), and the closing lines. */
void echo_end(struct writer *out, struct text unfinished);

/* The end behind an error or QUIT: the closing lines alone. */
void echo_abort(struct writer *out);

#endif

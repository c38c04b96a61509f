/* Sheet: where text for people is printed, cleaned, in columns of a terminal. */
#ifndef EWIN_DAEMON_SHEET_H
#define EWIN_DAEMON_SHEET_H

#include <stdint.h>
#include <stdio.h>

#include "daemon/grade/lab.h"
#include "daemon/words.h"

/* Printing to a file that fails is found by ferror(); what there is no memory for is left out. */
struct sheet {
	struct arena *arena;
	FILE *file;
	struct viewer viewer; /* where only ASCII can be shown, other characters become '?' */
	int64_t now_ms;	      /* since the epoch */
};

/* Prints a text without what a terminal would obey. */
void sheet_put(const struct sheet *sheet, struct text t);

/* The same, filled up with blanks to `width` columns; a wide character takes two. */
void sheet_put_padded(const struct sheet *sheet, struct text t, size_t width);

/* The text in the language that was opened (daemon/words.h). */
struct text sheet_message(const struct sheet *sheet, const struct message *message);

/* A lab's text in the language that suits the viewer, of those that it is there in; empty where
 * it is there in none. */
struct text sheet_text(const struct sheet *sheet, const struct lab_texts *texts);

/* Columns for the names of steps where none is longer. */
#define SHEET_NAME_WIDTH 10

/* The columns of the widest of these words in that language; NULL ends them. */
size_t sheet_width(const char *const *words);

/* One line of a program's --help. */
struct help {
	const char *option; /* "--json"; NULL: `text` is a paragraph of its own, "" an empty line */
	const char *text;   /* in English, a key of daemon/po */
};

/* Prints it in that language: the options in a column; an entry without both ends it. */
void help_print(FILE *file, const struct help *lines);

#endif

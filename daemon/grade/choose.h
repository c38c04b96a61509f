/* Choosing: which tables of a transcript are the answer to a step. */
#ifndef EWIN_DAEMON_GRADE_CHOOSE_H
#define EWIN_DAEMON_GRADE_CHOOSE_H

#include "parser/transcript.h"

struct arena;

struct choice {
	const struct result **tables; /* an entry an asked table, NULL where none was found */
	size_t found;
	bool repeated;	  /* the same results stand there more than once */
	bool extra;	  /* another attempt stands there as well: the same columns, other rows */
	bool other;	  /* so does another table that has the asked columns among its own */
	bool swapped;	  /* the right tables in another order */
	size_t ambiguous; /* so many tables could be the answer, and some of them are; else 0 */
};

/* Asked tables are typed; 0 or -ENOMEM. */
int choose_tables(struct arena *arena, const struct transcript *transcript,
	const struct table *const *asked, size_t count, struct choice *ret);

#endif

/* Keeping a verdict beyond the arena in which it was made. */
#ifndef EWIN_DAEMON_KEEP_H
#define EWIN_DAEMON_KEEP_H

#include "daemon/grade/grade.h"

struct arena;
struct diag;

/* A copy of the verdict, texts included, in the arena. 0 or -ENOMEM. */
int verdict_keep(struct arena *arena, const struct verdict *verdict, struct verdict *ret,
	struct diag *reterr);

/* Do both say the same, causes too? */
bool verdict_same(const struct verdict *a, const struct verdict *b);

/* Do both have the same word and sentence? Other data may give them other evidence. */
bool verdict_same_sentence(const struct verdict *a, const struct verdict *b);

/* Do both say the same, as far as grading says it? Causes are found later. */
bool verdict_same_grade(const struct verdict *a, const struct verdict *b);

#endif

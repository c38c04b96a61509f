/* `ewin-check --lint`: all that a program can see of what is wrong with a lab. */
#ifndef EWIN_DAEMON_AUTHOR_LINT_H
#define EWIN_DAEMON_AUTHOR_LINT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diag;

struct lint_asked {
	const char *lab; /* its folder */
	const char *data_root;
	bool json; /* print one object instead of lines */
};

/* Prints a line a finding, "FOLDER/lab.json:LINE:COL: error: sentence", and behind them, where
 * the lab has no error, what its data cannot tell apart; the last line is how many there are.
 * *ret_errors: how many findings are errors. 0; -ENOENT and the like: the lab cannot be read;
 * -ENOMEM. */
int author_lint(struct arena *arena, const struct lint_asked *asked, size_t *ret_errors,
	struct diag *reterr);

#endif

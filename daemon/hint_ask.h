/* Asking for a hint: `ewin-status hint`. */
#ifndef EWIN_DAEMON_HINT_ASK_H
#define EWIN_DAEMON_HINT_ASK_H

#include "daemon/sheet.h"
#include "parser/text.h"

struct diag;

/* Opens the next tier of a step (empty: of the one that was graded last and is wrong) and prints
 * what it says. 0, also where there is nothing to give; -ENOENT without a sentence: no lab has
 * this step; else -errno with one. */
int hint_ask(const struct sheet *sheet, const char *run_dir, struct text step, struct diag *reterr);

#endif

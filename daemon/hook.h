/* The prompt hooks: what `ewin-status init SHELL` prints. */
#ifndef EWIN_DAEMON_HOOK_H
#define EWIN_DAEMON_HOOK_H

#include "parser/text.h"

/* The lines of a shell's hook, each with its newline, NULL behind the last; NULL where there is no
 * hook for this shell. */
const char *const *hook_lines(struct text shell);

#endif

/* The prompt hooks, embedded at build time from contrib/prompt/, where they are written and
 * explained. They are static text: the same for everybody, so that it may be read before it is
 * evaluated, and it works on when ewin-status is gone. */
#include "daemon/hook.h"

#include <stddef.h>

#include "daemon/hook_bash.h"
#include "daemon/hook_fish.h"
#include "daemon/hook_zsh.h"

static const struct {
	const char *shell;
	const char *const *lines;
} hooks[] = {
	{"bash", hook_bash},
	{"zsh", hook_zsh},
	{"fish", hook_fish},
};

const char *const *hook_lines(struct text shell)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		if (text_eq(shell, text_of(hooks[i].shell)))
			return hooks[i].lines;
	return NULL;
}

/* ewin-check: grades a folder once and exits. The verdicts are those of the daemon, without one.
 *
 *	the command line      check_options.c
 *	which lab and folder  check_lab.c (over choose_lab.c)
 *	what it is worth      check_grade.c
 *	who hears of it       check_text.c, check_json.c
 *
 * Instead of that: --explain in check_explain.c, what an author asks for in check_author.c. */
#include <unistd.h>

#include "daemon/check.h"
#include "parser/limits.h"

static int grade(struct check *check)
{
	int status = check_grade(check);

	if (status < 0)
		status = check->options.json ? check_print_json(check) : check_print_text(check);
	return status < 0 ? check_status(check) : status;
}

static int run(struct check *check)
{
	int status = check_open_lab(check);

	if (status < 0)
		status = check_open_folder(check);
	if (status < 0)
		status = check->options.explained ? check_explain(check) : grade(check);
	return status;
}

int main(int argc, char **argv)
{
	struct check check = {.dirfd = -1};
	struct viewer viewer = viewer_get();
	int status;

	words_open_for(&viewer);
	check.options.viewer = viewer;
	status = check_options_parse(argc, argv, &check.options);
	if (status >= 0)
		return exit_printed("ewin-check", status);
	arena_init(&check.arena, LIMIT_GRADE_ARENA);
	if (check.options.lint)
		status = check_lint(&check);
	else
		status = check.options.new_fixture ? check_new_fixture(&check) : run(&check);
	if (check.dirfd >= 0)
		close(check.dirfd);
	labs_finish(&check.labs);
	arena_finish(&check.arena);
	return exit_printed("ewin-check", status);
}

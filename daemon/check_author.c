/* ewin-check, its commands for the author of a lab. */
#include <errno.h>
#include <string.h>

#include "daemon/author.h"
#include "daemon/author_lint.h"
#include "daemon/check.h"
#include "parser/diag.h"

/* A folder, or the name of one of the labs. */
static const char *author_dir(struct check *check, const char *name)
{
	struct lab_places places = check->options.places;
	const char *dir = NULL;

	if (!places.count)
		lab_places_default(&check->arena, &places);
	if (!strchr(name, '/'))
		dir = lab_places_find(&check->arena, &places, name);
	return dir ? dir : name;
}

int check_new_fixture(struct check *check)
{
	const struct check_options *o = &check->options;
	const struct new_fixture asked = {.lab = author_dir(check, o->new_fixture),
		.data_root = o->data_root,
		.fixture = o->fixture,
		.output = o->output,
		.seed = (uint64_t)o->seed};
	struct diag diag = {0};
	int r = author_new_fixture(&check->arena, &asked, &diag);

	if (r == 0)
		return EXIT_DONE;
	return check_complain(r == -EINVAL || r == -ENOENT ? EXIT_CONFIG : EXIT_FAILED, &diag);
}

int check_lint(struct check *check)
{
	const struct check_options *o = &check->options;
	const struct lint_asked asked = {
		.lab = author_dir(check, o->lint), .data_root = o->data_root, .json = o->json};
	struct diag diag = {0};
	size_t errors = 0;
	int r = author_lint(&check->arena, &asked, &errors, &diag);

	if (r == 0)
		return errors ? EXIT_FAILED : EXIT_DONE;
	return check_complain(r == -ENOMEM ? EXIT_FAILED : EXIT_CONFIG, &diag);
}

/* ewin-check, its commands for the author of a lab. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/author.h"
#include "daemon/author_lint.h"
#include "daemon/check.h"
#include "parser/clean.h"
#include "parser/diag.h"

/* There is no lab of this name: all folders that were looked in; of a path (without places) that
 * alone. */
static int no_lab(struct check *check, const char *name, const struct lab_places *places)
{
	struct text looked = text_format(&check->arena, "%s%s", places ? "./" : "", name);
	char shown[LIMIT_DIAG_FILE];

	for (size_t i = places ? places->count : 0; i-- > 0;)
		looked = text_format(
			&check->arena, "%.*s, %s/%s", TEXT_ARG(looked), places->dirs[i], name);
	looked = clean_copy(&check->arena, looked);
	fprintf(stderr, tr("ewin-check: there is no lab %s: no lab.json in %.*s\n"),
		clean_name(name, shown, sizeof(shown)), TEXT_ARG(looked));
	return EXIT_CONFIGURATION;
}

static bool has_lab(struct check *check, const char *dir)
{
	struct text json = text_format(&check->arena, "%s/" LAB_FILE, dir);

	return json.ptr && access(json.ptr, F_OK) == 0;
}

/* The lab's folder. A name without a slash is that of a folder here, before that of one of the
 * labs; which of them it was is told. -1, or the exit status where there is none. */
static int author_dir(struct check *check, const char *name, const char **ret)
{
	struct lab_places places = check->options.places;
	char shown[LIMIT_DIAG_FILE];

	*ret = name;
	if (strchr(name, '/'))
		return has_lab(check, name) ? -1 : no_lab(check, name, NULL);
	if (!places.count)
		lab_places_default(&check->arena, &places);
	if (!has_lab(check, name))
		*ret = lab_places_find(&check->arena, &places, name);
	if (!*ret)
		return no_lab(check, name, &places);
	fprintf(stderr, tr("ewin-check: the lab in %s%s\n"), *ret == name ? "./" : "",
		clean_name(*ret, shown, sizeof(shown)));
	return -1;
}

int check_new_fixture(struct check *check)
{
	const struct check_options *o = &check->options;
	struct new_fixture asked = {.data_root = o->data_root,
		.fixture = o->fixture,
		.output = o->output,
		.seed = (uint64_t)o->seed};
	struct diag diag = {0};
	int status = author_dir(check, o->new_fixture, &asked.lab), r;

	if (status >= 0)
		return status;
	r = author_new_fixture(&check->arena, &asked, &diag);
	if (r == 0)
		return EXIT_DONE;
	return check_complain(
		r == -EINVAL || r == -ENOENT ? EXIT_CONFIGURATION : EXIT_FAILED, &diag);
}

int check_lint(struct check *check)
{
	const struct check_options *o = &check->options;
	struct lint_asked asked = {.data_root = o->data_root, .json = o->json};
	struct diag diag = {0};
	size_t errors = 0;
	int status = author_dir(check, o->lint, &asked.lab), r;

	if (status >= 0)
		return status;
	r = author_lint(&check->arena, &asked, &errors, &diag);
	if (r == 0)
		return errors ? EXIT_FAILED : EXIT_DONE;
	return check_complain(r == -ENOMEM ? EXIT_FAILED : EXIT_CONFIGURATION, &diag);
}

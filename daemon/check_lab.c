/* ewin-check, its lab and its folder: those that were named, or else those that follow from each
 * other. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/check.h"
#include "daemon/choose_lab.h"
#include "parser/clean.h"
#include "parser/diag.h"

int check_open_folder(struct check *check)
{
	struct text dir = check->options.dir
				  ? text_of(check->options.dir)
				  : text_format(&check->arena, "%s%.*s", check->options.data_root,
					    TEXT_ARG(check->lab->lab.folder));
	int err;

	if (check->dirfd >= 0)
		return -1;
	check->dirfd = dir.ptr ? open(dir.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (check->dirfd >= 0)
		return -1;
	err = errno;
	dir = clean_copy(&check->arena, dir);
	fprintf(stderr, "ewin-check: %.*s: %s\n", TEXT_ARG(dir), strerror(err));
	return EXIT_CONFIGURATION;
}

struct text check_folder(struct check *check)
{
	char link[64], path[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", check->dirfd);
	len = readlink(link, path, sizeof(path));
	return text_copy(&check->arena, len < 0 ? TEXT("?") : (struct text){path, (size_t)len});
}

/* The lab could not be told: which there are. */
static int ask_for_lab(struct check *check)
{
	struct text name;

	fputs(tr("ewin-check: say which lab it is, with --lab NAME\n"), stderr);
	for (size_t i = 0; i < check->labs.count; i++) {
		if (!lab_is_shown(check->labs.items[i]))
			continue;
		name = clean_copy(&check->arena, check->labs.items[i]->name);
		fprintf(stderr, "  %.*s\n", TEXT_ARG(name));
	}
	return EXIT_USAGE;
}

/* The lab that a named step is of, and that the folder tells: DIR, else the one that we are in,
 * which then is the one that is graded where the lab's work lies in it. */
static int tell_lab(struct check *check)
{
	const struct check_options *o = &check->options;
	const char *step = o->explained ? o->explained : o->step ? o->step : "";
	int status = o->dir ? check_open_folder(check) : -1;

	if (status >= 0)
		return status;
	if (!o->dir)
		check->dirfd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check->lab = choose_lab(&check->labs, check->dirfd, text_of(step));
	if (!check->lab)
		return ask_for_lab(check);
	if (!o->dir && check->dirfd >= 0 && !lab_works_in(check->lab, check->dirfd)) {
		close(check->dirfd);
		check->dirfd = -1;
	}
	return -1;
}

/* No lab has the name that was given: where that was looked for. */
static int no_such_lab(struct check *check, const struct lab_places *places)
{
	struct text looked = TEXT("");
	char shown[LIMIT_DIAG_FILE];

	for (size_t i = 0; i < places->count; i++)
		looked = text_format(&check->arena, "%.*s%s%s", TEXT_ARG(looked), i ? ", " : "",
			places->dirs[i]);
	looked = clean_copy(&check->arena, looked);
	fprintf(stderr, tr("ewin-check: no lab in %.*s is called %s\n"), TEXT_ARG(looked),
		clean_name(check->options.lab, shown, sizeof(shown)));
	return EXIT_CONFIGURATION;
}

/* The lab that was named, the only one, or the one that can be told. */
static int find_lab(struct check *check, const struct lab_places *places)
{
	const struct check_options *o = &check->options;

	if (o->lab) {
		check->lab = labs_get(&check->labs, text_of(o->lab));
		return check->lab ? -1 : no_such_lab(check, places);
	}
	check->lab = choose_lab(&check->labs, -1, TEXT(""));
	return check->lab ? -1 : tell_lab(check);
}

int check_open_lab(struct check *check)
{
	const struct check_options *o = &check->options;
	struct lab_places places = o->places;
	struct diag diag = {0};
	int status;

	if (!places.count)
		lab_places_default(&check->arena, &places);
	check->named = text_of(o->lab ? o->lab : "");
	if (o->lab)
		places.wanted = (struct lab_names){&check->named, 1};
	if (labs_load(&check->labs, &places, o->data_root, NULL, true, &diag))
		return check_complain(EXIT_CONFIGURATION, &diag);
	status = find_lab(check, &places);
	if (status >= 0)
		return status;
	return check->lab->grader ? -1 : check_complain(EXIT_CONFIGURATION, &check->lab->problem);
}

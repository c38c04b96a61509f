/* Here: of labs whose folders lie within each other the innermost is meant. */
#include "daemon/here.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/render.h"
#include "parser/arena.h"

/* How long the lab's folder is, where the path lies in it; 0: it does not. */
static size_t depth(struct arena *arena, const struct status_lab *lab, const char *path)
{
	struct text folder = text_copy(arena, lab->folder);
	char real[PATH_MAX];
	size_t len;

	if (!folder.ptr || !realpath(folder.ptr, real))
		return 0;
	len = strlen(real);
	return strncmp(path, real, len) == 0 && (path[len] == '/' || !path[len]) ? len : 0;
}

static bool has_step(const struct status_lab *lab, struct text name)
{
	for (size_t i = 0; i < lab->step_count; i++)
		if (render_means(lab, &lab->steps[i], name))
			return true;
	return false;
}

static bool is_lab(const struct status *status, struct text name)
{
	for (size_t i = 0; i < status->lab_count; i++)
		if (text_eq(status->labs[i].name, name))
			return true;
	return false;
}

/* The lab in whose folder somebody stands, of those that have such a step; NULL: none. */
static const struct status_lab *lab_here(
	struct arena *arena, const struct status *status, struct text step)
{
	const struct status_lab *best = NULL;
	char path[PATH_MAX];
	size_t most = 0;

	if (!getcwd(path, sizeof(path)))
		return NULL;
	for (size_t i = 0; i < status->lab_count; i++) {
		size_t deep = depth(arena, &status->labs[i], path);

		if (deep > most && has_step(&status->labs[i], step)) {
			most = deep;
			best = &status->labs[i];
		}
	}
	return best;
}

struct text here_name(struct arena *arena, const struct status *status, struct text name)
{
	const struct status_lab *lab;

	if (!name.len || memchr(name.ptr, '/', name.len) || is_lab(status, name))
		return name;
	lab = lab_here(arena, status, name);
	return lab ? text_format(arena, "%.*s/%.*s", TEXT_ARG(lab->name), TEXT_ARG(name)) : name;
}

struct text here_lab(struct arena *arena, const struct status *status)
{
	const struct status_lab *lab = lab_here(arena, status, TEXT(""));

	return lab ? lab->name : TEXT("");
}

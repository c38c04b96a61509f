/* Sources: lab.json, the reference SQL and the fixtures, by what stat() says of them. Whoever
 * writes them is an author or a set-up script, not a learner who races with us: times and sizes
 * will do. */
#include "daemon/sources.h"

#include <errno.h>
#include <sys/stat.h>

#include "daemon/limits.h"
#include "parser/arena.h"
#include "parser/diag.h"

struct source {
	const char *path;
	bool there;
	struct stat st;
};

void sources_init(struct sources *sources, struct arena *arena)
{
	*sources = (struct sources){.arena = arena};
}

static bool is_noted(const struct sources *sources, struct text path)
{
	for (size_t i = 0; i < sources->count; i++)
		if (text_eq(text_of(sources->items[i].path), path))
			return true;
	return false;
}

int sources_note(struct sources *sources, struct text path, struct diag *reterr)
{
	struct text copy;
	struct source *source;

	if (is_noted(sources, path))
		return 0;
	if (sources->count == LIMIT_SOURCES)
		return diag_set(
			reterr, -E2BIG, 0, 0, "the lab reads more than %d files", LIMIT_SOURCES);
	copy = text_copy(sources->arena, path);
	if (!copy.ptr || arena_grow(sources->arena, &sources->items, sources->count, &sources->room,
				 sizeof(*sources->items)) < 0)
		return diag_nomem(reterr);
	source = &sources->items[sources->count++];
	source->path = copy.ptr;
	source->there = stat(copy.ptr, &source->st) == 0;
	return 0;
}

static bool changed(const struct source *source)
{
	struct stat now;

	if (stat(source->path, &now) < 0)
		return source->there;
	return !source->there || now.st_dev != source->st.st_dev ||
	       now.st_ino != source->st.st_ino || now.st_size != source->st.st_size ||
	       now.st_mode != source->st.st_mode ||
	       now.st_mtim.tv_sec != source->st.st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != source->st.st_mtim.tv_nsec;
}

bool sources_changed(const struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		if (changed(&sources->items[i]))
			return true;
	return false;
}

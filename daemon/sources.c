/* Sources: lab.json, the reference SQL and the fixtures. Whoever writes them is an author or a
 * set-up script, not a learner who races with us: that nothing changed is taken from times and
 * sizes. That something did is asked of the bytes, since a copy or a touch of the same has
 * nothing graded again. */
#include "daemon/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "daemon/limits.h"
#include "parser/arena.h"
#include "parser/diag.h"

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

/* What cannot be looked at for other reasons than that it is not there will not be read either, and
 * that is told then. */
static struct source_look look_at(const char *path)
{
	struct source_look look = {0};

	look.there = stat(path, &look.st) == 0 || (errno != ENOENT && errno != ENOTDIR);
	look.shared = look.there && file_is_shared(AT_FDCWD, path, 0, &look.st);
	return look;
}

/* The hash of a source as it is now; "" where it is not read. */
static void hash(const char *path, char ret[SHA256_HEX])
{
	struct arena scratch;
	struct intake intake = {0};

	arena_init(&scratch, 2 * LIMIT_SOURCE_HASH);
	if (intake_read(&scratch, AT_FDCWD, path, LIMIT_SOURCE_HASH, &intake, NULL) < 0 ||
		intake.moving)
		intake.identity.sha256[0] = '\0';
	memcpy(ret, intake.identity.sha256, SHA256_HEX);
	arena_finish(&scratch);
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
	*source = (struct source){.path = copy.ptr, .look = look_at(copy.ptr)};
	source->last = source->look;
	hash(source->path, source->sha256);
	return 0;
}

static bool same(const struct source_look *a, const struct source_look *b)
{
	if (!a->there || !b->there)
		return a->there == b->there;
	return a->st.st_dev == b->st.st_dev && a->st.st_ino == b->st.st_ino &&
	       a->st.st_size == b->st.st_size && a->st.st_mode == b->st.st_mode &&
	       a->st.st_mtim.tv_sec == b->st.st_mtim.tv_sec &&
	       a->st.st_mtim.tv_nsec == b->st.st_mtim.tv_nsec;
}

static bool has_same_bytes(const struct source *source, const struct source_look *now)
{
	char sha256[SHA256_HEX];

	if (!source->sha256[0] || !now->there || now->st.st_size != source->look.st.st_size)
		return false;
	hash(source->path, sha256);
	return strcmp(sha256, source->sha256) == 0;
}

const struct source *sources_changed(const struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct source *source = &sources->items[i];
		struct source_look now = look_at(source->path);
		if (!same(&now, &source->look) && !has_same_bytes(source, &now))
			return source;
	}
	return NULL;
}

bool sources_settle(struct sources *sources)
{
	bool moved = false;

	for (size_t i = 0; i < sources->count; i++) {
		struct source *source = &sources->items[i];
		struct source_look now = look_at(source->path);
		if (same(&now, &source->look))
			continue;
		source->sha256[0] = '\0';
		moved = true;
	}
	return moved;
}

bool sources_look(struct sources *sources)
{
	bool moved = false;

	for (size_t i = 0; i < sources->count; i++) {
		struct source_look now = look_at(sources->items[i].path);
		moved = moved || !same(&now, &sources->items[i].last);
		sources->items[i].last = now;
	}
	return moved;
}

bool sources_shared(const struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		if (sources->items[i].last.shared)
			return true;
	return false;
}

bool sources_young(const struct sources *sources, int64_t age_ms)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	for (size_t i = 0; i < sources->count; i++) {
		const struct timespec *then = &sources->items[i].look.st.st_mtim;
		int64_t age;

		/* Not near: it may be any time. */
		if (then->tv_sec > now.tv_sec || then->tv_sec < now.tv_sec - age_ms / 1000 - 1)
			continue;
		age = (int64_t)(now.tv_sec - then->tv_sec) * 1000 +
		      (now.tv_nsec - then->tv_nsec) / 1000000;
		if (age >= 0 && age < age_ms)
			return true;
	}
	return false;
}

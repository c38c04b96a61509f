/* Lookout: a lab's files are written by an author, an editor, cp, tar or a set-up script. Half a
 * data file gives expected tables that call right answers wrong, so a change counts when it is
 * over:
 *
 *	written to, and not closed    it is not; a writer that is silent for a minute has forgotten it
 *	closed, renamed, removed ...  100 ms after the last of it; a file that was modified so little before
 *	                              it was read may have a writer whom nobody saw, and waits as long
 *	seen by a scan only           at a scan that finds it as the one before did; so are changes of a file
 *	                              that has other names, since writing through those sends no event
 *
 * Nothing is graded with the lab meanwhile. */
#include "daemon/lookout.h"

#include <string.h>

#include "daemon/limits.h"
#include "daemon/watch.h"
#include "parser/diag.h"

void lookout_init(struct lookout *lookout, struct watch *watch)
{
	*lookout = (struct lookout){.watch = watch};
	arena_init(&lookout->arena, LIMIT_LOOKOUT_ARENA);
}

void lookout_finish(struct lookout *lookout)
{
	for (size_t i = 0; i < lookout->count; i++)
		folder_finish(&lookout->folders[i]);
	lookout->count = 0;
	arena_finish(&lookout->arena);
}

/* The length of the path of the folder that a file lies in. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash > path ? (size_t)(slash - path) : 1;
}

static bool knows(const struct lookout *lookout, struct text path)
{
	for (size_t i = 0; i < lookout->count; i++)
		if (text_eq(text_of(lookout->folders[i].path), path))
			return true;
	return false;
}

static int add_folder(struct lookout *lookout, struct text path, struct diag *reterr)
{
	struct folder *folder = &lookout->folders[lookout->count];
	struct text copy;

	if (knows(lookout, path))
		return 0;
	copy = text_copy(&lookout->arena, path);
	if (!copy.ptr)
		return diag_nomem(reterr);
	folder_init(folder, copy.ptr, lookout->watch, false);
	folder_arm(folder);
	lookout->count++;
	return 0;
}

/* The folder that a source lies in, and the one that it is: a table may read a folder of files. */
static int add_source(struct lookout *lookout, const struct source *source, struct diag *reterr)
{
	struct text path = text_of(source->path);
	int r = add_folder(lookout, text_slice(path, 0, folder_length(source->path)), reterr);

	if (r == 0 && source->look.there && S_ISDIR(source->look.st.st_mode))
		r = add_folder(lookout, path, reterr);
	return r;
}

static int add_all(struct lookout *lookout, struct diag *reterr)
{
	const struct sources *sources = lookout->sources;
	int r = 0;

	lookout->folders =
		arena_array(&lookout->arena, 2 * sources->count, sizeof(*lookout->folders));
	if (!lookout->folders)
		return diag_nomem(reterr);
	for (size_t i = 0; r == 0 && i < sources->count; i++)
		r = add_source(lookout, &sources->items[i], reterr);
	return r;
}

int lookout_set(
	struct lookout *lookout, struct sources *sources, int64_t now_ms, struct diag *reterr)
{
	struct lookout before = *lookout;
	int r;

	lookout_init(lookout, before.watch);
	lookout->sources = sources;
	r = add_all(lookout, reterr);
	/* Let go only now, so that a folder that stays is watched all the time. */
	lookout_finish(&before);
	if (sources_settle(sources) || sources_young(sources, LAB_QUIET_MS))
		lookout_stir(lookout, now_ms);
	return r;
}

void lookout_stir(struct lookout *lookout, int64_t now_ms)
{
	if (!lookout->stirred) {
		lookout->first_ms = now_ms;
		lookout->told = false;
	}
	lookout->stirred = true;
	lookout->last_ms = now_ms;
}

/* Does the event's name in the folder say something of this source? */
static bool concerns(
	const struct folder *folder, const struct watch_event *event, const struct source *source)
{
	size_t len = folder_length(source->path);
	const char *name = source->path + len;

	if (strcmp(folder->path, source->path) == 0)
		return true;
	if (strncmp(folder->path, source->path, len) != 0 || folder->path[len])
		return false;
	return strcmp(name + (name[0] == '/'), event->name) == 0;
}

static void named_event(struct lookout *lookout, const struct folder *folder,
	const struct watch_event *event, int64_t now_ms)
{
	for (size_t i = 0; i < lookout->sources->count; i++) {
		struct source *source = &lookout->sources->items[i];
		if (!concerns(folder, event, source))
			continue;
		source->held = event->kind == WATCH_WRITTEN;
		lookout_stir(lookout, now_ms);
	}
}

static void lose_events(struct lookout *lookout, int64_t now_ms)
{
	for (size_t i = 0; lookout->sources && i < lookout->sources->count; i++)
		lookout->sources->items[i].held = false;
	lookout_scan(lookout, now_ms);
}

void lookout_event(struct lookout *lookout, const struct watch_event *event, int64_t now_ms)
{
	if (event->kind == WATCH_OVERFLOW) {
		lose_events(lookout, now_ms);
		return;
	}
	for (size_t i = 0; i < lookout->count; i++) {
		struct folder *folder = &lookout->folders[i];
		if (folder_concerned(folder, event)) {
			folder_arm(folder);
			lookout_stir(lookout, now_ms);
		} else if (event->id == folder->id && event->name[0]) {
			named_event(lookout, folder, event, now_ms);
		}
	}
}

bool lookout_confirm(struct lookout *lookout, int64_t now_ms)
{
	if (lookout->sources && sources_look(lookout->sources) && sources_changed(lookout->sources))
		lookout_stir(lookout, now_ms);
	return !lookout->stirred;
}

void lookout_scan(struct lookout *lookout, int64_t now_ms)
{
	for (size_t i = 0; i < lookout->count; i++)
		folder_arm(&lookout->folders[i]);
	lookout_confirm(lookout, now_ms);
}

/* Does a change show only when it is looked for? */
static bool is_blind(const struct lookout *lookout)
{
	return lookout_polls(lookout) || lookout_shares(lookout);
}

static bool is_held(const struct lookout *lookout)
{
	for (size_t i = 0; i < lookout->sources->count; i++)
		if (lookout->sources->items[i].held)
			return true;
	return false;
}

static int64_t over_ms(const struct lookout *lookout)
{
	if (is_held(lookout))
		return lookout->last_ms + LAB_HELD_MS;
	return lookout->last_ms + (is_blind(lookout) ? POLL_MS : LAB_QUIET_MS);
}

bool lookout_over(struct lookout *lookout, int64_t now_ms)
{
	if (!lookout->stirred || now_ms < over_ms(lookout))
		return false;
	if (!sources_look(lookout->sources) || !is_blind(lookout))
		return true;
	lookout->last_ms = now_ms;
	return false;
}

/* When people are to hear of it. Where it is looked at now and then only, each change takes
 * long. */
static int64_t long_ms(const struct lookout *lookout)
{
	return lookout->first_ms + LAB_LONG_MS + (is_blind(lookout) ? 2 * POLL_MS : 0);
}

bool lookout_long(const struct lookout *lookout, int64_t now_ms)
{
	return lookout->stirred && !lookout->told && now_ms >= long_ms(lookout);
}

int64_t lookout_deadline(const struct lookout *lookout)
{
	int64_t over, tell;

	if (!lookout->stirred)
		return INT64_MAX;
	over = over_ms(lookout);
	tell = long_ms(lookout);
	return !lookout->told && tell < over ? tell : over;
}

bool lookout_shares(const struct lookout *lookout)
{
	return lookout->sources && sources_shared(lookout->sources);
}

bool lookout_unsure(const struct lookout *lookout)
{
	for (size_t i = 0; i < lookout->count; i++)
		if (lookout->folders[i].unsure)
			return true;
	return false;
}

bool lookout_polls(const struct lookout *lookout)
{
	if (!lookout->watch || lookout_unsure(lookout))
		return true;
	for (size_t i = 0; i < lookout->count; i++)
		if (lookout->folders[i].polled)
			return true;
	return false;
}

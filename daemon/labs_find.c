/* Labs, found: the folders within the places, and where the places are when nobody says it. A
 * folder without lab.json is in the list, too: it may become a lab. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/errors.h"
#include "daemon/labs.h"

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The lab of this folder, as it was found before or a new one; NULL: no memory. */
static struct loaded_lab *lab_at(const struct labs *labs, const char *dir)
{
	for (size_t i = 0; i < labs->count; i++)
		if (strcmp(labs->items[i]->dir, dir) == 0)
			return labs->items[i];
	return lab_new(dir, labs->data_root, &labs->places.wanted, labs->watch);
}

/* Labs as they are found, before they take the place of the list. */
struct found {
	struct loaded_lab *items[LIMIT_LABS];
	size_t count;
};

static int find_named(const struct labs *labs, size_t place, const char *name, struct found *found,
	struct diag *reterr)
{
	char dir[PATH_MAX];
	struct stat st;
	int len = snprintf(dir, sizeof(dir), "%s/%s", labs->places.dirs[place], name);

	if ((size_t)len >= sizeof(dir))
		return 0;
	if (stat(dir, &st) < 0)
		return error_passes(errno)
			       ? diag_set(reterr, -EAGAIN, 0, 0, "%s: %s", dir, strerror(errno))
			       : 0;
	if (!S_ISDIR(st.st_mode))
		return 0;
	if (found->count == LIMIT_LABS)
		return diag_set(reterr, -E2BIG, 0, 0, "there are more than %d labs: %s is left out",
			LIMIT_LABS, dir);
	found->items[found->count] = lab_at(labs, dir);
	if (!found->items[found->count])
		return diag_nomem(reterr);
	found->items[found->count++]->place = place;
	return 0;
}

static int find_in(const struct labs *labs, size_t place, struct found *found, struct diag *reterr)
{
	struct dirent **names;
	int count = scandir(labs->places.dirs[place], &names, is_visible, alphasort), r = 0;

	if (count < 0)
		return errno == ENOENT ? 0
				       : diag_set(reterr, -errno, 0, 0, "%s: %s",
						 labs->places.dirs[place], strerror(errno));
	for (int i = 0; i < count; i++) {
		if (r == 0)
			r = find_named(labs, place, names[i]->d_name, found, reterr);
		free(names[i]);
	}
	free(names);
	return r;
}

static bool is_found(const struct found *found, size_t from, const struct loaded_lab *lab)
{
	for (size_t i = from; i < found->count; i++)
		if (found->items[i] == lab)
			return true;
	return false;
}

/* A place that cannot be read for the moment keeps the labs that it had. `from`: what was found
 * in it. */
static void keep_all_of(const struct labs *labs, size_t place, size_t from, struct found *found)
{
	for (size_t i = 0; i < labs->count && found->count < LIMIT_LABS; i++)
		if (labs->items[i]->place == place && !is_found(found, from, labs->items[i]))
			found->items[found->count++] = labs->items[i];
}

static void leave(struct labs *labs, struct loaded_lab *lab)
{
	lab->news = true;
	lab->standing = LAB_ABSENT;
	labs->gone[labs->gone_count++] = lab;
}

int labs_find(struct labs *labs, struct diag *reterr)
{
	struct found found = {.count = 0};
	int result = 0;

	labs_sweep(labs);
	for (size_t i = 0; i < labs->count; i++)
		labs->items[i]->there = false;
	for (size_t i = 0; i < labs->places.count; i++) {
		size_t before = found.count;
		int r = find_in(labs, i, &found, reterr);
		result = r < 0 ? r : result;
		if (r < 0)
			keep_all_of(labs, i, before, &found);
	}
	for (size_t i = 0; i < found.count; i++)
		found.items[i]->there = true;
	for (size_t i = 0; i < labs->count; i++)
		if (!labs->items[i]->there)
			leave(labs, labs->items[i]);
	memcpy(labs->items, found.items, sizeof(found.items));
	labs->count = found.count;
	labs->stirred = false;
	labs->unsure = result < 0;
	return result;
}

/* contrib/labs of the build tree that the program lies in; NULL: it lies in none, or no memory. */
static const char *build_tree(struct arena *arena)
{
	static const char *const beside[] = {"/../contrib/labs", "/../../contrib/labs"};
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program));

	while (len > 0 && program[len - 1] != '/')
		len--;
	for (size_t i = 0; len > 0 && i < sizeof(beside) / sizeof(beside[0]); i++) {
		struct text dir = text_format(arena, "%.*s%s", (int)(len - 1), program, beside[i]);
		if (!dir.ptr || access(dir.ptr, F_OK) == 0)
			return dir.ptr;
	}
	return NULL;
}

void lab_places_default(struct arena *arena, struct lab_places *ret)
{
	const char *tree = build_tree(arena);

	*ret = tree ? (struct lab_places){.dirs = {tree}, .count = 1}
		    : (struct lab_places){.dirs = {LABS_DIR, LABS_DIR_OWN}, .count = 2};
}

const char *lab_places_find(struct arena *arena, const struct lab_places *places, const char *name)
{
	for (size_t i = places->count; i-- > 0;) {
		struct text dir = text_format(arena, "%s/%s", places->dirs[i], name);
		struct text json = text_format(arena, "%s/" LAB_FILE, dir.ptr ? dir.ptr : "");
		if (dir.ptr && json.ptr && access(json.ptr, F_OK) == 0)
			return dir.ptr;
	}
	return NULL;
}

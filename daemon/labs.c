/* Labs: a lab is a folder; what is in it is read by daemon/grade/lab.h, what it means is the
 * grader's. One lab that is broken does not touch the others: its problem is kept as a sentence,
 * and it is loaded again when one of the files it was made from changes. */
#include "daemon/labs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/limits.h"

#ifndef LABS_DIR
#define LABS_DIR "/usr/share/ewind/labs"
#endif

static struct text last_name(struct text path)
{
	size_t at = path.len;

	while (at && path.ptr[at - 1] != '/')
		at--;
	return text_slice(path, at, path.len);
}

static int parse(struct loaded_lab *lab)
{
	struct text json;
	int r;

	r = own_files_read(&lab->own, &lab->arena, TEXT(LAB_FILE), &json, &lab->problem);
	if (r < 0)
		return r;
	r = lab_parse(&lab->arena, json, &lab->lab, &lab->problem);
	if (r < 0) {
		diag_file(&lab->problem, TEXT(LAB_FILE));
		return r;
	}
	lab->parsed = true;
	lab->name = lab->lab.name;
	return 0;
}

int lab_reload(struct loaded_lab *lab)
{
	int r;

	arena_finish(&lab->arena);
	arena_init(&lab->arena, LIMIT_LAB_ARENA);
	lab->name = last_name(lab->dir);
	lab->parsed = false;
	lab->grader = NULL;
	lab->problem = (struct diag){0};
	sources_init(&lab->sources, &lab->arena);
	lab->own = (struct own_files){.dir = lab->dir.ptr, .sources = &lab->sources};
	lab->data = (struct data_files){
		.root = lab->data_root, .lab = &lab->lab, .sources = &lab->sources};
	lab->own_reader = own_files_reader(&lab->own);
	lab->data_reader = data_files_reader(&lab->data);
	r = parse(lab);
	if (r == 0)
		r = grader_open(&lab->arena, &lab->lab, &lab->own_reader, &lab->data_reader,
			&lab->grader, &lab->problem);
	/* From here on paths come from a learner's SQL: they are no sources of the lab. */
	lab->data.sources = NULL;
	return r;
}

static int is_lab(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Fills the list from the names that have a lab.json. */
static int load_each(struct arena *arena, const char *dir, const char *data_root,
	struct dirent **names, size_t count, struct labs *labs, struct diag *reterr)
{
	for (size_t i = 0; i < count; i++) {
		struct text path = text_format(arena, "%s/%s", dir, names[i]->d_name);
		struct text json = text_format(arena, "%.*s/" LAB_FILE, TEXT_ARG(path));
		struct loaded_lab *lab = &labs->items[labs->count];

		if (!path.ptr || !json.ptr)
			return diag_nomem(reterr);
		if (access(json.ptr, F_OK) < 0)
			continue;
		if (labs->count == LIMIT_LABS)
			return diag_set(
				reterr, -E2BIG, 0, 0, "more than %d labs in %s", LIMIT_LABS, dir);
		*lab = (struct loaded_lab){.dir = path, .data_root = data_root};
		labs->count++;
		lab_reload(lab);
	}
	return labs->count ? 0 : diag_set(reterr, -ENOENT, 0, 0, "there is no lab in %s", dir);
}

int labs_load(struct arena *arena, const char *dir, const char *data_root, struct labs *ret,
	struct diag *reterr)
{
	struct labs labs = {0};
	struct dirent **names;
	int count, r;

	labs.items = arena_array(arena, LIMIT_LABS + 1, sizeof(*labs.items));
	if (!labs.items)
		return diag_nomem(reterr);
	count = scandir(dir, &names, is_lab, alphasort);
	if (count < 0)
		return diag_set(reterr, -errno, 0, 0, "%s: %s", dir, strerror(errno));
	r = load_each(arena, dir, data_root, names, (size_t)count, &labs, reterr);
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
	if (r < 0) {
		labs_finish(&labs);
		return r;
	}
	*ret = labs;
	return 0;
}

void labs_finish(struct labs *labs)
{
	for (size_t i = 0; i < labs->count; i++)
		arena_finish(&labs->items[i].arena);
	labs->count = 0;
}

struct loaded_lab *labs_get(const struct labs *labs, struct text name)
{
	for (size_t i = 0; i < labs->count; i++)
		if (text_eq(labs->items[i].name, name))
			return &labs->items[i];
	return NULL;
}

const char *labs_default_dir(struct arena *arena)
{
	static const char *const beside[] = {"/../contrib/labs", "/../../contrib/labs"};
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program));

	while (len > 0 && program[len - 1] != '/')
		len--;
	for (size_t i = 0; len > 0 && i < sizeof(beside) / sizeof(beside[0]); i++) {
		struct text dir = text_format(arena, "%.*s%s", (int)(len - 1), program, beside[i]);
		if (!dir.ptr)
			return NULL;
		if (access(dir.ptr, F_OK) == 0)
			return dir.ptr;
	}
	return text_copy(arena, TEXT(LABS_DIR)).ptr;
}

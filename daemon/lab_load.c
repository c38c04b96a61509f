/* Lab, loaded: what is in lab.json is read by daemon/grade/lab.h, what it means is the grader's.
 * Each file is noted before it is read, so that a change is seen whenever it happens. */
#include "daemon/lab_load.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/limits.h"

struct loaded_lab *lab_new(const char *dir, const char *data_root, struct watch *watch)
{
	struct loaded_lab *lab = calloc(1, sizeof(*lab));

	if (!lab)
		return NULL;
	lab->dir = strdup(dir);
	if (!lab->dir) {
		free(lab);
		return NULL;
	}
	lab->data_root = data_root;
	arena_init(&lab->arena, LIMIT_LAB_ARENA);
	lookout_init(&lab->lookout, watch);
	return lab;
}

void lab_free(struct loaded_lab *lab)
{
	lookout_finish(&lab->lookout);
	arena_finish(&lab->arena);
	free(lab->dir);
	free(lab);
}

static struct text last_name(struct text path)
{
	size_t at = path.len;

	while (at && path.ptr[at - 1] != '/')
		at--;
	return text_slice(path, at, path.len);
}

static void parse(struct loaded_lab *lab)
{
	struct arena scratch;
	struct text json;
	int r;

	arena_init(&scratch, LIMIT_LAB_ARENA);
	r = own_files_read(&lab->own, &scratch, TEXT(LAB_FILE), &json, &lab->problem);
	if (r == 0)
		r = lab_parse(&lab->arena, json, &lab->lab, &lab->problem);
	arena_finish(&scratch);
	lab->parsed = r == 0;
	if (lab->parsed)
		lab->name = lab->lab.name;
	else
		diag_file(&lab->problem, TEXT(LAB_FILE));
}

void lab_read(struct loaded_lab *lab)
{
	arena_finish(&lab->arena);
	arena_init(&lab->arena, LIMIT_LAB_ARENA);
	lab->name = last_name(text_of(lab->dir));
	lab->parsed = false;
	lab->grader = NULL;
	lab->problem = (struct diag){0};
	sources_init(&lab->sources, &lab->arena);
	lab->own = (struct own_files){.dir = lab->dir, .sources = &lab->sources};
	lab->data = (struct data_files){
		.root = lab->data_root, .lab = &lab->lab, .sources = &lab->sources};
	lab->own_reader = own_files_reader(&lab->own);
	lab->data_reader = data_files_reader(&lab->data);
	parse(lab);
}

void lab_open(struct loaded_lab *lab)
{
	if (grader_open(&lab->arena, &lab->lab, &lab->own_reader, &lab->data_reader, &lab->grader,
		    &lab->problem) < 0)
		lab->grader = NULL;
	/* From here on paths come from a learner's SQL: they are no sources of the lab. */
	lab->data.sources = NULL;
}

void lab_close(struct loaded_lab *lab)
{
	lab->grader = NULL;
}

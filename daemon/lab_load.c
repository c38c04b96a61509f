/* Lab, loaded: what is in lab.json is read by daemon/grade/lab.h, what it means is the grader's.
 * Each file is noted before it is read, so that a change is seen whenever it happens. */
#include "daemon/lab_load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/limits.h"
#include "daemon/paths.h"
#include "parser/memory.h"

bool lab_is_named(const struct lab_names *names, struct text name)
{
	for (size_t i = 0; i < names->count; i++)
		if (text_eq(names->items[i], name))
			return true;
	return names->count == 0;
}

struct loaded_lab *lab_new(
	const char *dir, const char *data_root, const struct lab_names *wanted, struct watch *watch)
{
	size_t size = strlen(dir) + 1;
	struct loaded_lab *lab = memory_get(sizeof(*lab));

	if (!lab)
		return NULL;
	*lab = (struct loaded_lab){
		.dir = memory_get(size), .data_root = data_root, .wanted = wanted};
	if (!lab->dir) {
		free(lab);
		return NULL;
	}
	memcpy(lab->dir, dir, size);
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

/* A problem in one of the lab's files is told with the lab's folder: who reads it may not know
 * where that is. */
static void place_problem(struct loaded_lab *lab)
{
	char file[LIMIT_DIAG_FILE];

	if (!lab->problem.file[0])
		return;
	snprintf(file, sizeof(file), "%s", lab->problem.file);
	lab->problem.file[0] = '\0';
	diag_file(&lab->problem, text_format(&lab->arena, "%s/%s", lab->dir, file));
}

/* Of a lab that nobody wants its name and folder are kept, by which it may be another lab's
 * rival. */
static int parse_json(struct loaded_lab *lab, struct arena *scratch, struct text json)
{
	struct lab whole;
	int r;

	if (lab->wanted->count == 0)
		return lab_parse(&lab->arena, json, &lab->lab, &lab->problem);
	r = lab_parse(scratch, json, &whole, &lab->problem);
	if (r < 0)
		return r;
	if (lab_is_named(lab->wanted, whole.name))
		return lab_parse(&lab->arena, json, &lab->lab, &lab->problem);
	lab->idle = true;
	lab->lab = (struct lab){.name = text_copy(&lab->arena, whole.name),
		.folder = text_copy(&lab->arena, whole.folder)};
	return lab->lab.name.ptr && lab->lab.folder.ptr ? 0 : diag_nomem(&lab->problem);
}

static void parse(struct loaded_lab *lab)
{
	struct arena scratch;
	struct text json;
	int r;

	arena_init(&scratch, LIMIT_LAB_ARENA);
	r = own_files_read(&lab->own, &scratch, TEXT(LAB_FILE), &json, &lab->problem);
	if (r == 0)
		r = parse_json(lab, &scratch, json);
	arena_finish(&scratch);
	lab->parsed = r == 0;
	if (lab->parsed)
		lab->name = lab->lab.name;
	else
		diag_file(&lab->problem, TEXT(LAB_FILE));
	place_problem(lab);
}

void lab_read(struct loaded_lab *lab)
{
	arena_finish(&lab->arena);
	arena_init(&lab->arena, LIMIT_LAB_ARENA);
	lab->name = path_name(text_of(lab->dir));
	lab->parsed = lab->idle = lab->ended = false;
	lab->grader = NULL;
	lab->problem = (struct diag){0};
	sources_init(&lab->sources, &lab->arena);
	lab->own = (struct own_files){.dir = lab->dir, .sources = &lab->sources};
	lab->data = (struct data_files){
		.root = lab->data_root, .lab = &lab->lab, .sources = &lab->sources};
	lab->own_reader = own_files_reader(&lab->own);
	lab->data_reader = data_files_reader(&lab->data);
	parse(lab);
	lab->troubled = lab->own.trouble.any;
}

void lab_open(struct loaded_lab *lab, const struct sim_pause *pause)
{
	if (lab->idle)
		return;
	lab->data_reader.pause = pause;
	if (grader_open(&lab->arena, &lab->lab, &lab->own_reader, &lab->data_reader, &lab->grader,
		    &lab->problem) < 0) {
		lab->grader = NULL;
		lab->ended = pause && pause->asked(pause->ctx);
		if (lab->ended)
			diag_set(&lab->problem, -EINTR, 0, 0,
				"a signal ended the run of its references");
		place_problem(lab);
	}
	lab->data_reader.pause = NULL;
	lab->troubled = lab->own.trouble.any || lab->data.trouble.any || lab->ended;
	if (lab->grader)
		lab->data_reader.steps = grader_script_steps(lab->grader);
	/* From here on paths come from a learner's SQL: they are no sources of the lab. */
	lab->data.sources = NULL;
}

/* Is it a fixture, or a file of one that is a folder? */
static bool is_data(const struct loaded_lab *lab, struct text path)
{
	for (size_t i = 0; i < lab->lab.fixture_count; i++)
		if (text_find(path, lab->lab.fixtures[i].path) < path.len)
			return true;
	return false;
}

int64_t lab_data_ns(const struct loaded_lab *lab)
{
	int64_t newest = 0;

	for (size_t i = 0; i < lab->sources.count; i++) {
		const struct source *source = &lab->sources.items[i];
		const struct timespec *then = &source->look.st.st_mtim;
		int64_t ns = (int64_t)then->tv_sec * 1000000000 + then->tv_nsec;

		if (ns > newest && is_data(lab, text_of(source->path)))
			newest = ns;
	}
	return newest;
}

void lab_close(struct loaded_lab *lab)
{
	lab->grader = NULL;
}

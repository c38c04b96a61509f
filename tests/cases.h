/* The recorded learner cases: a folder each, with what was saved and a note of what was done.
 *
 *	tests/recorded/LAB/SET/NAME/note.txt	step: w5
 *						verdict: fail
 *						diagnosis: delay=10s | interval-missing
 */
#ifndef EWIN_TESTS_CASES_H
#define EWIN_TESTS_CASES_H

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/labs.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

#define RECORDED "tests/recorded"

struct recorded_case {
	struct arena *arena; /* gone behind this case */
	const struct loaded_lab *lab;
	const char *set, *name; /* "mistakes", "w5_delay10" */
	struct text note;
	size_t step;
	struct submission *submissions; /* of each step of the lab */
};

/* Who walks through the cases is shown one after another. */
struct case_visitor {
	void (*visit)(void *ctx, const struct recorded_case *one);
	void *ctx;
};

/* ---- notes ---- */

/* The rest of the line of a note that starts with this. */
static inline struct text note_line(struct text note, const char *start)
{
	struct text line;

	while (text_next_line(&note, &line))
		if (text_starts(line, text_of(start)))
			return text_trim(text_slice(line, strlen(start), line.len));
	return (struct text){0};
}

/* Takes what stands before the first mark, trimmed; false at the end. */
static inline bool note_part(struct text *rest, const char *mark, struct text *ret)
{
	size_t at = text_find(*rest, text_of(mark));

	if (!rest->len)
		return false;
	*ret = text_trim(text_slice(*rest, 0, at));
	*rest = at < rest->len ? text_slice(*rest, at + strlen(mark), rest->len) : (struct text){0};
	return true;
}

/* Parameters of these ids must be the noted ones; those of others are for the reader. */
static inline bool note_is_exact(struct text id)
{
	static const char *const ids[] = {"delay", "interval", "window-size", "window-slide",
		"session-gap", "offset", "topn-n", "window-kind", "parallelism"};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (text_eq(id, text_of(ids[i])))
			return true;
	return false;
}

/* ---- files ---- */

/* A file's bytes; ptr is NULL where there is none. */
static inline struct text recorded_text(struct arena *arena, int dirfd, const char *name)
{
	struct intake intake = {0};

	if (!name || intake_bytes(arena, dirfd, name, LIMIT_OUT_BYTES, &intake, NULL) ||
		intake.file.state != FILE_THERE)
		return (struct text){0};
	return intake.file.bytes;
}

static inline struct saved_file recorded_file(
	struct arena *arena, int dirfd, struct text name, size_t cap)
{
	struct text path = text_copy(arena, name);
	struct intake intake = {0};

	CHECK(path.ptr != NULL);
	CHECK(!name.len || intake_bytes(arena, dirfd, path.ptr, cap, &intake, NULL) == 0);
	return intake.file;
}

/* ---- the walk ---- */

static inline void visit_case(
	const struct case_visitor *visitor, struct recorded_case *one, int parent)
{
	const struct lab *lab = &one->lab->lab;
	struct arena arena;
	int dirfd = openat(parent, one->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	arena_init(&arena, LIMIT_GRADE_ARENA);
	one->arena = &arena;
	one->note = recorded_text(&arena, dirfd, "note.txt");
	one->step = lab_step(lab, note_line(one->note, "step:"));
	one->submissions = arena_array(&arena, lab->step_count, sizeof(*one->submissions));
	CHECK(dirfd >= 0 && one->submissions && one->step < lab->step_count);
	for (size_t i = 0; i < lab->step_count; i++)
		one->submissions[i] = (struct submission){
			.out = recorded_file(&arena, dirfd, lab->steps[i].file, LIMIT_OUT_BYTES),
			.sql = recorded_file(&arena, dirfd, lab->steps[i].sql, LIMIT_SQL_BYTES)};
	visitor->visit(visitor->ctx, one);
	close(dirfd);
	arena_finish(&arena);
}

/* A lab has no folder of a set that it has no cases of. */
static inline void visit_lab_cases(
	const struct case_visitor *visitor, const struct loaded_lab *lab, const char *set)
{
	char path[4096];
	struct dirent **names = NULL;
	int parent, count;

	snprintf(path, sizeof(path), RECORDED "/%.*s/%s", TEXT_ARG(lab->lab.name), set);
	parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0)
		return;
	count = scandir(path, &names, NULL, alphasort);
	CHECK(lab->grader && count > 2);
	for (int i = 0; i < count; i++) {
		struct recorded_case one = {.lab = lab, .set = set, .name = names[i]->d_name};

		if (lab->grader && one.name[0] != '.')
			visit_case(visitor, &one, parent);
		free(names[i]);
	}
	free(names);
	close(parent);
}

/* Shows the cases of a set in all labs, whose data lie below this root. */
static inline void visit_set(const struct case_visitor *visitor, const char *set, const char *root)
{
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct labs labs = {0};
	struct diag diag = {0};

	CHECK(labs_load(&labs, &places, root, NULL, true, &diag) == 0);
	for (size_t i = 0; i < labs.count; i++) {
		if (!labs.items[i]->grader)
			printf("# %s\n", labs.items[i]->problem.text);
		visit_lab_cases(visitor, labs.items[i], set);
	}
	labs_finish(&labs);
}

/* All of them, on both sets of data. */
static inline void visit_cases(const struct case_visitor *visitor)
{
	visit_set(visitor, "mistakes", RECORDED "/root");
	visit_set(visitor, "more", RECORDED "/root");
	visit_set(visitor, "other_data", RECORDED "/root2");
}

#endif

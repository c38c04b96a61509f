/* The recorded learner cases, on two fixtures: each note says the verdict that an ideal grader gives, and the grader
 * gives it. Exceptions stand in tests/recorded/KNOWN, a line each: the case, the verdict given, the
 * reason. A right answer that does not pass has no exception. */
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

/* Folders of cases in a lab's folder, and the data that each was recorded on. */
static const struct {
	const char *folder, *root;
} sets[] = {{"mistakes", RECORDED "/root"}, {"more", RECORDED "/root"},
	{"other_data", RECORDED "/root2"}};

struct cases {
	struct labs labs;
	struct arena arena; /* of the labs and of the list of exceptions */
	struct text known;
	int graded, differing, excused;
};

static struct text read_text(struct arena *arena, int dirfd, const char *name)
{
	struct intake intake = {0};

	if (intake_read(arena, dirfd, name, LIMIT_OUT_BYTES, &intake, NULL))
		return (struct text){0};
	return intake.file.bytes;
}

/* The rest of the line of a note that starts with this. */
static struct text note_line(struct text note, const char *start)
{
	struct text line;

	while (text_next_line(&note, &line))
		if (text_starts(line, text_of(start)))
			return text_trim(text_slice(line, strlen(start), line.len));
	return (struct text){0};
}

/* The exception of a case: the verdict that is given instead, or an empty text. */
static struct text known_verdict(const struct cases *cases, struct text name)
{
	struct text rest = cases->known, line;

	while (text_next_line(&rest, &line)) {
		size_t blank = text_find(line, TEXT(" "));
		struct text verdict = text_trim(text_slice(line, blank, line.len));

		if (text_eq(text_slice(line, 0, blank), name))
			return text_slice(verdict, 0, text_find(verdict, TEXT(" ")));
	}
	return (struct text){0};
}

static int read_submission(
	struct arena *arena, int dirfd, const struct step *step, struct submission *ret)
{
	struct intake out = {0}, sql = {0};
	struct text name = text_copy(arena, step->file);
	int err = intake_read(arena, dirfd, name.ptr, LIMIT_OUT_BYTES, &out, NULL);

	name = text_copy(arena, step->sql);
	if (!err && step->sql.len)
		err = intake_read(arena, dirfd, name.ptr, LIMIT_SQL_BYTES, &sql, NULL);
	*ret = (struct submission){.out = out.file, .sql = sql.file};
	return err;
}

static void judge(struct cases *cases, struct text name, struct text noted,
	const struct verdict *verdict, struct arena *arena)
{
	const char *given = verdict_name(verdict->kind);
	struct text asked = text_eq(noted, TEXT("can't tell")) ? TEXT("cannot-tell") : noted;
	struct text known = known_verdict(cases, name);
	bool same = text_eq(asked, text_of(given));

	cases->graded++;
	CHECK(asked.len > 0);
	if (same && known.len == 0)
		return;
	if (!same && text_eq(known, text_of(given)) && !text_eq(asked, TEXT("pass"))) {
		cases->excused++;
		return;
	}
	cases->differing++;
	printf("# %.*s: noted %.*s, given %s%s: %.*s\n", TEXT_ARG(name), TEXT_ARG(asked), given,
		known.len ? " (in KNOWN otherwise)" : "",
		TEXT_ARG(message_render(arena, NULL, &verdict->summary)));
}

static void grade_case(struct cases *cases, const struct loaded_lab *lab, int parent,
	const char *set, const char *name)
{
	struct arena arena;
	int dirfd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct submission *submissions;
	struct verdict verdict = {0};
	struct text note, path;
	size_t step;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	note = read_text(&arena, dirfd, "note.txt");
	step = lab_step(&lab->lab, note_line(note, "step:"));
	path = text_format(&arena, "%.*s/%s/%s", TEXT_ARG(lab->lab.name), set, name);
	CHECK(dirfd >= 0 && submissions && step < lab->lab.step_count);
	for (size_t i = 0; i < lab->lab.step_count; i++)
		CHECK(read_submission(&arena, dirfd, &lab->lab.steps[i], &submissions[i]) == 0);
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	judge(cases, path, note_line(note, "verdict:"), &verdict, &arena);
	close(dirfd);
	arena_finish(&arena);
}

/* A lab has no folder of a set that it has no cases of. */
static void grade_lab(struct cases *cases, const struct loaded_lab *lab, const char *set)
{
	struct text path =
		text_format(&cases->arena, RECORDED "/%.*s/%s", TEXT_ARG(lab->lab.name), set);
	struct dirent **names = NULL;
	int parent = open(path.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int count = scandir(path.ptr, &names, NULL, alphasort);

	if (parent < 0)
		return;
	CHECK(lab->grader && count > 2);
	for (int i = 0; i < count; i++) {
		if (lab->grader && names[i]->d_name[0] != '.')
			grade_case(cases, lab, parent, set, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	close(parent);
}

static void grade_set(struct cases *cases, size_t set)
{
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&cases->labs, &places, sets[set].root, NULL, true, &diag) == 0);
	for (size_t i = 0; i < cases->labs.count; i++) {
		if (!cases->labs.items[i]->grader)
			printf("# %s\n", cases->labs.items[i]->problem.text);
		grade_lab(cases, cases->labs.items[i], sets[set].folder);
	}
	labs_finish(&cases->labs);
}

TEST(each_recorded_case_gets_the_verdict_of_its_note)
{
	struct cases cases = {0};

	arena_init(&cases.arena, LIMIT_GRADE_ARENA);
	cases.known = read_text(&cases.arena, AT_FDCWD, RECORDED "/KNOWN");
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		grade_set(&cases, i);
	printf("# %d cases graded, %d differ, %d known\n", cases.graded, cases.differing,
		cases.excused);
	CHECK(cases.graded >= 650);
	CHECK(cases.differing == 0);
	arena_finish(&cases.arena);
}

int main(void)
{
	RUN(each_recorded_case_gets_the_verdict_of_its_note);
	return test_finish();
}

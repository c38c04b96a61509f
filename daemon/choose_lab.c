/* Choosing a lab, from the plainest sign on: a lab's own folder; the step that was named; the
 * names of the files in the folder; the data that the SQL there reads. A sign that two labs share
 * decides nothing. */
#include "daemon/choose_lab.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/limits.h"
#include "parser/limits.h"

/* What the signs are looked for in. */
struct sought {
	int dirfd;	  /* -1: none */
	struct text step; /* empty: none */
};

static size_t is_folder(const struct loaded_lab *lab, const struct sought *sought)
{
	char path[PATH_MAX];
	struct stat own, given;

	snprintf(path, sizeof(path), "%s%.*s", lab->data_root, TEXT_ARG(lab->lab.folder));
	return stat(path, &own) == 0 && fstat(sought->dirfd, &given) == 0 &&
	       own.st_dev == given.st_dev && own.st_ino == given.st_ino;
}

static size_t has_step(const struct loaded_lab *lab, const struct sought *sought)
{
	return sought->step.len && lab_step(&lab->lab, sought->step) < lab->lab.step_count;
}

static bool is_there(int dirfd, struct text name)
{
	char path[NAME_MAX + 1];

	snprintf(path, sizeof(path), "%.*s", TEXT_ARG(name));
	return name.len && faccessat(dirfd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* How many steps have a file there. */
static size_t count_steps(const struct loaded_lab *lab, const struct sought *sought)
{
	size_t count = 0;

	for (size_t i = 0; i < lab->lab.step_count; i++)
		count += is_there(sought->dirfd, lab->lab.steps[i].file) ||
			 is_there(sought->dirfd, lab->lab.steps[i].sql);
	return count;
}

static bool names_data(const struct lab *lab, struct text sql)
{
	for (size_t i = 0; i < lab->fixture_count; i++)
		if (text_find(sql, lab->fixtures[i].path) < sql.len)
			return true;
	return false;
}

/* How many steps have SQL there that names the lab's data. */
static size_t count_sql(const struct loaded_lab *lab, const struct sought *sought)
{
	size_t count = 0;

	for (size_t i = 0; i < lab->lab.step_count; i++) {
		struct intake sql = {0};
		struct arena arena;
		struct text name;

		if (!is_there(sought->dirfd, lab->lab.steps[i].sql))
			continue;
		arena_init(&arena, LIMIT_GRADE_ARENA);
		name = text_copy(&arena, lab->lab.steps[i].sql);
		if (name.ptr && intake_read(&arena, sought->dirfd, name.ptr, LIMIT_SQL_BYTES, &sql,
					NULL) == 0)
			count += names_data(&lab->lab, sql.file.bytes);
		arena_finish(&arena);
	}
	return count;
}

/* Keeps the labs that a sign speaks for most; all, where it speaks for none. How many are left. */
static size_t keep_best(struct loaded_lab **labs, size_t count,
	size_t (*weigh)(const struct loaded_lab *lab, const struct sought *sought),
	const struct sought *sought)
{
	size_t best = 0, kept = 0;

	for (size_t i = 0; i < count; i++) {
		size_t weight = labs[i]->parsed ? weigh(labs[i], sought) : 0;

		if (weight < best)
			continue;
		if (weight > best)
			kept = 0;
		best = weight;
		labs[kept++] = labs[i];
	}
	return kept;
}

struct loaded_lab *choose_lab(const struct labs *labs, int dirfd, struct text step)
{
	static size_t (*const signs[])(const struct loaded_lab *, const struct sought *) = {
		is_folder, has_step, count_steps, count_sql};
	const struct sought sought = {dirfd, step};
	struct loaded_lab *left[LIMIT_LABS];
	size_t count = 0;

	for (size_t i = 0; i < labs->count && count < LIMIT_LABS; i++)
		if (lab_is_shown(labs->items[i]))
			left[count++] = labs->items[i];
	for (size_t i = 0; count > 1 && i < sizeof(signs) / sizeof(signs[0]); i++)
		if (dirfd >= 0 || signs[i] == has_step)
			count = keep_best(left, count, signs[i], &sought);
	return count == 1 ? left[0] : NULL;
}

bool lab_works_in(const struct loaded_lab *lab, int dirfd)
{
	const struct sought sought = {.dirfd = dirfd};

	return is_folder(lab, &sought) || count_steps(lab, &sought);
}

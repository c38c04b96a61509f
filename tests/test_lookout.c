/* When is a change of a lab's files over? Without a watch, as on a system where none is left: by
 * looking twice. With one: tests/test_labs.c. */
#include "daemon/lookout.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "parser/diag.h"
#include "tests/test.h"

static char path[] = "/tmp/ewin-lookout-XXXXXX/data.csv";
static size_t folder_len = sizeof("/tmp/ewin-lookout-XXXXXX") - 1;

static void append(const char *bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	CHECK(fd >= 0 && write(fd, bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
	close(fd);
}

/* Its last modification is a minute ago. */
static void age(void)
{
	struct timespec times[2];

	CHECK(clock_gettime(CLOCK_REALTIME, &times[1]) == 0);
	times[1].tv_sec -= 60;
	times[0] = times[1];
	CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

struct scene {
	struct arena arena;
	struct sources sources;
	struct lookout lookout;
};

static void open_scene(struct scene *scene)
{
	arena_init(&scene->arena, 1u << 20);
	sources_init(&scene->sources, &scene->arena);
	lookout_init(&scene->lookout, NULL);
	CHECK(sources_note(&scene->sources, text_of(path), NULL) == 0);
	CHECK(lookout_set(&scene->lookout, &scene->sources, 0, NULL) == 0);
}

static void close_scene(struct scene *scene)
{
	lookout_finish(&scene->lookout);
	arena_finish(&scene->arena);
}

TEST(a_file_that_rests_is_calm)
{
	struct scene scene;

	append("1\n");
	age();
	open_scene(&scene);
	CHECK(!scene.lookout.stirred && lookout_deadline(&scene.lookout) == INT64_MAX);
	lookout_scan(&scene.lookout, 1000);
	CHECK(!scene.lookout.stirred && !lookout_over(&scene.lookout, 1000));
	close_scene(&scene);
}

TEST(a_file_that_was_written_just_now_is_waited_for)
{
	struct scene scene;

	append("1\n");
	open_scene(&scene);
	CHECK(scene.lookout.stirred);
	close_scene(&scene);
}

TEST(a_change_is_over_when_two_looks_are_alike)
{
	struct scene scene;
	int64_t now_ms = 10000;

	age();
	open_scene(&scene);
	append("2\n");
	lookout_scan(&scene.lookout, now_ms);
	CHECK(scene.lookout.stirred && !lookout_over(&scene.lookout, now_ms));
	/* It grows between the looks. */
	for (int i = 0; i < 3; i++) {
		scene.lookout.told = true;
		now_ms = lookout_deadline(&scene.lookout);
		append("3\n");
		CHECK(!lookout_over(&scene.lookout, now_ms));
	}
	now_ms = lookout_deadline(&scene.lookout);
	CHECK(lookout_over(&scene.lookout, now_ms));
	close_scene(&scene);
}

TEST(a_change_that_takes_long_is_told_once)
{
	struct scene scene;
	/* Longer than a change that two looks find over. */
	int64_t told_ms = LAB_LONG_MS + 2 * POLL_MS;

	age();
	open_scene(&scene);
	lookout_stir(&scene.lookout, 1000);
	CHECK(!lookout_long(&scene.lookout, 1000));
	CHECK(!lookout_long(&scene.lookout, 1000 + told_ms - 1));
	CHECK(lookout_long(&scene.lookout, 1000 + told_ms));
	scene.lookout.told = true;
	CHECK(!lookout_long(&scene.lookout, 1000 + 2 * told_ms));
	close_scene(&scene);
}

TEST(a_file_that_goes_and_comes_is_a_change)
{
	struct scene scene;

	age();
	open_scene(&scene);
	CHECK(unlink(path) == 0);
	lookout_scan(&scene.lookout, 1000);
	CHECK(scene.lookout.stirred && sources_changed(&scene.sources));
	append("1\n");
	CHECK(sources_changed(&scene.sources));
	close_scene(&scene);
}

/* The file anew, with these bytes. */
static void replace(const char *bytes)
{
	unlink(path);
	append(bytes);
}

TEST(the_same_bytes_are_no_change)
{
	struct scene scene;

	replace("1\n2\n");
	age();
	open_scene(&scene);
	CHECK(utimensat(AT_FDCWD, path, NULL, 0) == 0);
	lookout_scan(&scene.lookout, 1000);
	CHECK(!scene.lookout.stirred && !sources_changed(&scene.sources));
	replace("1\n2\n");
	CHECK(!sources_changed(&scene.sources));
	replace("1\n3\n");
	CHECK(sources_changed(&scene.sources));
	lookout_scan(&scene.lookout, 2000);
	CHECK(scene.lookout.stirred);
	close_scene(&scene);
}

/* It may have been read with other bytes in between. */
TEST(what_changes_while_it_is_read_is_a_change)
{
	struct scene scene;

	replace("1\n");
	age();
	arena_init(&scene.arena, 1u << 20);
	sources_init(&scene.sources, &scene.arena);
	lookout_init(&scene.lookout, NULL);
	CHECK(sources_note(&scene.sources, text_of(path), NULL) == 0);
	replace("2\n");
	replace("1\n");
	CHECK(lookout_set(&scene.lookout, &scene.sources, 0, NULL) == 0);
	CHECK(scene.lookout.stirred && sources_changed(&scene.sources));
	close_scene(&scene);
}

int main(void)
{
	path[folder_len] = '\0';
	if (!mkdtemp(path))
		return 1;
	path[folder_len] = '/';
	RUN(a_file_that_rests_is_calm);
	RUN(a_file_that_was_written_just_now_is_waited_for);
	RUN(a_change_is_over_when_two_looks_are_alike);
	RUN(a_change_that_takes_long_is_told_once);
	RUN(a_file_that_goes_and_comes_is_a_change);
	RUN(the_same_bytes_are_no_change);
	RUN(what_changes_while_it_is_read_is_a_change);
	unlink(path);
	path[folder_len] = '\0';
	return test_finish() | (rmdir(path) != 0);
}

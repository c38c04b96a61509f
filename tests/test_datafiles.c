/* Which paths of a SQL text are opened, and what comes out of them. */
#include "daemon/datafiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/grade/compare.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/transcript.h"
#include "tests/test.h"

static char root[] = "/tmp/ewin-data-XXXXXX";
static struct fixture fixtures[] = {{.path = {"/opt/data/a.csv", 15}}};
static struct lab lab = {.fixtures = fixtures, .fixture_count = 1};
static char bytes[64];

static void save(const char *name, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s%s", root, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* What is read through the path in pieces of `size`, or "-" where it is refused. */
static const char *read_through(const char *path, size_t size)
{
	struct data_files files = {.root = root, .lab = &lab};
	struct sim_files opener = data_files_reader(&files);
	struct reader reader;
	struct diag diag;
	size_t len = 0;
	long n;

	if (opener.open(opener.ctx, text_of(path), &reader, &diag) < 0)
		return "-";
	while ((n = reader.read(reader.ctx, bytes + len, size)) > 0)
		len += (size_t)n;
	CHECK(n == 0);
	bytes[len] = '\0';
	reader.close(reader.ctx);
	return bytes;
}

static bool gives(const char *path, const char *expected)
{
	return strcmp(read_through(path, 7), expected) == 0;
}

TEST(files_beside_the_fixture_are_read)
{
	CHECK(gives("/opt/data/a.csv", "1,2\n"));
	CHECK(gives("/opt//data/./a.csv", "1,2\n"));
	CHECK(gives("/opt/data/b.csv", "3,4"));
	CHECK(gives("/opt/data/none.csv", "-"));
}

TEST(paths_that_lead_elsewhere_are_refused)
{
	static const char *const paths[] = {"/etc/passwd", "/opt/data/../secret", "/opt/secret",
		"/opt", "/", "", "a.csv", "opt/data/a.csv", "/opt/data2/a.csv", "/opt/data/link",
		"/opt/data/linked/secret", "/opt/data/fifo"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		CHECK(gives(paths[i], "-"));
}

/* Only the lab's own word may be one, and only to a name beside it. */
TEST(a_fixture_may_be_a_symlink_within_its_folder)
{
	static struct fixture linked[] = {{.path = {"/opt/data/link", 14}},
		{.path = {"/opt/data/out", 13}}, {.path = {"/opt/data/linked", 16}},
		{.path = {"/opt/data/up", 12}}, {.path = {"/opt/data/twice", 15}}};
	const struct lab before = lab;

	lab = (struct lab){.fixtures = linked, .fixture_count = 5};
	CHECK(gives("/opt/data/link", "1,2\n") && gives("/opt/data//./link", "1,2\n"));
	CHECK(gives("/opt/data/out", "-") && gives("/opt/data/linked", "-"));
	CHECK(gives("/opt/data/up", "-") && gives("/opt/data/twice", "-"));
	lab = before;
	CHECK(gives("/opt/data/link", "-"));
}

/* One that lies below the folder of another is walked to through the names between, none of which
 * may lead back up. */
TEST(a_symlink_to_the_folder_above_is_none_beside_it)
{
	static struct fixture below[] = {
		{.path = {"/opt/data/a.csv", 15}}, {.path = {"/opt/data/up/secret", 19}}};
	const struct lab before = lab;

	lab = (struct lab){.fixtures = below, .fixture_count = 2};
	CHECK(gives("/opt/data/up/secret", "-"));
	lab = before;
}

TEST(a_fixture_that_is_a_folder_is_told)
{
	static struct fixture folder[] = {{.path = {"/opt/data/many", 14}}};
	const struct lab other = {.fixtures = folder, .fixture_count = 1};
	struct data_files files = {.root = root, .lab = &other};
	struct sim_files opener = data_files_reader(&files);
	struct reader reader;
	struct diag diag;

	CHECK(opener.open(opener.ctx, TEXT("/opt/data/many"), &reader, &diag) < 0);
	CHECK(strstr(diag.text, "it is a folder"));
	CHECK(gives("/opt/data/many", "1\n2\n3\n"));
}

/* The last line of one file must not run into the first of the next; what Flink leaves out is
 * out. */
TEST(a_folder_is_read_as_one_file)
{
	for (size_t size = 1; size < 10; size++)
		CHECK(strcmp(read_through("/opt/data/many", size), "1\n2\n3\n") == 0);
}

TEST(a_folder_that_holds_too_many_files_is_refused)
{
	char name[64];

	for (int i = 0; i <= 1000; i++) {
		snprintf(name, sizeof(name), "/opt/data/crowd/%d", i);
		save(name, "");
	}
	CHECK(gives("/opt/data/crowd", "-"));
}

TEST(what_was_read_is_noted_and_a_change_is_seen)
{
	struct arena arena;
	struct sources sources;
	struct data_files files = {.root = root, .lab = &lab, .sources = &sources};
	struct sim_files opener = data_files_reader(&files);
	struct reader reader;

	arena_init(&arena, 1u << 20);
	sources_init(&sources, &arena);
	for (int i = 0; i < 3; i++) {
		CHECK(opener.open(opener.ctx, TEXT("/opt/data/a.csv"), &reader, NULL) == 0);
		reader.close(reader.ctx);
	}
	CHECK(opener.open(opener.ctx, TEXT("/opt/data/late.csv"), &reader, NULL) == -ENOENT);
	CHECK(sources.count == 2 && !sources_changed(&sources));
	save("/opt/data/late.csv", "5\n");
	CHECK(sources_changed(&sources));
	arena_finish(&arena);
}

static struct text slurp(struct arena *arena, const char *path)
{
	struct intake intake;

	CHECK(intake_read(arena, AT_FDCWD, path, 1u << 20, &intake, NULL) == 0);
	CHECK(intake.file.state == FILE_THERE);
	return intake.file.bytes;
}

/* Does a recorded script, run over the data of the recordings, print what Flink printed? */
static bool prints_as_recorded(const char *folder, const char *step)
{
	struct arena arena;
	struct lab recorded;
	struct data_files files = {.root = "tests/recorded/root", .lab = &recorded};
	struct sim_files opener = data_files_reader(&files);
	struct transcript transcript = {0};
	struct script script = {0};
	char path[256];
	bool equal = false;

	arena_init(&arena, 64u << 20);
	CHECK(lab_parse(&arena, slurp(&arena, "contrib/labs/watermark/lab.json"), &recorded,
		      NULL) == 0);
	snprintf(path, sizeof(path), "%s/%s.sql", folder, step);
	CHECK(script_run(&arena, slurp(&arena, path), &opener, &script) == 0 && script.whole);
	snprintf(path, sizeof(path), "%s/%s.out", folder, step);
	CHECK(transcript_parse(&arena, NULL, slurp(&arena, path), &transcript, NULL) == 0);
	CHECK(script.count == 1);
	for (size_t i = 0; i < transcript.count && script.count == 1 && !equal; i++)
		CHECK(transcript.results[i].kind != RESULT_TABLE ||
			tables_equal(&arena, &script.results[0].table, &transcript.results[i].table,
				&equal) == 0);
	arena_finish(&arena);
	return equal;
}

TEST(zones_of_a_script_are_those_of_the_tz_database)
{
	CHECK(prints_as_recorded("tests/recorded/window/mistakes/tumble_ltz_tokyo", "tumble"));
	CHECK(prints_as_recorded("tests/recorded/window/mistakes/cumulate_kolkata", "cumulate"));
	CHECK(prints_as_recorded("tests/recorded/watermark/mistakes/w5_ltz_cast_tokyo", "w5"));
}

static bool set_up(void)
{
	char command[512];

	if (!mkdtemp(root))
		return false;
	snprintf(command, sizeof(command),
		"cd %s && mkdir -p opt/data/many/folder opt/data/crowd opt/data2 && mkfifo "
		"opt/data/fifo "
		"&& ln -s a.csv opt/data/link && ln -s ../secret opt/data/out && ln -s .. "
		"opt/data/up "
		"&& ln -s link opt/data/twice && ln -s .. opt/data/linked && echo x >opt/secret",
		root);
	if (system(command) != 0)
		return false;
	save("/opt/data/a.csv", "1,2\n");
	save("/opt/data/b.csv", "3,4");
	save("/opt/data2/a.csv", "no\n");
	save("/opt/data/many/p1", "1\n2");
	save("/opt/data/many/p2", "3\n");
	save("/opt/data/many/_SUCCESS", "no\n");
	save("/opt/data/many/.part", "no\n");
	return true;
}

int main(void)
{
	char command[64];

	if (!set_up())
		return 1;
	RUN(files_beside_the_fixture_are_read);
	RUN(paths_that_lead_elsewhere_are_refused);
	RUN(a_fixture_may_be_a_symlink_within_its_folder);
	RUN(a_symlink_to_the_folder_above_is_none_beside_it);
	RUN(a_fixture_that_is_a_folder_is_told);
	RUN(a_folder_is_read_as_one_file);
	RUN(a_folder_that_holds_too_many_files_is_refused);
	RUN(what_was_read_is_noted_and_a_change_is_seen);
	RUN_IF(access("/usr/share/zoneinfo/Asia/Tokyo", F_OK) == 0,
		zones_of_a_script_are_those_of_the_tz_database, "there is no tz database");
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return test_finish() | (system(command) != 0);
}

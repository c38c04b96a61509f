/* The watcher against real writers. Which events each writer causes is the kernel's, as observed
 * with inotifywait(1); what we must make of them is said by each test. */
#include "daemon/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/folder.h"
#include "parser/diag.h"
#include "tests/test.h"

static struct watch *watch;
static char root[] = "/tmp/ewin-watch-XXXXXX";
static char lab[64];

static const char *in(const char *folder, const char *name)
{
	static char path[2][512];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
	return path[turn];
}

static void save(const char *path, const char *bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK(fd >= 0 && write(fd, bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
	close(fd);
}

/* Reads what is there; the kinds seen for a name as a set. */
static unsigned kinds_of(const char *name)
{
	struct watch_event event;
	unsigned kinds = 0;

	while (watch_next(watch, &event) > 0)
		if (strcmp(event.name, name) == 0 || event.kind == WATCH_OVERFLOW)
			kinds |= 1u << event.kind;
	return kinds;
}

static bool arm_after_events(struct folder *folder)
{
	struct watch_event event;
	bool concerned = false;

	while (watch_next(watch, &event) > 0)
		concerned = folder_concerned(folder, &event) || concerned;
	return concerned && folder_arm(folder);
}

static struct folder armed(void)
{
	struct folder folder;

	mkdir(lab, 0755);
	folder_init(&folder, lab, watch, true);
	CHECK(folder_arm(&folder) && folder.id >= 0);
	kinds_of("");
	return folder;
}

/* How many there are; none is inherited or blocks. */
static int check_inotify_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 64; fd++) {
		char path[64], target[64] = "";
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (readlink(path, target, sizeof(target) - 1) < 0 ||
			strcmp(target, "anon_inode:inotify") != 0)
			continue;
		CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
		count++;
	}
	return count;
}

TEST(descriptor_joins_a_poll_and_is_not_inherited)
{
	struct folder folder = armed();
	struct pollfd poller = {.fd = watch_fd(watch), .events = POLLIN};

	CHECK(fcntl(poller.fd, F_GETFD) & FD_CLOEXEC);
	CHECK(check_inotify_descriptors() == 1);
	CHECK(poll(&poller, 1, 0) == 0);
	save(in(lab, "x.out"), "x");
	CHECK(poll(&poller, 1, 1000) == 1);
	CHECK(kinds_of("x.out") == (1 << WATCH_MADE | 1 << WATCH_WRITTEN | 1 << WATCH_CLOSED));
	CHECK(poll(&poller, 1, 0) == 0);
	folder_finish(&folder);
}

/* The next folder may get the inode of one that was removed and is not kept open: with each watch
 * that is dead it is watched anew, whether events or a scan come first. */
TEST(a_folder_that_is_not_kept_is_watched_again_each_time)
{
	struct folder folder;
	int count;

	mkdir(lab, 0755);
	folder_init(&folder, lab, watch, false);
	CHECK(folder_arm(&folder) && folder.id >= 0 && folder.dirfd < 0);
	count = watch_count(watch);
	for (int i = 0; i < 20; i++) {
		kinds_of("");
		unlink(in(lab, "x.out"));
		CHECK(rmdir(lab) == 0 && mkdir(lab, 0755) == 0);
		if (i % 2)
			folder_arm(&folder);
		CHECK(arm_after_events(&folder) || i % 2);
		CHECK(folder.there && watch_count(watch) == count);
		kinds_of("");
		save(in(lab, "x.out"), "x");
		CHECK(kinds_of("x.out") & 1 << WATCH_CLOSED);
	}
	unlink(in(lab, "x.out"));
	CHECK(rmdir(lab) == 0 && arm_after_events(&folder) && !folder.there);
	folder_finish(&folder);
	CHECK(watch_count(watch) == 0);
}

TEST(writers_of_all_kinds)
{
	struct folder folder = armed();

	save(in(lab, "x.out"), "again");
	CHECK(kinds_of("x.out") == (1 << WATCH_WRITTEN | 1 << WATCH_CLOSED));
	save(in(lab, "tmp"), "new");
	kinds_of("");
	CHECK(rename(in(lab, "tmp"), in(lab, "x.out")) == 0);
	CHECK(kinds_of("x.out") == 1 << WATCH_CLOSED);
	CHECK(link(in(lab, "x.out"), in(lab, "y.out")) == 0);
	CHECK(kinds_of("y.out") == 1 << WATCH_MADE);
	CHECK(unlink(in(lab, "y.out")) == 0);
	CHECK(kinds_of("y.out") == 1 << WATCH_GONE);
	CHECK(chmod(in(lab, "x.out"), 0600) == 0);
	CHECK(kinds_of("x.out") == 1 << WATCH_CLOSED);
	folder_finish(&folder);
}

TEST(names_come_raw)
{
	static const char *const names[] = {
		"a\nb.out", "\033[31m.out", "$(id).out", "\xff\xfe.out"};
	struct folder folder = armed();
	char longest[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		save(in(lab, names[i]), "x");
		CHECK(kinds_of(names[i]) & 1 << WATCH_CLOSED);
	}
	memset(longest, 'n', 255);
	longest[255] = '\0';
	save(in(lab, longest), "x");
	CHECK(kinds_of(longest) & 1 << WATCH_CLOSED);
	folder_finish(&folder);
}

TEST(folder_removed_and_made_a_hundred_times)
{
	struct folder folder = armed();
	int watches = watch_count(watch);

	for (int i = 0; i < 100; i++) {
		CHECK(system("rm -r \"$EWIN_LAB\" && mkdir \"$EWIN_LAB\"") == 0);
		CHECK(arm_after_events(&folder));
		save(in(lab, "x.out"), "x");
		CHECK(kinds_of("x.out") & 1 << WATCH_CLOSED);
		CHECK(watch_count(watch) == watches);
	}
	folder_finish(&folder);
	CHECK(watch_count(watch) == watches - 2);
}

/* Somebody stands in it: then inotify does not say that it is gone, only the folder above does. */
TEST(folder_removed_while_it_is_open)
{
	struct folder folder = armed();
	int held = open(lab, O_RDONLY | O_DIRECTORY);

	CHECK(system("rm -r \"$EWIN_LAB\"") == 0);
	CHECK(arm_after_events(&folder));
	CHECK(folder.dirfd < 0);
	mkdir(lab, 0755);
	CHECK(arm_after_events(&folder));
	CHECK(folder.dirfd >= 0);
	close(held);
	folder_finish(&folder);
}

TEST(folder_and_those_above_absent_at_start)
{
	char deep[128], path[160];
	struct folder folder;

	snprintf(deep, sizeof(deep), "%s/a/b", root);
	snprintf(path, sizeof(path), "%s/lab", deep);
	folder_init(&folder, path, watch, true);
	CHECK(!folder_arm(&folder));
	CHECK(mkdir(in(root, "a"), 0755) == 0);
	CHECK(!arm_after_events(&folder));
	CHECK(mkdir(deep, 0755) == 0 && mkdir(path, 0755) == 0);
	CHECK(arm_after_events(&folder));
	kinds_of("");
	save(in(path, "x.out"), "x");
	CHECK(kinds_of("x.out") & 1 << WATCH_CLOSED);
	folder_finish(&folder);
}

TEST(folder_renamed_away_and_another_put_there)
{
	struct folder folder = armed();
	ino_t ino = folder.ino;

	CHECK(rename(lab, in(root, "old")) == 0 && mkdir(lab, 0755) == 0);
	CHECK(arm_after_events(&folder));
	CHECK(folder.ino != ino && folder_same(&folder));
	folder_finish(&folder);
}

TEST(two_labs_in_one_folder_share_a_watch)
{
	struct folder one = armed(), two = armed();
	int watches = watch_count(watch);

	CHECK(one.id == two.id && one.above_id == two.above_id);
	folder_finish(&one);
	CHECK(watch_count(watch) == watches);
	save(in(lab, "x.out"), "x");
	CHECK(kinds_of("x.out") & 1 << WATCH_CLOSED);
	folder_finish(&two);
	CHECK(watch_count(watch) == watches - 2);
}

/* Whoever asks for less comes first; that nothing is lost of the first watch is said by a
 * sanitizer, at the end. */
TEST(a_folder_that_is_watched_for_its_names_is_watched_for_its_files_too)
{
	int names, files, watches = watch_count(watch), dirfd;

	mkdir(lab, 0755);
	save(in(lab, "x.out"), "x");
	dirfd = open(lab, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(watch_add(watch, dirfd, WATCH_NAMES, &names) == 0);
	save(in(lab, "x.out"), "x");
	CHECK(kinds_of("x.out") == 0);
	CHECK(watch_add(watch, dirfd, WATCH_FILES, &files) == 0);
	CHECK(files == names && watch_count(watch) == watches + 1);
	close(dirfd);
	save(in(lab, "x.out"), "x");
	CHECK(kinds_of("x.out") == (1 << WATCH_WRITTEN | 1 << WATCH_CLOSED));
	watch_remove(watch, files);
	watch_remove(watch, names);
	CHECK(watch_count(watch) == watches);
}

/* The kernel's queue holds 16 384 events by default, and merges equal ones. */
TEST(overflow_is_told)
{
	struct folder folder = armed();

	save(in(lab, "a"), "");
	save(in(lab, "b"), "");
	for (int i = 0; i < 17000; i++)
		CHECK(chmod(in(lab, i % 2 ? "a" : "b"), 0644) == 0);
	CHECK(kinds_of("") & 1 << WATCH_OVERFLOW);
	save(in(lab, "x.out"), "x");
	CHECK(kinds_of("x.out") & 1 << WATCH_CLOSED);
	folder_finish(&folder);
}

/* A file system of a type that others write to as well: numbers of statfs(2). */
TEST(remote_file_systems_are_known)
{
	static const long remote[] = {0x6969, 0x01021997, (long)0xff534d42, 0x65735546};
	static const long local[] = {0xef53, 0x01021994, 0x58465342, (long)0x9123683e, 0x794c7630};

	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		CHECK(watch_is_remote(remote[i]));
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		CHECK(!watch_is_remote(local[i]));
}

int main(void)
{
	if (!mkdtemp(root) || watch_new(&watch, NULL) < 0)
		return 1;
	snprintf(lab, sizeof(lab), "%s/lab", root);
	setenv("EWIN_LAB", lab, 1);
	setenv("EWIN_ROOT", root, 1);
	RUN(a_folder_that_is_not_kept_is_watched_again_each_time);
	RUN(descriptor_joins_a_poll_and_is_not_inherited);
	RUN(writers_of_all_kinds);
	RUN(names_come_raw);
	RUN(folder_removed_and_made_a_hundred_times);
	RUN(folder_removed_while_it_is_open);
	RUN(folder_and_those_above_absent_at_start);
	RUN(folder_renamed_away_and_another_put_there);
	RUN(two_labs_in_one_folder_share_a_watch);
	RUN(a_folder_that_is_watched_for_its_names_is_watched_for_its_files_too);
	RUN(overflow_is_told);
	RUN(remote_file_systems_are_known);
	watch_free(watch);
	return test_finish() | (system("rm -r \"$EWIN_ROOT\"") != 0);
}

/* The daemon's two directories, the one that it publishes in and the one of its state, with
 * others about: who may lock them, what stands in the way, what is moved and removed under its
 * hands. */
#include "daemon/server.h"

#include <sys/file.h>
#include <sys/resource.h>

#include "tests/daemon_run.h"

static int mode_of(const char *name)
{
	struct stat st;

	return lstat(name, &st) < 0 ? -1 : (int)(st.st_mode & 07777);
}

/* Locks what anybody may open, as anybody can. */
static int lock_as_anybody(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0);
	return fd;
}

TEST(nobody_else_can_keep_it_from_its_directories)
{
	int run, state;

	fresh();
	run = lock_as_anybody(run_dir);
	state = lock_as_anybody(state_dir);
	start();
	CHECK(mode_of(path(run_dir, RUN_LOCK)) == 0600);
	CHECK(mode_of(path(state_dir, STATE_LOCK)) == 0600);
	check_stop();
	/* As one of before has left it. */
	CHECK(chmod(path(state_dir, STATE_LOCK), 0644) == 0);
	start();
	CHECK(mode_of(path(state_dir, STATE_LOCK)) == 0600);
	check_stop();
	close(run);
	close(state);
}

TEST(what_cannot_be_locked_is_said)
{
	const char *const dirs[] = {run_dir, state_dir};

	for (int i = 0; i < 4; i++) {
		char lock[128];

		snprintf(lock, sizeof(lock), "%s/%s", dirs[i / 2], i / 2 ? STATE_LOCK : RUN_LOCK);
		fresh();
		shell("%s %s", i % 2 ? "mkdir" : "ln -s /dev/null", lock);
		start();
		save_ref("w5.out", "w5.out");
		CHECK(wait_for("w5", passes));
		CHECK(log_count(lock) == 1);
		check_stop();
	}
}

TEST(a_state_that_cannot_be_written_is_said_once)
{
	fresh();
	shell("mkdir %s/.state.tmp", state_dir);
	start();
	for (int i = 0; i < 5; i++) {
		save_ref("batch.out", "w5.out");
		CHECK(wait_for("w5", fails));
		save_ref("w5.out", "w5.out");
		CHECK(wait_for("w5", passes));
	}
	CHECK(log_count(".state.tmp") == 1);
	check_stop();
}

TEST(a_file_that_may_not_grow_ends_nothing)
{
	const struct rlimit most = {4096, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};

	fresh();
	CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
	start();
	CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
	CHECK(log_count(STATUS_JSON ": File too large") == 1);
	CHECK(stop() == 0);
}

/* Where it is short of descriptors, that is no fault of its configuration. */
TEST(no_lab_is_called_missing_for_want_of_descriptors)
{
	fresh();
	for (int i = 4; i < 14; i++) {
		shell("ulimit -n %d; STATE_DIRECTORY=%s timeout -s KILL 0.3 %s --foreground "
		      "--watch watermark=%s --labs %s --data-root %s --run-dir %s 2>%s; "
		      "test $? != 3",
			i, state_dir, program, lab_dir, labs_dir, data_root, run_dir, log_path);
		CHECK(!log_says("no lab"));
	}
}

/* Is it there, and not for want of a look at it? A scan is due every 2 s where an output has two
 * names. */
static bool comes_back(const char *name)
{
	char events[4096];
	struct pollfd poller = {.fd = inotify_fd, .events = POLLIN};

	for (int64_t end_ms = now_ms() + DEADLINE_MS; now_ms() < end_ms; poll(&poller, 1, 100)) {
		drain_notifications();
		if (access(path(run_dir, name), F_OK) == 0)
			return true;
		while (read(inotify_fd, events, sizeof(events)) > 0)
			;
	}
	return false;
}

/* The socket has its name a moment before somebody listens. */
static bool somebody_listens(void)
{
	int64_t end_ms = now_ms() + DEADLINE_MS;
	struct ctl_reply reply;
	struct diag diag;
	int r = -ENOENT;

	while (r == -ENOENT && now_ms() < end_ms)
		r = ctl_ask(run_dir, TEXT("watermark"), TEXT("w5"), &reply, &diag);
	return r == 0;
}

TEST(what_others_take_from_the_run_directory_is_put_there_again)
{
	static const char *const names[] = {STATUS_FILE, STATUS_JSON, CTL_FILE};

	fresh();
	save_ref("w5.out", "w5.out");
	shell("ln %s/w5.out %s/w5.copy", lab_dir, lab_dir);
	start();
	CHECK(wait_for("w5", passes));
	for (size_t i = 0; i < 3; i++) {
		CHECK(unlink(path(run_dir, names[i])) == 0);
		CHECK(comes_back(names[i]));
	}
	CHECK(somebody_listens());
	shell("mv %s %s.old && mkdir %s", run_dir, run_dir, run_dir);
	for (size_t i = 0; i < 3; i++)
		CHECK(comes_back(names[i]));
	CHECK(wait_for("w5", passes));
	CHECK(somebody_listens());
	/* Nobody there is to take the old one for the new. */
	shell("test \"$(ls %s.old)\" = " RUN_LOCK, run_dir);
	CHECK(log_says(run_dir));
	check_stop();
	shell("rm -rf %s.old", run_dir);
}

/* All of it is as it was left: nothing is to be said, or published, for that. */
TEST(a_scan_alone_changes_nothing_in_the_run_directory)
{
	struct status before;

	fresh();
	save_ref("w5.out", "w5.out");
	setenv("WATCHDOG_USEC", "400000", 1);
	start();
	unsetenv("WATCHDOG_USEC");
	CHECK(wait_for("w5", passes));
	before = status_now();
	for (int i = 0; i < 5; i++)
		CHECK(notified("WATCHDOG=1"));
	CHECK(status_now().seq == before.seq && !log_says(run_dir));
	check_stop();
}

int main(void)
{
	if (!set_up())
		return 1;
	RUN(nobody_else_can_keep_it_from_its_directories);
	RUN(what_cannot_be_locked_is_said);
	RUN(a_state_that_cannot_be_written_is_said_once);
	RUN(a_file_that_may_not_grow_ends_nothing);
	RUN(what_others_take_from_the_run_directory_is_put_there_again);
	RUN(a_scan_alone_changes_nothing_in_the_run_directory);
	RUN(no_lab_is_called_missing_for_want_of_descriptors);
	shell("rm -rf %s", root);
	return test_finish();
}

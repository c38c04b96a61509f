/* The daemon's two directories, the one that it publishes in and the one of its state, with others about: who may lock
 * them, what stands in the way, what is moved and removed under its hands. */
#include "daemon/server.h"

#include <sys/file.h>

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

int main(void)
{
	if (!set_up())
		return 1;
	RUN(nobody_else_can_keep_it_from_its_directories);
	RUN(what_cannot_be_locked_is_said);
	shell("rm -rf %s", root);
	return test_finish();
}

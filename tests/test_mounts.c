/* A learner's folder that the daemon sees by a mount, as the service does: removed or renamed out
 * there and made again, it is another one, which no mount of before shows. Needs a mount
 * namespace of the test's own. */
#include "tests/own_namespace.h"

static char data_dir[64], flink_dir[128], outside[64], learner[128];

/* The exit status of the daemon, which is to end by itself; -1: it does not, or not in that way. */
static int end_of_daemon(void)
{
	int status;

	if (!notified("STOPPING=1"))
		kill(daemon_pid, SIGKILL);
	if (waitpid(daemon_pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* As ExecStartPre= and BindReadOnlyPaths= of the unit do. */
static void start_mounted(void)
{
	char *argv[] = {program, "--foreground", "--labs", labs_dir, "--data-root", data_dir,
		"--run-dir", run_dir, NULL};

	umount2(flink_dir, MNT_DETACH);
	shell("mkdir -p %s", outside);
	CHECK(mount(outside, flink_dir, NULL, MS_BIND, NULL) == 0);
	start_with(argv);
}

static void save_outside(const char *ref)
{
	char from[256];

	snprintf(from, sizeof(from), REF "%s", ref);
	shell("mkdir -p %s", learner);
	save(path(learner, ref), slurp(from));
}

static void begin(void)
{
	fresh();
	umount2(flink_dir, MNT_DETACH);
	shell("rm -rf %s %s && cp -r tests/recorded/root %s && mkdir -p %s", data_dir, outside,
		data_dir, flink_dir);
	start_mounted();
	save_outside("w5.out");
	CHECK(wait_for("w5", passes));
}

static void ends_and_is_started_again(void)
{
	CHECK(end_of_daemon() == 1);
	CHECK(log_count("/root/flink was removed or moved") == 1 && log_count("ewind: \n") == 0);
	CHECK(access(path(run_dir, STATUS_FILE), F_OK) < 0);
	start_mounted();
	save_outside("batch.out");
	CHECK(wait_for("batch", passes));
	check_stop();
}

TEST(removed_and_made_again_it_ends)
{
	begin();
	shell("rm -r %s && mkdir %s", outside, outside);
	ends_and_is_started_again();
}

TEST(renamed_it_ends)
{
	begin();
	shell("mv %s %s.old && mkdir %s", outside, outside, outside);
	ends_and_is_started_again();
	shell("rm -r %s.old", outside);
}

/* It looks two seconds after something went. */
TEST(what_is_still_there_does_not_end_it)
{
	begin();
	shell("rm -r %s", learner);
	CHECK(wait_for("w5", is_missing));
	CHECK(!notified("STOPPING=1"));
	save_outside("w5.out");
	CHECK(wait_for("w5", passes));
	check_stop();
}

/* Data on a file system of their own, which comes and goes while the daemon runs: it holds
 * nothing of that open. */
TEST(data_that_are_mounted_can_be_unmounted)
{
	char lab_data[128];

	begin();
	snprintf(lab_data, sizeof(lab_data), "%s/opt/lab", data_dir);
	check_stop();
	CHECK(mount("none", lab_data, "tmpfs", 0, NULL) == 0);
	shell("cp -r tests/recorded/root2/opt/lab/fixtures %s", lab_data);
	start_mounted();
	CHECK(wait_for("w5", fails));
	CHECK(umount2(lab_data, 0) == 0);
	CHECK(wait_for("w5", passes));
	check_stop();
}

int main(void)
{
	enter_namespace();
	if (!set_up())
		return 1;
	snprintf(data_dir, sizeof(data_dir), "%s/data", root);
	snprintf(outside, sizeof(outside), "%s/outside", root);
	snprintf(flink_dir, sizeof(flink_dir), "%s/root/flink", data_dir);
	snprintf(learner, sizeof(learner), "%s/watermark", outside);
	if (own_namespace) {
		RUN(removed_and_made_again_it_ends);
		RUN(renamed_it_ends);
		RUN(what_is_still_there_does_not_end_it);
		RUN(data_that_are_mounted_can_be_unmounted);
	} else {
		test_skip("what_is_mounted", "no mount namespace here");
	}
	arena_finish(&arena);
	umount2(flink_dir, MNT_DETACH);
	shell("rm -rf %s", root);
	return test_finish();
}

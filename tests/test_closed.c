/* Folders and files of a learner that the service may not read: said with the command that opens
 * them, never called missing or wrong, and forgotten once they are open. */
#include "tests/daemon_run.h"

#include "daemon/grade/message.h"

static char data_dir[64], flink_dir[128], own_dir[160];

/* A data root of the test's own, with a learner's folder in it; all labs are watched in their own
 * folders. */
static void start_below_root(void)
{
	char *argv[] = {program, "--foreground", "--labs", labs_dir, "--data-root", data_dir,
		"--run-dir", run_dir, NULL};

	start_with(argv);
}

static void fresh_below_root(void)
{
	fresh();
	shell("rm -rf %s && cp -r tests/recorded/root %s && mkdir -p %s", data_dir, data_dir,
		own_dir);
}

static const char *learners(const char *name)
{
	return path(own_dir, name);
}

static void save_learners(const char *ref)
{
	char from[256];

	snprintf(from, sizeof(from), REF "%s", ref);
	save(learners(ref), slurp(from));
}

/* How many notices of the status say that something is closed, and does one of them have this
 * command? */
static int closed_notices(const char *command)
{
	static struct status seen;
	bool found = !command;
	int count = 0;

	if (!read_status(&seen))
		return -1;
	for (size_t i = 0; i < seen.notice_count; i++) {
		if (seen.notices[i].id != MSG_CLOSED)
			continue;
		count++;
		found = found || text_eq(seen.notices[i].args[1], text_of(command));
	}
	return found ? count : -1;
}

static bool cannot_be_told(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_CANNOT_TELL && step->out.state == FILE_UNREADABLE;
}

static bool own_is_closed(const struct status_step *step)
{
	return cannot_be_told(step) && closed_notices("chmod a+rx /root/flink/watermark") == 1;
}

static bool sql_is_closed(const struct status_step *step)
{
	return step->sql.state == FILE_UNREADABLE;
}

static bool sql_is_open(const struct status_step *step)
{
	return step->sql.state == FILE_THERE;
}

TEST(a_closed_file_is_said_with_what_opens_it)
{
	fresh_below_root();
	save_learners("w5.out");
	save_learners("w5.sql");
	start_below_root();
	CHECK(wait_for("w5", passes) && closed_notices(NULL) == 0);
	CHECK(chmod(learners("w5.out"), 0) == 0);
	CHECK(notified("chmod a+r /root/flink/watermark/w5.out"));
	CHECK(wait_for("w5", cannot_be_told));
	CHECK(closed_notices("chmod a+r /root/flink/watermark/w5.out") == 1);
	CHECK(chmod(learners("w5.sql"), 0) == 0);
	CHECK(wait_for("w5", sql_is_closed));
	CHECK(closed_notices("chmod a+r /root/flink/watermark/w5.sql") == 2);
	CHECK(chmod(learners("w5.sql"), 0644) == 0 && wait_for("w5", sql_is_open));
	CHECK(closed_notices("chmod a+r /root/flink/watermark/w5.out") == 1);
	CHECK(chmod(learners("w5.out"), 0644) == 0 && wait_for("w5", passes));
	CHECK(closed_notices(NULL) == 0);
	CHECK(chmod(learners("w5.out"), 0) == 0 && wait_for("w5", cannot_be_told));
	check_stop();
	CHECK(log_count("chmod a+r /root/flink/watermark/w5.out") == 2);
	CHECK(log_count("chmod a+r /root/flink/watermark/w5.sql") == 1);
	/* Nobody has saved anything meanwhile: a change of mode is no verdict for the journal. */
	CHECK(log_count("watermark/w5:") == 1);
}

TEST(a_file_closed_from_the_start_counts_once_it_is_open)
{
	fresh_below_root();
	save_learners("w5.out");
	CHECK(chmod(learners("w5.out"), 0) == 0);
	start_below_root();
	CHECK(wait_for("w5", cannot_be_told));
	CHECK(closed_notices("chmod a+r /root/flink/watermark/w5.out") == 1);
	CHECK(chmod(learners("w5.out"), 0644) == 0 && wait_for("w5", passes));
	check_stop();
	CHECK(log_count("watermark/w5: pass") == 1 && log_count("watermark/w5:") == 1);
}

TEST(a_closed_folder_is_not_an_empty_one)
{
	fresh_below_root();
	save_learners("w5.out");
	start_below_root();
	CHECK(wait_for("w5", passes));
	/* To be entered is not enough, nor to be read. */
	for (mode_t mode = 0; mode <= 0400; mode = mode ? mode << 2 : 0100) {
		CHECK(chmod(own_dir, mode) == 0 && wait_for("w5", cannot_be_told));
		CHECK(closed_notices("chmod a+rx /root/flink/watermark") == 1);
		CHECK(chmod(own_dir, 0755) == 0 && wait_for("w5", passes));
		CHECK(closed_notices(NULL) == 0);
	}
	check_stop();
	CHECK(log_count("watermark/w5:") == 1);
	CHECK(log_count("chmod") == 3 && log_count("chmod a+rx /root/flink/watermark") == 3);
}

/* No event tells that, since what is closed cannot be watched. */
TEST(a_folder_closed_from_the_start_is_found_open)
{
	fresh_below_root();
	save_learners("w5.out");
	CHECK(chmod(own_dir, 0) == 0 && chmod(flink_dir, 0) == 0);
	start_below_root();
	CHECK(wait_for("w5", cannot_be_told));
	CHECK(closed_notices("chmod a+rx /root/flink") >= 1);
	CHECK(chmod(flink_dir, 0755) == 0 && wait_for("w5", own_is_closed));
	CHECK(chmod(own_dir, 0755) == 0 && wait_for("w5", passes));
	CHECK(closed_notices(NULL) == 0);
	check_stop();
}

TEST(a_path_is_quoted_for_a_shell)
{
	char before[64], command[128];

	fresh();
	memcpy(before, lab_dir, sizeof(before));
	strcat(lab_dir, "/it's $HOME");
	snprintf(command, sizeof(command), "chmod a+r '%s/it'\\''s $HOME/w5.out'", before);
	shell("mkdir -p \"%s/it's \\$HOME\"", before);
	save_ref("w5.out", "w5.out");
	CHECK(chmod(path(lab_dir, "w5.out"), 0) == 0);
	start();
	CHECK(wait_for("w5", cannot_be_told) && closed_notices(command) == 1);
	shell("%s", command);
	CHECK(wait_for("w5", passes) && closed_notices(NULL) == 0);
	check_stop();
	memcpy(lab_dir, before, sizeof(before));
}

int main(void)
{
	if (!set_up())
		return 1;
	snprintf(data_dir, sizeof(data_dir), "%s/data", root);
	snprintf(flink_dir, sizeof(flink_dir), "%s/root/flink", data_dir);
	snprintf(own_dir, sizeof(own_dir), "%s/watermark", flink_dir);
	if (modes_hold_back()) {
		RUN(a_closed_file_is_said_with_what_opens_it);
		RUN(a_file_closed_from_the_start_counts_once_it_is_open);
		RUN(a_closed_folder_is_not_an_empty_one);
		RUN(a_folder_closed_from_the_start_is_found_open);
		RUN(a_path_is_quoted_for_a_shell);
	} else {
		test_skip("what_is_closed_is_said", "root may read everything here");
	}
	arena_finish(&arena);
	shell("chmod -R u+rwX %s && rm -rf %s", root, root);
	return test_finish();
}

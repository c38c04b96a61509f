/* What no event tells: files that are written through another name, behind a mount, and limits of
 * inotify that are reached. What can be watched no more is looked at every two seconds, that is
 * said, and watching goes on as soon as it can; and no verdict is by data that are not there any
 * more. */
#include "tests/daemon_run.h"
#include "tests/own_namespace.h"

static bool comes(bool (*holds)(void), bool wanted)
{
	int64_t end_ms = now_ms() + DEADLINE_MS;

	while (holds() != wanted && now_ms() < end_ms)
		poll(NULL, 0, 10);
	return holds() == wanted;
}

/* ---- files with several names ---- */

static char own_root[64], fixture[128];
static char recorded_root[256];

/* A data root of the test's own; as the recordings have it. */
static void own_data(void)
{
	snprintf(own_root, sizeof(own_root), "%s/data", root);
	snprintf(fixture, sizeof(fixture), "%s/opt/lab/fixtures/data/watermark_events.csv",
		own_root);
	shell("rm -rf %s && mkdir -p %s/opt/lab/fixtures/data && cp "
	      "tests/recorded/root/opt/lab/fixtures/data/watermark_events.csv %s",
		own_root, own_root, fixture);
	/* Older than any wait for a writer. */
	shell("touch -d '1 hour ago' %s", fixture);
	snprintf(recorded_root, sizeof(recorded_root), "%s", data_root);
	snprintf(data_root, sizeof(data_root), "%s", own_root);
}

static void recorded_data(void)
{
	snprintf(data_root, sizeof(data_root), "%s", recorded_root);
}

TEST(an_output_written_through_its_other_name)
{
	fresh();
	start();
	save_ref("w5.out", "w5.out");
	CHECK(link(path(lab_dir, "w5.out"), path(root, "elsewhere")) == 0);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	for (int i = 0; i < 2; i++) {
		save(path(root, "elsewhere"), slurp(i % 2 ? REF "w5.out" : REF "batch.out"));
		CHECK(wait_for("w5", i % 2 ? passes : fails));
	}
	/* One name again: it is watched as any other. */
	CHECK(unlink(path(root, "elsewhere")) == 0);
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("w5", fails));
	check_stop();
}

/* Waits for the step to pass; false where it was seen to fail before. */
static bool passes_without_a_fail(const char *name)
{
	int64_t end_ms = now_ms() + 2 * DEADLINE_MS;
	struct status status;

	while (now_ms() < end_ms) {
		const struct status_step *step =
			read_status(&status) ? step_of(&status, name) : NULL;
		if (step && fails(step))
			return false;
		if (step && passes(step))
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

#define OTHER "tests/recorded/watermark/other_data/"

/* The data become other data without an event, and then comes the right answer for those. */
static void check_truth(const char *other_name)
{
	start();
	shell("cp tests/recorded/root2/opt/lab/fixtures/data/watermark_events.csv %s", other_name);
	shell("cp " OTHER "w5_reference/w5.out " OTHER "w5_reference/w5.sql %s", lab_dir);
	CHECK(passes_without_a_fail("w5"));
	CHECK(!log_says("w5: fail"));
	CHECK(log_says("watermark_events.csv changed"));
	shell("cp tests/recorded/root/opt/lab/fixtures/data/watermark_events.csv %s", other_name);
	shell("cp " REF "late.out %s", lab_dir);
	CHECK(passes_without_a_fail("late"));
	check_stop();
}

TEST(no_verdict_by_a_fixture_that_was_written_through_its_other_name)
{
	char other[80];

	fresh();
	own_data();
	snprintf(other, sizeof(other), "%s/other_name", root);
	CHECK(link(fixture, other) == 0);
	check_truth(other);
	CHECK(unlink(other) == 0);
	recorded_data();
}

TEST(no_verdict_by_a_fixture_that_was_written_behind_its_mount)
{
	char other[80];

	if (!own_namespace)
		return;
	fresh();
	own_data();
	snprintf(other, sizeof(other), "%s/other_name", root);
	shell("cp -p %s %s", fixture, other);
	CHECK(mount(other, fixture, NULL, MS_BIND, NULL) == 0);
	check_truth(other);
	CHECK(umount2(fixture, MNT_DETACH) == 0);
	CHECK(unlink(other) == 0);
	recorded_data();
}

/* ---- data that are no data ---- */

static struct text problem_now(void)
{
	struct status status = status_now();

	return status.lab_count ? status.labs[0].problem : TEXT("");
}

static bool has_problem(void)
{
	return problem_now().len > 0;
}

static void sparse_fixture(void)
{
	CHECK(truncate(fixture, (off_t)1 << 40) == 0);
}

static void fifo_fixture(void)
{
	CHECK(unlink(fixture) == 0 && mkfifo(fixture, 0644) == 0);
}

static void device_link_fixture(void)
{
	CHECK(unlink(fixture) == 0 && symlink("/dev/zero", fixture) == 0);
}

/* The lab says what is wrong, at once and in bounded memory, and goes on when it is mended. */
TEST(a_fixture_that_cannot_be_read)
{
	static void (*const spoil[])(void) = {sparse_fixture, fifo_fixture, device_link_fixture};

	fresh();
	own_data();
	start();
	for (size_t i = 0; i < sizeof(spoil) / sizeof(spoil[0]); i++) {
		long rss = rss_kib();
		spoil[i]();
		CHECK(comes(has_problem, true));
		CHECK(is_bounded(rss));
		save_ref("w5.out", "w5.out");
		shell("rm -f %s && cp -p %s/opt/lab/fixtures/data/watermark_events.csv %s", fixture,
			recorded_root, fixture);
		CHECK(comes(has_problem, false));
		CHECK(wait_for("w5", passes));
		CHECK(unlink(path(lab_dir, "w5.out")) == 0);
		CHECK(wait_for("w5", is_missing));
	}
	check_stop();
	recorded_data();
}

/* ---- limits of inotify ---- */

static bool says_that_it_polls(void)
{
	struct status status;

	return read_status(&status) && status.notice_count == 1 &&
	       status.notices[0].id == MSG_POLLED;
}

/* The test itself has one instance with one watch. */
static void check_limit(const char *name)
{
	int64_t start_ms;

	fresh();
	set_limit(name, 1);
	start();
	CHECK(comes(says_that_it_polls, true));
	CHECK(log_count("cannot watch") == 1);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("w5", fails));
	set_limit(name, 1000);
	CHECK(comes(says_that_it_polls, false));
	CHECK(log_comes_to_say("watching again"));
	start_ms = now_ms();
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(now_ms() - start_ms < 1000);
	CHECK(log_count("cannot watch") == 1 && log_count("watching again") == 1);
	check_stop();
}

TEST(no_instance_left)
{
	if (own_namespace)
		check_limit("max_inotify_instances");
}

TEST(no_watch_left)
{
	if (own_namespace)
		check_limit("max_inotify_watches");
}

/* It runs, and when the folder is made again there is no watch left. */
TEST(no_watch_left_any_more)
{
	int armed;

	if (!own_namespace)
		return;
	fresh();
	start();
	armed = watches();
	CHECK(!says_that_it_polls());
	set_limit("max_inotify_watches", 1);
	shell("rm -r %s", lab_dir);
	CHECK(mkdir(lab_dir, 0755) == 0);
	CHECK(comes(says_that_it_polls, true));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	set_limit("max_inotify_watches", 1000);
	CHECK(comes(says_that_it_polls, false));
	CHECK(watches() == armed);
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("w5", fails));
	check_stop();
}

int main(void)
{
	enter_namespace();
	if (!set_up())
		return 1;
	RUN(an_output_written_through_its_other_name);
	RUN(no_verdict_by_a_fixture_that_was_written_through_its_other_name);
	RUN(no_verdict_by_a_fixture_that_was_written_behind_its_mount);
	RUN(a_fixture_that_cannot_be_read);
	RUN(no_instance_left);
	RUN(no_watch_left);
	RUN(no_watch_left_any_more);
	arena_finish(&arena);
	shell("rm -rf %s", root);
	return test_finish();
}

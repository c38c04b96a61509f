/* Hints of the real ewind: a tier opens with a further wrong save, and a pass ends them. */
#include "tests/daemon_run.h"

#include "daemon/tiers.h"

static int64_t tier_wanted, attempt_wanted;

static bool fails_with_tier(const struct status_step *step)
{
	return fails(step) && step->attempt == attempt_wanted && step->hint_tier == tier_wanted;
}

/* Another wrong answer: a different file each time. */
static const struct status_step *save_wrong(int64_t tier)
{
	static int count;
	struct status status = status_now();

	tier_wanted = tier;
	attempt_wanted = attempt_of(&status, "w5") + 1;
	shell("{ cat " REF "batch.out; echo '-- %d'; } >%s/w5.out", count++, lab_dir);
	return wait_for("w5", fails_with_tier);
}

TEST(a_further_wrong_save_opens_the_next_tier)
{
	const struct status_step *step;

	fresh();
	start();
	step = save_wrong(TIER_WHERE);
	CHECK(step && step->hint_count == 0 && !step->learned.count);
	step = save_wrong(TIER_CONCEPT);
	CHECK(step && (step->hint_count == 1) != tier_has_cause(&step->verdict));
	step = save_wrong(TIER_ROW);
	CHECK(step && step->hint_count == 2);
	step = save_wrong(TIER_ROW);
	CHECK(step && step->attempt == 4);
	save_ref("w5.out", "w5.out");
	step = wait_for("w5", passes);
	CHECK(step && step->hint_tier == TIER_WHOLE && step->hint_count == 0 &&
		step->learned.count);
	CHECK(save_wrong(TIER_WHERE));
	check_stop();
}

TEST(tiers_outlive_the_daemon)
{
	struct status status;

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE) && save_wrong(TIER_CONCEPT));
	check_stop();
	start();
	status = status_now();
	CHECK(step_of(&status, "w5") && step_of(&status, "w5")->hint_tier == TIER_CONCEPT);
	CHECK(save_wrong(TIER_ROW));
	check_stop();
}

/* The same bytes again are no attempt. */
TEST(a_tier_needs_another_file)
{
	struct status status;

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	shell("cp %s/w5.out %s/copy && cat %s/copy >%s/w5.out", lab_dir, lab_dir, lab_dir, lab_dir);
	save_ref("ddl.out", "ddl.out");
	CHECK(wait_for("ddl", passes));
	status = status_now();
	CHECK(step_of(&status, "w5") && step_of(&status, "w5")->hint_tier == TIER_WHERE);
	check_stop();
}

int main(void)
{
	if (!set_up())
		return 1;
	RUN(a_further_wrong_save_opens_the_next_tier);
	RUN(tiers_outlive_the_daemon);
	RUN(a_tier_needs_another_file);
	if (daemon_pid)
		kill(daemon_pid, SIGKILL);
	shell("rm -rf %s", root);
	return test_finish();
}

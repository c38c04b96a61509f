/* The daemon is killed at each call that may change a file, from its start until a verdict is told,
 * and started again: each verdict that was ever in the status is in the journal, once.
 *
 * Whoever saves goes on as soon as the status has the verdict, so that what the first daemon
 * graded is gone when the second one starts. What is killed is the daemon whose calls can be made
 * to fail (tests/fault/fault.c). Of a record and the note in the state that it was sent, which two
 * system calls make, no call of ours stands between. */
#include "daemon/sha256.h"
#include "tests/daemon_run.h"

#define RIGHT "tests/recorded/watermark/mistakes/w5_ok_plain/w5.out"
#define WRONG "tests/recorded/watermark/mistakes/w5_delay0/w5.out"

/* More such calls than a daemon makes for one save. */
#define CALLS 1000

static char first_sha[SHA256_HEX];

static bool is_final(const struct status_step *step)
{
	return step->out.state == FILE_THERE && !step->running && !step->searching;
}

/* Is the verdict of the first save in the status, as whoever saved would see it? */
static bool shows_first(void)
{
	struct status status;
	const struct status_step *step;

	if (access(path(run_dir, STATUS_JSON), F_OK) < 0 || !read_status(&status))
		return false;
	step = step_of(&status, "w5");
	return step && is_final(step) && text_eq(step->out.sha256, text_of(first_sha));
}

/* Runs a daemon that is killed at this call of its. False: it told a verdict before
 * it came to so many. */
static bool run_until(int call)
{
	char fault[32];
	int64_t end_ms = now_ms() + DEADLINE_MS;
	char watch[128];
	char *argv[] = {program, "--foreground", "--watch", watch, "--labs", labs_dir,
		"--data-root", data_root, "--run-dir", run_dir, NULL};
	bool ended = false;

	snprintf(fault, sizeof(fault), "*:%d:%d", call, -SIGKILL);
	snprintf(watch, sizeof(watch), "watermark=%s", lab_dir);
	daemon_pid = fork();
	if (daemon_pid == 0) {
		setenv("EWIN_FAULT", fault, 1);
		become_daemon(argv);
	}
	while (!ended && now_ms() < end_ms && !(shows_first() && log_says("watermark/w5: "))) {
		ended = waitpid(daemon_pid, NULL, WNOHANG) == daemon_pid;
		if (!ended)
			poll(NULL, 0, 1);
	}
	if (!ended) {
		kill(daemon_pid, SIGKILL);
		waitpid(daemon_pid, NULL, 0);
	}
	return ended;
}

static bool is_second(const struct status_step *step)
{
	return passes(step) && !text_eq(step->out.sha256, text_of(first_sha));
}

/* Kills the daemon at that call, with these bytes saved; whoever sees their verdict saves others;
 * lets another daemon go on. False: it was not killed at that call. */
static bool killed_at(int call, const char *kind, struct text bytes)
{
	int first, second;
	char told[64];
	bool ended, shown;

	fresh();
	save(path(lab_dir, "w5.out"), bytes);
	ended = run_until(call);
	shown = shows_first();
	snprintf(told, sizeof(told), "watermark/w5: %s: ", kind);
	first = log_count(told);
	if (shown)
		save_ref("w5.out", "w5.out");
	start();
	CHECK(wait_for("w5", shown ? is_second : is_final));
	CHECK(stop() == 0);
	second = log_count("watermark/w5: ");
	CHECK(first == 1 || !shown);
	CHECK(first + second == 1 + shown);
	CHECK(second == 0 || log_says(shown ? "(attempt 2" : "(attempt 1"));
	if (test_state.current_failed)
		printf("# killed at call %d, %s: told %d and %d times\n", call,
			shown ? "shown" : "not shown", first, second);
	return ended;
}

static void killed_everywhere(const char *kind, const char *from)
{
	static char copy[1 << 16];
	struct text bytes = slurp(from);
	int call = 1;

	CHECK(bytes.len < sizeof(copy));
	memcpy(copy, bytes.ptr, bytes.len);
	bytes.ptr = copy;
	sha256_hex(bytes, first_sha);
	while (call < CALLS && !test_state.current_failed && killed_at(call, kind, bytes))
		call++;
	CHECK(call < CALLS);
	printf("# killed at %d calls\n", call - 1);
}

TEST(a_verdict_without_causes)
{
	killed_everywhere("pass", RIGHT);
}

TEST(a_verdict_that_waits_for_its_causes)
{
	killed_everywhere("fail", WRONG);
}

int main(void)
{
	const char *build = getenv("BUILD");

	if (!set_up())
		return 1;
	snprintf(program, sizeof(program), "%s/tests/fault/ewind", build ? build : "build");
	RUN(a_verdict_without_causes);
	RUN(a_verdict_that_waits_for_its_causes);
	arena_finish(&arena);
	shell("rm -rf %s", root);
	return test_finish();
}

/* The real ewind in a temporary folder, with real outputs of the client. */

#include "tests/daemon_run.h"

static bool is_not_regular(const struct status_step *step)
{
	return step->out.state == FILE_NOT_REGULAR && step->verdict.kind != VERDICT_PASS;
}

static bool is_too_large(const struct status_step *step)
{
	return step->out.state == FILE_TOO_LARGE && step->verdict.kind != VERDICT_PASS;
}

static bool runs_with_rows(const struct status_step *step)
{
	return step->running && step->rows > 0;
}

static bool is_graded_without_pass(const struct status_step *step)
{
	return step->out.state == FILE_THERE && !step->running &&
	       step->verdict.kind != VERDICT_PASS;
}

static bool is_stale(const struct status_step *step)
{
	return step->stale && step->verdict.kind == VERDICT_PASS;
}

/* ---- saving ---- */

TEST(files_there_at_start_are_graded_before_ready)
{
	struct status status;

	fresh();
	save_ref("w5.out", "w5.out");
	save_ref("w5.sql", "w5.sql");
	start();
	status = status_now();
	CHECK(step_of(&status, "w5") && passes(step_of(&status, "w5")));
	CHECK(step_of(&status, "late") && is_missing(step_of(&status, "late")));
	check_stop();
}

TEST(every_way_of_saving)
{
	const struct status_step *step;

	fresh();
	start();
	save_ref("w5.sql", "w5.sql");
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("w5", fails));
	save_ref("w5.out", "tmp");
	CHECK(rename(path(lab_dir, "tmp"), path(lab_dir, "w5.out")) == 0);
	CHECK(wait_for("w5", passes));
	CHECK(unlink(path(lab_dir, "w5.out")) == 0);
	CHECK(wait_for("w5", is_missing));
	save_ref("w5.out", "tmp");
	CHECK(link(path(lab_dir, "tmp"), path(lab_dir, "w5.out")) == 0);
	step = wait_for("w5", passes);
	CHECK(step && step->attempt == 3);
	check_stop();
}

TEST(all_steps_saved_at_once)
{
	static const char *const names[] = {
		"ddl", "batch", "w5", "sweep", "late", "filtered", "slow"};

	fresh();
	start();
	shell("cp " REF "* %s", lab_dir);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK(wait_for(names[i], passes));
	CHECK(wait_for("report", passes));
	check_stop();
}

static enum message_id said_first;

static bool says_something_else(const struct status_step *step)
{
	return fails(step) && step->verdict.summary.id != said_first;
}

/* A miscounted number, and the same number taken from an output that is itself wrong. */
TEST(report_is_graded_again_when_an_output_changes)
{
	const struct status_step *step;

	fresh();
	shell("cp " REF
	      "* %s && sed -i 's/\"dropped_5\": *[0-9]*/\"dropped_5\": 0/' %s/report.json",
		lab_dir, lab_dir);
	start();
	step = wait_for("report", fails);
	said_first = step ? step->verdict.summary.id : MESSAGE_COUNT;
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("report", says_something_else));
	check_stop();
}

static bool is_excused(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_CANNOT_TELL &&
	       step->verdict.summary.id == MSG_BUILDS_ON;
}

/* The step that was saved last, of the one lab. */
static struct text latest(void)
{
	struct status status = status_now();

	CHECK(status.lab_count == 1 && status.labs[0].latest < status.labs[0].step_count);
	return status.labs[0].steps[status.labs[0].latest].name;
}

TEST(a_step_that_builds_on_a_wrong_one_follows_it)
{
	fresh();
	save_ref("batch.out", "slow.out"); /* not what slow asks for */
	save_ref("batch.out", "w5.out");
	shell("sed -i '/| 2026-07-06 09:0[1-3]/d' %s/slow.out", lab_dir);
	start();
	CHECK(wait_for("w5", fails));
	CHECK(wait_for("slow", is_excused));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(wait_for("slow", fails));
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("slow", is_excused));
	CHECK(text_eq(latest(), TEXT("w5")));
	save_ref("slow.out", "slow.out");
	CHECK(wait_for("slow", passes));
	CHECK(text_eq(latest(), TEXT("slow")));
	check_stop();
}

static bool has_causes(const struct status_step *step)
{
	return fails(step) && step->verdict.diagnosis_count > 0;
}

/* The verdict is there before its causes; they are no other verdict, so a shell that has said it
 * says nothing more. */
TEST(causes_follow_their_verdict)
{
	const struct status_step *step;
	struct status status;
	int64_t seq;

	fresh();
	start();
	shell("cp tests/recorded/watermark/mistakes/w5_delay0/w5.* %s", lab_dir);
	step = wait_for("w5", has_causes);
	CHECK(step && step->verdict.diagnosis_count == 1 &&
		step->verdict.diagnosis[0].id == DIAG_DELAY &&
		text_eq(step->verdict.diagnosis[0].param, TEXT("0s")));
	CHECK(step && step->attempt == 1);
	seq = step ? step->seq : INT64_MAX;
	status = status_now();
	CHECK(seq < status.seq);
	save_ref("w5.out", "w5.out");
	step = wait_for("w5", passes);
	CHECK(step && step->verdict.diagnosis_count == 0);
	check_stop();
}

static bool cannot_be_told(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_CANNOT_TELL && !step->searching;
}

TEST(a_search_that_finds_nothing_is_over_as_well)
{
	const struct status_step *step;

	fresh();
	save(path(lab_dir, "late.out"),
		slurp("tests/recorded/watermark/mistakes/late_delay0/late.out"));
	save(path(lab_dir, "filtered.out"),
		slurp("tests/recorded/watermark/mistakes/filtered_delay0/filtered.out"));
	start();
	CHECK(wait_for("late", fails));
	step = wait_for("filtered", cannot_be_told);
	CHECK(step && step->verdict.diagnosis_count == 0);
	check_stop();
}

TEST(growing_file_is_running_until_it_is_closed)
{
	const struct status_step *step;
	struct text whole;
	char rest[300];
	int fd;

	fresh();
	start();
	save_ref("w5.sql", "w5.sql");
	fd = open(path(lab_dir, "w5.out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	whole = slurp(REF "w5.out");
	memcpy(rest, whole.ptr + whole.len - sizeof(rest), sizeof(rest));
	CHECK(write(fd, whole.ptr, whole.len - 300) == (ssize_t)(whole.len - 300));
	CHECK(wait_for("w5", runs_with_rows));
	CHECK(write(fd, rest, sizeof(rest)) == sizeof(rest));
	close(fd);
	step = wait_for("w5", passes);
	CHECK(step && step->attempt == 1);
	check_stop();
}

TEST(closed_without_its_end_is_graded_as_interrupted)
{
	struct text whole;

	fresh();
	start();
	whole = slurp(REF "w5.out");
	save(path(lab_dir, "w5.out"), text_slice(whole, 0, whole.len - 300));
	CHECK(wait_for("w5", is_graded_without_pass));
	save(path(lab_dir, "late.out"), TEXT(""));
	CHECK(wait_for("late", is_graded_without_pass));
	check_stop();
}

/* Nobody can say of a file whether a client still holds it; but that a minute has passed since
 * its last byte, its time says, and that it was graded as it is, the state. */
TEST(what_nobody_touches_is_not_being_written)
{
	struct text whole;
	struct status status;

	fresh();
	save(path(lab_dir, "late.out"), TEXT(""));
	whole = slurp(REF "w5.out");
	save(path(lab_dir, "w5.out"), text_slice(whole, 0, whole.len - 300));
	save(path(lab_dir, "batch.out"), text_slice(whole, 0, whole.len - 300));
	shell("touch -d '61 seconds ago' %s/w5.out %s/late.out", lab_dir, lab_dir);
	start();
	status = status_now();
	CHECK(is_graded_without_pass(step_of(&status, "w5")));
	CHECK(is_graded_without_pass(step_of(&status, "late")));
	CHECK(step_of(&status, "batch")->running);
	save(path(lab_dir, "batch.out"), text_slice(whole, 0, whole.len - 300));
	CHECK(wait_for("batch", is_graded_without_pass));
	check_stop();
	CHECK(log_count("watermark/batch:") == 1);
	start();
	status = status_now();
	CHECK(is_graded_without_pass(step_of(&status, "batch")));
	check_stop();
	CHECK(log_count("watermark/batch:") == 0);
}

/* `cmd > x.out; cmd2 >> x.out`: the first close is not the end. */
TEST(appended_to_in_time_is_one_attempt)
{
	const struct status_step *step;
	struct text whole;
	int fd;

	fresh();
	start();
	whole = slurp(REF "w5.out");
	save(path(lab_dir, "w5.out"), text_slice(whole, 0, whole.len - 300));
	fd = open(path(lab_dir, "w5.out"), O_WRONLY | O_APPEND | O_CLOEXEC);
	CHECK(write(fd, whole.ptr + whole.len - 300, 300) == 300);
	close(fd);
	step = wait_for("w5", passes);
	CHECK(step && step->attempt == 1);
	check_stop();
}

TEST(folder_absent_at_start_removed_and_made_again)
{
	fresh();
	shell("rm -r %s", lab_dir);
	start();
	shell("mkdir %s", lab_dir);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	for (int i = 0; i < 5; i++) {
		shell("rm -r %s", lab_dir);
		CHECK(wait_for("w5", is_missing));
		shell("mkdir %s", lab_dir);
		save_ref("w5.out", "w5.out");
		CHECK(wait_for("w5", passes));
	}
	check_stop();
	CHECK(log_count("waiting for its folder") == 1 && log_says(lab_dir));
}

static int64_t mtime_of(const char *name)
{
	struct stat st;

	if (stat(name, &st) < 0)
		return 0;
	return (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

/* Wrong and right in turn, as fast as they can be written: where the status is newer than the file,
 * it must be about this very save, however equal their times are. */
TEST(a_status_newer_than_a_save_is_about_it)
{
	struct pollfd poller = {.fd = -1, .events = POLLIN};
	int behind = 0, in_vain = 0;
	char events[4096];

	fresh();
	start();
	poller.fd = inotify_fd;
	for (int round = 0; round < 40; round++) {
		bool right = round % 2;
		int64_t end_ms = now_ms() + DEADLINE_MS;
		struct status status = {0};
		save_ref(right ? "batch.out" : "w5.out", "w5.out");
		save_ref(right ? "w5.out" : "batch.out", "w5.out");
		while (mtime_of(path(run_dir, STATUS_FILE)) <= mtime_of(path(lab_dir, "w5.out")) &&
			now_ms() < end_ms)
			if (poll(&poller, 1, 100) > 0 &&
				read(inotify_fd, events, sizeof(events)) < 0)
				break;
		in_vain += now_ms() >= end_ms;
		if (!read_status(&status) || passes(step_of(&status, "w5")) != right)
			behind++;
	}
	CHECK(behind == 0);
	CHECK(in_vain == 0);
	check_stop();
}

TEST(events_lost_by_the_kernel_lose_no_save)
{
	fresh();
	start();
	save(path(lab_dir, "a"), TEXT(""));
	save(path(lab_dir, "b"), TEXT(""));
	kill(daemon_pid, SIGSTOP);
	/* The kernel's queue holds 16 384 events by default, and merges equal ones. */
	for (int i = 0; i < 17000; i++)
		CHECK(chmod(path(lab_dir, i % 2 ? "a" : "b"), 0644) == 0);
	save_ref("w5.out", "w5.out");
	kill(daemon_pid, SIGCONT);
	CHECK(wait_for("w5", passes));
	CHECK(log_says("events were lost"));
	check_stop();
}

/* ---- bad files ---- */

TEST(what_is_no_file_is_said_and_does_no_harm)
{
	struct status status;

	fresh();
	save_ref("w5.out", "w5.out");
	CHECK(mkfifo(path(lab_dir, "batch.out"), 0644) == 0);
	start();
	CHECK(wait_for("batch", is_not_regular));
	CHECK(symlink("/etc/passwd", path(lab_dir, "late.out")) == 0);
	CHECK(wait_for("late", is_not_regular));
	CHECK(mkdir(path(lab_dir, "slow.out"), 0755) == 0);
	CHECK(wait_for("slow", is_not_regular));
	CHECK(mkfifo(path(lab_dir, "sweep.out"), 0644) == 0);
	CHECK(wait_for("sweep", is_not_regular));
	close(open(path(lab_dir, "tmp"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	CHECK(truncate(path(lab_dir, "tmp"), (off_t)1 << 30) == 0);
	CHECK(rename(path(lab_dir, "tmp"), path(lab_dir, "filtered.out")) == 0);
	CHECK(wait_for("filtered", is_too_large));
	status = status_now();
	CHECK(passes(step_of(&status, "w5")));
	CHECK(unlink(path(lab_dir, "late.out")) == 0);
	save_ref("late.out", "late.out");
	CHECK(wait_for("late", passes));
	check_stop();
}

static bool is_unreadable(const struct status_step *step)
{
	return step->out.state == FILE_UNREADABLE && step->verdict.kind != VERDICT_PASS;
}

TEST(no_permission_and_given_back)
{
	fresh();
	start();
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(chmod(path(lab_dir, "w5.out"), 0) == 0);
	CHECK(wait_for("w5", is_unreadable));
	CHECK(chmod(path(lab_dir, "w5.out"), 0644) == 0);
	CHECK(wait_for("w5", passes));
	check_stop();
}

/* ---- the SQL beside it ---- */

TEST(newer_sql_makes_the_verdict_stale_at_once)
{
	fresh();
	save_ref("w5.sql", "w5.sql");
	save_ref("w5.out", "w5.out");
	shell("touch -d '5 seconds ago' %s/w5.*", lab_dir);
	start();
	CHECK(wait_for("w5", passes));
	save_ref("late.sql", "w5.sql");
	CHECK(wait_for("w5", is_stale));
	save_ref("w5.sql", "w5.sql");
	CHECK(wait_for("w5", passes));
	save_ref("late.sql", "w5.sql");
	CHECK(wait_for("w5", is_stale));
	check_stop();
	start();
	CHECK(wait_for("w5", is_stale));
	check_stop();
}

static bool knows_sql(const struct status_step *step)
{
	return step->sql.state == FILE_THERE &&
	       step->sql.mtime_ns == mtime_of(path(lab_dir, "w5.sql"));
}

/* A prompt compares the .sql with the status: one that the status never learnt of would keep it
 * waiting. */
TEST(sql_is_in_the_status_whether_or_not_a_verdict_hangs_on_it)
{
	int64_t seq;

	fresh();
	start();
	seq = status_now().seq;
	save_ref("late.sql", "w5.sql");
	CHECK(wait_for("w5", knows_sql));
	CHECK(status_now().seq > seq);
	save_ref("w5.sql", "w5.sql");
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	shell("cp " REF "late.sql %s/x && touch -d '5 seconds' %s/x && mv %s/x %s/w5.sql", lab_dir,
		lab_dir, lab_dir, lab_dir);
	CHECK(wait_for("w5", is_stale));
	CHECK(wait_for("w5", knows_sql));
	check_stop();
}

TEST(the_same_output_from_newer_sql_is_not_stale)
{
	fresh();
	save_ref("w5.sql", "w5.sql");
	save_ref("w5.out", "w5.out");
	shell("touch -d '5 seconds ago' %s/w5.*", lab_dir);
	start();
	shell("echo '-- a remark' >> %s/w5.sql", lab_dir);
	CHECK(wait_for("w5", is_stale));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	check_stop();
}

TEST(sql_that_comes_after_its_output_is_taken_in)
{
	const struct status_step *step;

	fresh();
	start();
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	save_ref("w5.sql", "w5.sql");
	step = wait_for("w5", passes);
	CHECK(step && step->attempt == 1);
	check_stop();
}

/* ---- the lab itself ---- */

static bool problem_is(const char *part)
{
	struct status status = status_now();
	struct text problem = status.lab_count ? status.labs[0].problem : TEXT("");

	return *part ? text_find(problem, text_of(part)) < problem.len : problem.len == 0;
}

/* The notice that data are not there: its command; empty: there is none. */
static struct text data_command(void)
{
	static struct status seen;

	seen = status_now();
	for (size_t i = 0; i < seen.notice_count; i++)
		if (seen.notices[i].id == MSG_NO_DATA)
			return seen.notices[i].args[2];
	return TEXT("");
}

TEST(data_that_are_not_there_are_said_with_the_command_that_puts_them_there)
{
	char kept[256], command[1024];

	fresh();
	snprintf(kept, sizeof(kept), "%s", data_root);
	snprintf(data_root, sizeof(data_root), "%s/data", root);
	shell("mkdir -p %s/opt", data_root);
	snprintf(command, sizeof(command),
		"install -D -m 644 %s/watermark/data/watermark_events.csv "
		"/opt/lab/fixtures/data/watermark_events.csv",
		labs_dir);
	start();
	CHECK(problem_is("/opt/lab/fixtures/data/watermark_events.csv"));
	CHECK(text_eq(data_command(), text_of(command)));
	CHECK(log_count("watermark_events.csv is not there. To put") == 1 &&
		log_count(command) == 1);
	/* As it is told, but for the data root, which is none where the lab is. */
	snprintf(command, sizeof(command),
		"install -D -m 644 %s/watermark/data/watermark_events.csv "
		"%s/opt/lab/fixtures/data/watermark_events.csv",
		labs_dir, data_root);
	shell("%s", command);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(problem_is("") && data_command().len == 0);
	check_stop();
	shell("rm -r %s", data_root);
	snprintf(data_root, sizeof(data_root), "%s", kept);
}

TEST(fixture_missing_or_bad_is_said_and_mended)
{
	char own_root[128], kept[256];

	fresh();
	snprintf(kept, sizeof(kept), "%s", data_root);
	snprintf(own_root, sizeof(own_root), "%s/data", root);
	snprintf(data_root, sizeof(data_root), "%s", own_root);
	shell("mkdir -p %s/opt/lab/fixtures/data", own_root);
	start();
	CHECK(problem_is("watermark_events.csv"));
	shell("cp %s/opt/lab/fixtures/data/*.csv %s/opt/lab/fixtures/data", kept, own_root);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(problem_is(""));
	shell("truncate -s 0 %s/opt/lab/fixtures/data/*.csv", own_root);
	save_ref("w5.out", "late.out");
	for (int i = 0; i < 100 && problem_is(""); i++)
		poll(NULL, 0, 20);
	CHECK(problem_is("holds no row"));
	shell("cp %s/opt/lab/fixtures/data/*.csv %s/opt/lab/fixtures/data && "
	      "sed -i '30s/.*/bad,line/' %s/opt/lab/fixtures/data/watermark_events.csv",
		kept, own_root, own_root);
	save_ref("w5.out", "late.out");
	for (int i = 0; i < 100 && !problem_is("line 30"); i++)
		poll(NULL, 0, 20);
	CHECK(problem_is("watermark_events.csv: row 30, line 30"));
	shell("cp %s/opt/lab/fixtures/data/*.csv %s/opt/lab/fixtures/data", kept, own_root);
	save_ref("late.out", "late.out");
	CHECK(wait_for("w5", passes));
	shell("rm -r %s/opt", own_root);
	save_ref("w5.out", "late.out");
	for (int i = 0; i < 100 && problem_is(""); i++)
		poll(NULL, 0, 20);
	CHECK(problem_is("watermark_events.csv"));
	check_stop();
	snprintf(data_root, sizeof(data_root), "%s", kept);
}

TEST(one_broken_lab_leaves_the_others_alone)
{
	char labs[128], *argv[] = {program, "--foreground", "--labs", labs, "--data-root", root,
				"--run-dir", run_dir, NULL};
	struct status status;

	fresh();
	snprintf(labs, sizeof(labs), "%s/labs", root);
	shell("mkdir -p %s/aaa %s/opt/lab/fixtures/data && cp -r %s/watermark %s && echo '{' > "
	      "%s/aaa/lab.json && cp %s/opt/lab/fixtures/data/*.csv %s/opt/lab/fixtures/data",
		labs, root, labs_dir, labs, labs, data_root, root);
	start_with(argv);
	status = status_now();
	CHECK(status.lab_count == 2);
	CHECK(text_eq(status.labs[0].name, TEXT("aaa")) && status.labs[0].problem.len);
	CHECK(text_eq(status.labs[1].folder, TEXT("/root/flink/watermark")));
	CHECK(status.labs[1].problem.len == 0 && status.labs[1].step_count == 8);
	shell("mkdir -p %s/root/flink/watermark && cp " REF "w5.out %s/root/flink/watermark", root,
		root);
	CHECK(wait_for("w5", passes));
	check_stop();
}

/* ---- what stays ---- */

TEST(attempts_and_seq_outlive_the_daemon)
{
	struct status before, after;

	fresh();
	start();
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("w5", fails));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	before = status_now();
	CHECK(attempt_of(&before, "w5") == 2);
	kill(daemon_pid, SIGKILL);
	waitpid(daemon_pid, NULL, 0);
	start();
	after = status_now();
	CHECK(after.seq > before.seq);
	CHECK(attempt_of(&after, "w5") == 2);
	check_stop();
}

/* Has the state's file tell that the journal heard this of w5, then lets a daemon have a look;
 * how many records that makes. Empty: a file of before, without this word. */
static int records_after(const char *told)
{
	shell("sed -i -E 's/^(step watermark w5 [0-9]+ [0-9]+ [^ ]+ [^ ]+).*/\\1%s%s/' %s/state",
		*told ? " " : "", told, state_dir);
	start();
	CHECK(wait_for("w5", passes));
	CHECK(stop() == 0);
	return log_count("watermark/w5:");
}

TEST(a_record_that_is_owed_is_sent_after_a_restart_and_only_then)
{
	fresh();
	save_ref("w5.out", "w5.out");
	start();
	CHECK(wait_for("w5", passes));
	CHECK(stop() == 0);
	CHECK(log_count("watermark/w5: pass") == 1);
	CHECK(records_after("-") == 1 && log_says("(attempt 1)"));
	CHECK(records_after("pass") == 0);
	CHECK(records_after("fail") == 1);
	start();
	CHECK(wait_for("w5", passes));
	CHECK(stop() == 0);
	CHECK(log_count("watermark/w5:") == 0);
	CHECK(records_after("") == 0);
}

TEST(damaged_state_is_set_aside)
{
	fresh();
	save(path(state_dir, "state"), TEXT("ewind-state 1\nseq 7\nstep watermark w5 x"));
	start();
	CHECK(log_says("damaged"));
	CHECK(access(path(state_dir, "state.damaged"), F_OK) == 0);
	check_stop();
	CHECK(access(path(state_dir, "state"), F_OK) == 0);
}

/* As one leaves it that was killed while it wrote. */
TEST(state_that_grew_is_read_to_its_last_whole_line_and_written_anew_at_rest)
{
	FILE *file;
	struct status status;

	fresh();
	file = fopen(path(state_dir, "state"), "w");
	CHECK(file && fputs("ewind-state 1\nseq 7\nend\n", file) >= 0);
	for (int i = 1; file && i <= 5000; i++)
		fprintf(file, "step watermark w5 %d 0 - - ?\n", i);
	CHECK(file && fputs("step watermark w5 5001 0", file) >= 0 && fclose(file) == 0);
	start();
	status = status_now();
	CHECK(attempt_of(&status, "w5") == 5000 && !log_says("damaged"));
	CHECK(slurp(path(state_dir, "state")).len < 10000);
	check_stop();
}

#define WRONG "tests/recorded/watermark/mistakes/w5_delay0/w5."

/* It is told to end while it looks for the causes, or next to it: these are not waited for, and
 * the record is not lost for that. */
TEST(a_verdict_that_waits_for_its_causes_at_the_end_is_told)
{
	for (int round = 0; round < 8; round++) {
		fresh();
		start();
		shell("cp " WRONG "* %s", lab_dir);
		CHECK(wait_for("w5", fails));
		check_stop();
		CHECK(log_count("w5: fail") == 1);
	}
}

static int64_t awaited;

static bool is_awaited(const struct status_step *step)
{
	return step->attempt == awaited;
}

/* Each is there to be read before the next save, which comes while the causes of the one before
 * are looked for. */
TEST(each_verdict_that_is_shown_is_told)
{
	struct text wrong;

	fresh();
	start();
	for (awaited = 1; awaited <= 30; awaited++) {
		if (awaited % 2) {
			wrong = slurp(WRONG "out");
			save(path(lab_dir, "w5.out"), wrong);
		} else {
			save_ref("w5.out", "w5.out");
		}
		CHECK(wait_for("w5", is_awaited));
	}
	check_stop();
	CHECK(log_count("w5: fail") == 15 && log_count("w5: pass") == 15);
}

TEST(what_is_saved_as_it_ends_is_told_once)
{
	const struct status_step *step;
	int told;

	fresh();
	start();
	kill(daemon_pid, SIGSTOP);
	shell("cp " WRONG "* %s", lab_dir);
	kill(daemon_pid, SIGTERM);
	kill(daemon_pid, SIGCONT);
	check_stop();
	told = log_count("w5: fail");
	CHECK(!log_says("delay=0s"));
	start();
	step = wait_for("w5", has_causes);
	CHECK(step && step->attempt == 1);
	check_stop();
	CHECK(told + log_count("w5: fail") == 1);
}

TEST(no_descriptor_is_leaked_and_sigterm_ends_it_at_any_time)
{
	int fd, before;

	fresh();
	start();
	before = open_files();
	CHECK(before > 0);
	fd = open(path(lab_dir, "w5.out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	CHECK(write(fd, "| op |", 6) == 6);
	for (int i = 0; i < 20; i++)
		save_ref(i % 2 ? "late.out" : "batch.out", "late.out");
	CHECK(wait_for("late", passes));
	/* One may be open for the moment. */
	CHECK(open_files() <= before + 1);
	check_stop();
	close(fd);
}

static int exit_status_of(const char *arguments)
{
	char command[1024];
	int status;

	snprintf(command, sizeof(command), "%s %s >%s 2>&1", program, arguments, log_path);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(a_run_directory_belongs_to_one_daemon)
{
	fresh();
	save_ref("w5.out", "w5.out");
	start();
	shell("%s --foreground --labs %s --data-root %s --run-dir %s --watch watermark=%s "
	      "2>%s/second; "
	      "test $? = 1",
		program, labs_dir, data_root, run_dir, lab_dir, root);
	CHECK(access(path(run_dir, STATUS_FILE), F_OK) == 0);
	shell("grep -q 'another ewind' %s/second", root);
	check_stop();
}

TEST(a_state_directory_belongs_to_one_daemon)
{
	fresh();
	start();
	shell("STATE_DIRECTORY=%s %s --foreground --labs %s --data-root %s --run-dir %s/other "
	      "--watch watermark=%s 2>%s/second; test $? = 1",
		state_dir, program, labs_dir, data_root, root, lab_dir, root);
	shell("grep -q 'another ewind keeps its state here' %s/second", root);
	check_stop();
}

static bool says_no_folder(void)
{
	static struct status seen;

	if (!read_status(&seen))
		return false;
	for (size_t i = 0; i < seen.notice_count; i++)
		if (seen.notices[i].id == MSG_NO_FOLDER)
			return true;
	return false;
}

static bool is_blocked(const struct status_step *step)
{
	(void)step;
	return says_no_folder();
}

TEST(a_folder_that_is_none_is_said)
{
	fresh();
	shell("rm -rf %s && touch %s", lab_dir, lab_dir);
	start();
	CHECK(wait_for("w5", is_blocked));
	shell("rm %s && mkdir %s", lab_dir, lab_dir);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes) && !says_no_folder());
	shell("rm -r %s && mkfifo %s", lab_dir, lab_dir);
	CHECK(wait_for("w5", is_blocked));
	shell("rm %s && mkdir %s", lab_dir, lab_dir);
	check_stop();
}

TEST(a_run_directory_made_again_is_filled_again)
{
	fresh();
	save_ref("w5.out", "w5.out");
	start();
	CHECK(wait_for("w5", passes));
	/* Not under the hands of a daemon that may be writing there, or making it itself. */
	kill(daemon_pid, SIGSTOP);
	CHECK(waitpid(daemon_pid, NULL, WUNTRACED) == daemon_pid);
	shell("rm -rf %s && mkdir %s", run_dir, run_dir);
	kill(daemon_pid, SIGCONT);
	CHECK(inotify_add_watch(inotify_fd, run_dir, IN_MOVED_TO | IN_DELETE | IN_ATTRIB) >= 0);
	save_ref("batch.out", "w5.out");
	CHECK(wait_for("w5", fails));
	check_stop();
}

TEST(exit_status_says_the_kind_of_trouble)
{
	char arguments[512];

	CHECK(exit_status_of("--help") == 0 && log_says("--watch LAB=DIR"));
	CHECK(exit_status_of("--no-such") == 2 && log_says("--no-such"));
	CHECK(exit_status_of("--watch") == 2 && log_says("--watch"));
	CHECK(exit_status_of("--watch nothing") == 2 && log_says("LAB=DIR"));
	CHECK(exit_status_of("stray") == 2 && log_says("stray"));
	snprintf(arguments, sizeof(arguments), "--run-dir %s --labs %s/none", run_dir, root);
	CHECK(exit_status_of(arguments) == 3 && log_says("none"));
	snprintf(arguments, sizeof(arguments), "--run-dir %s --labs %s --watch other=/tmp", run_dir,
		labs_dir);
	CHECK(exit_status_of(arguments) == 3 && log_says("other"));
	CHECK(exit_status_of("--run-dir /proc/none/run") == 3 && log_says("/proc/none/run"));
}

int main(void)
{
	if (!set_up())
		return 1;
	RUN(files_there_at_start_are_graded_before_ready);
	RUN(every_way_of_saving);
	RUN(all_steps_saved_at_once);
	RUN(report_is_graded_again_when_an_output_changes);
	RUN(a_step_that_builds_on_a_wrong_one_follows_it);
	RUN(causes_follow_their_verdict);
	RUN(a_search_that_finds_nothing_is_over_as_well);
	RUN(growing_file_is_running_until_it_is_closed);
	RUN(closed_without_its_end_is_graded_as_interrupted);
	RUN(what_nobody_touches_is_not_being_written);
	RUN(appended_to_in_time_is_one_attempt);
	RUN(folder_absent_at_start_removed_and_made_again);
	RUN(a_status_newer_than_a_save_is_about_it);
	RUN(events_lost_by_the_kernel_lose_no_save);
	RUN(what_is_no_file_is_said_and_does_no_harm);
	RUN_IF(modes_hold_back(), no_permission_and_given_back, "root may read everything here");
	RUN(newer_sql_makes_the_verdict_stale_at_once);
	RUN(sql_is_in_the_status_whether_or_not_a_verdict_hangs_on_it);
	RUN(the_same_output_from_newer_sql_is_not_stale);
	RUN(sql_that_comes_after_its_output_is_taken_in);
	RUN(data_that_are_not_there_are_said_with_the_command_that_puts_them_there);
	RUN(fixture_missing_or_bad_is_said_and_mended);
	RUN(one_broken_lab_leaves_the_others_alone);
	RUN(attempts_and_seq_outlive_the_daemon);
	RUN(a_record_that_is_owed_is_sent_after_a_restart_and_only_then);
	RUN(damaged_state_is_set_aside);
	RUN(state_that_grew_is_read_to_its_last_whole_line_and_written_anew_at_rest);
	RUN(a_verdict_that_waits_for_its_causes_at_the_end_is_told);
	RUN(each_verdict_that_is_shown_is_told);
	RUN(what_is_saved_as_it_ends_is_told_once);
	RUN(no_descriptor_is_leaked_and_sigterm_ends_it_at_any_time);
	RUN(a_run_directory_belongs_to_one_daemon);
	RUN(a_state_directory_belongs_to_one_daemon);
	RUN(a_folder_that_is_none_is_said);
	RUN(a_run_directory_made_again_is_filled_again);
	RUN(exit_status_says_the_kind_of_trouble);
	arena_finish(&arena);
	shell("rm -rf %s", root);
	return test_finish();
}

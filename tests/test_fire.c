/* Watching under fire: the real ewind and the real inotify, with writers that nobody would wish
 * for. Each test says by counts that nothing was lost: the last content of every file has its
 * verdict, and what the daemon did for it is bounded.
 *
 * EWIN_LONG=1 gives the storms their full length. */
#include "tests/daemon_run.h"
#include "tests/own_namespace.h"

static bool is_long(void)
{
	return getenv("EWIN_LONG") != NULL;
}

static const char *const STEPS[] = {
	"ddl", "batch", "w5", "sweep", "late", "filtered", "slow", "report"};
static const char *const FILES[] = {"ddl.out", "batch.out", "w5.out", "sweep.out", "late.out",
	"filtered.out", "slow.out", "report.json"};

#define STEP_COUNT (sizeof(STEPS) / sizeof(STEPS[0]))

/* ---- what the daemon takes ---- */

/* Processor time so far, in ms. */
static long cpu_ms(void)
{
	long user = 0, kernel = 0;
	char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)daemon_pid);
	file = fopen(name, "r");
	CHECK(file && fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %ld %ld",
			      &user, &kernel) == 2);
	if (file)
		fclose(file);
	return (user + kernel) * 1000 / sysconf(_SC_CLK_TCK);
}

static void all_pass(void)
{
	for (size_t i = 0; i < STEP_COUNT; i++)
		CHECK(wait_for(STEPS[i], passes));
}

/* ---- many files, folders and names ---- */

static void make_empty(const char *folder, int from, int to)
{
	char name[32];

	for (int i = from; i < to; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		close(open(path(folder, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	}
}

/* The right outputs among 20 000 files that nobody asked for. */
static void make_all(void)
{
	for (int i = 0; i < 20; i++) {
		make_empty(lab_dir, i * 1000, i * 1000 + 1000);
		if (i % 2 == 0 && i / 2 < (int)STEP_COUNT)
			save_ref(FILES[i / 2], FILES[i / 2]);
	}
}

TEST(twenty_thousand_files_at_once)
{
	long before;

	fresh();
	start();
	before = rss_kib();
	make_all();
	all_pass();
	CHECK(is_bounded(before));
	check_stop();
}

/* The queue holds 16 384 events; nobody takes them out meanwhile. */
TEST(twenty_thousand_files_and_events_lost)
{
	long before;

	fresh();
	start();
	before = rss_kib();
	kill(daemon_pid, SIGSTOP);
	make_all();
	kill(daemon_pid, SIGCONT);
	all_pass();
	CHECK(is_bounded(before));
	/* And what comes after it is seen by its events. That of the loss may be taken in behind all
	 * that: what stands before it in the queue is of the same names. */
	save_ref("w5.out", "batch.out");
	CHECK(wait_for("batch", fails));
	CHECK(log_comes_to_say("events were lost") && log_count("events were lost") == 1);
	check_stop();
}

static void remove_folder(void)
{
	unlink(path(lab_dir, "w5.out"));
	unlink(path(lab_dir, "late.out"));
	CHECK(rmdir(lab_dir) == 0);
}

TEST(folder_removed_and_made_again_a_hundred_times)
{
	int fds, armed;

	fresh();
	start();
	fds = open_files();
	armed = watches();
	for (int i = 0; i < 100; i++) {
		remove_folder();
		CHECK(mkdir(lab_dir, 0755) == 0);
		save_ref(i % 2 ? "w5.out" : "batch.out", "w5.out");
		CHECK(wait_for("w5", i % 2 ? passes : fails));
	}
	CHECK(open_files() <= fds + 1);
	CHECK(watches() == armed);
	check_stop();
}

/* The folder is renamed away and another takes its place, without a pause. */
TEST(folders_in_turn)
{
	char other[80], third[80];

	fresh();
	snprintf(other, sizeof(other), "%s/other", root);
	snprintf(third, sizeof(third), "%s/third", root);
	shell("rm -rf %s %s && mkdir %s && cp " REF "w5.out %s && cp " REF "batch.out %s/w5.out",
		other, third, other, other, lab_dir);
	start();
	CHECK(wait_for("w5", fails));
	for (int i = 0; i < 1001; i++) {
		CHECK(rename(lab_dir, third) == 0 && rename(other, lab_dir) == 0 &&
			rename(third, other) == 0);
	}
	CHECK(wait_for("w5", passes));
	save_ref("late.out", "late.out");
	CHECK(wait_for("late", passes));
	check_stop();
	shell("rm -r %s", other);
}

TEST(rename_storm)
{
	int64_t end_ms;
	int rounds = 0;
	long cpu;

	fresh();
	start();
	save_ref("w5.out", "right");
	save_ref("batch.out", "w5.out");
	end_ms = now_ms() + (is_long() ? 10000 : 2000);
	cpu = cpu_ms();
	while (now_ms() < end_ms) {
		for (int i = 0; i < 100; i++, rounds++) {
			CHECK(rename(path(lab_dir, "w5.out"), path(lab_dir, "wrong")) == 0);
			CHECK(rename(path(lab_dir, "right"), path(lab_dir, "w5.out")) == 0);
			CHECK(rename(path(lab_dir, "w5.out"), path(lab_dir, "right")) == 0);
			CHECK(rename(path(lab_dir, "wrong"), path(lab_dir, "w5.out")) == 0);
		}
		drain_notifications();
	}
	CHECK(wait_for("w5", fails));
	CHECK(rename(path(lab_dir, "right"), path(lab_dir, "w5.out")) == 0);
	CHECK(wait_for("w5", passes));
	printf("# %d renames, %ld ms of processor\n", 4 * rounds, cpu_ms() - cpu);
	save_ref("late.out", "late.out");
	CHECK(wait_for("late", passes));
	check_stop();
}

TEST(names_of_all_kinds)
{
	static const char *const names[] = {"a\nb.out", "\033]0;x\007.out", "$(id)`id`%n.out",
		"\xff\xfe\xc3.out",
		"\xe2\x80\xae"
		"tuo.5w",
		" w5.out", "w5.out "};
	char longest[256];

	fresh();
	start();
	memset(longest, 'n', 255);
	longest[255] = '\0';
	for (int round = 0; round < 100; round++) {
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			save_ref("batch.out", names[i]);
			CHECK(unlink(path(lab_dir, names[i])) == 0);
		}
		save_ref("batch.out", longest);
		CHECK(unlink(path(lab_dir, longest)) == 0);
	}
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(!log_says("\033") && !log_says("\xff"));
	check_stop();
}

/* A learner's folder whose own name is hostile. */
TEST(a_folder_of_any_name)
{
	static const char *const names[] = {"a\nb", "\033]0;x\007", "$(id)`id`%n", "\xff\xfe"};
	char plain[sizeof(lab_dir)];

	memcpy(plain, lab_dir, sizeof(plain));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		memcpy(lab_dir, plain, sizeof(plain));
		fresh();
		snprintf(lab_dir, sizeof(lab_dir), "%s/%s", root, names[i]);
		CHECK(mkdir(lab_dir, 0755) == 0);
		start();
		save_ref("w5.out", "w5.out");
		CHECK(wait_for("w5", passes));
		save_ref("batch.out", "w5.out");
		CHECK(wait_for("w5", fails));
		CHECK(log_comes_to_say("w5: fail"));
		CHECK(!log_says("\033") && !log_says("\xff") && !log_says("a\nb"));
		check_stop();
	}
	memcpy(lab_dir, plain, sizeof(plain));
}

/* ---- one file under heavy fire ---- */

/* Sleeps up to the moment. */
static void until_us(int64_t us)
{
	struct timespec then = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
}

/* Rewrites w5.out 1000 times a second, wrong and right in turn, right at last. How often. */
static int rewrite(int64_t ms)
{
	static char right[65536], wrong[65536];
	struct text a = slurp(REF "w5.out");
	size_t right_len = a.len, wrong_len;
	int64_t start_us = now_ms() * 1000;
	int count = 0;

	memcpy(right, a.ptr, a.len);
	a = slurp(REF "batch.out");
	wrong_len = a.len;
	memcpy(wrong, a.ptr, a.len);
	while (count < ms || count % 2) {
		bool last = count % 2;
		save(path(lab_dir, "w5.out"),
			(struct text){last ? right : wrong, last ? right_len : wrong_len});
		until_us(start_us + ++count * 1000);
	}
	return count;
}

TEST(a_thousand_rewrites_a_second)
{
	int64_t seconds = is_long() ? 10 : 3, start_ms, took_ms, worst_ms = 0;
	struct status status;
	long cpu, rss;
	int saves = 0;
	pid_t writer;

	fresh();
	start();
	save_ref("w5.out", "w5.out");
	save_ref("late.out", "late.out");
	CHECK(wait_for("w5", passes) && wait_for("late", passes));
	cpu = cpu_ms();
	rss = rss_kib();
	start_ms = now_ms();
	writer = fork();
	if (writer == 0)
		_exit(rewrite(seconds * 1000) < seconds * 1000);
	while (waitpid(writer, NULL, WNOHANG) == 0) {
		int64_t save_ms = now_ms();
		save_ref(++saves % 2 ? "batch.out" : "late.out", "late.out");
		CHECK(wait_for("late", saves % 2 ? fails : passes));
		worst_ms = now_ms() - save_ms > worst_ms ? now_ms() - save_ms : worst_ms;
		poll(NULL, 0, 50);
	}
	took_ms = now_ms() - start_ms;
	CHECK(wait_for("w5", passes));
	cpu = cpu_ms() - cpu;
	status = status_now();
	printf("# %ld ms of processor in %ld ms; %d saves of another step, the slowest seen after "
	       "%ld ms; "
	       "%ld attempts\n",
		cpu, (long)took_ms, saves, (long)worst_ms, (long)attempt_of(&status, "w5"));
	CHECK(cpu <= took_ms);
	/* Starved, it would wait for the end. */
	CHECK(worst_ms < 2000);
	CHECK(attempt_of(&status, "w5") <= 1 + 1000 * seconds);
	CHECK(is_bounded(rss));
	check_stop();
}

static bool has_causes(const struct status_step *step)
{
	return step->verdict.diagnosis_count > 0;
}

/* The causes of a verdict are found while another step is saved all the time, though each save
 * comes first. */
TEST(causes_in_the_middle_of_a_storm)
{
	pid_t writer;

	fresh();
	start();
	writer = fork();
	if (writer == 0)
		_exit(rewrite(4000) < 4000);
	CHECK(wait_for("w5", fails));
	save_ref("batch.out", "late.out");
	CHECK(wait_for("late", has_causes));
	CHECK(waitpid(writer, NULL, WNOHANG) == 0);
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	check_stop();
}

/* SIGTERM, and SIGKILL, in the middle of it: the file's last content has its verdict all the
 * same. */
TEST(an_end_in_the_middle_of_a_storm)
{
	fresh();
	for (int i = 0; i < 4; i++) {
		pid_t writer = fork();
		if (writer == 0)
			_exit(rewrite(600) < 600);
		start();
		poll(NULL, 0, 100);
		if (i % 2) {
			check_stop();
		} else {
			kill(daemon_pid, SIGKILL);
			waitpid(daemon_pid, NULL, 0);
		}
		start();
		waitpid(writer, NULL, 0);
		CHECK(wait_for("w5", passes));
		check_stop();
	}
}

static bool runs(const struct status_step *step)
{
	return step->running;
}

TEST(a_writer_that_never_closes)
{
	struct text whole;
	pid_t writer;

	fresh();
	start();
	whole = slurp(REF "w5.out");
	writer = fork();
	if (writer == 0) {
		int fd = open(path(lab_dir, "w5.out"), O_WRONLY | O_CREAT, 0644);
		for (size_t i = 0;; i++)
			if (write(fd, whole.ptr + i % whole.len, 1) < 0 || poll(NULL, 0, 1) < 0)
				_exit(1);
	}
	CHECK(wait_for("w5", runs));
	for (int i = 0; i < 10; i++) {
		save_ref(i % 2 ? "late.out" : "batch.out", "late.out");
		CHECK(wait_for("late", i % 2 ? passes : fails));
	}
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	CHECK(wait_for("w5", fails));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	check_stop();
}

/* Appends to w5.out as `echo >> w5.out` does it. */
static void append(struct text bytes)
{
	int fd = open(path(lab_dir, "w5.out"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);

	CHECK(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
	close(fd);
}

static bool seen_to_fail(void)
{
	struct status status;
	const struct status_step *step = read_status(&status) ? step_of(&status, "w5") : NULL;

	return step && fails(step);
}

/* Ten pieces with pauses longer than a close without an end waits. The first may be taken for
 * all; what goes on after it is running, and no attempt. */
TEST(a_writer_that_opens_it_for_each_piece)
{
	const struct status_step *step;
	struct text whole, bytes;
	int wrong = 0;

	fresh();
	start();
	whole = slurp(REF "w5.out");
	bytes = (struct text){strndup(whole.ptr, whole.len), whole.len};
	for (size_t i = 0; i < 10; i++) {
		int64_t end_ms = now_ms() + 150;
		append(text_slice(bytes, i * bytes.len / 10, (i + 1) * bytes.len / 10));
		if (i > 0 && i < 9)
			CHECK(wait_for("w5", runs));
		while (i > 0 && now_ms() < end_ms) {
			wrong += seen_to_fail();
			poll(NULL, 0, 5);
		}
		if (i == 0)
			poll(NULL, 0, 150);
	}
	step = wait_for("w5", passes);
	CHECK(step && step->attempt <= 2);
	CHECK(wrong == 0);
	free((char *)bytes.ptr);
	check_stop();
}

/* ---- what is no file ---- */

static bool is_not_regular(const struct status_step *step)
{
	return step->out.state == FILE_NOT_REGULAR && step->verdict.kind != VERDICT_PASS;
}

static bool is_too_large(const struct status_step *step)
{
	return step->out.state == FILE_TOO_LARGE && step->verdict.kind != VERDICT_PASS;
}

static void make_socket(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	close(fd);
}

static void make_fifo(const char *name)
{
	CHECK(mkfifo(name, 0644) == 0);
}

static void make_folder(const char *name)
{
	CHECK(mkdir(name, 0755) == 0);
}

static void make_link(const char *name)
{
	CHECK(symlink("/dev/zero", name) == 0);
}

static void make_loop(const char *name)
{
	CHECK(symlink(name, name) == 0);
}

static void (*const makers[])(const char *name) = {
	make_socket, make_fifo, make_folder, make_link, make_loop};

/* In the place of each file of a step: its output, its SQL, the report. */
TEST(everything_that_is_no_file_in_every_place)
{
	fresh();
	start();
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		makers[i](path(lab_dir, "w5.sql"));
		makers[i](path(lab_dir, "w5.out"));
		CHECK(wait_for("w5", is_not_regular));
		makers[i](path(lab_dir, "report.json"));
		CHECK(wait_for("report", is_not_regular));
		CHECK(remove(path(lab_dir, "w5.out")) == 0);
		CHECK(wait_for("w5", is_missing));
		save_ref("w5.out", "w5.out");
		CHECK(wait_for("w5", passes));
		CHECK(remove(path(lab_dir, "w5.out")) == 0 &&
			remove(path(lab_dir, "report.json")) == 0 &&
			remove(path(lab_dir, "w5.sql")) == 0);
		CHECK(wait_for("w5", is_missing));
	}
	check_stop();
}

/* A device under the name: to open one may do anything. */
TEST(a_device_in_the_place_of_an_output)
{
	if (!own_namespace)
		return;
	fresh();
	save(path(lab_dir, "w5.out"), TEXT(""));
	CHECK(mount("/dev/zero", path(lab_dir, "w5.out"), NULL, MS_BIND, NULL) == 0);
	start();
	CHECK(wait_for("w5", is_not_regular));
	save_ref("late.out", "late.out");
	CHECK(wait_for("late", passes));
	check_stop();
	CHECK(umount2(path(lab_dir, "w5.out"), MNT_DETACH) == 0);
}

/* Who waits for a reader of a FIFO is not let go on by us, into SIGPIPE. */
TEST(a_fifo_is_never_opened)
{
	int status;
	pid_t writer;

	fresh();
	make_fifo(path(lab_dir, "w5.out"));
	writer = fork();
	if (writer == 0)
		_exit(open(path(lab_dir, "w5.out"), O_WRONLY) < 0);
	start();
	CHECK(wait_for("w5", is_not_regular));
	CHECK(chmod(path(lab_dir, "w5.out"), 0600) == 0);
	save_ref("late.out", "late.out");
	CHECK(wait_for("late", passes));
	CHECK(waitpid(writer, &status, WNOHANG) == 0);
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	check_stop();
}

static void make_huge(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	CHECK(fd >= 0 && ftruncate(fd, (off_t)1 << 40) == 0);
	close(fd);
}

TEST(a_sparse_file_of_a_tebibyte)
{
	long rss;

	fresh();
	start();
	rss = rss_kib();
	make_huge(path(lab_dir, "w5.out"));
	CHECK(wait_for("w5", is_too_large));
	make_huge(path(lab_dir, "report.json"));
	CHECK(wait_for("report", is_too_large));
	make_huge(path(lab_dir, "late.sql"));
	save_ref("late.out", "late.out");
	CHECK(wait_for("late", passes));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(is_bounded(rss));
	check_stop();
}

int main(void)
{
	enter_namespace();
	if (!set_up())
		return 1;
	RUN(twenty_thousand_files_at_once);
	RUN(twenty_thousand_files_and_events_lost);
	RUN(folder_removed_and_made_again_a_hundred_times);
	RUN(folders_in_turn);
	RUN(rename_storm);
	RUN(names_of_all_kinds);
	RUN(a_folder_of_any_name);
	RUN(a_thousand_rewrites_a_second);
	RUN(causes_in_the_middle_of_a_storm);
	RUN(an_end_in_the_middle_of_a_storm);
	RUN(a_writer_that_never_closes);
	RUN(a_writer_that_opens_it_for_each_piece);
	RUN(everything_that_is_no_file_in_every_place);
	RUN(a_device_in_the_place_of_an_output);
	RUN(a_fifo_is_never_opened);
	RUN(a_sparse_file_of_a_tebibyte);
	arena_finish(&arena);
	shell("rm -rf %s", root);
	return test_finish();
}

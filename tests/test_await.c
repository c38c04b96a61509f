/* Await: whether a status covers the files on disk, and the wait for one that does. */
#include "daemon/await.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "daemon/sha256.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

#define SAVED_NS 1700000000000000000 /* when every file here was saved, unless a test says else */

/* A run directory and a lab's folder with one step, w5. */
struct stage {
	struct arena arena;
	char run_dir[64], folder[64];
	int run_fd;
	struct status_step step;
	struct status_lab lab;
	struct status status;
	char sha256[SHA256_HEX];
};

static void save(const struct stage *stage, const char *bytes, int64_t mtime_ns)
{
	struct timespec times[2] = {
		{.tv_sec = mtime_ns / 1000000000, .tv_nsec = mtime_ns % 1000000000}};
	char path[96];
	int fd;

	times[1] = times[0];
	snprintf(path, sizeof(path), "%s/w5.out", stage->folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	CHECK(write(fd, bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
	CHECK(futimens(fd, times) == 0);
	close(fd);
}

/* What the daemon would say after it has graded these bytes. */
static void grade(struct stage *stage, const char *bytes, int64_t mtime_ns)
{
	sha256_hex(text_of(bytes), stage->sha256);
	stage->step.out = (struct status_file){.name = TEXT("w5.out"),
		.state = FILE_THERE,
		.size = (int64_t)strlen(bytes),
		.mtime_ns = mtime_ns,
		.sha256 = text_of(stage->sha256)};
	stage->status.seq++;
}

static void publish(struct stage *stage, int64_t stamp_ns)
{
	struct text json, lines;

	CHECK(status_pack_json(&stage->arena, &stage->status, &json, NULL) == 0);
	CHECK(status_pack(&stage->arena, &stage->status, &lines, NULL) == 0);
	CHECK(status_write(stage->run_fd, STATUS_JSON, json, 0, NULL) == 0);
	CHECK(status_write(stage->run_fd, STATUS_FILE, lines, stamp_ns, NULL) == 0);
}

static void open_stage(struct stage *stage)
{
	*stage =
		(struct stage){.run_dir = "/tmp/ewin_run_XXXXXX", .folder = "/tmp/ewin_lab_XXXXXX"};
	arena_init(&stage->arena, LIMIT_STATUS_ARENA);
	CHECK(mkdtemp(stage->run_dir) && mkdtemp(stage->folder));
	stage->run_fd = open(stage->run_dir, O_RDONLY | O_DIRECTORY);
	stage->step = (struct status_step){.name = TEXT("w5"),
		.out = {.name = TEXT("w5.out"), .state = FILE_MISSING},
		.verdict = {.kind = VERDICT_MISSING, .summary = {.id = MSG_MISSING}}};
	stage->lab = (struct status_lab){.name = TEXT("lab"),
		.folder = text_of(stage->folder),
		.steps = &stage->step,
		.step_count = 1};
	stage->status =
		(struct status){.seq = 1, .pid = getpid(), .labs = &stage->lab, .lab_count = 1};
}

static void close_stage(struct stage *stage)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -rf %s %s", stage->run_dir, stage->folder);
	CHECK(system(command) == 0);
	close(stage->run_fd);
	arena_finish(&stage->arena);
}

static enum coverage ask(const struct stage *stage, int64_t wait_ms)
{
	enum coverage coverage = COVERAGE_DOWN;
	struct status status;
	struct arena arena;

	arena_init(&arena, LIMIT_STATUS_ARENA);
	CHECK(await_verdict(&arena, stage->run_dir, wait_ms, 0, &status, &coverage, NULL) == 0);
	arena_finish(&arena);
	return coverage;
}

TEST(nothing_saved_is_settled)
{
	struct stage stage;

	open_stage(&stage);
	publish(&stage, SAVED_NS);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	save(&stage, "one\n", SAVED_NS + 1);
	CHECK(ask(&stage, 0) == COVERAGE_BEHIND);
	close_stage(&stage);
}

TEST(the_promise_is_believed)
{
	struct stage stage;

	open_stage(&stage);
	save(&stage, "one\n", SAVED_NS);
	grade(&stage, "two\n", SAVED_NS);
	publish(&stage, SAVED_NS);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	close_stage(&stage);
}

/* The daemon writes two files, that of the prompt last: who was told that all is graded finds it
 * there. */
TEST(what_is_graded_is_in_both_files)
{
	struct stage stage;
	struct text json;

	open_stage(&stage);
	publish(&stage, SAVED_NS);
	save(&stage, "one\n", SAVED_NS);
	grade(&stage, "one\n", SAVED_NS);
	CHECK(status_pack_json(&stage.arena, &stage.status, &json, NULL) == 0);
	CHECK(status_write(stage.run_fd, STATUS_JSON, json, 0, NULL) == 0);
	CHECK(ask(&stage, 0) == COVERAGE_BEHIND);
	publish(&stage, SAVED_NS);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	close_stage(&stage);
}

TEST(within_a_tick_the_bytes_decide)
{
	struct stage stage;

	open_stage(&stage);
	save(&stage, "one\n", SAVED_NS);
	grade(&stage, "one\n", SAVED_NS);
	publish(&stage, SAVED_NS - 1);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	save(&stage, "two\n", SAVED_NS);
	CHECK(ask(&stage, 0) == COVERAGE_BEHIND);
	close_stage(&stage);
}

TEST(a_copy_with_an_old_time_is_a_save)
{
	struct stage stage;

	open_stage(&stage);
	grade(&stage, "one\n", SAVED_NS);
	publish(&stage, SAVED_NS + 5);
	save(&stage, "two\n", SAVED_NS - 1000000000);
	CHECK(ask(&stage, 0) == COVERAGE_BEHIND);
	save(&stage, "one\n", SAVED_NS - 1000000000);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	save(&stage, "one\n", SAVED_NS + 1000000000);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	close_stage(&stage);
}

TEST(a_removed_file_is_not_covered)
{
	struct stage stage;

	open_stage(&stage);
	grade(&stage, "one\n", SAVED_NS);
	publish(&stage, SAVED_NS + 5);
	CHECK(ask(&stage, 0) == COVERAGE_BEHIND);
	close_stage(&stage);
}

TEST(running_while_a_writer_holds_it)
{
	struct stage stage;
	char path[96];
	int writer;

	open_stage(&stage);
	save(&stage, "+----+\n", SAVED_NS);
	stage.step.running = true;
	publish(&stage, SAVED_NS + 5);
	snprintf(path, sizeof(path), "%s/w5.out", stage.folder);
	writer = open(path, O_WRONLY | O_APPEND);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	close(writer);
	CHECK(ask(&stage, 0) == COVERAGE_BEHIND);
	close_stage(&stage);
}

/* Opens it for writing until it was refused twenty times: each time somebody held a lease at that
 * moment. */
static void write_over(const struct stage *stage)
{
	char path[96];
	int refused = 0;

	snprintf(path, sizeof(path), "%s/w5.out", stage->folder);
	for (time_t end = time(NULL) + 20; refused < 20 && time(NULL) < end;) {
		int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		refused += fd < 0 && errno == EWOULDBLOCK;
		if (fd >= 0)
			close(fd);
	}
	_exit(refused < 20);
}

/* The kernel tells who holds a lease that a writer came, by a signal that ends whoever does not
 * expect it. */
TEST(a_writer_who_comes_meanwhile_ends_nobody)
{
	struct stage stage;
	pid_t writer;
	int status = -1;

	open_stage(&stage);
	save(&stage, "| op |", SAVED_NS);
	grade(&stage, "| op |", SAVED_NS);
	stage.step.running = true;
	publish(&stage, SAVED_NS);
	writer = fork();
	if (writer == 0)
		write_over(&stage);
	CHECK(writer > 0);
	while (waitpid(writer, &status, WNOHANG) == 0)
		ask(&stage, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close_stage(&stage);
}

TEST(a_broken_lab_has_nothing_to_wait_for)
{
	struct stage stage;

	open_stage(&stage);
	save(&stage, "one\n", SAVED_NS);
	stage.lab.problem = TEXT("lab.json is empty");
	publish(&stage, 1);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	close_stage(&stage);
}

TEST(no_daemon_is_down)
{
	struct stage stage;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	open_stage(&stage);
	CHECK(ask(&stage, 0) == COVERAGE_DOWN);
	stage.status.pid = child;
	publish(&stage, 1);
	CHECK(ask(&stage, 0) == COVERAGE_SETTLED);
	save(&stage, "one\n", SAVED_NS);
	CHECK(ask(&stage, 0) == COVERAGE_DOWN);
	close_stage(&stage);
	CHECK(ask(&stage, 0) == COVERAGE_DOWN);
}

/* A status that comes during the wait ends it: the bound is longer than the whole test may take. */
TEST(the_wait_ends_with_the_verdict)
{
	struct stage stage;
	pid_t child;
	int status;

	open_stage(&stage);
	publish(&stage, 1);
	save(&stage, "one\n", SAVED_NS);
	child = fork();
	if (child == 0) {
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
		grade(&stage, "one\n", SAVED_NS);
		publish(&stage, SAVED_NS + 1);
		_exit(0);
	}
	CHECK(ask(&stage, 60000) == COVERAGE_SETTLED);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	close_stage(&stage);
}

TEST(what_is_no_status_is_an_error)
{
	static const char *const bad[] = {"", "{", "[]", "{\"version\": 2}", "{\"version\": 1}",
		"\x7f"
		"ELF"};
	struct stage stage;
	struct status status;
	struct diag diag;

	open_stage(&stage);
	CHECK(await_read(&stage.arena, stage.run_dir, &status, &diag) == -ENOENT);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		enum coverage coverage;

		CHECK(status_write(stage.run_fd, STATUS_JSON, text_of(bad[i]), 0, NULL) == 0);
		CHECK(await_read(&stage.arena, stage.run_dir, &status, &diag) == -EINVAL);
		CHECK(await_verdict(&stage.arena, stage.run_dir, 0, 0, &status, &coverage, &diag) ==
			-EINVAL);
		CHECK(diag.text[0] != '\0');
	}
	close_stage(&stage);
}

int main(void)
{
	RUN(nothing_saved_is_settled);
	RUN(the_promise_is_believed);
	RUN(what_is_graded_is_in_both_files);
	RUN(within_a_tick_the_bytes_decide);
	RUN(a_copy_with_an_old_time_is_a_save);
	RUN(a_removed_file_is_not_covered);
	RUN(running_while_a_writer_holds_it);
	RUN(a_writer_who_comes_meanwhile_ends_nobody);
	RUN(a_broken_lab_has_nothing_to_wait_for);
	RUN(no_daemon_is_down);
	RUN(the_wait_ends_with_the_verdict);
	RUN(what_is_no_status_is_an_error);
	return test_finish();
}

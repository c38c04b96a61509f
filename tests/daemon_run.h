/* The real ewind in a temporary folder, for tests. Every wait is for something that happens, as a
 * rule in the run directory, and is bounded by DEADLINE_MS. */
#ifndef EWIN_TESTS_DAEMON_RUN_H
#define EWIN_TESTS_DAEMON_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/status.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

/* What a machine that is busy otherwise needs; a daemon alone needs a hundredth. */
#define DEADLINE_MS 20000
#define STOP_MS	    10000

#define REF "tests/recorded/watermark/ref/"

static char root[] = "/tmp/ewin-daemon-XXXXXX";
static char lab_dir[64], run_dir[64], state_dir[64], log_path[64], data_root[256], labs_dir[256];
static char program[256];
static pid_t daemon_pid;
static int beats; /* signs of life that the daemon gave to the service manager */
static int notify_fd = -1, inotify_fd = -1;
static struct arena arena; /* of the status read last */

/* ---- files ---- */

static inline const char *path(const char *folder, const char *name)
{
	static char paths[4][512];
	static unsigned turn;
	char *ret = paths[turn++ % 4];

	snprintf(ret, sizeof(paths[0]), "%s/%s", folder, name);
	return ret;
}

static inline struct text slurp(const char *name)
{
	static char buf[1 << 20];
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, buf, sizeof(buf));

	close(fd);
	return (struct text){buf, len < 0 ? 0 : (size_t)len};
}

static inline void save(const char *name, struct text bytes)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	CHECK(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
	close(fd);
}

static inline void save_ref(const char *ref, const char *as)
{
	char from[256];

	snprintf(from, sizeof(from), REF "%s", ref);
	save(path(lab_dir, as), slurp(from));
}

static inline void shell(const char *format, ...)
{
	char command[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	CHECK(system(command) == 0);
}

static inline bool log_says(const char *what)
{
	struct text log = slurp(log_path);

	return text_find(log, text_of(what)) < log.len;
}

/* ---- the daemon ---- */

static inline int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for that: what is logged of a verdict comes behind its status. */
static inline bool log_comes_to_say(const char *what)
{
	int64_t end_ms = now_ms() + DEADLINE_MS;

	while (now_ms() < end_ms && !log_says(what))
		poll(NULL, 0, 5);
	return log_says(what);
}

/* Root, too, is to read only what modes let it: as the service does, the daemon has none of these
 * capabilities. */
static inline void drop_override(void)
{
	prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
	prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
}

static inline void become_daemon(char *const argv[])
{
	int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	dup2(log, STDERR_FILENO);
	close(log);
	drop_override();
	setenv("STATE_DIRECTORY", state_dir, 1);
	setenv("NOTIFY_SOCKET", path(root, "notify"), 1);
	execv(program, argv);
	_exit(127);
}

/* A message of the service manager's kind that is there. */
static inline bool take_notification(char *ret, size_t size)
{
	ssize_t len = recv(notify_fd, ret, size - 1, MSG_DONTWAIT);

	if (len < 0)
		return false;
	ret[len] = '\0';
	beats += strcmp(ret, "WATCHDOG=1") == 0;
	return true;
}

/* Waits for one that contains `what`. */
static inline bool notified(const char *what)
{
	struct pollfd poller = {.fd = notify_fd, .events = POLLIN};
	int64_t end_ms = now_ms() + DEADLINE_MS;
	char message[1024];

	while (now_ms() < end_ms && poll(&poller, 1, (int)(end_ms - now_ms())) > 0) {
		if (!take_notification(message, sizeof(message)))
			return false;
		if (strstr(message, what))
			return true;
	}
	return false;
}

/* The socket holds few messages, and the daemon waits for room as it does for the real manager. */
static inline void drain_notifications(void)
{
	char drained[1024];

	while (take_notification(drained, sizeof(drained)))
		;
}

static inline void spawn(char *const argv[])
{
	drain_notifications();
	daemon_pid = fork();
	if (daemon_pid == 0)
		become_daemon(argv);
	CHECK(daemon_pid > 0);
}

static inline void start_with(char *const argv[])
{
	spawn(argv);
	CHECK(notified("READY=1"));
}

static inline void start(void)
{
	char watch[128];
	char *argv[] = {program, "--foreground", "--watch", watch, "--labs", labs_dir,
		"--data-root", data_root, "--run-dir", run_dir, NULL};

	snprintf(watch, sizeof(watch), "watermark=%s", lab_dir);
	start_with(argv);
}

/* Ends it as systemd does, which goes on reading what it is told. Its wait status, or -1 where it
 * takes longer than STOP_MS; one that does not end is killed. */
static inline int stop(void)
{
	struct pollfd pollers[] = {
		{.fd = (int)syscall(SYS_pidfd_open, daemon_pid, 0), .events = POLLIN},
		{.fd = notify_fd, .events = POLLIN}};
	int64_t start_ms = now_ms();
	int status = -1;

	kill(daemon_pid, SIGTERM);
	while (!(pollers[0].revents & POLLIN) && now_ms() < start_ms + DEADLINE_MS &&
		poll(pollers, 2, DEADLINE_MS) > 0)
		drain_notifications();
	if (!(pollers[0].revents & POLLIN))
		kill(daemon_pid, SIGKILL);
	close(pollers[0].fd);
	waitpid(daemon_pid, &status, 0);
	daemon_pid = 0;
	return now_ms() - start_ms < STOP_MS ? status : -1;
}

/* How often the daemon's log says something. */
static inline int log_count(const char *what)
{
	struct text log = slurp(log_path);
	size_t at;
	int count = 0;

	while ((at = text_find(log, text_of(what))) < log.len) {
		count++;
		log = text_slice(log, at + 1, log.len);
	}
	return count;
}

/* A number of a file below /proc/PID. */
static inline long number_after(const char *file, const char *label)
{
	char name[64];
	struct text text;
	size_t at;

	snprintf(name, sizeof(name), "/proc/%d/%s", (int)daemon_pid, file);
	text = slurp(name);
	at = text_find(text, text_of(label));
	return at < text.len ? strtol(text.ptr + at + strlen(label), NULL, 10) : -1;
}

static inline long rss_kib(void)
{
	return number_after("status", "VmRSS:");
}

/* Does it take hardly more memory than before? A sanitizer keeps what was freed. */
static inline bool is_bounded(long before_kib)
{
#ifdef __SANITIZE_ADDRESS__
	return before_kib >= 0;
#else
	return rss_kib() < before_kib + 16384;
#endif
}

/* How many files it has open. */
static inline int open_files(void)
{
	char command[256], line[32] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "ls -1 /proc/%d/fd | wc -l", (int)daemon_pid);
	pipe = popen(command, "r");
	CHECK(pipe && fgets(line, sizeof(line), pipe));
	if (pipe)
		pclose(pipe);
	return atoi(line);
}

/* How many folders it watches. */
static inline int watches(void)
{
	char command[256], line[32] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "cat /proc/%d/fdinfo/* 2>/dev/null | grep -c '^inotify'",
		(int)daemon_pid);
	pipe = popen(command, "r");
	CHECK(pipe && fgets(line, sizeof(line), pipe));
	if (pipe)
		pclose(pipe);
	return atoi(line);
}

/* ---- the status ---- */

static inline bool read_status(struct status *ret)
{
	struct text bytes = slurp(path(run_dir, STATUS_JSON));
	struct diag diag;

	drain_notifications();
	arena_finish(&arena);
	arena_init(&arena, 16u << 20);
	bytes = text_copy(&arena, bytes);
	if (!bytes.len)
		return false;
	if (status_unpack_json(&arena, bytes, ret, &diag) < 0) {
		printf("# status.json: %s\n", diag.text);
		return false;
	}
	return true;
}

static inline const struct status_step *step_of(const struct status *status, const char *name)
{
	for (size_t i = 0; i < status->lab_count; i++)
		for (size_t j = 0; j < status->labs[i].step_count; j++)
			if (text_eq(status->labs[i].steps[j].name, text_of(name)))
				return &status->labs[i].steps[j];
	return NULL;
}

static inline int64_t attempt_of(const struct status *status, const char *name)
{
	const struct status_step *step = step_of(status, name);

	return step ? step->attempt : -1;
}

/* Waits until the condition holds for the step; the step as it is then, else NULL. */
static inline const struct status_step *wait_for(
	const char *name, bool (*holds)(const struct status_step *step))
{
	struct pollfd poller = {.fd = inotify_fd, .events = POLLIN};
	int64_t end_ms = now_ms() + DEADLINE_MS;
	static struct status status;
	char events[4096];

	while (now_ms() < end_ms) {
		const struct status_step *step =
			read_status(&status) ? step_of(&status, name) : NULL;
		if (step && holds(step))
			return step;
		if (poll(&poller, 1, (int)(end_ms - now_ms())) > 0 &&
			read(inotify_fd, events, sizeof(events)) < 0)
			break;
	}
	printf("# waited in vain for %s\n", name);
	return NULL;
}

static inline bool passes(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_PASS && !step->running && !step->stale;
}

static inline bool fails(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_FAIL && !step->running;
}

static inline bool is_missing(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_MISSING && !step->running;
}

static inline struct status status_now(void)
{
	struct status status = {0};

	CHECK(read_status(&status));
	return status;
}

/* An empty folder, no state, nobody running. */
static inline void fresh(void)
{
	shell("rm -rf %s %s %s && mkdir %s %s %s", lab_dir, run_dir, state_dir, lab_dir, run_dir,
		state_dir);
	if (inotify_fd >= 0)
		close(inotify_fd);
	inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	CHECK(inotify_add_watch(inotify_fd, run_dir, IN_MOVED_TO | IN_DELETE | IN_ATTRIB) >= 0);
}

static inline void check_stop(void)
{
	CHECK(stop() == 0);
	CHECK(access(path(run_dir, STATUS_FILE), F_OK) < 0);
	CHECK(access(path(run_dir, STATUS_JSON), F_OK) < 0);
}

/* Do modes hold a daemon back? Not where root may not drop a capability. */
static inline bool modes_hold_back(void)
{
	unsigned long long effective;
	char name[64];
	struct text text;
	size_t at;

	fresh();
	start();
	snprintf(name, sizeof(name), "/proc/%d/status", (int)daemon_pid);
	text = slurp(name);
	at = text_find(text, TEXT("CapEff:"));
	effective = at < text.len ? strtoull(text.ptr + at + 7, NULL, 16) : ~0ull;
	check_stop();
	return !(effective & (1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH));
}

static inline bool set_up(void)
{
	const char *build = getenv("BUILD");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char cwd[128];

	if (!mkdtemp(root) || !getcwd(cwd, sizeof(cwd)))
		return false;
	snprintf(program, sizeof(program), "%s/ewind", build ? build : "build");
	snprintf(lab_dir, sizeof(lab_dir), "%s/lab", root);
	snprintf(run_dir, sizeof(run_dir), "%s/run", root);
	snprintf(state_dir, sizeof(state_dir), "%s/state", root);
	snprintf(log_path, sizeof(log_path), "%s/log", root);
	snprintf(data_root, sizeof(data_root), "%s/tests/recorded/root", cwd);
	snprintf(labs_dir, sizeof(labs_dir), "%s/contrib/labs", cwd);
	notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/notify", root);
	return bind(notify_fd, (struct sockaddr *)&address, sizeof(address)) == 0;
}

#endif

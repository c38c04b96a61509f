/* When the service manager is told that the daemon is alive: only while the loop turns and the
 * kernel tells the watch of changes, or it is known that it does not. A daemon that nobody
 * watches does nothing of it. */
#include "daemon/pulse.h"
#include "daemon/watch.h"
#include "tests/daemon_run.h"
#include "tests/own_namespace.h"

/* The daemon gives its sign of life at half of this. */
#define WATCHDOG_MS 200

static void be_watched(bool on)
{
	char usec[16];

	snprintf(usec, sizeof(usec), "%d", WATCHDOG_MS * 1000);
	if (on)
		setenv("WATCHDOG_USEC", usec, 1);
	else
		unsetenv("WATCHDOG_USEC");
}

static void start_watched(void)
{
	be_watched(true);
	start();
	be_watched(false);
}

/* Waits for so many further signs of life. */
static bool lives(int count)
{
	int64_t end_ms = now_ms() + DEADLINE_MS;
	struct pollfd poller = {.fd = notify_fd, .events = POLLIN};

	drain_notifications();
	beats = 0;
	while (beats < count && now_ms() < end_ms) {
		poll(&poller, 1, 100);
		drain_notifications();
	}
	return beats >= count;
}

/* ---- the pulse alone ---- */

/* Takes in what the watch tells; how much of it was the pulse's own. */
static int drain(struct watch *watch, struct pulse *pulse)
{
	struct watch_event event;
	int own = 0;

	while (watch_next(watch, &event) > 0)
		own += pulse_event(pulse, &event);
	drain_notifications();
	return own;
}

TEST(a_beat_is_told_once_by_its_event_or_by_an_overflow)
{
	struct watch *watch;
	struct pulse pulse;
	int dirfd, id;

	fresh();
	be_watched(true);
	setenv("NOTIFY_SOCKET", path(root, "notify"), 1);
	drain_notifications();
	pulse_init(&pulse);
	CHECK(watch_new(&watch, NULL) == 0);
	beats = 0;
	pulse_beat(&pulse, watch);
	drain_notifications();
	CHECK(beats == 0);
	CHECK(drain(watch, &pulse) == 1 && beats == 1);
	/* A change that nobody asked for proves nothing, and none is told twice. */
	CHECK(futimens(pulse.fd, NULL) == 0);
	CHECK(drain(watch, &pulse) == 1 && beats == 1);
	/* Where the kernel's queue was full, it was told that events were lost. */
	dirfd = open(lab_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(watch_add(watch, dirfd, WATCH_FILES, &id) == 0);
	save(path(lab_dir, "a"), TEXT(""));
	save(path(lab_dir, "b"), TEXT(""));
	for (int i = 0; i < 17000; i++)
		CHECK(chmod(path(lab_dir, i % 2 ? "a" : "b"), 0644) == 0);
	pulse_beat(&pulse, watch);
	CHECK(drain(watch, &pulse) == 0 && beats == 2);
	/* Without a watch what was looked at is all that can be known. */
	pulse_beat(&pulse, NULL);
	drain_notifications();
	CHECK(beats == 3);
	be_watched(false);
	pulse_beat(&pulse, watch);
	pulse_beat(&pulse, NULL);
	CHECK(drain(watch, &pulse) == 0 && beats == 3);
	close(dirfd);
	watch_free(watch);
	pulse_finish(&pulse);
}

/* ---- the daemon ---- */

/* The descriptors of the daemon that lead to something of this name. */
static bool has_open(const char *what)
{
	char command[128];

	snprintf(command, sizeof(command), "ls -l /proc/%d/fd | grep -q '%s'", (int)daemon_pid,
		what);
	return system(command) == 0;
}

static int64_t promise(void)
{
	struct stat st = {0};

	CHECK(stat(path(run_dir, STATUS_FILE), &st) == 0);
	return (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

TEST(an_idle_daemon_lives_and_promises_nothing_anew)
{
	int64_t before, seq;

	fresh();
	start_watched();
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	/* The promise for that save is given within one. */
	CHECK(lives(3));
	before = promise();
	seq = status_now().seq;
	CHECK(lives(5));
	CHECK(promise() == before && status_now().seq == seq);
	CHECK(has_open("memfd:ewind-pulse"));
	check_stop();
}

TEST(a_daemon_that_nobody_watches_does_nothing_of_it)
{
	fresh();
	beats = 0;
	start();
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(!has_open("memfd:ewind-pulse"));
	check_stop();
	CHECK(beats == 0);
}

static bool is_deaf(void)
{
	int64_t end_ms = now_ms() + DEADLINE_MS;

	while (watches() > 0 && now_ms() < end_ms)
		poll(NULL, 0, 5);
	return watches() == 0;
}

/* Its scans go on and find each save: still it is not to be called alive. */
TEST(a_deaf_daemon_is_not_called_alive)
{
	char deaf[300];

	fresh();
	snprintf(deaf, sizeof(deaf), "%s/tests/deaf.so",
		getenv("BUILD") ? getenv("BUILD") : "build");
	setenv("LD_PRELOAD", deaf, 1);
	start_watched();
	unsetenv("LD_PRELOAD");
	CHECK(lives(2));
	kill(daemon_pid, SIGUSR1);
	CHECK(is_deaf());
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	/* It may have been in the middle of a turn. */
	beats = 0;
	for (int i = 0; i < 3; i++) {
		save_ref(i % 2 ? "w5.out" : "batch.out", "w5.out");
		CHECK(wait_for("w5", i % 2 ? passes : fails));
	}
	CHECK(beats == 0);
	check_stop();
}

/* The test itself has one instance with one watch. */
static void check_polling(const char *limit)
{
	if (!own_namespace)
		return;
	fresh();
	set_limit(limit, 1);
	start_watched();
	CHECK(log_says("cannot watch"));
	CHECK(lives(5));
	set_limit(limit, 1000);
	/* From then on it is asked of the watch. */
	CHECK(lives(5));
	CHECK(watches() > 0);
	check_stop();
}

TEST(a_daemon_without_an_instance_of_inotify_lives)
{
	check_polling("max_inotify_instances");
}

TEST(a_daemon_that_cannot_watch_anything_lives)
{
	check_polling("max_inotify_watches");
}

int main(void)
{
	/* deaf.so is not linked against a sanitizer, and is there before it. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
	enter_namespace();
	if (!set_up())
		return 1;
	RUN(a_beat_is_told_once_by_its_event_or_by_an_overflow);
	RUN(an_idle_daemon_lives_and_promises_nothing_anew);
	RUN(a_daemon_that_nobody_watches_does_nothing_of_it);
	RUN(a_deaf_daemon_is_not_called_alive);
	RUN(a_daemon_without_an_instance_of_inotify_lives);
	RUN(a_daemon_that_cannot_watch_anything_lives);
	arena_finish(&arena);
	shell("rm -rf %s", root);
	return test_finish();
}

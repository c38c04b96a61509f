/* Bench: many saves of many files, as fast as the disk takes them.
 *
 *	storm SAVES FILES FOLDER RUN_DIR PID FINAL OTHER...
 *
 * Saves the bytes of OTHER..., in turn, as FOLDER/sN.out for N from 0 to FILES - 1, round and
 * round, and those of FINAL as each file's last, under a daemon with the process id PID whose
 * status is in RUN_DIR. Prints one line: saves a second, last contents that no verdict came for,
 * how long verdicts took from the close of each file, as median, 99th percentile and maximum in
 * microseconds, processor time of the daemon in percent of one core until the last verdict, and
 * its resident size in KiB once it is at rest. */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/status.h"
#include "parser/arena.h"

#define MAX_FILES    1000
#define MAX_CONTENTS 8
#define MAX_BYTES    (1 << 20)
#define LOST_US	     10000000
#define REST_MS	     200

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* What the writer tells the reader. */
struct shared {
	atomic_int saves;
	_Atomic int64_t closed_us[MAX_FILES]; /* of the last content; 0: not yet */
};

struct storm {
	int64_t saves, files, pid;
	int folder, run_dir;
	struct intake contents[MAX_CONTENTS]; /* the first is the last that is saved */
	size_t count;
	struct shared *shared;
	int64_t seen_us[MAX_FILES]; /* when the status told of the last content; 0: not yet */
};

static int usage(void)
{
	fputs("usage: storm SAVES FILES FOLDER RUN_DIR PID FINAL OTHER...\n", stderr);
	return 2;
}

/* ---- the writer ---- */

static void save_one(const struct storm *storm, int64_t n)
{
	int64_t file = n % storm->files;
	bool last = n + storm->files >= storm->saves;
	const struct intake *content =
		&storm->contents[last ? 0 : 1 + (size_t)(n / storm->files) % (storm->count - 1)];
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "s%" PRId64 ".out", file);
	fd = openat(storm->folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, content->file.bytes.ptr, content->file.bytes.len) !=
			      (ssize_t)content->file.bytes.len) {
		perror(name);
		_exit(1);
	}
	close(fd);
	if (last)
		storm->shared->closed_us[file] = now_us();
	storm->shared->saves++;
}

/* ---- the reader ---- */

/* The sum of two numbers of /proc/PID/stat: the daemon's processor time in ms. */
static int64_t cpu_ms(int64_t pid)
{
	long user = 0, kernel = 0;
	char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%" PRId64 "/stat", pid);
	file = fopen(name, "r");
	if (!file || fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %ld %ld",
			     &user, &kernel) != 2)
		perror(name);
	if (file)
		fclose(file);
	return (user + kernel) * 1000 / sysconf(_SC_CLK_TCK);
}

static int64_t rss_kib(int64_t pid)
{
	long pages = 0;
	char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%" PRId64 "/statm", pid);
	file = fopen(name, "r");
	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		perror(name);
	if (file)
		fclose(file);
	return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void note_step(struct storm *storm, const struct status_step *step, int64_t us)
{
	int64_t file;

	if (text_to_int64(text_slice(step->name, 1, step->name.len), &file) < 0 ||
		file >= storm->files || storm->seen_us[file] || step->running ||
		!storm->shared->closed_us[file])
		return;
	if (text_eq(step->out.sha256, text_of(storm->contents[0].identity.sha256)))
		storm->seen_us[file] = us;
}

/* Reads the status; how many last contents it has told of so far. */
static int64_t look(struct storm *storm, int64_t us)
{
	struct arena arena;
	struct intake intake;
	struct status status;
	int64_t count = 0;

	arena_init(&arena, 256u << 20);
	if (intake_bytes(&arena, storm->run_dir, STATUS_JSON, 8u << 20, &intake, NULL) == 0 &&
		status_unpack_json(&arena, intake.file.bytes, &status, NULL) == 0)
		for (size_t i = 0; status.lab_count && i < status.labs[0].step_count; i++)
			note_step(storm, &status.labs[0].steps[i], us);
	arena_finish(&arena);
	for (int64_t i = 0; i < storm->files; i++)
		count += storm->seen_us[i] > 0;
	return count;
}

/* Watches until all are told of. */
static void follow(struct storm *storm, int watch)
{
	struct pollfd poller = {.fd = watch, .events = POLLIN};
	int64_t end_us = INT64_MAX, us;
	char events[4096] __attribute__((aligned(8)));

	while ((us = now_us()) < end_us) {
		int saves = storm->shared->saves;
		if (end_us == INT64_MAX && saves == storm->saves)
			end_us = us + LOST_US;
		if (poll(&poller, 1, 1) <= 0)
			continue;
		us = now_us();
		/* Reading it in the storm's beginning tells nothing, and takes the daemon's
		 * time. */
		if (read(watch, events, sizeof(events)) > 0 &&
			saves + 2 * storm->files >= storm->saves && look(storm, us) == storm->files)
			break;
	}
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void report(struct storm *storm, int64_t start_us, int64_t cpu)
{
	int64_t took_us[MAX_FILES], last_us = 0, seen_us = 0;
	size_t count = 0;

	for (int64_t i = 0; i < storm->files; i++) {
		int64_t closed_us = storm->shared->closed_us[i];
		last_us = closed_us > last_us ? closed_us : last_us;
		seen_us = storm->seen_us[i] > seen_us ? storm->seen_us[i] : seen_us;
		if (storm->seen_us[i])
			took_us[count++] = storm->seen_us[i] - closed_us;
	}
	if (!count) {
		printf("0 %" PRId64 " - - - - -\n", storm->files);
		return;
	}
	poll(NULL, 0, REST_MS);
	qsort(took_us, count, sizeof(took_us[0]), compare);
	printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
	       "\n",
		storm->saves * 1000000 / (last_us - start_us), storm->files - (int64_t)count,
		took_us[count / 2], took_us[count * 99 / 100], took_us[count - 1],
		cpu * 100000 / (seen_us - start_us), rss_kib(storm->pid));
}

static bool open_all(struct storm *storm, struct arena *arena, int argc, char **argv)
{
	if (argc < 8 || argc > 7 + MAX_CONTENTS - 1 ||
		text_to_int64(text_of(argv[1]), &storm->saves) < 0 ||
		text_to_int64(text_of(argv[2]), &storm->files) < 0 ||
		text_to_int64(text_of(argv[5]), &storm->pid) < 0 || storm->files < 1 ||
		storm->files > MAX_FILES)
		return false;
	storm->folder = open(argv[3], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	storm->run_dir = open(argv[4], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 6; i < argc; i++)
		if (intake_read(arena, AT_FDCWD, argv[i], MAX_BYTES,
			    &storm->contents[storm->count++], NULL) < 0)
			return false;
	storm->shared = mmap(NULL, sizeof(*storm->shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return storm->folder >= 0 && storm->run_dir >= 0 && storm->shared != MAP_FAILED;
}

int main(int argc, char **argv)
{
	static struct storm storm;
	int64_t start_us, cpu;
	struct arena arena;
	pid_t writer;
	int watch = inotify_init1(IN_CLOEXEC);

	arena_init(&arena, 16u << 20);
	if (watch < 0 || !open_all(&storm, &arena, argc, argv))
		return usage();
	if (inotify_add_watch(watch, argv[4], IN_MOVED_TO) < 0) {
		perror(argv[4]);
		return 1;
	}
	cpu = cpu_ms(storm.pid);
	start_us = now_us();
	writer = fork();
	if (writer == 0) {
		for (int64_t n = 0; n < storm.saves; n++)
			save_one(&storm, n);
		_exit(0);
	}
	follow(&storm, watch);
	report(&storm, start_us, cpu_ms(storm.pid) - cpu);
	waitpid(writer, NULL, 0);
	arena_finish(&arena);
	return 0;
}

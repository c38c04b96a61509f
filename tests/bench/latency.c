/* Bench: the time from the close of a saved file until a status file tells of it.
 *
 *	latency ROUNDS TARGET STATUS FILE_A TEXT_A FILE_B TEXT_B
 *
 * Saves the bytes of FILE_A and FILE_B in turn as TARGET, as a shell's redirection does, and waits
 * for STATUS to hold TEXT_A or TEXT_B: the watcher under test writes or renames it. Prints median,
 * 99th percentile and maximum in microseconds, and the saves that no status told of within a
 * second. The watcher is woken by the close; this program by the status, so what is measured holds
 * one wake-up more than the watcher needs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "parser/text.h"

#define MAX_ROUNDS 10000
#define MAX_BYTES  65536
#define LOST_US	   1000000

/* Between saves: longer than any clock tick, and not a multiple of one. */
#define PAUSE_US 23700

struct save {
	char bytes[MAX_BYTES];
	size_t len;
	const char *status_text;
};

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Reads at most size - 1 bytes and ends them with NUL. Returns how many, or -1. */
static ssize_t read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	if (got >= 0)
		buf[got] = '\0';
	return got;
}

static bool status_tells(const char *status, const char *status_text)
{
	char bytes[MAX_BYTES];

	return read_file(status, bytes, sizeof(bytes)) > 0 && strstr(bytes, status_text);
}

/* Waits for something to happen in the status' folder, up to the deadline. */
static bool wait_event(int watch, int64_t deadline_us)
{
	char events[4096] __attribute__((aligned(8)));
	struct pollfd poll_fd = {.fd = watch, .events = POLLIN};
	int64_t left_us = deadline_us - now_us();

	if (left_us <= 0 || poll(&poll_fd, 1, (int)(left_us / 1000) + 1) <= 0)
		return false;
	return read(watch, events, sizeof(events)) > 0;
}

/* Microseconds from the close to the status, or -1 where it did not come. */
static int64_t save_and_wait(
	int watch, const char *target, const char *status, const struct save *save)
{
	int fd = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int64_t start_us;

	if (fd < 0 || write(fd, save->bytes, save->len) != (ssize_t)save->len) {
		perror(target);
		exit(1);
	}
	start_us = now_us();
	close(fd);
	while (wait_event(watch, start_us + LOST_US)) {
		int64_t end_us = now_us();

		if (status_tells(status, save->status_text))
			return end_us - start_us;
	}
	return -1;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void load(struct save *save, const char *path, const char *status_text)
{
	ssize_t got = read_file(path, save->bytes, sizeof(save->bytes));

	if (got <= 0) {
		perror(path);
		exit(1);
	}
	save->len = (size_t)got;
	save->status_text = status_text;
}

static void measure(int watch, int64_t rounds, char **argv, const struct save saves[2])
{
	static int64_t took_us[MAX_ROUNDS];
	int64_t count = 0;

	for (int64_t i = 0; i < rounds; i++) {
		int64_t us = save_and_wait(watch, argv[2], argv[3], &saves[i % 2]);

		if (us >= 0)
			took_us[count++] = us;
		usleep(PAUSE_US);
	}
	qsort(took_us, (size_t)count, sizeof(took_us[0]), compare);
	if (count)
		printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", took_us[count / 2],
			took_us[count * 99 / 100], took_us[count - 1], rounds - count);
	else
		printf("- - - %" PRId64 "\n", rounds);
}

int main(int argc, char **argv)
{
	static struct save saves[2];
	char folder[4096];
	int64_t rounds;
	int watch = inotify_init1(IN_CLOEXEC);

	if (argc != 8 || text_to_int64(text_of(argv[1]), &rounds) < 0 || rounds < 1 ||
		rounds > MAX_ROUNDS) {
		fputs("usage: latency ROUNDS TARGET STATUS FILE_A TEXT_A FILE_B TEXT_B\n", stderr);
		return 2;
	}
	load(&saves[0], argv[4], argv[5]);
	load(&saves[1], argv[6], argv[7]);
	snprintf(folder, sizeof(folder), "%s", argv[3]);
	if (watch < 0 ||
		inotify_add_watch(watch, dirname(folder), IN_MOVED_TO | IN_CLOSE_WRITE) < 0) {
		perror(folder);
		return 1;
	}
	measure(watch, rounds, argv, saves);
	return 0;
}

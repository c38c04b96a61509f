/* Bench: runs a command and says what it took.
 *
 *	measure RESULT COMMAND [ARGUMENT]...
 *
 * RESULT becomes one line: elapsed milliseconds, processor milliseconds, largest resident size in
 * KiB. The exit status is the command's. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t cpu_ms(const struct rusage *usage)
{
	return ((int64_t)usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
}

int main(int argc, char **argv)
{
	int64_t start_ms = now_ms();
	struct rusage usage;
	FILE *result;
	int status;
	pid_t child;

	if (argc < 3) {
		fputs("usage: measure RESULT COMMAND [ARGUMENT]...\n", stderr);
		return 2;
	}
	child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !(result = fopen(argv[1], "w"))) {
		perror(argv[2]);
		return 1;
	}
	fprintf(result, "%" PRId64 " %" PRId64 " %ld\n", now_ms() - start_ms, cpu_ms(&usage),
		usage.ru_maxrss);
	fclose(result);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

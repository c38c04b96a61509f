/* For LD_PRELOAD: at SIGUSR1 the process goes deaf to its inotify instance, whose descriptor is
 * given to another one that watches nothing. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static void deafen(int signal)
{
	int other = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	(void)signal;
	for (int fd = 3; fd < other; fd++) {
		char path[64], target[64];
		ssize_t len;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, target, sizeof(target) - 1);
		if (len > 0 && strncmp(target, "anon_inode:inotify", (size_t)len) == 0)
			dup2(other, fd);
	}
}

__attribute__((constructor)) static void begin(void)
{
	signal(SIGUSR1, deafen);
}

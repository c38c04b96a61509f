/* A user and mount namespace of the test's own, where that is allowed: its mounts and the limits
 * of inotify in /proc/sys/user are nobody else's. */
#ifndef EWIN_TESTS_OWN_NAMESPACE_H
#define EWIN_TESTS_OWN_NAMESPACE_H

#include <sched.h>
#include <sys/mount.h>

#include "tests/daemon_run.h"

static bool own_namespace;

static inline bool write_map(const char *name, unsigned id)
{
	char line[32];
	int fd = open(name, O_WRONLY | O_CLOEXEC);
	bool done;

	snprintf(line, sizeof(line), "0 %u 1", id);
	done = fd >= 0 && write(fd, line, strlen(line)) > 0;
	close(fd);
	return done;
}

static inline void enter_namespace(void)
{
	unsigned uid = geteuid(), gid = getegid();
	int fd;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) {
		printf("# no namespace of its own: nothing about mounts and limits of inotify\n");
		return;
	}
	fd = open("/proc/self/setgroups", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "deny", 4) < 0)
		printf("# setgroups: %s\n", strerror(errno));
	close(fd);
	own_namespace =
		write_map("/proc/self/uid_map", uid) && write_map("/proc/self/gid_map", gid);
}

/* To be called within it. */
static inline void set_limit(const char *name, int limit)
{
	char value[16];
	int fd = open(path("/proc/sys/user", name), O_WRONLY | O_CLOEXEC);

	snprintf(value, sizeof(value), "%d", limit);
	CHECK(fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value));
	close(fd);
}

#endif

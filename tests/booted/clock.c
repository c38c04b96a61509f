/* For LD_PRELOAD: a wall clock that is as many seconds ahead as /run/clock says, looked at each
 * time. Other clocks, and the times of files, are as they are. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#include <fcntl.h>
#include <unistd.h>

static long ahead(void)
{
	int fd = open("/run/clock", O_RDONLY | O_CLOEXEC);
	char line[16] = "";

	if (fd < 0 || read(fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	close(fd);
	return atol(line);
}

int clock_gettime(clockid_t id, struct timespec *now)
{
	int r = (int)syscall(SYS_clock_gettime, id, now);

	if (r == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
		now->tv_sec += ahead();
	return r;
}

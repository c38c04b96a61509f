/* Ctl, the side of who asks: one packet there, one back. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/ctl.h"
#include "daemon/words.h"
#include "parser/diag.h"

/* The daemon may be at a verdict, or at looking for causes. */
#define PATIENCE_S 2

/* It drops who connects and says nothing for a second, which happens to us, too, on a busy
 * machine. */
#define TRIES 3

static int connect_in(const char *run_dir, int fd)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int r, dirfd = open(run_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dirfd < 0)
		return -errno;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" CTL_FILE, dirfd);
	r = connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
	close(dirfd);
	return r;
}

static int converse(const char *run_dir, int fd, struct text request, struct ctl_reply *ret)
{
	struct timeval patience = {.tv_sec = PATIENCE_S};
	char packet[CTL_SIZE];
	ssize_t len;
	int r;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	r = connect_in(run_dir, fd);
	if (r < 0)
		return r;
	if (send(fd, request.ptr, request.len, MSG_NOSIGNAL) < 0)
		return -errno;
	len = recv(fd, packet, sizeof(packet), 0);
	if (len < 0)
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	return ctl_read_reply((struct text){packet, (size_t)len}, ret) ? 0 : -EPROTO;
}

static int try_once(const char *run_dir, struct text request, struct ctl_reply *ret)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int r = fd < 0 ? -errno : converse(run_dir, fd, request, ret);

	if (fd >= 0)
		close(fd);
	return r;
}

int ctl_ask(const char *run_dir, struct text lab, struct text step, struct ctl_reply *ret,
	struct diag *reterr)
{
	char request[CTL_SIZE];
	int len =
		snprintf(request, sizeof(request), "hint %.*s %.*s", TEXT_ARG(lab), TEXT_ARG(step));
	int r = -EPIPE;

	if (len < 0 || (size_t)len >= sizeof(request))
		return diag_set(reterr, -EINVAL, 0, 0, tr("no lab has this step"));
	for (int i = 0; i < TRIES && (r == -EPIPE || r == -ECONNRESET); i++)
		r = try_once(run_dir, (struct text){request, (size_t)len}, ret);
	if (r == -ENOENT || r == -ECONNREFUSED)
		return diag_set(reterr, -ENOENT, 0, 0, tr("ewind is not running"));
	if (r < 0)
		return diag_set(reterr, r, 0, 0, tr("ewind does not answer: %s"), strerror(-r));
	return 0;
}

/* Ctl, the daemon's side. The listener and its connections lie in an epoll of their own, which
 * the loop polls as one descriptor.
 *
 * Who asks is told by the kernel (SO_PEERCRED), as of the moment of connect(). A packet is read
 * as it is accepted; where the places are full, the one that has been silent longest goes. So
 * somebody who connects and says nothing, however often, keeps nobody from asking. */
#include "daemon/ctl.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/limits.h"
#include "parser/diag.h"
#include "parser/memory.h"

struct connection {
	int fd; /* -1: the place is free */
	uid_t uid;
	int64_t since_ms;
	bool asked; /* a reply is owed */
	struct ctl_reply reply;
};

struct ctl {
	int epoll, listener;  /* -1: none */
	struct identity made; /* the socket in the directory */
	bool paused;	      /* no descriptor is left: the listener is not polled for a while */
	int64_t resume_ms;
	struct connection connections[LIMIT_CTL];
};

int ctl_new(struct ctl **ret, struct diag *reterr)
{
	struct ctl *ctl = memory_get(sizeof(*ctl));
	int r;

	if (!ctl)
		return diag_nomem(reterr);
	*ctl = (struct ctl){.listener = -1};
	for (size_t i = 0; i < LIMIT_CTL; i++)
		ctl->connections[i].fd = -1;
	ctl->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (ctl->epoll < 0) {
		r = diag_set(reterr, -errno, 0, 0, CTL_FILE ": %s", strerror(errno));
		free(ctl);
		return r;
	}
	*ret = ctl;
	return 0;
}

/* Closing takes it out of the epoll too. */
static void drop(struct connection *connection)
{
	if (connection->fd >= 0)
		close(connection->fd);
	*connection = (struct connection){.fd = -1};
}

void ctl_free(struct ctl *ctl)
{
	if (!ctl)
		return;
	for (size_t i = 0; i < LIMIT_CTL; i++)
		drop(&ctl->connections[i]);
	if (ctl->listener >= 0)
		close(ctl->listener);
	close(ctl->epoll);
	free(ctl);
}

/* Where it cannot be changed, that is tried again when a pause would be over. */
static void poll_listener(struct ctl *ctl, bool on, int64_t now_ms)
{
	struct epoll_event event = {.events = on ? EPOLLIN : 0};

	ctl->paused = epoll_ctl(ctl->epoll, EPOLL_CTL_MOD, ctl->listener, &event) < 0 || !on;
	ctl->resume_ms = now_ms + CTL_SILENT_MS;
}

/* Others may connect from before listen() on, so the mode is set before. The path goes by the open
 * directory: a socket's path may be 107 bytes long, a run directory's any length. */
static int make_listener(int fd, int dirfd)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" CTL_FILE, dirfd);
	if (unlinkat(dirfd, CTL_FILE, 0) < 0 && errno != ENOENT)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		fchmodat(dirfd, CTL_FILE, 0666, 0) < 0 || listen(fd, LIMIT_CTL) < 0)
		return -errno;
	return 0;
}

int ctl_listen(struct ctl *ctl, int dirfd, struct diag *reterr)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int r = fd < 0 ? -errno : make_listener(fd, dirfd);

	if (r == 0 && epoll_ctl(ctl->epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		r = -errno;
	if (r < 0) {
		if (fd >= 0)
			close(fd);
		return diag_set(reterr, r, 0, 0, CTL_FILE ": %s", strerror(-r));
	}
	if (ctl->listener >= 0)
		close(ctl->listener);
	ctl->listener = fd;
	ctl->made = intake_look(dirfd, CTL_FILE);
	ctl->paused = false;
	return 0;
}

void ctl_end(int dirfd)
{
	unlinkat(dirfd, CTL_FILE, 0);
}

bool ctl_stands(const struct ctl *ctl, int dirfd)
{
	struct identity now = intake_look(dirfd, CTL_FILE);

	return ctl->listener < 0 ||
	       (now.state != FILE_MISSING && identity_same_look(&now, &ctl->made));
}

int ctl_fd(const struct ctl *ctl)
{
	return ctl->epoll;
}

static bool has_place(const struct ctl *ctl)
{
	for (size_t i = 0; i < LIMIT_CTL; i++)
		if (!ctl->connections[i].asked)
			return true;
	return false;
}

/* A free place, if need be that of the one who has been silent longest; who has asked keeps it.
 * NULL: all have. */
static struct connection *find_place(struct ctl *ctl)
{
	struct connection *oldest = NULL;

	for (size_t i = 0; i < LIMIT_CTL; i++) {
		struct connection *connection = &ctl->connections[i];
		if (connection->fd < 0)
			return connection;
		if (!connection->asked && (!oldest || connection->since_ms < oldest->since_ms))
			oldest = connection;
	}
	if (oldest)
		drop(oldest);
	return oldest;
}

static enum ctl_answer decide(
	struct connection *connection, const struct ctl_calls *calls, struct text packet)
{
	struct ctl_request request = {.uid = connection->uid};

	if (!ctl_read_request(packet, &request))
		return CTL_BAD;
	return calls->ask(calls->ctx, &request, &connection->reply.tier);
}

/* Has whoever connected closed again? */
static bool is_gone(int fd)
{
	struct pollfd poller = {.fd = fd};

	return poll(&poller, 1, 0) > 0 && poller.revents & POLLHUP;
}

/* Reads the packet, if it is there. True where it asks; who has lost patience gets nothing, and
 * nothing is opened for them. */
static bool read_request(struct connection *connection, const struct ctl_calls *calls)
{
	char packet[CTL_SIZE];
	ssize_t len = recv(connection->fd, packet, sizeof(packet), MSG_DONTWAIT | MSG_TRUNC);

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (len <= 0 || is_gone(connection->fd)) {
		drop(connection);
		return false;
	}
	connection->asked = true;
	connection->reply.answer = CTL_BAD;
	if ((size_t)len <= sizeof(packet))
		connection->reply.answer =
			decide(connection, calls, (struct text){packet, (size_t)len});
	return true;
}

static bool admit(struct ctl *ctl, int fd, const struct ctl_calls *calls, int64_t now_ms)
{
	struct connection *connection = find_place(ctl);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (!connection || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 ||
		epoll_ctl(ctl->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
		close(fd);
		return false;
	}
	*connection = (struct connection){.fd = fd, .uid = peer.uid, .since_ms = now_ms};
	return read_request(connection, calls);
}

/* A bound, so that whoever connects all the time does not keep the daemon here. */
static size_t accept_some(struct ctl *ctl, const struct ctl_calls *calls, int64_t now_ms)
{
	size_t asked = 0;

	for (size_t i = 0; i < LIMIT_CTL && has_place(ctl); i++) {
		int fd = accept4(ctl->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			asked += admit(ctl, fd, calls, now_ms);
			continue;
		}
		if (errno == EINTR || errno == ECONNABORTED)
			continue;
		if (errno != EAGAIN)
			poll_listener(ctl, false, now_ms);
		break;
	}
	return asked;
}

static void drop_silent(struct ctl *ctl, int64_t now_ms)
{
	for (size_t i = 0; i < LIMIT_CTL; i++) {
		struct connection *connection = &ctl->connections[i];
		if (connection->fd >= 0 && !connection->asked &&
			now_ms >= connection->since_ms + CTL_SILENT_MS)
			drop(connection);
	}
	if (ctl->paused && now_ms >= ctl->resume_ms)
		poll_listener(ctl, true, now_ms);
}

size_t ctl_take(struct ctl *ctl, const struct ctl_calls *calls, int64_t now_ms)
{
	struct epoll_event events[LIMIT_CTL + 1];
	int count = epoll_wait(ctl->epoll, events, LIMIT_CTL + 1, 0);
	size_t asked = 0;
	bool came = false;

	for (int i = 0; i < count; i++) {
		struct connection *connection = events[i].data.ptr;
		if (connection)
			asked += read_request(connection, calls);
		else
			came = true;
	}
	if (came)
		asked += accept_some(ctl, calls, now_ms);
	drop_silent(ctl, now_ms);
	return asked;
}

void ctl_reply(struct ctl *ctl, int64_t seq)
{
	for (size_t i = 0; i < LIMIT_CTL; i++) {
		struct connection *connection = &ctl->connections[i];
		char packet[CTL_SIZE];
		int len;

		if (!connection->asked)
			continue;
		len = snprintf(packet, sizeof(packet), "%s %lld %lld",
			ctl_answer_name(connection->reply.answer), (long long)seq,
			(long long)connection->reply.tier);
		/* A reply that nobody takes is nobody's loss. */
		(void)!send(connection->fd, packet, (size_t)len, MSG_DONTWAIT | MSG_NOSIGNAL);
		drop(connection);
	}
}

int64_t ctl_deadline(const struct ctl *ctl)
{
	int64_t next = ctl->paused ? ctl->resume_ms : INT64_MAX;

	for (size_t i = 0; i < LIMIT_CTL; i++) {
		const struct connection *connection = &ctl->connections[i];
		if (connection->fd >= 0 && connection->since_ms + CTL_SILENT_MS < next)
			next = connection->since_ms + CTL_SILENT_MS;
	}
	return next;
}

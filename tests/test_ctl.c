/* The socket at which hints are asked for: who is answered, and who is not. */
#include "daemon/ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "parser/diag.h"
#include "tests/test.h"

static char folder[] = "/tmp/ewin-ctl-XXXXXX";
static struct ctl *ctl;
static int asked; /* requests that came to a decision */

static enum ctl_answer decide(void *ctx, const struct ctl_request *request, int64_t *ret_tier)
{
	(void)ctx;
	CHECK(text_eq(request->lab, TEXT("lab")) && text_eq(request->step, TEXT("w5")));
	asked++;
	*ret_tier = 2;
	return CTL_OPENED;
}

static const struct ctl_calls calls = {decide, NULL};

static void listen_anew(void)
{
	int dirfd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct diag diag;

	asked = 0;
	CHECK(ctl_new(&ctl, &diag) == 0 && ctl_listen(ctl, dirfd, &diag) == 0);
	close(dirfd);
}

static int connected(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CTL_FILE, folder);
	CHECK(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	return fd;
}

static void request(int fd)
{
	static const char packet[] = "hint lab w5";

	CHECK(send(fd, packet, sizeof(packet) - 1, MSG_NOSIGNAL) == sizeof(packet) - 1);
}

static bool is_answered(int fd)
{
	char packet[CTL_SIZE];
	ssize_t len = recv(fd, packet, sizeof(packet), MSG_DONTWAIT);

	return len > 0 && text_eq((struct text){packet, (size_t)len}, TEXT("opened 7 2"));
}

TEST(who_asks_at_once)
{
	int fd = connected();

	request(fd);
	CHECK(ctl_take(ctl, &calls, 0) == 1);
	ctl_reply(ctl, 7);
	CHECK(is_answered(fd));
	close(fd);
}

/* As on a busy machine: the daemon comes to the request when the patience with who is silent
 * would be over. */
TEST(who_asks_late)
{
	int fd = connected();

	CHECK(ctl_take(ctl, &calls, 0) == 0);
	request(fd);
	CHECK(ctl_take(ctl, &calls, CTL_SILENT_MS) == 1);
	ctl_reply(ctl, 7);
	CHECK(is_answered(fd));
	close(fd);
}

TEST(who_says_nothing)
{
	struct pollfd poller = {.fd = connected(), .events = POLLIN};

	CHECK(ctl_take(ctl, &calls, 0) == 0 && poll(&poller, 1, 0) == 0);
	CHECK(ctl_deadline(ctl) == CTL_SILENT_MS);
	CHECK(ctl_take(ctl, &calls, CTL_SILENT_MS) == 0);
	CHECK(poll(&poller, 1, 0) == 1 && poller.revents & POLLHUP);
	close(poller.fd);
}

/* Who asked and did not wait would find a hint opened that they were never shown. */
TEST(who_is_gone_before_the_answer)
{
	int fd = connected();

	request(fd);
	close(fd);
	CHECK(ctl_take(ctl, &calls, 0) == 0);
	fd = connected();
	CHECK(ctl_take(ctl, &calls, 0) == 0);
	request(fd);
	close(fd);
	CHECK(ctl_take(ctl, &calls, 0) == 0 && asked == 0);
	CHECK(ctl_deadline(ctl) == INT64_MAX);
}

static void run(const char *name, void (*body)(void))
{
	listen_anew();
	test_run(name, body);
	ctl_free(ctl);
}

int main(void)
{
	char socket_path[64];

	if (!mkdtemp(folder))
		return 1;
	run("who_asks_at_once", test_who_asks_at_once);
	run("who_asks_late", test_who_asks_late);
	run("who_says_nothing", test_who_says_nothing);
	run("who_is_gone_before_the_answer", test_who_is_gone_before_the_answer);
	snprintf(socket_path, sizeof(socket_path), "%s/" CTL_FILE, folder);
	unlink(socket_path);
	rmdir(folder);
	return test_finish();
}

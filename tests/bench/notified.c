/* Bench: a service manager's ear.
 *
 *	notified SOCKET SECONDS
 *
 * Listens at SOCKET, which it makes, for so long, and prints how often a service said that it is
 * alive. */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "parser/text.h"

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int count_until(int fd, int64_t end_ms)
{
	int count = 0;
	int64_t ms;

	while ((ms = now_ms()) < end_ms) {
		struct pollfd poller = {.fd = fd, .events = POLLIN};
		char message[4096];
		ssize_t len;

		if (poll(&poller, 1, (int)(end_ms - ms)) <= 0)
			continue;
		len = recv(fd, message, sizeof(message), 0);
		count +=
			len > 0 && text_eq((struct text){message, (size_t)len}, TEXT("WATCHDOG=1"));
	}
	return count;
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int64_t seconds;

	if (argc != 3 || strlen(argv[1]) >= sizeof(address.sun_path) ||
		text_to_int64(text_of(argv[2]), &seconds) < 0) {
		fputs("usage: notified SOCKET SECONDS\n", stderr);
		return 2;
	}
	strcpy(address.sun_path, argv[1]);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		perror(argv[1]);
		return 1;
	}
	printf("%d\n", count_until(fd, now_ms() + seconds * 1000));
	return 0;
}

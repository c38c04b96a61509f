/* A terminal for tests: `pty MARKER COMMAND...` runs a command on a pseudo-terminal and types the
 * lines of standard input into it, each when MARKER (the end of its prompt, in no line typed) has
 * been shown since the last one. What the terminal shows goes to standard output. At the end of the
 * input it hangs up.
 * Exit status: 0 the command ended or was left with nothing to type, 1 no prompt came in time. */
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_MS = 10000, OUTPUT_MAX = 1 << 20 };

/* Shows what comes until the marker is in it: 1, 0: the command has ended, -1: too late. */
static int await(int master, const char *marker)
{
	static char seen[OUTPUT_MAX];
	size_t used = 0, length = strlen(marker);

	while (used < sizeof(seen)) {
		struct pollfd fd = {.fd = master, .events = POLLIN};
		ssize_t got;

		if (poll(&fd, 1, WAIT_MS) != 1)
			return -1;
		got = read(master, seen + used, sizeof(seen) - used);
		if (got <= 0)
			return 0;
		fwrite(seen + used, 1, (size_t)got, stdout);
		used += (size_t)got;
		if (memmem(seen, used, marker, length))
			return 1;
	}
	return -1;
}

static bool type_line(int master, const char *line, size_t length)
{
	while (length) {
		ssize_t sent = write(master, line, length);

		if (sent <= 0)
			return false;
		line += sent;
		length -= (size_t)sent;
	}
	return true;
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int master, state;

	if (argc < 3)
		return 2;
	if (forkpty(&master, NULL, NULL, &(struct winsize){.ws_row = 50, .ws_col = 2000}) == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while ((state = await(master, argv[1])) == 1) {
		length = getline(&line, &room, stdin);
		if (length <= 0 || !type_line(master, line, (size_t)length))
			break;
	}
	free(line);
	fflush(stdout);
	return state < 0;
}

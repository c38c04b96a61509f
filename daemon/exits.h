/* Exits: what all programs tell whoever started them. */
#ifndef EWIN_DAEMON_EXITS_H
#define EWIN_DAEMON_EXITS_H

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAULT = 1, /* at run time */
	EXIT_USAGE = 2,
	EXIT_CONFIGURATION = 3 /* the service manager does not start the daemon again */
};

/* Behind the last that is printed: the exit status of the program, which is EXIT_FAULT where not
 * all of it went out, and that is said. */
int exit_printed(const char *program, int status);

#endif

/* Exits: a full disk behind standard output shows only when what is buffered is written. */
#include "daemon/exits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/words.h"

int exit_printed(const char *program, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, tr("%s: standard output: %s\n"), program, strerror(errno));
	return EXIT_FAULT;
}

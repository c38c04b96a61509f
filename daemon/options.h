/* Options: the command line of ewind. */
#ifndef EWIN_DAEMON_OPTIONS_H
#define EWIN_DAEMON_OPTIONS_H

#include "daemon/labs.h"
#include "daemon/limits.h"
#include "parser/text.h"

struct diag;

/* --watch LAB=DIR */
struct watch_option {
	struct text lab;
	const char *dir;
};

/* Pointers go into argv and the environment. */
struct options {
	bool foreground;
	bool help, version;
	struct lab_places places; /* none: where labs are when nobody says it */
	const char *data_root;	  /* "": none */
	struct text lang;	  /* of what is logged, one of LANGUAGE_LIST */
	const char *run_dir;
	const char *state_dir; /* $STATE_DIRECTORY, else the run directory */
	struct watch_option watches[LIMIT_LABS];
	size_t watch_count;
};

extern const char options_help[];

/* Reads the command line and the directories that the service manager gives. 0, or -EINVAL: wrong
 * usage, with a sentence. */
int options_parse(int argc, char *argv[], struct options *ret, struct diag *reterr);

#endif

/* Explain: runs a script as the client does, and tells the story of one SELECT in it. */
#ifndef EWIN_SIM_EXPLAIN_H
#define EWIN_SIM_EXPLAIN_H

#include "sim/session.h"
#include "sim/story.h"

struct diag;

/* Which SELECT is watched. */
struct observing {
	int64_t select; /* of the script, from 1; 0: the last */
	int64_t steps;	/* see session_bound(); 0: as many as any script may take */
	bool unbounded; /* see session_unbounded() */
};

/* Runs a script up to a SELECT whose rows are told to the observer. The client's result mode is
 * tableau from the start. 0; -ENOENT: there is no such SELECT; -EBADMSG: Flink would refuse the
 * SQL or fail; -ENOTSUP, -EINVAL: not simulated; another -errno of the observer or of a file.
 * Each with a diag. */
struct observer;
int observe_script(struct arena *arena, const struct observing *what, struct text script,
	const struct sim_files *files, const struct observer *observer, struct diag *reterr);

struct explain {
	struct story_options story;
	int64_t select; /* which SELECT of the script, from 1; 0: the last */
	bool unbounded; /* see session_unbounded() */
};

/* As observe_script(); what was shown until a failure stays shown. */
int explain_script(struct arena *arena, const struct explain *explain, struct text script,
	const struct sim_files *files, struct writer *out, struct diag *reterr);

/* Takes an option of a command line, by the letter that EXPLAIN_OPTIONS has for it. 1; 0: it is
 * none of them; -EINVAL: its value is none. */
int explain_option(struct explain *explain, int letter, const char *value);

/* Was one of them given? */
bool explain_narrowed(const struct explain *explain);

/* For the table of getopt_long(). */
enum { EXPLAIN_ONLY = 256, EXPLAIN_ROW, EXPLAIN_WINDOW, EXPLAIN_SELECT };
#define EXPLAIN_OPTIONS                                              \
	{"only", required_argument, NULL, EXPLAIN_ONLY},             \
		{"row", required_argument, NULL, EXPLAIN_ROW},       \
		{"window", required_argument, NULL, EXPLAIN_WINDOW}, \
	{                                                            \
		"select", required_argument, NULL, EXPLAIN_SELECT    \
	}

#endif

/* Client: the SQL client that runs a file (sql-client.sh -f) over a session, simulated: every
 * byte of its standard output. */
#ifndef EWIN_SIM_CLIENT_H
#define EWIN_SIM_CLIENT_H

#include "sim/session.h"
#include "sim/writer.h"

struct client {
	struct arena *arena;
	struct session *session;
	struct writer *out;
	struct text history;	      /* path of the client's history file */
	double (*seconds)(void *ctx); /* a clock, for the time cost */
	/* Takes an error's place in the file and its first line; may be NULL. */
	void (*tell)(void *ctx, struct sql_pos pos, struct text summary);
	void *ctx;
	enum flink_release release;
};

/* Runs a script from the frame's first line to its last, or to the first statement that cannot be
 * simulated. 0, also where Flink would refuse a statement; -ENOTSUP, -EINVAL: not simulated, with
 * the place; another -errno of the writer or of a file. */
int client_run(const struct client *client, struct text script, struct diag *reterr);

#endif

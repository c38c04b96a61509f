/* Rehearsal: what a step's SQL would print, worked out when the SQL is saved. The client needs
 * seconds to run it, so when the output is closed the simulator's part of the verdict is there
 * already. */
#ifndef EWIN_DAEMON_REHEARSAL_H
#define EWIN_DAEMON_REHEARSAL_H

#include "daemon/grade/script.h"
#include "daemon/intake.h"
#include "parser/arena.h"

struct rehearsal {
	struct arena arena;	 /* of the script */
	char sha256[SHA256_HEX]; /* of the SQL; "" before the first */
	struct script *script;	 /* what that SQL prints; NULL: it is too much to keep */
};

void rehearsal_init(struct rehearsal *rehearsal);
void rehearsal_finish(struct rehearsal *rehearsal);

/* What this SQL prints, run now unless it was before; valid until the next call. NULL where there
 * is no SQL, or what it prints is too much to keep: then the grader runs it. */
const struct script *rehearsal_of(
	struct rehearsal *rehearsal, const struct intake *sql, const struct sim_files *data);

/* Gives back what is too much to be kept while nothing happens; it is run again where it is asked
 * for. */
void rehearsal_rest(struct rehearsal *rehearsal);

#endif

/* Explaining a step: what became of each row in the SQL that lies beside its output. */
#ifndef EWIN_DAEMON_EXPLAIN_STEP_H
#define EWIN_DAEMON_EXPLAIN_STEP_H

#include "daemon/lab_load.h"
#include "sim/explain.h"

struct explain_step {
	struct arena *arena;
	struct loaded_lab *lab;
	size_t step;
	int dirfd; /* of the learner's folder */
	struct explain explain;
};

/* The learner's own SQL, to standard output. 0; -ENOENT: there is none; -ENOTSUP, -EINVAL: it is
 * not simulated, and nothing was printed; -EBADMSG: Flink would refuse it or fail; another
 * -errno. Each with a diag that names the file. */
int explain_own(const struct explain_step *asked, struct diag *reterr);

/* The lab's SQL: only for a step that has passed. As above. */
int explain_reference(const struct explain_step *asked, struct diag *reterr);

#endif

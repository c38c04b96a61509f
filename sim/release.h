/* Releases: what an older Flink's parser refuses. */
#ifndef EWIN_SIM_RELEASE_H
#define EWIN_SIM_RELEASE_H

#include "sim/session.h"

/* The release of a name such as "1.20"; false: none of ours. */
bool release_find(struct text name, enum flink_release *ret);

/* Fills *ret with the error of a statement that this release does not parse, and leaves it alone
 * otherwise. 0; -ENOTSUP with a diag where its words are not known; -ENOMEM. */
int release_check(struct arena *arena, enum flink_release release, const struct sql_piece *piece,
	const struct sql_statement *statement, struct outcome *ret, struct diag *reterr);

#endif

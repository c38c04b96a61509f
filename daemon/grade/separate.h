/* Separability: which mistakes a lab's data cannot tell from the right answer, or from each
 * other. An author who sees them changes the data, or lives with them. */
#ifndef EWIN_DAEMON_GRADE_SEPARATE_H
#define EWIN_DAEMON_GRADE_SEPARATE_H

#include "daemon/grade/catalogue.h"
#include "daemon/grade/grade.h"

/* Mistakes that give one and the same table. */
struct lookalikes {
	bool right; /* it is the reference's own */
	const struct catalogued **items;
	size_t count;
};

struct separation {
	struct lookalikes
		*groups; /* the right one first, should there be any; each mistake is in one */
	size_t count;
	const struct catalogued **all; /* mistakes that have a table */
	size_t mistakes;
};

/* Groups the mistakes of a whole catalogue for one of its queries; those that are far are left
 * out. any_mode: a table counts as the right one in whatever mode it ran. 0 or -ENOMEM. */
int separate_query(struct arena *arena, const struct catalogue *catalogue, size_t query,
	bool any_mode, struct separation *ret);

/* The report over all steps of a lab that have tables, in lines of at most 100 characters: how
 * many mistakes are told for certain, which give the right answer, which give one wrong table,
 * and what would tell them. The lab's files and its data are read. 0; -errno with a diag that
 * names the step. */
int separate_lab(struct arena *arena, const struct lab *lab, const struct lab_files *lab_files,
	const struct sim_files *data, struct text *ret, struct diag *reterr);

#endif

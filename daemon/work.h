/* Work: the files of one step in hand, while it is graded or diagnosed. */
#ifndef EWIN_DAEMON_WORK_H
#define EWIN_DAEMON_WORK_H

#include "daemon/progress.h"

struct work {
	struct arena scratch;
	struct submission *submissions; /* one a step of the lab */
	struct intake out, sql;		/* of the step that is graded */
};

bool work_is_report(const struct progress *progress, size_t step);

/* Reads a step's output into the scratch arena. 0 or -ENOMEM. */
int work_read_out(const struct progress *progress, size_t step, struct work *work,
	struct intake *ret, struct diag *reterr);

/* Reads, beside work->out, the step's SQL and the other steps that it is held against. 0 or
 * -ENOMEM. */
int work_read(
	struct progress *progress, size_t step, bool open, struct work *work, struct diag *reterr);

/* Puts a copy of a verdict in the place of the step's one before. 0 or -ENOMEM. */
int work_keep(struct progress_step *step, const struct verdict *verdict, struct diag *reterr);

/* How a verdict differs from the one before. */
struct news {
	bool differs;  /* at all */
	bool reworded; /* in what the journal is told */
};

/* Books the step's verdict, which is final for the bytes read (progress_book.c). 0 or -ENOMEM. */
int work_book(struct progress *progress, size_t step, const struct work *work,
	const struct news *news, struct diag *reterr);

/* What the SQL of a step prints (rehearsal_of()); not kept where it rests on data that could not
 * be read. */
const struct script *work_rehearse(
	struct progress *progress, struct progress_step *step, const struct intake *sql);

/* Could data not be read for the moment since it was asked last? What was worked out since then
 * says nothing. */
bool work_troubled(struct progress *progress, struct diag *reterr);

#endif

/* Lateness: which rows a condition keeps, told by trying it out. A row is its time against the
 * watermark that it meets, so that all spellings of one condition give the same answer. */
#ifndef EWIN_DAEMON_GRADE_LATENESS_H
#define EWIN_DAEMON_GRADE_LATENESS_H

#include "daemon/grade/profile.h"

/* Rows to try: so many milliseconds ahead of the watermark. */
struct late_points {
	int64_t ahead_ms[64];
	size_t count;
};

struct lateness {
	bool known;
	bool first_row; /* a row before any watermark is kept */
	bool kept[64];	/* a point: is such a row kept? */
};

/* Does the expression read CURRENT_WATERMARK? */
bool reads_watermark(const struct sql_expr *expr);

/* Adds the rows at which these conditions may change their minds. */
void late_points_add(struct late_points *points, const struct terms *conditions);

/* What all those of the conditions that read the watermark, taken together, keep. `shift_ms` is
 * added to each point. */
struct lateness lateness_of(const struct profile *profile, const struct terms *conditions,
	const struct late_points *points, int64_t shift_ms);

/* The highest rank that the bounds keep, where they keep all from 1 on; 0: it is not known. */
int64_t rank_bound(const struct profile *profile);

#endif

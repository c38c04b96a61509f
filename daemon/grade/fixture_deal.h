/* Dealing: other rows of the same kind as a fixture's, and single changes of them. */
#ifndef EWIN_DAEMON_GRADE_FIXTURE_DEAL_H
#define EWIN_DAEMON_GRADE_FIXTURE_DEAL_H

#include "daemon/grade/fixture.h"
#include "daemon/grade/random.h"

/* How a row came: by how much it raised the highest time so far, or how far it lay behind it. */
struct arrival {
	int64_t rise_ms, lag_ms;
};

/* Where a column's new values come from. */
enum deal_kind {
	DEAL_COUNTER, /* rises from row to row, or a text that is another in each: order and steps stay */
	DEAL_TIME,   /* the event time */
	DEAL_BESIDE, /* another time: its distance from the event time is that of a row of old */
	DEAL_WORD,   /* a value of a row of old, together with the other words of that row */
	DEAL_NUMBER  /* between two neighbours among the sorted values of old */
};

struct deal {
	const struct fixture_rows *old;
	enum deal_kind *kinds; /* a column, as below */
	int128 **numbers;      /* sorted; only of DEAL_NUMBER and DEAL_COUNTER */
	int128 *steps;	       /* all numbers are a multiple of this apart */
	bool *must; /* rows whose words are dealt at least once: first ones of their kind */
	struct arrival *arrivals;
	int64_t first_ms; /* no row is earlier */
	int64_t grain_ms; /* all times are a multiple of this apart */
};

/* 0; -EINVAL: a column cannot be dealt; -ENOMEM. */
int deal_init(
	struct arena *arena, const struct fixture_rows *old, struct deal *ret, struct diag *reterr);

/* Rows of the same number and columns; DEAL_BESIDE is still as of old. 0 or -ENOMEM. */
int deal_rows(struct arena *arena, const struct deal *deal, struct random *random,
	struct fixture_rows *ret);

/* The times beside the event time, once that is settled. */
void deal_beside(const struct deal *deal, struct random *random, struct fixture_rows *rows);

/* A copy whose cells can be changed without touching the other's. 0 or -ENOMEM. */
int rows_copy(struct arena *arena, const struct fixture_rows *from, struct fixture_rows *ret);

/* Copies the cells of a copy back. */
void rows_take(const struct fixture_rows *from, struct fixture_rows *into);

/* How each row came. 0 or -ENOMEM. */
int arrivals_of(struct arena *arena, const struct fixture_rows *rows, struct arrival **ret);
void arrivals_put(const struct arrival *arrivals, struct fixture_rows *rows);

/* Another value of one cell, of a column that is no time. */
void deal_cell(const struct deal *deal, struct random *random, struct fixture_rows *rows,
	size_t row, size_t column);

/* One change at random towards a property that does not hold; count is what it counted. It may
 * fail, or do harm to another property: the caller looks. 0 or -ENOMEM. */
int deal_mend(struct arena *scratch, const struct deal *deal, struct random *random,
	const struct property *property, const struct property_count *count,
	struct fixture_rows *rows);

#endif

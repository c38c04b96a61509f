/* The catalogue over a step: every mistake that applies to its reference is made once, and of each
 * mutant's table a fingerprint is kept. So a saved table finds its mistakes in microseconds, and
 * an author sees which mistakes the data cannot tell apart. */
#ifndef EWIN_DAEMON_GRADE_CATALOGUE_H
#define EWIN_DAEMON_GRADE_CATALOGUE_H

#include "daemon/grade/compare.h"
#include "daemon/grade/reading.h"
#include "sim/mutate.h"

struct arena;
struct diag;

/* A mutant that was made. */
struct catalogued {
	struct mistake mistake;
	size_t query; /* of the reference, from 0 */
	enum mutants which;
	size_t entry, index; /* its place, see sim/mutate.h */
	bool refused;	     /* it has no table; and Flink says so */
	bool unknown;	     /* it has no table, since it is not simulated or takes too long */
	bool ended;   /* its table is not the one that is looked for, and was not made whole */
	size_t shape; /* of its table */
	bool updates; /* likewise: rows of it are corrected */
	struct fingerprint print; /* likewise */
};

struct catalogue {
	struct arena *arena;
	struct mutator *mutator;
	struct shape *shapes;
	size_t shape_count, shape_room;
	struct catalogued
		*items; /* of the first query, then those of the next; behind all, switched ones */
	size_t count, room;
	/* Which queries' mutants are made, and how far; the judge is NULL where each is made
	 * whole. */
	size_t first_query, query_end;
	const struct mutant_judge *judge;
	size_t query;
	size_t first; /* item of the query's first mutant */
	enum mutants which;
	bool begun;
	bool made[MUTANTS_COUNT]; /* are all of them made? */
};

/* Opens the catalogue of a reference; nothing is made yet. The arena, the SQL and the files must
 * outlive it. 0; -EINVAL with a diag; -ENOMEM. */
int catalogue_open(struct arena *arena, struct text sql, const struct sim_files *files,
	struct catalogue *ret, struct diag *reterr);

/* Makes mutants, up to and with these, until *steps (sim/op.h, some 10 ns each) are taken, or all
 * are made: then catalogue->made[which]. May be called again to go on. 0 or -ENOMEM. */
int catalogue_make(struct catalogue *catalogue, enum mutants which, int64_t *steps);

/* Forgets the mutants that were made: from now on those of one query are made, under a judge. */
void catalogue_restart(struct catalogue *catalogue, size_t query, const struct mutant_judge *judge);

/* Begins such mutants of a query, for mutator_again() too, each bounded by what the reference
 * takes. */
void catalogue_begin(const struct catalogue *catalogue, size_t query, enum mutants which,
	const struct mutant_judge *judge);

/* The index of a table's shape, which is added where no other table had it. 0 or -ENOMEM. */
int catalogue_shape(struct catalogue *catalogue, const struct table *table, size_t *ret);

/* A mistake that gives a saved table. */
struct match {
	const struct catalogued *item;
	bool exact;	       /* columns too: their names, and none too many */
	struct column_map map; /* which saved column stands for which of the mutant's */
};

struct matches {
	/* The saved rows are those of the reference, and not corrected where its are not. Matches
	 * then are mistakes that leave out the very columns that are not there. */
	bool right;
	struct match *items; /* in order of plausibility */
	size_t count;
	bool exact;	  /* all of them are */
	bool cut;	  /* not all mutants were made */
	bool other_query; /* the rows are those of the reference's query of index `other` */
	size_t other;
	/* Answers that no mistake of the catalogue is made for, and which give the saved rows as
	 * well: a condition on a column, where a LIMIT does; other data, where a condition on
	 * groups lets one row through. */
	bool condition, data;
};

/* The mistakes among those made that give the rows of a saved table, as grading compares them,
 * for the reference's query of this index. The simplest explanation wins: where some give its
 * columns too, only those are kept, and then only the nearest (mistake.far). A table without rows
 * has none: too many mistakes give it. 0 or -ENOMEM. */
int catalogue_search(struct arena *arena, struct catalogue *catalogue, size_t query,
	const struct table *saved, struct matches *ret);

/* The same, making the mutants anew, each only as far as it may still give the saved table: near
 * ones, where none of them fits far ones, and those of the other mode for a table that ran in it.
 * Takes some more than so many steps at most; where they do not suffice, ret->cut. The matches
 * hold until the next call. */
int catalogue_find(struct arena *arena, struct catalogue *catalogue, size_t query,
	const struct table *saved, int64_t steps, struct matches *ret);

/* Are a saved table's rows those of one of the reference's own queries? With the references of
 * other steps: is it another step's answer? 0 or -ENOMEM. */
int catalogue_gives(struct arena *arena, const struct catalogue *catalogue,
	const struct table *saved, bool *ret);

#endif

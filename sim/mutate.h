/* Mutations: the catalogue of mistakes, each a change of a reference script. A mutant is planned
 * and run like any other query, over rows that were read once; whoever saved the mutant's table
 * may have made that mistake. An entry of the catalogue is a row of the table in mutate.c and one
 * function. */
#ifndef EWIN_SIM_MUTATE_H
#define EWIN_SIM_MUTATE_H

#include "sim/session.h"

struct mutator;

enum param_kind {
	PARAM_NONE,
	PARAM_DURATION, /* number: milliseconds; negative: ahead */
	PARAM_NUMBER,
	PARAM_NAME /* name: a column, a function, a kind of window, a spelling */
};

struct param {
	enum param_kind kind;
	int64_t number;
	struct text name;
};

/* What was done, by the id that every reader knows: {"delay", 10 s}, {"group-key-extra",
 * "shop"}. */
struct cause {
	const char *id;
	struct param param;
};

#define MISTAKE_CAUSES 4

/* One mistake; more than one cause where one step of thinking brings several. */
struct mistake {
	struct cause causes[MISTAKE_CAUSES];
	size_t cause_count;
	bool far; /* two mistakes at once, or one of very many: only where nothing nearer explains a table */
};

struct mutant {
	struct mistake mistake;
	bool refused;	     /* Flink refuses it: it has no table */
	bool unknown;	     /* it is not simulated, or takes more steps than a mutant may */
	bool ended;	     /* by the judge: its table is not whole */
	struct table table;  /* in the arena of the call */
	int64_t steps;	     /* that it took */
	int64_t rows_tied;   /* see struct query_facts */
	size_t entry, index; /* its place in the catalogue, for mutator_again() */
	size_t number;	     /* which it is behind mutator_begin(), from 0 */
	size_t same_as; /* its table is surely that of the mutant of this number, and was not made; else `number` */
};

/* "5s", "1min", "3", "shop"; empty without a parameter. ptr NULL: no memory. */
struct text param_print(struct arena *arena, const struct param *param);

/* "delay=5s", "group-key-missing=shop, group-key-extra=item". ptr NULL: no memory. */
struct text mistake_print(struct arena *arena, const struct mistake *mistake);

/* A copy whose names are in the arena. 0 or -ENOMEM. */
int mistake_copy(struct arena *arena, const struct mistake *mistake, struct mistake *ret);

bool param_equal(const struct param *a, const struct param *b);

/* Reads a reference script, and runs it once. The text, the files and the arena must outlive it;
 * the rows of the tables' files are kept in the arena. 0; -EINVAL: a statement is refused or not
 * simulated (with a diag); -ENOMEM. */
int mutator_new(struct arena *arena, struct text sql, const struct sim_files *files,
	struct mutator **ret, struct diag *reterr);

/* The reference's SELECTs, in order, and the table of each. */
size_t mutator_count(const struct mutator *mutator);
const struct table *mutator_table(const struct mutator *mutator, size_t query);

/* Steps that its run took. */
int64_t mutator_steps(const struct mutator *mutator, size_t query);

/* Which mutants. */
enum mutants {
	MUTANTS_NEAR,	 /* one mistake in the reference's mode */
	MUTANTS_FAR,	 /* what is guessed only where none of those fits */
	MUTANTS_SWITCHED /* all of these in the other mode: batch for streaming or the reverse */
};
#define MUTANTS_COUNT 3

/* Is shown the tables of mutants while they come: a mutant whose table is not what is looked for
 * is ended where it shows. */
struct mutant_judge {
	/* The columns, before any row. False: no table of them is looked for. */
	bool (*begin)(void *ctx, const struct table *shape);
	/* False: no table with this row is looked for. */
	bool (*row)(void *ctx, enum row_op op, const struct value *cells);
	void *ctx;
	bool no_part; /* no table is looked for whose rows are all among the reference's */
};

/* Begins mutants of one SELECT: each of the others stays as it is. No mutant takes more than
 * `each` steps (sim/op.h). judge: NULL, or must outlive them. */
void mutator_begin(struct mutator *mutator, size_t query, enum mutants which, int64_t each,
	const struct mutant_judge *judge);

/* The next mutant, in order of plausibility: a mistake that applies to this query. All that it is
 * made of is in `arena`, which may be emptied before the next call. 0; -ENOENT: that was the
 * last; -ENOMEM. */
int mutator_next(struct mutator *mutator, struct arena *arena, struct mutant *ret);

/* The mutant at this place once more. As above. */
int mutator_again(struct mutator *mutator, struct arena *arena, size_t entry, size_t index,
	struct mutant *ret);

#endif

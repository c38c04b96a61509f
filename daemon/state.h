/* State: what outlives the daemon: SEQ, how often each step was tried, how many hints were given,
 * which verdict the journal was told. Verdicts are not in it: they are computed from the files at
 * every start.
 *
 * An entry belongs to a lab's name and a step's id, and stays when the lab goes: one that comes
 * back, or is mended, has its attempts. Beyond LIMIT_STATE_STEPS the oldest one makes room that
 * nobody has asked for since the daemon started. */
#ifndef EWIN_DAEMON_STATE_H
#define EWIN_DAEMON_STATE_H

#include "daemon/sha256.h"
#include "parser/text.h"

struct arena;
struct diag;

#define STATE_FILE "state"

/* Instead of a verdict's name: the journal was told nothing of it yet. */
#define TOLD_NOTHING "-"

struct state_step {
	struct text lab, step;
	int64_t attempt;      /* different saves that were graded */
	int64_t hint_tier;    /* see tiers.h */
	char out[SHA256_HEX]; /* of the .out graded last; "" for none */
	char sql[SHA256_HEX]; /* of the .sql beside it then */
	const char *told; /* verdict_name() of what the journal was told last; NULL: not known */
	bool asked;	  /* for, since the state was loaded */
	bool changed;	  /* since it was written */
};

struct state {
	struct arena *arena;
	int64_t seq;
	int64_t seq_reserved;	  /* as the file says: no SEQ beyond it was given out */
	struct state_step *steps; /* in the order in which they were made */
	size_t count, room;
	bool changed;	 /* since it was written */
	size_t size;	 /* of the file as it was left; 0: nothing can be appended to it */
	size_t appended; /* of that, what changed since it was written whole */
};

enum state_moment {
	STATE_AT_WORK, /* somebody waits */
	STATE_AT_REST,
	STATE_AT_END, /* no more SEQ than given out is reserved */
};

/* Reads the file of the open folder. A damaged one is set aside as "state.damaged", where that
 * can be, and the state starts empty: 1, with a diag that says so. No file: empty. 0, 1 or
 * -errno. All memory is in the arena, which must outlive the state. */
int state_load(struct arena *arena, int dirfd, struct state *ret, struct diag *reterr);

/* The entry of a step, made where there is none. The pointer is valid until the next call. NULL: no
 * memory. */
struct state_step *state_step(struct state *state, struct text lab, struct text step);

/* Notes that the entry is to be written. */
void state_touch(struct state *state, struct state_step *step);

/* The next SEQ. Also after a crash no SEQ is given twice, as long as state_save() follows each. */
int64_t state_next_seq(struct state *state);

/* Is a record owed of this verdict, since the journal was told another one, or none? */
bool state_owes(const struct state_step *step, const char *verdict);

/* Notes that the journal is told this verdict, or TOLD_NOTHING. */
void state_tell(struct state *state, struct state_step *step, const char *verdict);

/* Appends what changed to the file, within microseconds. Writes it aside and renames it where it
 * cannot be appended; at rest where it has grown, and at the end. 0 or -errno: all is as it was,
 * to be tried again. */
int state_save(struct state *state, int dirfd, enum state_moment moment, struct diag *reterr);

#endif

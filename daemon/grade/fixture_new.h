/* A new fixture: as many rows of the same columns, made from the one that ships, by a seed. The
 * same seed gives the same bytes on every machine. */
#ifndef EWIN_DAEMON_GRADE_FIXTURE_NEW_H
#define EWIN_DAEMON_GRADE_FIXTURE_NEW_H

#include "daemon/grade/fixture.h"
#include "daemon/grade/grade.h"

/* What is on the lab's disk: its own files, and the bytes of each fixture. */
struct fixture_source {
	const struct lab *lab;
	const struct lab_files *lab_files;
	const struct sim_files *data; /* for zones */
	struct text *bytes;	      /* an entry a fixture */
};

struct fixture_made {
	struct text csv;
	struct fixture_findings
		facts; /* one a property, and a step whose right answer stays the same */
};

/* Makes another fixture with all properties of lab.json, on which the right answers of as many
 * steps as possible are others. 0; -EINVAL: the one that ships has a fault or lacks a property;
 * -ERANGE: no such rows were found, the diag names the property; -errno of a reference;
 * -ENOMEM. */
int fixture_new(struct arena *arena, const struct fixture_source *source, size_t fixture,
	uint64_t seed, struct fixture_made *ret, struct diag *reterr);

/* The lab's data out of memory: `bytes` has an entry a fixture. All given must outlive it. NULL:
 * no memory. */
const struct sim_files *fixture_files(
	struct arena *arena, const struct fixture_source *source, const struct text *bytes);

/* The right answers on a lab's data, of which `bytes` has an entry a fixture. 0 or -errno; the
 * arena, the source and the bytes must outlive the grader. */
int fixture_answers(struct arena *arena, const struct fixture_source *source,
	const struct text *bytes, struct grader **ret, struct diag *reterr);

/* Has the step the same right answer on both? False also for a step whose answer no data
 * changes. */
bool answers_equal(const struct grader *a, const struct grader *b, size_t step);

/* What data and references must be like together: every query gives the same on each run, and
 * none ranks equal rows. `bytes` has an entry a fixture, the grader is of them. Only what is
 * wrong becomes a finding. 0 or -ENOMEM. */
int fixture_check_steps(struct arena *arena, const struct fixture_source *source,
	const struct text *bytes, const struct grader *grader, struct fixture_findings *findings);

/* All that is to say of the data that a lab ships: each file has rows, of the types that lab.json
 * declares; each property is one, and holds or does not; and fixture_check_steps(). A reference
 * that does not run is not told here. 0 or -ENOMEM. */
int fixture_lint(struct arena *arena, const struct fixture_source *source,
	struct fixture_findings *findings);

#endif

/* What ewin-check does for the author of a lab: a lab is read from its folder, with the data that
 * it ships, and nothing is taken from the machine that learners work on. */
#ifndef EWIN_DAEMON_AUTHOR_H
#define EWIN_DAEMON_AUTHOR_H

#include "daemon/grade/fixture_new.h"
#include "daemon/ownfiles.h"

/* A lab as its author has it. It must not move in memory. */
struct author_lab {
	const char *dir;
	struct lab lab;
	struct own_files own;
	struct data_files data;
	struct lab_files own_reader;
	struct sim_files data_reader;
	struct fixture_source source;
};

/* A lab in this folder, of which nothing is read yet. Both texts must outlive it. */
void author_init(struct author_lab *lab, const char *dir, const char *data_root);

/* Reads one of its fixtures, as author_open() does. 0 or -errno. */
int author_read_fixture(struct arena *arena, const struct author_lab *lab, size_t fixture,
	struct text *ret, struct diag *reterr);

/* Reads lab.json in a folder, and each fixture: the copy that ships, or where lab.json names none
 * the file on this machine, below data_root. All is in the arena, which must outlive it, as both
 * texts must. 0, or -errno with the file, line and column where they are known. */
int author_open(struct arena *arena, const char *dir, const char *data_root, struct author_lab *lab,
	struct diag *reterr);

/* Index of the fixture with this path, this name of its last part, or this number from 1; NULL:
 * the only one. 0, or -EINVAL. */
int author_fixture(
	const struct author_lab *lab, const char *name, size_t *ret, struct diag *reterr);

/* `ewin-check --new-fixture`: prints the CSV, and the facts on standard error. `output` is the
 * file to write, NULL: standard output. 0 or -errno. */
struct new_fixture {
	const char *lab; /* its folder */
	const char *data_root;
	const char *fixture, *output; /* may be NULL */
	uint64_t seed;
};
int author_new_fixture(struct arena *arena, const struct new_fixture *asked, struct diag *reterr);

#endif

/* ewin-check: what its parts share. Where a function gives an exit status, -1 means that the
 * program goes on. */
#ifndef EWIN_DAEMON_CHECK_H
#define EWIN_DAEMON_CHECK_H

#include "daemon/exits.h"
#include "daemon/labs.h"
#include "daemon/words.h"
#include "sim/explain.h"

/* The exit statuses that only this program has. */
enum {
	EXIT_FAILED = EXIT_FAULT, /* or a step is wrong */
	EXIT_UNDECIDED = 4
};

/* Pointers go into argv. */
struct check_options {
	struct lab_places places;
	const char *lab, *step, *data_root, *dir;
	bool json;
	struct viewer viewer;
	const char *explained; /* a step */
	struct explain explain;
	const char *new_fixture, *fixture, *output, *lint;
	bool has_seed;
	int64_t seed;
};

/* One graded step. */
struct graded {
	const struct step *step;
	struct verdict verdict;
	struct text sha256;
};

struct check {
	struct arena arena;
	struct check_options options;
	struct labs labs;
	struct text named; /* the lab, on the command line */
	struct loaded_lab *lab;
	int dirfd; /* of the folder that is graded; -1: not open yet */
	struct graded *graded;
	size_t graded_count;
};

/* Reads the command line. An exit status where it is wrong, or was a question. */
int check_options_parse(int argc, char **argv, struct check_options *options);

/* Finds the labs, and of them the one that is graded. An exit status, or -1. */
int check_open_lab(struct check *check);

/* Opens the folder that was named, or the lab's own, unless it is open. An exit status, or -1. */
int check_open_folder(struct check *check);

/* The whole path of the folder that is open; ptr NULL: no memory. In the arena. */
struct text check_folder(struct check *check);

/* Index of a step that was named. The exit status where there is none, or -1. */
int check_find_step(const struct check *check, const char *name, size_t *ret);

/* Grades the step that was asked for, or all. An exit status, or -1. */
int check_grade(struct check *check);

/* How many steps have this verdict; and what all of them come to, as an exit status. */
size_t check_count(const struct check *check, enum verdict_kind kind);
int check_status(const struct check *check);

/* Print what was graded. An exit status, or -1. */
int check_print_text(struct check *check);
int check_print_json(struct check *check);

/* --explain, --new-fixture and --lint. An exit status. */
int check_explain(struct check *check);
int check_new_fixture(struct check *check);
int check_lint(struct check *check);

/* Prints what is wrong on standard error; returns the status. */
int check_complain(int status, const struct diag *diag);

#endif

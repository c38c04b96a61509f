/* Labs: finds the labs of a course on disk and makes each ready to grade. */
#ifndef EWIN_DAEMON_LABS_H
#define EWIN_DAEMON_LABS_H

#include "daemon/datafiles.h"
#include "daemon/grade/grade.h"
#include "daemon/sources.h"
#include "parser/arena.h"
#include "parser/diag.h"

#define LAB_FILE "lab.json"

/* A lab with its grader, or with the reason why there is none. It must not move in memory once it
 * is loaded. */
struct loaded_lab {
	struct text name;      /* as lab.json says, else that of its folder */
	struct text dir;       /* its folder; not owned */
	const char *data_root; /* not owned */
	struct arena arena;    /* of all below */
	bool parsed;	       /* lab holds what lab.json says */
	struct lab lab;
	struct grader *grader; /* NULL: problem says why */
	struct diag problem;
	struct sources sources;
	struct own_files own;
	struct data_files data;
	struct lab_files own_reader;
	struct sim_files data_reader;
};

/* A list of labs; each is a folder with a lab.json. */
struct labs {
	struct loaded_lab *items;
	size_t count;
};

/* Finds the labs below a folder, in the order of their names, and loads each. A lab that does not
 * load is in the list, with its problem. Texts of the list are in the arena, which must outlive it,
 * as data_root ("" for none) must. 0; -ENOENT: no lab is there; or -errno. */
int labs_load(struct arena *arena, const char *dir, const char *data_root, struct labs *ret,
	struct diag *reterr);
void labs_finish(struct labs *labs);

/* The lab with this name, or NULL. */
struct loaded_lab *labs_get(const struct labs *labs, struct text name);

/* Loads one lab again, from what is on disk now. 0, or -errno and its problem is set. */
int lab_reload(struct loaded_lab *lab);

/* Where labs are when nobody says it: contrib/labs of the build tree that the program lies in, else
 * the installed folder. In the arena; NULL: no memory. */
const char *labs_default_dir(struct arena *arena);

#endif

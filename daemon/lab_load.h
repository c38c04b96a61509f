/* Lab, loaded: one folder with a lab.json, read and made ready to grade. */
#ifndef EWIN_DAEMON_LAB_LOAD_H
#define EWIN_DAEMON_LAB_LOAD_H

#include <limits.h>

#include "daemon/grade/grade.h"
#include "daemon/lookout.h"
#include "daemon/ownfiles.h"
#include "daemon/sources.h"
#include "parser/arena.h"
#include "parser/diag.h"

#define LAB_FILE "lab.json"

enum lab_standing {
	LAB_ABSENT,	 /* its folder has no lab.json */
	LAB_HIDDEN,	 /* a lab of the same name, in a place that comes later, is used */
	LAB_SAME_NAME,	 /* a lab of the same place has its name */
	LAB_SAME_FOLDER, /* a lab before it has its learner's folder */
	LAB_STANDS
};

/* Names of labs. */
struct lab_names {
	const struct text *items;
	size_t count; /* 0: of all labs */
};

bool lab_is_named(const struct lab_names *names, struct text name);

/* A lab with its grader, or with the reason why there is none. It does not move in memory. */
struct loaded_lab {
	char *dir;			/* its folder; owned */
	const char *data_root;		/* not owned */
	size_t place;			/* index of the place where it was found */
	struct text name;		/* as lab.json says, else that of its folder */
	struct arena arena;		/* of all below */
	const struct lab_names *wanted; /* not owned */
	bool parsed;			/* lab holds what lab.json says */
	bool idle; /* it is none of those: of `lab` there are name and folder */
	struct lab lab;
	struct grader *grader; /* NULL: problem says why */
	struct diag problem;
	bool ended;    /* no fault of its own: a signal ended the run of its references */
	bool troubled; /* what was read of it rests on files that could not be read for the moment */
	struct sources sources;
	struct own_files own;
	struct data_files data;
	struct lab_files own_reader;
	struct sim_files data_reader;
	/* What labs.c keeps of it: */
	enum lab_standing standing;
	const struct loaded_lab *rival; /* LAB_HIDDEN, LAB_SAME_NAME, LAB_SAME_FOLDER: the other */
	struct lookout lookout;
	bool there;		    /* its folder was there at the last look */
	bool fresh;		    /* just found, and not loaded yet */
	bool dear;		    /* its references took long when they were run last */
	bool read;		    /* by this refresh */
	bool news;		    /* it is another one since the flag was cleared */
	char changed[NAME_MAX + 1]; /* with news: the file whose change led to it; "": none */
};

/* A lab in this folder, whose path is copied; nothing is read yet. The others must outlive it.
 * NULL: no memory. */
struct loaded_lab *lab_new(const char *dir, const char *data_root, const struct lab_names *wanted,
	struct watch *watch);
void lab_free(struct loaded_lab *lab);

/* Reads lab.json anew: name, parsed and lab, or its problem. What was loaded before is gone. */
void lab_read(struct loaded_lab *lab);

/* Runs the references of a lab that was parsed: its grader, or its problem. None of an idle one.
 * pause: as in struct sim_pause; a lab that it ended is troubled. */
void lab_open(struct loaded_lab *lab, const struct sim_pause *pause);

/* When the newest of the lab's data was written, in nanoseconds since the epoch, as of when it
 * was read; 0: not known. */
int64_t lab_data_ns(const struct loaded_lab *lab);

/* Has no grader any more; a lab_read() is to come first. */
void lab_close(struct loaded_lab *lab);

#endif

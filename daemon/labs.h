/* Labs: the labs of a course, found on disk, and found again when they change. */
#ifndef EWIN_DAEMON_LABS_H
#define EWIN_DAEMON_LABS_H

#include "daemon/lab_load.h"
#include "daemon/limits.h"

/* The installed labs, and the administrator's. */
#ifndef LABS_DIR
#define LABS_DIR "/usr/share/ewind/labs"
#endif
#define LABS_DIR_OWN "/etc/ewind/labs"

/* Folders whose folders are labs. Where two of them have a lab of the same name, that of the one
 * which comes later here is used. */
struct lab_places {
	const char *dirs[LIMIT_LAB_PLACES];
	size_t count;
	struct lab_names wanted;       /* the others are not loaded */
	const struct sim_pause *pause; /* asked while references run; NULL: nobody */
};

struct labs {
	struct lab_places places;
	const char *data_root;
	struct watch *watch;			 /* NULL: none */
	bool shared_folders;			 /* two labs may have the same learner's folder */
	struct folder folders[LIMIT_LAB_PLACES]; /* of the places */
	struct loaded_lab *items[LIMIT_LABS];	 /* by place, then by the name of the folder */
	size_t count;
	struct loaded_lab *gone[LIMIT_LABS]; /* not found any more; freed by labs_sweep() */
	size_t gone_count;
	bool stirred; /* a place is to be looked at */
	bool unsure;  /* what is in a place could not be looked at for the moment */
};

/* Says where labs are, and finds and loads all of them. The texts of places and data_root ("":
 * none) must outlive the labs, be absolute where there is a watch, and `shared_folders` is as in
 * the struct. A lab that does not load is in the list, with its problem. 0; -ENOENT: a place is
 * not there; or -errno. labs_finish() is to be called in any case. */
int labs_load(struct labs *labs, const struct lab_places *places, const char *data_root,
	struct watch *watch, bool shared_folders, struct diag *reterr);
void labs_finish(struct labs *labs);

/* Makes the list anew; labs that stay keep their places in memory, those that are not there any
 * more are gone. For labs_refresh(). 0, or -errno and the rest is done. */
int labs_find(struct labs *labs, struct diag *reterr);

/* Says of each lab how it stands, and who is its rival (labs_rank.c). For labs_refresh(). */
void labs_rank(const struct labs *labs);

/* Is the lab one that people see? */
bool lab_is_shown(const struct loaded_lab *lab);

/* The lab with this name that people see, or NULL. */
struct loaded_lab *labs_get(const struct labs *labs, struct text name);

/* Takes in an event. */
void labs_event(struct labs *labs, const struct watch_event *event, int64_t now_ms);

/* Looks at every place and every file of a lab, for what no event told. */
void labs_scan(struct labs *labs, int64_t now_ms);

/* Loads what changed and has settled; with `now` also what has not. Sets `news` of each lab that is
 * another one than before, those that are gone included. 0, or -errno and the rest is done. */
int labs_refresh(struct labs *labs, bool now, int64_t now_ms, struct diag *reterr);

/* Frees the labs that are gone. Nothing may point to one any more. */
void labs_sweep(struct labs *labs);

/* When there is something to refresh next; INT64_MAX: only after an event. */
int64_t labs_deadline(const struct labs *labs);

/* Is there something that could not be read or looked at for the moment? Then labs_scan() soon. */
bool labs_unsure(const struct labs *labs);

/* Rests anything on polling? */
bool labs_poll(const struct labs *labs);

/* Where labs are when nobody says it: contrib/labs of the build tree that the program lies in, else
 * the installed folder and the administrator's. In the arena. */
void lab_places_default(struct arena *arena, struct lab_places *ret);

/* The folder of this name that has a lab.json, in the place that comes last. In the arena; NULL:
 * there is none. */
const char *lab_places_find(struct arena *arena, const struct lab_places *places, const char *name);

#endif

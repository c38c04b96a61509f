/* Running a scene: the statements that its query needs, in a session of their own. */
#ifndef EWIN_SIM_SCENE_RUN_H
#define EWIN_SIM_SCENE_RUN_H

#include "sim/mutate.h"
#include "sim/scene.h"

struct scene_run {
	const struct sim_files *files;	  /* with kept rows */
	int64_t steps;			  /* that it may take, see sim/op.h */
	const struct mutant_judge *judge; /* of the table, or NULL */
};

/* A session with the settings of a scene, or with none where that is NULL. NULL: no memory. */
struct session *scene_session(
	struct arena *arena, const struct sim_files *files, const struct scene *scene);

/* Runs the scene: its table, what became of it and its steps go to `ret`, all of it in the scene's
 * arena. 0 or -ENOMEM. */
int scene_run(const struct scene_run *run, const struct scene *scene, struct mutant *ret);

#endif

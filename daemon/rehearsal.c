/* Rehearsal: one script a step, told apart by the hash of its bytes. What it was run on is the lab's
 * data; where those change the lab is loaded again, and its rehearsals go. */
#include "daemon/rehearsal.h"

#include <string.h>

#include "daemon/limits.h"
#include "parser/limits.h"

void rehearsal_init(struct rehearsal *rehearsal)
{
	*rehearsal = (struct rehearsal){0};
	arena_init(&rehearsal->arena, LIMIT_GRADE_ARENA);
}

void rehearsal_finish(struct rehearsal *rehearsal)
{
	arena_finish(&rehearsal->arena);
}

static void run(struct rehearsal *rehearsal, const struct intake *sql, const struct sim_files *data)
{
	struct text source;

	arena_finish(&rehearsal->arena);
	memcpy(rehearsal->sha256, sql->identity.sha256, sizeof(rehearsal->sha256));
	source = text_copy(&rehearsal->arena, sql->file.bytes);
	rehearsal->kept = source.ptr &&
			  script_run(&rehearsal->arena, source, data, &rehearsal->script) == 0 &&
			  rehearsal->arena.used <= LIMIT_REHEARSAL;
	if (!rehearsal->kept)
		arena_finish(&rehearsal->arena);
}

const struct script *rehearsal_of(
	struct rehearsal *rehearsal, const struct intake *sql, const struct sim_files *data)
{
	if (sql->file.state != FILE_THERE || sql->moving)
		return NULL;
	if (strcmp(rehearsal->sha256, sql->identity.sha256) != 0)
		run(rehearsal, sql, data);
	return rehearsal->kept ? &rehearsal->script : NULL;
}

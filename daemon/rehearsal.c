/* Rehearsal: one script a step, told apart by the hash of its bytes. What it was run on is the
 * lab's data; where those change the lab is loaded again, and its rehearsals go. */
#include "daemon/rehearsal.h"

#include <string.h>

#include "daemon/limits.h"
#include "parser/limits.h"

void rehearsal_init(struct rehearsal *rehearsal)
{
	*rehearsal = (struct rehearsal){0};
	arena_init(&rehearsal->arena, LIMIT_REHEARSAL);
}

void rehearsal_finish(struct rehearsal *rehearsal)
{
	arena_finish(&rehearsal->arena);
}

/* Runs it in memory that is given back: what was printed is a tenth of that. */
static void run(struct rehearsal *rehearsal, const struct intake *sql, const struct sim_files *data)
{
	struct arena scratch;
	struct script script;

	arena_finish(&rehearsal->arena);
	arena_init(&scratch, LIMIT_GRADE_ARENA);
	memcpy(rehearsal->sha256, sql->identity.sha256, sizeof(rehearsal->sha256));
	rehearsal->script = ARENA_NEW(&rehearsal->arena, struct script);
	if (!rehearsal->script || script_run(&scratch, sql->file.bytes, data, &script) ||
		script_keep(&rehearsal->arena, &script, rehearsal->script)) {
		rehearsal->script = NULL;
		arena_finish(&rehearsal->arena);
	}
	arena_finish(&scratch);
}

const struct script *rehearsal_of(
	struct rehearsal *rehearsal, const struct intake *sql, const struct sim_files *data)
{
	if (sql->file.state != FILE_THERE || sql->moving)
		return NULL;
	if (strcmp(rehearsal->sha256, sql->identity.sha256) != 0)
		run(rehearsal, sql, data);
	return rehearsal->script;
}

void rehearsal_rest(struct rehearsal *rehearsal)
{
	if (!rehearsal->script || rehearsal->arena.used <= LIMIT_REHEARSAL_IDLE)
		return;
	rehearsal_finish(rehearsal);
	rehearsal_init(rehearsal);
}

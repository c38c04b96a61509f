/* Closed: who may change a mode is told the very command, with paths as the learner knows them, in
 * single quotes where a shell would take them apart. */
#include "daemon/closed.h"

#include <errno.h>
#include <string.h>

#include "daemon/quote.h"
#include "parser/arena.h"

size_t closed_things(const struct progress *progress)
{
	return 1 + 2 * progress->count;
}

/* The closed folder without the data root before it; one that lies within that is nobody's but
 * the operator's. */
static struct text shown_folder(const struct progress *progress)
{
	size_t closed = progress->folder.closed;
	size_t hidden = strlen(progress->folder.path) - progress->shown.len;

	if (closed <= hidden)
		return (struct text){progress->folder.path, closed};
	return text_slice(progress->shown, 0, closed - hidden);
}

/* The name of a file that is closed, in its folder; NULL: it is not. Of one in a folder that was
 * closed when it was looked at nothing is known, not even its inode. */
static const char *closed_file(const struct progress *progress, size_t thing)
{
	const struct progress_step *step = &progress->steps[(thing - 1) / 2];
	bool is_out = (thing - 1) % 2 == 0;
	const struct identity *seen = is_out ? &step->seen : &step->seen_sql;

	if (seen->state != FILE_UNREADABLE || !seen->ino)
		return NULL;
	return is_out ? step->out_name : step->sql_name;
}

int closed_notice(
	const struct progress *progress, size_t thing, struct arena *arena, struct message *ret)
{
	const char *mode = thing ? "a+r" : "a+rx",
		   *name = thing ? closed_file(progress, thing) : NULL;
	struct text path, command;
	int r;

	if (thing ? !name : !progress->folder.closed)
		return 0;
	path = thing ? text_format(arena, "%.*s/%s", TEXT_ARG(progress->shown), name)
		     : shown_folder(progress);
	if (path.ptr)
		path = quote_word(arena, path);
	if (!path.ptr)
		return -ENOMEM;
	command = text_format(arena, "chmod %s %.*s", mode, TEXT_ARG(path));
	if (!command.ptr)
		return -ENOMEM;
	r = message_make(arena, MSG_CLOSED, progress->lab->name, command, TEXT(""), ret);
	return r < 0 ? r : 1;
}

bool *closed_told(struct progress *progress, size_t thing)
{
	struct progress_step *step;

	if (!thing)
		return &progress->told_folder;
	step = &progress->steps[(thing - 1) / 2];
	return (thing - 1) % 2 == 0 ? &step->told_out : &step->told_sql;
}

/* Absent: a fixture's copy in the lab's folder is its "data" in lab.json. */
#include "daemon/absent.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "daemon/quote.h"
#include "parser/arena.h"

static bool is_absent(const struct loaded_lab *lab, struct text path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%.*s", lab->data_root, TEXT_ARG(path));
	return access(full, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* "install -D -m 644 COPY PATH". On lack of memory its ptr is NULL. */
static struct text command_of(struct arena *arena, struct text copy, struct text path)
{
	struct text from = quote_word(arena, copy), to = quote_word(arena, path);

	if (!from.ptr || !to.ptr)
		return (struct text){0};
	return text_format(arena, "install -D -m 644 %.*s %.*s", TEXT_ARG(from), TEXT_ARG(to));
}

int absent_notice(
	const struct loaded_lab *lab, size_t fixture, struct arena *arena, struct message *ret)
{
	const struct fixture *asked = &lab->lab.fixtures[fixture];
	struct text copy, command;
	int r;

	if (lab->grader || !asked->data.len || !is_absent(lab, asked->path))
		return 0;
	copy = text_format(arena, "%s/%.*s", lab->dir, TEXT_ARG(asked->data));
	if (!copy.ptr)
		return -ENOMEM;
	if (access(copy.ptr, F_OK) < 0)
		return 0;
	command = command_of(arena, copy, asked->path);
	if (!command.ptr)
		return -ENOMEM;
	r = message_make(arena, MSG_NO_DATA, lab->name, asked->path, command, ret);
	return r < 0 ? r : 1;
}

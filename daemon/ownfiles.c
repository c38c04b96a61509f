/* A lab's own files are read whole, and within its folder: a path that leads out of it is none,
 * nor is a symlink one. */
#include "daemon/ownfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "daemon/intake.h"
#include "daemon/paths.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* What a file of the lab's author that is not there as it should be is called. */
static int unusable(enum file_state state, struct diag *reterr)
{
	switch (state) {
	case FILE_MISSING: return diag_set(reterr, -ENOENT, 0, 0, "there is no such file");
	case FILE_NOT_REGULAR:
		return diag_set(
			reterr, -EINVAL, 0, 0, "it is no regular file (a symlink is not followed)");
	case FILE_TOO_LARGE:
		return diag_set(
			reterr, -EFBIG, 0, 0, "it is larger than %u bytes", LIMIT_JSON_BYTES);
	default: return diag_set(reterr, -EACCES, 0, 0, "it cannot be read");
	}
}

int own_files_read(struct own_files *files, struct arena *arena, struct text path, struct text *ret,
	struct diag *reterr)
{
	char full[PATH_MAX];
	struct intake intake;
	int r;

	if (path_climbs(path) || memchr(path.ptr, '\0', path.len) ||
		(size_t)snprintf(full, sizeof(full), "%s/%.*s", files->dir, TEXT_ARG(path)) >=
			sizeof(full))
		return diag_set(
			reterr, -EINVAL, 0, 0, "%.*s is no path in the lab", TEXT_ARG(path));
	r = files->sources ? sources_note(files->sources, text_of(full), reterr) : 0;
	if (r == 0)
		r = intake_read(arena, AT_FDCWD, full, LIMIT_JSON_BYTES, &intake, reterr);
	if (r == -EAGAIN)
		files->trouble.any = true;
	if (r == 0 && intake.file.state != FILE_THERE)
		r = unusable(intake.file.state, reterr);
	if (r < 0) {
		diag_file(reterr, path);
		return r;
	}
	*ret = intake.file.bytes;
	return 0;
}

static int own_read(
	void *ctx, struct arena *arena, struct text path, struct text *ret, struct diag *reterr)
{
	return own_files_read(ctx, arena, path, ret, reterr);
}

struct lab_files own_files_reader(struct own_files *files)
{
	return (struct lab_files){.read = own_read, .ctx = files};
}

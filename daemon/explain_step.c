/* Explaining a step: the learner's SQL is read and run as for grading, over the lab's data
 * alone. */
#include "daemon/explain_step.h"

#include <errno.h>
#include <stdio.h>

#include "daemon/intake.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/diag.h"

#define WRITE_SIZE (64u << 10)

static int write_stdout(void *ctx, const char *bytes, size_t size)
{
	bool *wrote = ctx;

	*wrote = true;
	errno = EIO;
	return fwrite(bytes, 1, size, stdout) == size ? 0 : -errno;
}

static int explain_sql(
	const struct explain_step *asked, struct text sql, struct text name, struct diag *reterr)
{
	bool wrote = false;
	char *buffer = arena_alloc(asked->arena, WRITE_SIZE);
	struct writer out = {
		.write = write_stdout, .ctx = &wrote, .buffer = buffer, .room = WRITE_SIZE};
	int r;

	if (!buffer)
		return diag_nomem(reterr);
	r = explain_script(
		asked->arena, &asked->explain, sql, &asked->lab->data_reader, &out, reterr);
	writer_flush(&out);
	if (r < 0)
		diag_file(reterr, name);
	return r == -ENOTSUP && wrote ? -EIO : r;
}

int explain_own(const struct explain_step *asked, struct diag *reterr)
{
	const struct step *step = &asked->lab->lab.steps[asked->step];
	struct text path = text_copy(asked->arena, step->sql);
	struct intake sql = {0};
	int r;

	if (!path.ptr)
		return diag_nomem(reterr);
	r = path.len ? intake_read(
			       asked->arena, asked->dirfd, path.ptr, LIMIT_SQL_BYTES, &sql, reterr)
		     : 0;
	if (r < 0)
		return r;
	if (!path.len || sql.file.state != FILE_THERE)
		return diag_set(reterr, -ENOENT, 0, 0,
			tr("there is no SQL of the step %.*s to explain"), TEXT_ARG(step->id));
	return explain_sql(asked, sql.file.bytes, step->sql, reterr);
}

int explain_reference(const struct explain_step *asked, struct diag *reterr)
{
	const struct step *step = &asked->lab->lab.steps[asked->step];
	struct text sql;
	int r = own_files_read(&asked->lab->own, asked->arena, step->reference, &sql, reterr);

	return r < 0 ? r : explain_sql(asked, sql, step->reference, reterr);
}

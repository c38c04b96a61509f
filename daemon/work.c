/* Work: reading what a step is graded from. Files that only stand beside it are read as well, so
 * that each verdict is of one moment. */
#include "daemon/work.h"

#include "daemon/keep.h"
#include "daemon/limits.h"
#include "parser/diag.h"
#include "parser/limits.h"

bool work_is_report(const struct progress *progress, size_t i)
{
	return progress->lab->lab.steps[i].kind == STEP_REPORT;
}

int work_read_out(const struct progress *progress, size_t i, struct work *work, struct intake *ret,
	struct diag *reterr)
{
	size_t cap = work_is_report(progress, i) ? LIMIT_JSON_BYTES : LIMIT_OUT_BYTES;

	return progress_read(
		progress, &work->scratch, progress->steps[i].out_name, cap, ret, reterr);
}

const struct script *work_rehearse(
	struct progress *progress, struct progress_step *step, const struct intake *sql)
{
	struct read_trouble *trouble = &progress->lab->data.trouble;
	bool before = trouble->any;
	const struct script *script;

	trouble->any = false;
	script = rehearsal_of(&step->rehearsal, sql, &progress->lab->data_reader);
	if (trouble->any) {
		rehearsal_finish(&step->rehearsal);
		rehearsal_init(&step->rehearsal);
		script = NULL;
	}
	trouble->any = trouble->any || before;
	return script;
}

bool work_troubled(struct progress *progress, struct diag *reterr)
{
	struct read_trouble *trouble = &progress->lab->data.trouble;
	bool any = trouble->any;

	if (any && reterr)
		*reterr = trouble->diag;
	trouble->any = false;
	return any;
}

/* The other steps that this one is held against. */
static int read_others(struct progress *progress, size_t i, struct work *work, struct diag *reterr)
{
	for (size_t j = 0; j < progress->count; j++) {
		struct progress_step *step = &progress->steps[j];
		const char *sql_name = work_is_report(progress, i) ? NULL : step->sql_name;
		struct intake out, sql;
		int r;

		if (j == i || !step_needs(&progress->lab->lab, i, j))
			continue;
		r = work_read_out(progress, j, work, &out, reterr);
		if (r == 0)
			r = progress_read(
				progress, &work->scratch, sql_name, LIMIT_SQL_BYTES, &sql, reterr);
		if (r < 0)
			return r;
		work->submissions[j] = (struct submission){.out = out.file,
			.sql = sql.file,
			.script = work_rehearse(progress, step, &sql),
			.open = step->settle.state == SETTLE_HELD};
	}
	return 0;
}

int work_read(
	struct progress *progress, size_t i, bool open, struct work *work, struct diag *reterr)
{
	const char *sql_name = progress->steps[i].sql_name;
	int r;

	work->submissions =
		arena_array(&work->scratch, progress->count, sizeof(*work->submissions));
	if (!work->submissions)
		return diag_nomem(reterr);
	r = progress_read(progress, &work->scratch, sql_name, LIMIT_SQL_BYTES, &work->sql, reterr);
	if (r == 0)
		r = read_others(progress, i, work, reterr);
	if (r < 0)
		return r;
	work->submissions[i] = (struct submission){.out = work->out.file,
		.sql = work->sql.file,
		.script = work_rehearse(progress, &progress->steps[i], &work->sql),
		.open = open,
		.data_newer =
			lab_data_ns(progress->lab) > work->out.file.mtime_ns + STALE_SLACK_NS};
	return 0;
}

int work_keep(struct progress_step *step, const struct verdict *verdict, struct diag *reterr)
{
	struct arena arena;
	struct verdict kept;
	int r;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	r = verdict_keep(&arena, verdict, &kept, reterr);
	if (r < 0) {
		arena_finish(&arena);
		return r;
	}
	arena_finish(&step->arena);
	step->arena = arena;
	step->verdict = kept;
	return 0;
}

/* Progress: the list of steps of one lab, where its folder is, and what happened there. What follows
 * from a file that is to be looked at is in progress_grade.c, what is shown of it in progress_view.c.
 *
 * A .sql that changed after its output was graded makes the verdict stale, one that came together
 * with it, or after it, is taken in. */
#include "daemon/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/limits.h"
#include "daemon/watch.h"
#include "daemon/work.h"
#include "parser/limits.h"

static int make_step(struct arena *arena, const struct step *asked, struct progress_step *step,
	struct diag *reterr)
{
	step->id = text_copy(arena, asked->id);
	step->kind = asked->kind;
	step->out_name = text_copy(arena, asked->file).ptr;
	step->sql_name = asked->sql.len ? text_copy(arena, asked->sql).ptr : NULL;
	if (!step->id.ptr || !step->out_name || (asked->sql.len && !step->sql_name))
		return diag_nomem(reterr);
	step->verdict.kind = VERDICT_MISSING;
	arena_init(&step->arena, LIMIT_GRADE_ARENA);
	rehearsal_init(&step->rehearsal);
	return 0;
}

static int make_steps(struct progress *progress, struct diag *reterr)
{
	const struct lab *lab = &progress->lab->lab;
	size_t count = progress->lab->parsed ? lab->step_count : 0;

	progress->steps = arena_array(&progress->arena, count, sizeof(*progress->steps));
	if (!progress->steps)
		return diag_nomem(reterr);
	for (progress->count = 0; progress->count < count; progress->count++) {
		int r = make_step(&progress->arena, &lab->steps[progress->count],
			&progress->steps[progress->count], reterr);
		if (r < 0)
			return r;
	}
	progress->latest = count;
	progress->changed = true;
	return 0;
}

void progress_tell_owed(const struct progress *progress, struct progress_step *step)
{
	if (step->announce)
		progress->calls.owed(progress->calls.ctx, progress, step);
	step->announce = false;
}

static void drop_steps(struct progress *progress)
{
	for (size_t i = 0; i < progress->count; i++) {
		progress_tell_owed(progress, &progress->steps[i]);
		arena_finish(&progress->steps[i].arena);
		rehearsal_finish(&progress->steps[i].rehearsal);
	}
	progress->steps = NULL;
	progress->count = progress->latest = 0;
	arena_finish(&progress->arena);
}

/* Says which folder is watched, and what the learner calls it. A lab whose lab.json is broken has
 * none. */
static int make_place(struct progress *progress, struct watch *watch, struct diag *reterr)
{
	const struct loaded_lab *lab = progress->lab;
	struct text path = TEXT(""), shown = TEXT("?");

	if (progress->dir) {
		path = shown = text_of(progress->dir);
	} else if (lab->parsed) {
		path = text_format(
			&progress->arena, "%s%.*s", lab->data_root, TEXT_ARG(lab->lab.folder));
		shown = text_copy(&progress->arena, lab->lab.folder);
	}
	if (!path.ptr || !shown.ptr)
		return diag_nomem(reterr);
	progress->shown = shown;
	folder_init(&progress->folder, path.ptr, watch, true);
	return 0;
}

int progress_init(struct progress *progress, struct loaded_lab *lab, struct state *state,
	struct watch *watch, const char *dir, struct diag *reterr)
{
	int r;

	*progress = (struct progress){.lab = lab, .state = state, .dir = dir};
	arena_init(&progress->arena, LIMIT_LAB_ARENA);
	r = make_place(progress, watch, reterr);
	return r < 0 ? r : make_steps(progress, reterr);
}

void progress_finish(struct progress *progress)
{
	folder_finish(&progress->folder);
	drop_steps(progress);
}

static struct identity look(const struct progress *progress, const char *name)
{
	if (progress->folder.closed && name)
		return (struct identity){.state = FILE_UNREADABLE};
	if (progress->folder.dirfd < 0 || !name)
		return (struct identity){.state = FILE_MISSING};
	return intake_look(progress->folder.dirfd, name);
}

/* Is the lab still about the same files of the same folder? */
static bool has_same_steps(const struct progress *progress)
{
	const struct lab *lab = &progress->lab->lab;
	bool same = progress->lab->parsed && progress->count == lab->step_count &&
		    (progress->dir || text_eq(progress->shown, lab->folder));

	for (size_t i = 0; same && i < progress->count; i++) {
		const struct progress_step *step = &progress->steps[i];
		struct text sql = text_of(step->sql_name ? step->sql_name : "");
		same = text_eq(step->id, lab->steps[i].id) && step->kind == lab->steps[i].kind &&
		       text_eq(text_of(step->out_name), lab->steps[i].file) &&
		       text_eq(sql, lab->steps[i].sql);
	}
	return same;
}

/* What was worked out with the data as they were is void. */
static void grade_all_again(struct progress *progress)
{
	for (size_t i = 0; i < progress->count; i++) {
		struct progress_step *step = &progress->steps[i];
		rehearsal_finish(&step->rehearsal);
		rehearsal_init(&step->rehearsal);
		step->again = step->graded;
	}
}

static int start_afresh(struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	const struct progress before = *progress;
	int r;

	progress_finish(progress);
	r = progress_init(
		progress, before.lab, before.state, before.folder.watch, before.dir, reterr);
	progress->calls = before.calls;
	if (r == 0)
		progress_scan(progress, now_ms);
	return r;
}

int progress_reload(struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	int r = 0;

	if (has_same_steps(progress))
		grade_all_again(progress);
	else
		r = start_afresh(progress, now_ms, reterr);
	if (r < 0)
		return r;
	progress->changed = true;
	progress->regraded = 0;
	for (size_t i = 0; progress->lab->grader && i < progress->count; i++)
		progress->regraded +=
			look(progress, progress->steps[i].out_name).state != FILE_MISSING;
	/* Who has saved nothing yet has no other verdict to wonder at. */
	progress->changed_file = text_copy(
		&progress->arena, text_of(progress->regraded ? progress->lab->changed : ""));
	return progress->changed_file.ptr ? 0 : diag_nomem(reterr);
}

int progress_read(const struct progress *progress, struct arena *arena, const char *name,
	size_t cap, struct intake *ret, struct diag *reterr)
{
	if (progress->folder.closed && name) {
		*ret = (struct intake){
			.file.state = FILE_UNREADABLE, .identity.state = FILE_UNREADABLE};
		return 0;
	}
	if (progress->folder.dirfd < 0 && progress->folder.unsure)
		return diag_set(reterr, -EAGAIN, 0, 0, "%s: it cannot be opened for the moment",
			progress->folder.path);
	if (progress->folder.dirfd < 0 || !name) {
		*ret = (struct intake){0};
		return 0;
	}
	return intake_read(arena, progress->folder.dirfd, name, cap, ret, reterr);
}

int progress_failed(const struct progress *progress, size_t step, int r, struct diag *reterr)
{
	char name[LIMIT_DIAG_FILE];
	struct text id = progress->steps[step].id;

	if (r < 0 && reterr && !reterr->file[0]) {
		snprintf(name, sizeof(name), "%.*s/%.*s", TEXT_ARG(progress->lab->name),
			TEXT_ARG(id));
		diag_file(reterr, text_of(name));
	}
	return r;
}

static void out_event(struct progress_step *step, enum watch_kind kind, int64_t now_ms)
{
	static const enum settle_event events[] = {
		[WATCH_MADE] = SETTLE_MADE,
		[WATCH_WRITTEN] = SETTLE_WRITTEN,
		[WATCH_CLOSED] = SETTLE_CLOSED,
		[WATCH_GONE] = SETTLE_GONE,
	};

	settle_event(&step->settle, events[kind], now_ms);
	step->failed = false;
}

bool progress_is_newer(const struct identity *sql, const struct identity *out)
{
	return sql->mtime_ns > out->mtime_ns + STALE_SLACK_NS;
}

void progress_compare_sql(struct progress_step *step)
{
	bool comparable = step->graded && step->out.state != FILE_MISSING &&
			  step->seen_sql.state == FILE_THERE;
	bool differs = comparable && !identity_same_bytes(&step->seen_sql, &step->sql);
	bool stale = differs && progress_is_newer(&step->seen_sql, &step->out);

	step->again = step->again || (differs && !stale);
	step->changed = step->changed || stale != step->stale;
	step->stale = stale;
}

/* An output to which other SQL was saved at once is graded again before anything is said of it. */
static void sql_event(struct progress *progress, struct progress_step *step, int64_t now_ms)
{
	struct arena scratch;
	struct intake intake;

	arena_init(&scratch, LIMIT_GRADE_ARENA);
	if (progress_read(progress, &scratch, step->sql_name, LIMIT_SQL_BYTES, &intake, NULL) ==
		0) {
		/* For the status, even where no verdict hangs on it: a prompt compares. */
		progress->changed = true;
		step->seen_sql = intake.identity;
		progress_compare_sql(step);
		if (step->again && step->settle.state == SETTLE_IDLE)
			settle_event(&step->settle, SETTLE_FOUND, now_ms);
		step->rehearse = intake.file.state == FILE_THERE;
	} else {
		progress->unsure = true;
	}
	arena_finish(&scratch);
}

static void named_event(struct progress *progress, const struct watch_event *event, int64_t now_ms)
{
	for (size_t i = 0; i < progress->count; i++) {
		struct progress_step *step = &progress->steps[i];
		if (strcmp(step->out_name, event->name) == 0)
			out_event(step, event->kind, now_ms);
		else if (step->sql_name && strcmp(step->sql_name, event->name) == 0 &&
			 (event->kind == WATCH_CLOSED || event->kind == WATCH_GONE))
			sql_event(progress, step, now_ms);
	}
}

void progress_event(struct progress *progress, const struct watch_event *event, int64_t now_ms)
{
	if (event->kind == WATCH_OVERFLOW)
		for (size_t i = 0; i < progress->count; i++)
			settle_event(&progress->steps[i].settle, SETTLE_LOST, now_ms);
	if (folder_concerned(&progress->folder, event))
		progress_scan(progress, now_ms);
	else if (event->id == progress->folder.id && event->name[0])
		named_event(progress, event, now_ms);
}

/* Compares one step's files with what was read of them last. */
static void scan_step(struct progress *progress, struct progress_step *step, int64_t now_ms)
{
	struct identity out = look(progress, step->out_name), sql = look(progress, step->sql_name);
	bool same = identity_same_look(&out, &step->seen) && step->seen.state != FILE_UNREADABLE;
	bool fresh = !step->graded && step->settle.state == SETTLE_IDLE;

	step->failed = false;
	step->seen.shared = out.shared;
	step->seen_sql.shared = sql.shared;
	if (fresh || (!same && out.state != FILE_MISSING))
		settle_event(&step->settle, SETTLE_FOUND, now_ms);
	else if (!same && step->settle.state != SETTLE_WAITING)
		settle_event(&step->settle, SETTLE_GONE, now_ms);
	if (step->graded && !identity_same_look(&sql, &step->seen_sql))
		sql_event(progress, step, now_ms);
}

void progress_scan(struct progress *progress, int64_t now_ms)
{
	struct folder before = progress->folder;

	progress->unsure = false;
	folder_arm(&progress->folder);
	progress->changed = progress->changed || before.blocked != progress->folder.blocked ||
			    before.closed != progress->folder.closed;
	for (size_t i = 0; i < progress->count; i++)
		scan_step(progress, &progress->steps[i], now_ms);
}

void progress_rest(struct progress *progress)
{
	for (size_t i = 0; i < progress->count; i++) {
		struct progress_step *step = &progress->steps[i];
		if (step->graded && !step->diagnose && !step->again &&
			strcmp(step->rehearsal.sha256, step->sql.sha256) == 0)
			rehearsal_rest(&step->rehearsal);
	}
}

bool progress_waits(const struct progress *progress)
{
	return progress->lab->lookout.stirred || !progress->lab->grader;
}

int64_t progress_deadline(const struct progress *progress)
{
	int64_t next = INT64_MAX;

	if (progress_waits(progress))
		return next;
	for (size_t i = 0; i < progress->count; i++) {
		const struct progress_step *step = &progress->steps[i];
		int64_t deadline = step->failed ? INT64_MAX : settle_deadline(&step->settle);
		if (deadline < next)
			next = deadline;
	}
	return next;
}

bool progress_shares(const struct progress *progress)
{
	for (size_t i = 0; i < progress->count; i++)
		if (progress->steps[i].seen.shared || progress->steps[i].seen_sql.shared)
			return true;
	return false;
}

bool progress_unsure(const struct progress *progress)
{
	bool unsure = progress->unsure || progress->folder.unsure;

	for (size_t i = 0; !unsure && i < progress->count; i++)
		unsure = progress->steps[i].failed;
	return unsure;
}

bool progress_pending(const struct progress *progress)
{
	if (!progress->lab->grader)
		return false;
	if (progress_unsure(progress))
		return true;
	for (size_t i = 0; i < progress->count; i++)
		if (settle_pending(&progress->steps[i].settle))
			return true;
	return false;
}

/* Await: compares the files of the labs with what the status says was graded, and waits for the
 * status to catch up.
 *
 * A file is covered where its size and time are those graded and the promise of the status file is
 * younger than it (daemon/status.h), else where its hash is the one graded: times repeat within a
 * clock tick and may be set by anybody, bytes decide. While waiting only the status file is
 * looked at: the daemon puts another one in its place, or moves its time on, when it has looked
 * again. That is looked for at short intervals, since a prompt waits: to close an inotify
 * descriptor takes the kernel 10 to 20 ms. */
#include "daemon/await.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/limits.h"
#include "daemon/tiers.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "parser/transcript.h"

/* A lab's folder and the promise to judge it by. */
struct scene {
	struct arena *arena;
	int dirfd;
	int64_t stamp_ns; /* 0: no promise */
};

static bool same_bytes(
	const struct scene *scene, const char *name, const struct status_file *graded)
{
	struct intake intake;

	if (intake_read(scene->arena, scene->dirfd, name, LIMIT_OUT_BYTES, &intake, NULL) < 0)
		return false;
	/* What this user cannot read cannot be compared: size and time have to do. */
	if (intake.identity.state != FILE_THERE || graded->state != FILE_THERE)
		return intake.identity.state == FILE_UNREADABLE ||
		       intake.identity.state == graded->state;
	return !intake.moving && text_eq(text_of(intake.identity.sha256), graded->sha256);
}

static bool file_covered(const struct scene *scene, const struct status_file *graded)
{
	struct text name = text_copy(scene->arena, graded->name);
	struct identity now;

	if (!name.ptr || !name.len)
		return name.ptr != NULL;
	/* In a folder that is closed to the daemon there is nothing to wait for. */
	if (graded->state == FILE_UNREADABLE && !graded->mtime_ns)
		return true;
	now = intake_look(scene->dirfd, name.ptr);
	if (now.state != FILE_THERE || graded->state == FILE_MISSING)
		return now.state == graded->state;
	if (now.size == graded->size && now.mtime_ns == graded->mtime_ns &&
		now.mtime_ns <= scene->stamp_ns)
		return true;
	return same_bytes(scene, name.ptr, graded);
}

static bool tail_complete(int fd)
{
	char tail[TRANSCRIPT_TAIL];
	struct stat st;
	off_t from = 0;
	ssize_t len;

	if (fstat(fd, &st) < 0)
		return false;
	if (st.st_size > (off_t)sizeof(tail))
		from = st.st_size - (off_t)sizeof(tail);
	len = pread(fd, tail, sizeof(tail), from);
	return len >= 0 && transcript_tail_complete((struct text){tail, (size_t)len});
}

/* Has a writer the file open? A lease that forbids it is granted only where there is none. Where
 * the file system knows no leases, the client's closing lines tell that it is done. */
static bool is_written(const struct scene *scene, const struct status_file *out)
{
	struct text name = text_copy(scene->arena, out->name);
	bool written = false;
	int fd;

	if (!name.ptr)
		return false;
	fd = openat(scene->dirfd, name.ptr, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	/* Who opens it for writing meanwhile has us sent a signal, which is to end nobody: this
	 * one is ignored. */
	fcntl(fd, F_SETSIG, SIGURG);
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		written = errno == EAGAIN || !tail_complete(fd);
	close(fd);
	return written;
}

/* Of a stale output it is the time that counts: the same bytes that were written anew are no
 * longer older than their SQL. */
static bool age_covered(const struct scene *scene, const struct status_step *step)
{
	struct text name = step->stale ? text_copy(scene->arena, step->out.name) : TEXT("");
	struct identity now;

	if (!step->stale || !name.ptr)
		return !step->stale;
	now = intake_look(scene->dirfd, name.ptr);
	return now.state != FILE_THERE || now.mtime_ns == step->out.mtime_ns ||
	       step->sql.mtime_ns > now.mtime_ns + STALE_SLACK_NS;
}

static bool step_covered(const struct scene *scene, const struct status_step *step)
{
	bool out = step->running ? is_written(scene, &step->out) : file_covered(scene, &step->out);

	return out && file_covered(scene, &step->sql) && age_covered(scene, step);
}

/* A lab that cannot be graded has nothing to wait for, nor has a folder that is closed to us. */
static bool lab_covered(struct arena *arena, const struct status_lab *lab, int64_t stamp_ns)
{
	struct scene scene = {.arena = arena, .stamp_ns = stamp_ns};
	struct text folder = text_copy(arena, lab->folder);
	bool covered = true;

	if (lab->problem.len || !folder.ptr)
		return true;
	scene.dirfd = open(folder.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (scene.dirfd < 0)
		return true;
	for (size_t i = 0; covered && i < lab->step_count; i++)
		covered = step_covered(&scene, &lab->steps[i]);
	close(scene.dirfd);
	return covered;
}

static bool all_covered(struct arena *arena, const struct status *status, int64_t stamp_ns)
{
	for (size_t i = 0; i < status->lab_count; i++)
		if (!lab_covered(arena, &status->labs[i], stamp_ns))
			return false;
	return true;
}

static int read_status(struct arena *arena, int dirfd, struct status *ret, struct diag *reterr)
{
	struct intake intake;
	int r = intake_bytes(arena, dirfd, STATUS_JSON, LIMIT_STATUS_BYTES, &intake, reterr);

	if (r < 0)
		return r;
	switch (intake.identity.state) {
	case FILE_THERE: break;
	case FILE_MISSING: return diag_set(reterr, -ENOENT, 0, 0, tr("ewind is not running"));
	case FILE_UNREADABLE:
		return diag_set(reterr, -EACCES, 0, 0, tr("the status cannot be read"));
	case FILE_NOT_REGULAR:
	case FILE_TOO_LARGE:
		return diag_set(reterr, -EINVAL, 0, 0, tr("the status is no such file"));
	}
	return status_unpack_json(arena, intake.file.bytes, ret, reterr);
}

int await_read(struct arena *arena, const char *run_dir, struct status *ret, struct diag *reterr)
{
	int r, dirfd = open(run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dirfd < 0 && errno == EACCES)
		return diag_set(reterr, -EACCES, 0, 0, tr("%s cannot be read"), run_dir);
	if (dirfd < 0)
		return diag_set(reterr, -ENOENT, 0, 0, tr("ewind is not running: no %s"), run_dir);
	r = read_status(arena, dirfd, ret, reterr);
	close(dirfd);
	return r;
}

static int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A wait for the files of a run directory. */
struct waiting {
	int dirfd;
	int64_t from_ns, until_ns;     /* of clock_ns() */
	int64_t since;		       /* SEQ */
	struct identity promise, json; /* at the last look */
};

/* The time to the next look: half a millisecond, as long as the daemon needs for a verdict, later
 * an eighth of what was waited already, so that a long wait costs little. */
#define NAP_LEAST_NS 500000
#define NAP_MOST_NS  50000000

static void nap(const struct waiting *w)
{
	int64_t now_ns = clock_ns(), ns = (now_ns - w->from_ns) / 8;
	struct timespec time;

	ns = ns < NAP_LEAST_NS ? NAP_LEAST_NS : ns > NAP_MOST_NS ? NAP_MOST_NS : ns;
	ns = ns < w->until_ns - now_ns ? ns : w->until_ns - now_ns;
	time = (struct timespec){
		.tv_sec = ns > 0 ? ns / 1000000000 : 0, .tv_nsec = ns > 0 ? ns % 1000000000 : 0};
	nanosleep(&time, NULL);
}

/* Waits until one of the two files is another one, or for as long as there is time. */
static void wait_change(const struct waiting *w)
{
	struct identity promise, json;

	do {
		nap(w);
		promise = intake_look(w->dirfd, STATUS_FILE);
		json = intake_look(w->dirfd, STATUS_JSON);
	} while (identity_same_look(&promise, &w->promise) && identity_same_look(&json, &w->json) &&
		 clock_ns() < w->until_ns);
}

/* Has the prompt's file this SEQ? It is put in place right behind the other one, and who was told
 * that all is graded is to find it there. One that is not there, or is none, is nothing to wait
 * for. */
static bool is_in_both(struct arena *arena, int dirfd, int64_t seq)
{
	struct status_lines lines;
	struct intake intake;
	struct diag diag = {0};

	if (intake_bytes(arena, dirfd, STATUS_FILE, LIMIT_STATUS_BYTES, &intake, &diag) < 0 ||
		intake.identity.state != FILE_THERE ||
		status_unpack(arena, intake.file.bytes, &lines, &diag) < 0)
		return true;
	return lines.seq >= seq;
}

/* One look. The promise is read before the status, so it is never younger. */
static int look(struct arena *arena, struct waiting *w, struct status *status, bool *ret_covered,
	struct diag *reterr)
{
	int r;

	w->promise = intake_look(w->dirfd, STATUS_FILE);
	w->json = intake_look(w->dirfd, STATUS_JSON);
	r = read_status(arena, w->dirfd, status, reterr);
	if (r == -ENOENT) {
		*status = (struct status){0};
		return 0;
	}
	if (r == 0)
		*ret_covered = is_in_both(arena, w->dirfd, status->seq) &&
			       all_covered(arena, status,
				       w->promise.state == FILE_THERE ? w->promise.mtime_ns : 0);
	return r;
}

static enum coverage judge(const struct status *status, bool covered)
{
	if (covered)
		return COVERAGE_SETTLED;
	if (status->pid <= 0 || (kill((pid_t)status->pid, 0) < 0 && errno == ESRCH))
		return COVERAGE_DOWN;
	return COVERAGE_BEHIND;
}

/* Is something new whose causes are to be told, and not yet found? */
static bool is_searching(const struct status *status, int64_t since)
{
	for (size_t i = 0; i < status->lab_count; i++)
		for (size_t j = 0; j < status->labs[i].step_count; j++) {
			const struct status_step *step = &status->labs[i].steps[j];
			if (step->searching && step->seq > since && step->hint_tier >= TIER_CONCEPT)
				return true;
		}
	return false;
}

static int wait_covered(struct arena *arena, struct waiting *w, struct status *ret,
	enum coverage *ret_coverage, struct diag *reterr)
{
	bool covered = false;
	int r;

	for (;;) {
		size_t limit = arena->limit;

		arena_finish(arena);
		arena_init(arena, limit);
		r = look(arena, w, ret, &covered, reterr);
		if (r < 0 || (covered && !is_searching(ret, w->since)) || clock_ns() >= w->until_ns)
			break;
		wait_change(w);
	}
	if (r == 0)
		*ret_coverage = judge(ret, covered);
	return r;
}

int await_verdict(struct arena *arena, const char *run_dir, int64_t wait_ms, int64_t since,
	struct status *ret, enum coverage *ret_coverage, struct diag *reterr)
{
	struct waiting w = {.dirfd = open(run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.from_ns = clock_ns(),
		.since = since};
	struct status status = {0};
	int r = 0;

	w.until_ns = w.from_ns + wait_ms * 1000000;
	if (w.dirfd < 0)
		*ret_coverage = COVERAGE_DOWN;
	else
		r = wait_covered(arena, &w, &status, ret_coverage, reterr);
	if (w.dirfd >= 0)
		close(w.dirfd);
	if (r == 0)
		*ret = status;
	return r;
}

/* Status: the prompt's file, packed and read back, and how a status file is put into its place.
 * The form is described in the header; status.json is in status_json.c.
 *
 * A shell will show what stands here, and a learner chooses file contents and, to a degree, names:
 * so only characters that mean nothing to any shell, prompt or terminal get in, and none but these
 * are read back. */
#include "daemon/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/arena.h"
#include "parser/diag.h"

#define SAFE                                                             \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" \
	" ._:/+=,-"

/* A value of a line: within the set and without `part`, the character that would end it. */
static struct text safe_value(struct text t, char part)
{
	if (text_is_of(t, SAFE) && !memchr(t.ptr, part, t.len))
		return t;
	return TEXT("?");
}

/* The whole line is in the set where its values are: a step's name has no space, colon or comma. */
static struct text safe_name(struct text t)
{
	bool bad = t.len && (memchr(t.ptr, ':', t.len) || memchr(t.ptr, ',', t.len));

	return bad ? TEXT("?") : safe_value(t, ' ');
}

static bool step_passes(const struct status_step *step)
{
	return step->verdict.kind == VERDICT_PASS && !step->running && !step->stale;
}

size_t status_passed(const struct status_lab *lab)
{
	size_t passed = 0;

	for (size_t i = 0; i < lab->step_count; i++)
		passed += step_passes(&lab->steps[i]);
	return passed;
}

/* The step that a mark is about: the latest where it does not pass, else one with something wrong,
 * else one that is missing. NULL: all pass. */
static const struct status_step *marked_step(const struct status_lab *lab)
{
	const struct status_step *missing = NULL;

	if (lab->latest < lab->step_count) {
		const struct status_step *latest = &lab->steps[lab->latest];
		if (!step_passes(latest) &&
			(latest->verdict.kind != VERDICT_MISSING || latest->running))
			return latest;
	}
	for (size_t i = 0; i < lab->step_count; i++) {
		const struct status_step *step = &lab->steps[i];
		if (step_passes(step))
			continue;
		if (step->verdict.kind != VERDICT_MISSING || step->running)
			return step;
		if (!missing)
			missing = step;
	}
	return missing;
}

struct text status_mark(struct arena *arena, const struct status_lab *lab)
{
	const struct status_step *step = marked_step(lab);
	struct text name;

	if (lab->problem.len)
		return text_of(N_("broken"));
	if (!step)
		return text_of(N_("ok"));
	name = safe_name(step->name);
	if (step->running)
		return text_format(
			arena, "running:%.*s:%lld", TEXT_ARG(name), (long long)step->rows);
	return text_format(arena, "%s:%.*s",
		step->stale ? "stale" : verdict_name(step->verdict.kind), TEXT_ARG(name));
}

static int64_t newest_mtime_ns(const struct status_lab *lab)
{
	int64_t newest = 0;

	for (size_t i = 0; i < lab->step_count; i++) {
		const struct status_step *step = &lab->steps[i];
		if (step->out.mtime_ns > newest)
			newest = step->out.mtime_ns;
		if (step->sql.mtime_ns > newest)
			newest = step->sql.mtime_ns;
	}
	return newest;
}

/* What verdicts are of, as far as a shell may see the name. Joined at once: by text_format(), name by
 * name, a hundred of them took a third of the time of publishing. */
static struct text file_list(struct arena *arena, const struct status_lab *lab)
{
	size_t room = 0, len = 0;
	char *list;

	for (size_t i = 0; i < lab->step_count; i++)
		room += lab->steps[i].out.name.len + 1;
	list = arena_alloc(arena, room);
	for (size_t i = 0; list && i < lab->step_count; i++) {
		struct text name = lab->steps[i].out.name;
		if (!name.len || text_eq(safe_name(name), TEXT("?")))
			continue;
		if (len)
			list[len++] = ',';
		memcpy(list + len, name.ptr, name.len);
		len += name.len;
	}
	return list && !len ? TEXT("-") : (struct text){list, len};
}

static struct text pack_lab(struct arena *arena, const struct status_lab *lab)
{
	struct text mark = status_mark(arena, lab), files = file_list(arena, lab);
	bool broken = lab->problem.len > 0;

	if (!mark.ptr || !files.ptr)
		return (struct text){0};
	return text_format(arena, "lab %.*s %zu/%zu %.*s %lld %.*s %.*s\n",
		TEXT_ARG(safe_value(lab->name, ' ')), broken ? 0 : status_passed(lab),
		broken ? 0 : lab->step_count, TEXT_ARG(mark), (long long)newest_mtime_ns(lab),
		TEXT_ARG(files), TEXT_ARG(safe_value(lab->folder, '\n')));
}

/* The labs by their newest save, else in their order: the first is what a prompt outside of all
 * folders shows. NULL: no memory. */
static const struct status_lab **order_labs(struct arena *arena, const struct status *status)
{
	const struct status_lab **labs = arena_array(arena, status->lab_count + 1, sizeof(*labs));

	for (size_t i = 0; labs && i < status->lab_count; i++) {
		const struct status_lab *lab = &status->labs[i];
		size_t at = i;

		while (at && newest_mtime_ns(labs[at - 1]) < newest_mtime_ns(lab)) {
			labs[at] = labs[at - 1];
			at--;
		}
		labs[at] = lab;
	}
	return labs;
}

int status_pack(
	struct arena *arena, const struct status *status, struct text *ret, struct diag *reterr)
{
	struct text all =
		text_format(arena, "ewind %d %lld\n", STATUS_VERSION, (long long)status->seq);
	const struct status_lab **labs = order_labs(arena, status);

	for (size_t i = 0; labs && all.ptr && i < status->lab_count; i++) {
		struct text line = pack_lab(arena, labs[i]);
		if (!line.ptr)
			return diag_nomem(reterr);
		all = text_format(arena, "%.*s%.*s", TEXT_ARG(all), TEXT_ARG(line));
	}
	if (all.ptr)
		all = text_format(arena, "%.*send\n", TEXT_ARG(all));
	if (!labs || !all.ptr)
		return diag_nomem(reterr);
	*ret = all;
	return 0;
}

/* Cuts the next value off a line, up to `part`; the last one is what remains. */
static struct text cut(struct text *rest, char part)
{
	size_t len = text_find(*rest, (struct text){&part, 1});
	struct text value = text_slice(*rest, 0, len);

	*rest = text_slice(*rest, len + 1, rest->len);
	return value;
}

static bool unpack_count(struct text t, int64_t *ret)
{
	return text_to_int64(t, ret) == 0 && *ret >= 0;
}

/* A line behind "lab ". */
static bool unpack_lab(struct text line, struct status_line *ret)
{
	struct text passed, total, mtime;

	ret->name = cut(&line, ' ');
	passed = cut(&line, '/');
	total = cut(&line, ' ');
	ret->mark = cut(&line, ' ');
	mtime = cut(&line, ' ');
	ret->files = cut(&line, ' ');
	ret->folder = line;
	return ret->name.len && ret->mark.len && ret->files.len && ret->folder.len &&
	       unpack_count(passed, &ret->passed) && unpack_count(total, &ret->total) &&
	       unpack_count(mtime, &ret->mtime_ns);
}

static bool unpack_head(struct text line, int64_t *ret_seq)
{
	int64_t version;

	return text_eq(cut(&line, ' '), TEXT("ewind")) && unpack_count(cut(&line, ' '), &version) &&
	       version == STATUS_VERSION && unpack_count(line, ret_seq);
}

int status_unpack(
	struct arena *arena, struct text bytes, struct status_lines *ret, struct diag *reterr)
{
	struct status_lines lines = {0};
	struct text rest = bytes, line;
	size_t room = 0;
	int number = 1;

	if (!text_is_of(bytes, SAFE "\n?"))
		return diag_set(reterr, -EINVAL, 0, 0, "not a status file");
	if (!text_next_line(&rest, &line) || !unpack_head(line, &lines.seq))
		return diag_set(
			reterr, -EINVAL, 1, 0, "not a status file of version %d", STATUS_VERSION);
	while (text_next_line(&rest, &line) && text_starts(line, TEXT("lab "))) {
		number++;
		if (arena_grow(arena, &lines.labs, lines.lab_count, &room, sizeof(*lines.labs)) < 0)
			return diag_nomem(reterr);
		if (!unpack_lab(text_slice(line, 4, line.len), &lines.labs[lines.lab_count++]))
			return diag_set(reterr, -EINVAL, number, 0, "not a line of a lab");
	}
	if (rest.len || !text_ends(bytes, TEXT("\nend\n")))
		return diag_set(reterr, -EINVAL, number + 1, 0, "the status file is cut");
	*ret = lines;
	return 0;
}

static struct timespec time_of_ns(int64_t ns)
{
	return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

static int write_all(int fd, struct text bytes)
{
	while (bytes.len) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes = text_slice(bytes, (size_t)n, bytes.len);
	}
	return 0;
}

/* Fills the file set aside. A umask of 0077 must not keep a learner's shell from reading it. There
 * is no fsync: the run directory is memory, and after a crash of the system all is graded
 * afresh. */
static int fill(int fd, struct text bytes, int64_t stamp_ns)
{
	struct timespec times[2] = {time_of_ns(stamp_ns), time_of_ns(stamp_ns)};
	int r = write_all(fd, bytes);

	if (r < 0)
		return r;
	if (fchmod(fd, 0644) < 0 || (stamp_ns && futimens(fd, times) < 0))
		return -errno;
	return 0;
}

int status_write(
	int dirfd, const char *name, struct text bytes, int64_t stamp_ns, struct diag *reterr)
{
	char aside[64];
	int fd, r;

	snprintf(aside, sizeof(aside), ".%s.tmp", name);
	fd = openat(dirfd, aside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return diag_set(reterr, -errno, 0, 0, "%s: %s", aside, strerror(errno));
	r = fill(fd, bytes, stamp_ns);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0 && renameat(dirfd, aside, dirfd, name) < 0)
		r = -errno;
	if (r < 0) {
		unlinkat(dirfd, aside, 0);
		return diag_set(reterr, r, 0, 0, "%s: %s", name, strerror(-r));
	}
	return 0;
}

int status_stamp(int dirfd, int64_t stamp_ns, struct diag *reterr)
{
	struct timespec times[2] = {time_of_ns(stamp_ns), time_of_ns(stamp_ns)};

	if (utimensat(dirfd, STATUS_FILE, times, AT_SYMLINK_NOFOLLOW) < 0)
		return diag_set(reterr, -errno, 0, 0, STATUS_FILE ": %s", strerror(errno));
	return 0;
}

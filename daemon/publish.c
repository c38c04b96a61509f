/* Publish: the two status files and the promise that the modification time of one of them is.
 *
 * A save after the moment T gets a modification time of at least T, by the kernel's coarse clock.
 * So where T was read before the queue of events was emptied, and nothing is left to do, every save
 * with a time before T is in the status: the promise is T - 1 ns. A save in the same tick as T is
 * still newer than that, seen or not; a tick later the promise is moved past it. Where the clock is
 * set back the promise goes back with it. */
#include "daemon/publish.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int64_t publish_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Before the first promise the oldest time of all makes every save newer. */
static int64_t stamp_in_force(const struct publisher *publisher)
{
	return publisher->stamp_ns ? publisher->stamp_ns : 1;
}

static void promise(struct publisher *publisher, int64_t looked_ns)
{
	if (!looked_ns)
		return;
	publisher->stamp_ns = looked_ns - 1;
	publisher->racy = true;
}

int publish_status(struct publisher *publisher, struct arena *arena, const struct status *status,
	int64_t looked_ns, struct diag *reterr)
{
	struct text json, lines;
	int r;

	r = status_pack_json(arena, status, &json, reterr);
	if (r == 0)
		r = status_pack(arena, status, &lines, reterr);
	if (r == 0)
		r = status_write(publisher->dirfd, STATUS_JSON, json, 0, reterr);
	if (r < 0)
		return r;
	promise(publisher, looked_ns);
	r = status_write(publisher->dirfd, STATUS_FILE, lines, stamp_in_force(publisher), reterr);
	publisher->json = intake_look(publisher->dirfd, STATUS_JSON);
	publisher->status = intake_look(publisher->dirfd, STATUS_FILE);
	return r;
}

int publish_promise(struct publisher *publisher, int64_t looked_ns, struct diag *reterr)
{
	int r;

	publisher->racy = false;
	publisher->stamp_ns = looked_ns - 1;
	r = status_stamp(publisher->dirfd, publisher->stamp_ns, reterr);
	publisher->status = intake_look(publisher->dirfd, STATUS_FILE);
	return r;
}

bool publish_is_at(const struct publisher *publisher, const char *path)
{
	struct stat there, ours;

	if (stat(path, &there) < 0)
		return errno != ENOENT;
	return fstat(publisher->dirfd, &ours) < 0 ||
	       (there.st_dev == ours.st_dev && there.st_ino == ours.st_ino);
}

/* It may have been gone already when that was noted. */
static bool is_left(const struct publisher *publisher, const char *name, const struct identity *as)
{
	struct identity now = intake_look(publisher->dirfd, name);

	return now.state == FILE_THERE && identity_same_look(&now, as);
}

bool publish_stands(const struct publisher *publisher)
{
	return is_left(publisher, STATUS_JSON, &publisher->json) &&
	       is_left(publisher, STATUS_FILE, &publisher->status);
}

void publish_end(const struct publisher *publisher)
{
	unlinkat(publisher->dirfd, STATUS_FILE, 0);
	unlinkat(publisher->dirfd, STATUS_JSON, 0);
}

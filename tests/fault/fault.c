/* Faults on demand, for tests: linked into a second ewind with -Wl,--wrap=NAME for every name
 * below, so that each call of ours goes through here and those within a library do not; of
 * inotify, whose calls are a library's, the definitions here come before the C library's. The
 * programs that are shipped have none of it.
 *
 *	EWIN_FAULT=WHAT:NTH:ERRNO[:TIMES]   the NTH call of WHAT and the TIMES-1 after it fail. WHAT is a name, or a
 *	                                    place: the address behind the call, as objdump has it, or * for each
 *	                                    call that may change a file. ERRNO 0: a read or write does half of what it could; -N: the
 *	                                    process gets signal N in place of the call
 *	EWIN_FAULT_COUNTS=FILE              at the end, a line for each place: address, name, calls, failed calls */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PLACES 512

extern const char __executable_start[];

struct place {
	const char *name;
	uintptr_t address;
	long calls, failed;
};

static struct {
	bool any, by_name, everywhere;
	char name[40];
	uintptr_t address;
	long nth, times, seen;
	int err;
} asked;

static struct place places[PLACES];
static size_t place_count;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("EWIN_FAULT");
	char what[40];

	asked.times = 1;
	if (!text ||
		sscanf(text, "%39[^:]:%ld:%d:%ld", what, &asked.nth, &asked.err, &asked.times) < 3)
		return;
	asked.any = true;
	asked.by_name = strncmp(what, "0x", 2) != 0;
	asked.everywhere = strcmp(what, "*") == 0;
	if (asked.by_name)
		memcpy(asked.name, what, sizeof(what));
	else
		asked.address = (uintptr_t)strtoull(what, NULL, 16);
}

__attribute__((destructor)) static void end(void)
{
	const char *file = getenv("EWIN_FAULT_COUNTS");
	FILE *out = file ? fopen(file, "w") : NULL;

	for (size_t i = 0; out && i < place_count; i++)
		fprintf(out, "0x%lx %s %ld %ld\n", (unsigned long)places[i].address, places[i].name,
			places[i].calls, places[i].failed);
	if (out)
		fclose(out);
}

static struct place *place_of(const char *name, uintptr_t address)
{
	for (size_t i = 0; i < place_count; i++)
		if (places[i].address == address && places[i].name == name)
			return &places[i];
	if (place_count == PLACES)
		abort();
	places[place_count] = (struct place){.name = name, .address = address};
	return &places[place_count++];
}

static bool may_change_a_file(const char *name)
{
	static const char *const names[] = {
		"openat", "write", "fchmod", "futimens", "utimensat", "renameat", "unlinkat"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Is the fault for calls like this one? */
static bool is_meant(const struct place *place)
{
	if (asked.everywhere)
		return may_change_a_file(place->name);
	return asked.by_name ? strcmp(place->name, asked.name) == 0
			     : place->address == asked.address;
}

/* Counts the call. Is it to fail? Then errno is set. */
static bool fails(const char *name, const void *behind)
{
	struct place *place = place_of(name, (uintptr_t)behind - (uintptr_t)__executable_start);

	place->calls++;
	if (!asked.any || !is_meant(place))
		return false;
	asked.seen++;
	if (asked.seen < asked.nth || asked.seen >= asked.nth + asked.times)
		return false;
	place->failed++;
	if (asked.err < 0)
		raise(-asked.err);
	errno = asked.err;
	return true;
}

#define HERE __builtin_return_address(0)

/* WRAP(NAME, TYPE, on failure, parameters, arguments): the whole list; the Makefile reads the
 * names from it. */
#define WRAP(name, type, failure, params, args) \
	type __real_##name params;              \
	type __wrap_##name params;              \
	type __wrap_##name params               \
	{                                       \
		if (fails(#name, HERE))         \
			return failure;         \
		return __real_##name args;      \
	}

struct ctx;
typedef int filter(const void *entry);
typedef int order(const void *a, const void *b);

WRAP(malloc, void *, NULL, (size_t size), (size))
WRAP(calloc, void *, NULL, (size_t count, size_t size), (count, size))
WRAP(strdup, char *, NULL, (const char *text), (text))
WRAP(getcwd, char *, NULL, (char *buf, size_t size), (buf, size))
WRAP(open, int, -1, (const char *path, int flags, mode_t mode), (path, flags, mode))
WRAP(__open_2, int, -1, (const char *path, int flags), (path, flags))
WRAP(openat, int, -1, (int dirfd, const char *path, int flags, mode_t mode),
	(dirfd, path, flags, mode))
WRAP(__openat_2, int, -1, (int dirfd, const char *path, int flags), (dirfd, path, flags))
WRAP(fstat, int, -1, (int fd, struct stat *st), (fd, st))
WRAP(faccessat, int, -1, (int dirfd, const char *path, int mode, int flags),
	(dirfd, path, mode, flags))
WRAP(stat, int, -1, (const char *path, struct stat *st), (path, st))
WRAP(fstatat, int, -1, (int dirfd, const char *path, struct stat *st, int flags),
	(dirfd, path, st, flags))
WRAP(renameat, int, -1, (int from, const char *name, int to, const char *as), (from, name, to, as))
WRAP(unlinkat, int, -1, (int dirfd, const char *name, int flags), (dirfd, name, flags))
WRAP(mkdir, int, -1, (const char *path, mode_t mode), (path, mode))
WRAP(flock, int, -1, (int fd, int operation), (fd, operation))
WRAP(fchmod, int, -1, (int fd, mode_t mode), (fd, mode))
WRAP(fchmodat, int, -1, (int dirfd, const char *name, mode_t mode, int flags),
	(dirfd, name, mode, flags))
WRAP(memfd_create, int, -1, (const char *name, unsigned flags), (name, flags))
WRAP(futimens, int, -1, (int fd, const struct timespec times[2]), (fd, times))
WRAP(utimensat, int, -1, (int dirfd, const char *name, const struct timespec times[2], int flags),
	(dirfd, name, times, flags))
WRAP(fcntl, int, -1, (int fd, int command, long value), (fd, command, value))
WRAP(readlink, ssize_t, -1, (const char *path, char *buf, size_t size), (path, buf, size))
WRAP(__readlink_chk, ssize_t, -1, (const char *path, char *buf, size_t size, size_t room),
	(path, buf, size, room))
WRAP(scandir, int, -1, (const char *dir, void *names, filter *keep, order *compare),
	(dir, names, keep, compare))
WRAP(scandirat, int, -1, (int dirfd, const char *dir, void *names, filter *keep, order *compare),
	(dirfd, dir, names, keep, compare))
WRAP(socket, int, -1, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(bind, int, -1, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size))
WRAP(listen, int, -1, (int fd, int count), (fd, count))
WRAP(accept4, int, -1, (int fd, struct sockaddr *address, socklen_t *size, int flags),
	(fd, address, size, flags))
WRAP(getsockopt, int, -1, (int fd, int level, int name, void *value, socklen_t *size),
	(fd, level, name, value, size))
WRAP(recv, ssize_t, -1, (int fd, void *buf, size_t size, int flags), (fd, buf, size, flags))
WRAP(__recv_chk, ssize_t, -1, (int fd, void *buf, size_t size, size_t room, int flags),
	(fd, buf, size, room, flags))
WRAP(send, ssize_t, -1, (int fd, const void *buf, size_t size, int flags), (fd, buf, size, flags))
WRAP(epoll_create1, int, -1, (int flags), (flags))
WRAP(epoll_ctl, int, -1, (int fd, int operation, int of, void *event), (fd, operation, of, event))
WRAP(epoll_wait, int, -1, (int fd, void *events, int count, int timeout),
	(fd, events, count, timeout))
WRAP(sigpending, int, -1, (sigset_t * set), (set))
WRAP(sigprocmask, int, -1, (int how, const sigset_t *set, sigset_t *old), (how, set, old))

/* libsystemd returns its errors. */
WRAP(sd_event_new, int, -errno, (struct ctx * *ret), (ret))
WRAP(sd_event_add_io, int, -errno,
	(struct ctx * event, struct ctx **ret, int fd, uint32_t events, void *call, void *ctx),
	(event, ret, fd, events, call, ctx))
WRAP(sd_event_add_time, int, -errno,
	(struct ctx * event, struct ctx **ret, int clock, uint64_t usec, uint64_t accuracy,
		void *call, void *ctx),
	(event, ret, clock, usec, accuracy, call, ctx))
WRAP(sd_event_add_signal, int, -errno,
	(struct ctx * event, struct ctx **ret, int number, void *call, void *ctx),
	(event, ret, number, call, ctx))
WRAP(sd_event_source_set_priority, int, -errno, (struct ctx * source, int64_t priority),
	(source, priority))
WRAP(sd_event_source_set_floating, int, -errno, (struct ctx * source, int on), (source, on))
WRAP(sd_event_source_set_time, int, -errno, (struct ctx * source, uint64_t usec), (source, usec))
WRAP(sd_event_source_set_enabled, int, -errno, (struct ctx * source, int on), (source, on))

/* Half of it where no errno is asked for. */
#define WRAP_PART(name, params, args, half_args)                            \
	ssize_t __real_##name params;                                       \
	ssize_t __wrap_##name params;                                       \
	ssize_t __wrap_##name params                                        \
	{                                                                   \
		bool part = fails(#name, HERE);                             \
		if (part && errno)                                          \
			return -1;                                          \
		return part ? __real_##name half_args : __real_##name args; \
	}

WRAP_PART(read, (int fd, void *buf, size_t size), (fd, buf, size), (fd, buf, (size + 1) / 2))
WRAP_PART(__read_chk, (int fd, void *buf, size_t size, size_t room), (fd, buf, size, room),
	(fd, buf, (size + 1) / 2, room))
WRAP_PART(write, (int fd, const void *buf, size_t size), (fd, buf, size), (fd, buf, (size + 1) / 2))

/* libinotifytools calls these, and finds ours first. */
#pragma GCC visibility push(default)
int inotify_init(void)
{
	return fails("inotify_init", __builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_inotify_init1, 0);
}

int inotify_add_watch(int fd, const char *path, uint32_t mask)
{
	return fails("inotify_add_watch", __builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_inotify_add_watch, fd, path, mask);
}

int inotify_rm_watch(int fd, int wd)
{
	return fails("inotify_rm_watch", __builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_inotify_rm_watch, fd, wd);
}

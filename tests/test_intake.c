/* Intake: whatever lies under a name, it is told in a moment what it is. */
#include "daemon/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "parser/arena.h"
#include "tests/test.h"

#define CAP 4096

static char dir[] = "/tmp/ewin-intake-XXXXXX";
static int dirfd_of_test;
static struct arena arena;
static struct intake intake;

static void save(const char *name, const char *bytes)
{
	int fd = openat(dirfd_of_test, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK(fd >= 0 && write(fd, bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
	close(fd);
}

static enum file_state state_of(const char *name)
{
	CHECK(intake_read(&arena, dirfd_of_test, name, CAP, &intake, NULL) == 0);
	unlinkat(dirfd_of_test, name, 0);
	return intake.file.state;
}

TEST(a_regular_file)
{
	save("x.out", "abc");
	CHECK(state_of("x.out") == FILE_THERE && !intake.moving);
	CHECK(text_eq(intake.file.bytes, TEXT("abc")) && intake.identity.size == 3);
	CHECK(strcmp(intake.identity.sha256,
		      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0);
	CHECK(intake.file.mtime_ns > 1600000000000000000);
	save("x.out", "");
	CHECK(state_of("x.out") == FILE_THERE && intake.file.bytes.len == 0);
}

/* The time of a file that was set to this many seconds; as near as its file system has it. */
static int64_t time_set(int64_t s)
{
	const struct timespec times[2] = {{.tv_sec = s}, {.tv_sec = s}};

	save("x.out", "abc");
	CHECK(utimensat(dirfd_of_test, "x.out", times, 0) == 0);
	CHECK(state_of("x.out") == FILE_THERE);
	return intake.identity.mtime_ns;
}

/* Also beyond what 64 bits of ns can tell, and with some room to add to. */
TEST(a_later_time_is_never_an_earlier_one)
{
	static const int64_t s[] = {INT64_MIN, -9300000000, -2000000000, 0, 1700000000, 9223372036,
		9223372037, 10413792000, INT64_MAX};
	int64_t before = INT64_MIN;

	for (size_t i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
		int64_t ns = time_set(s[i]);
		CHECK(ns >= before && ns < INT64_MAX - INT64_C(1000000000));
		before = ns;
	}
	CHECK(time_set(1700000000) == INT64_C(1700000000000000000));
	CHECK(time_set(10413792000) > INT64_C(8999999999999999999));
}

TEST(nothing_blocks)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(mkfifoat(dirfd_of_test, "fifo.out", 0644) == 0);
	CHECK(state_of("fifo.out") == FILE_NOT_REGULAR);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket.out", dir);
	CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	CHECK(state_of("socket.out") == FILE_NOT_REGULAR);
	close(fd);
}

TEST(links_and_folders_are_refused)
{
	CHECK(symlinkat("/etc/passwd", dirfd_of_test, "x.out") == 0);
	CHECK(state_of("x.out") == FILE_NOT_REGULAR && intake.file.bytes.len == 0);
	CHECK(symlinkat("nowhere", dirfd_of_test, "x.out") == 0);
	CHECK(state_of("x.out") == FILE_NOT_REGULAR);
	CHECK(mkdirat(dirfd_of_test, "x.out", 0755) == 0);
	CHECK(state_of("x.out") == FILE_NOT_REGULAR);
	CHECK(unlinkat(dirfd_of_test, "x.out", AT_REMOVEDIR) == 0);
	CHECK(state_of("x.out") == FILE_MISSING);
}

TEST(size_is_capped_before_a_byte_is_read)
{
	char full[CAP + 1];

	memset(full, 'x', CAP);
	full[CAP] = '\0';
	save("x.out", full);
	CHECK(state_of("x.out") == FILE_THERE && intake.file.bytes.len == CAP);
	save("x.out", full);
	CHECK(truncate(strcat(strcpy(full, dir), "/x.out"), (off_t)1 << 40) == 0);
	CHECK(state_of("x.out") == FILE_TOO_LARGE && intake.file.bytes.len == 0);
	CHECK(intake.identity.size == (int64_t)1 << 40);
}

TEST(no_permission)
{
	save("x.out", "abc");
	CHECK(fchmodat(dirfd_of_test, "x.out", 0, 0) == 0);
	if (geteuid() == 0)
		unlinkat(dirfd_of_test, "x.out", 0);
	else
		CHECK(state_of("x.out") == FILE_UNREADABLE);
}

/* EIO says nothing of the file: it is neither missing nor unreadable. */
TEST(a_failed_read_is_to_be_made_again)
{
	CHECK(intake_read(&arena, AT_FDCWD, "/proc/self/mem", CAP, &intake, NULL) == -EAGAIN);
}

/* /proc files have size 0 and bytes all the same: to us they grew while they were read. */
TEST(more_bytes_than_the_size_said_is_moving)
{
	CHECK(intake_read(&arena, AT_FDCWD, "/proc/self/status", CAP, &intake, NULL) == 0);
	CHECK(intake.file.state == FILE_THERE && intake.moving);
}

/* The clock's tick is some ms: the times of two saves can be equal, their bytes tell them apart. */
TEST(two_saves_in_one_tick_differ_by_hash_only)
{
	struct identity first, second;
	struct timespec times[2] = {{.tv_sec = 1764459451}, {.tv_sec = 1764459451}};

	save("x.out", "abc");
	CHECK(utimensat(dirfd_of_test, "x.out", times, 0) == 0);
	CHECK(intake_read(&arena, dirfd_of_test, "x.out", CAP, &intake, NULL) == 0);
	first = intake.identity;
	save("x.out", "abd");
	CHECK(utimensat(dirfd_of_test, "x.out", times, 0) == 0);
	CHECK(intake_read(&arena, dirfd_of_test, "x.out", CAP, &intake, NULL) == 0);
	second = intake.identity;
	CHECK(identity_same_look(&first, &second) && !identity_same_bytes(&first, &second));
	first = intake_look(dirfd_of_test, "x.out");
	CHECK(identity_same_look(&first, &second));
	CHECK(unlinkat(dirfd_of_test, "x.out", 0) == 0);
}

TEST(memory_at_its_end_is_an_error)
{
	struct arena small;

	arena_init(&small, 100);
	save("x.out", "0123456789012345678901234567890123456789012345678901234567890123456789"
		      "0123456789012345678901234567890123456789012345678901234567890123456789");
	CHECK(intake_read(&small, dirfd_of_test, "x.out", CAP, &intake, NULL) == -ENOMEM);
	arena_finish(&small);
	unlinkat(dirfd_of_test, "x.out", 0);
}

int main(void)
{
	arena_init(&arena, 1u << 20);
	if (!mkdtemp(dir) || (dirfd_of_test = open(dir, O_RDONLY | O_DIRECTORY)) < 0)
		return 1;
	RUN(a_regular_file);
	RUN(a_later_time_is_never_an_earlier_one);
	RUN(nothing_blocks);
	RUN(links_and_folders_are_refused);
	RUN(size_is_capped_before_a_byte_is_read);
	RUN(no_permission);
	RUN(a_failed_read_is_to_be_made_again);
	RUN(more_bytes_than_the_size_said_is_moving);
	RUN(two_saves_in_one_tick_differ_by_hash_only);
	RUN(memory_at_its_end_is_an_error);
	arena_finish(&arena);
	return test_finish() | (rmdir(dir) != 0);
}

/* ewin-sim run against every recorded output: the same bytes, once both are normalized. Exceptions
 * stand in tests/recorded/KNOWN with the reason of their kind; one that agrees is a failure as
 * well. What ewin-sim refuses by name is known as that: its exit status is 1, and what it has
 * printed up to there is what the recording begins with. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parser/arena.h"
#include "sim/normalize.h"
#include "tests/test.h"

#define RECORDED "tests/recorded/"
#define KNOWN	 RECORDED "KNOWN"

enum { MAX_FILES = 4096, MAX_KINDS = 64, MAX_BYTES = 16 << 20 };

static const char *const folders[] = {"semantics", "watermark/ref", "watermark/mistakes",
	"watermark/more", "window/ref", "window/mistakes", "first/ref", "first/mistakes",
	"window/more", "format", "versions", "more_sim"};

enum result { AGREE, REFUSED, FOREIGN, DIFFER, RESULTS };

static const char *const result_names[RESULTS] = {"agree", "refused", "not ours", "differ"};

/* A reason why outputs are not compared. */
struct kind {
	struct text name;
	bool refused; /* by ewin-sim; false: the output is not its to print */
	int count;
};

struct exception {
	struct text path;
	struct kind *kind;
	bool met;
};

struct replay {
	struct arena arena;
	struct kind kinds[MAX_KINDS];
	size_t kind_count;
	struct exception exceptions[MAX_FILES];
	size_t exception_count;
	int counts[RESULTS];
	int problems;
};

static struct text files[MAX_FILES]; /* nftw() has no context */
static size_t file_count;
static struct arena file_arena;

struct buffer {
	char *bytes;
	size_t len, room;
};

static int keep(void *ctx, const char *bytes, size_t size)
{
	struct buffer *buffer = ctx;

	if (buffer->len + size > buffer->room)
		return -ENOSPC;
	memcpy(buffer->bytes + buffer->len, bytes, size);
	buffer->len += size;
	return 0;
}

static struct text read_fd(struct arena *arena, int fd)
{
	static char bytes[MAX_BYTES];
	size_t len = 0;
	ssize_t got = 1;

	while (got > 0 && len < sizeof(bytes)) {
		got = read(fd, bytes + len, sizeof(bytes) - len);
		len += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	return text_copy(arena, (struct text){bytes, len});
}

static struct text read_path(struct arena *arena, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? (struct text){0} : read_fd(arena, fd);
}

static struct text normalized(struct arena *arena, struct text text)
{
	/* A name is longer than what it replaces only by a few bytes a line. */
	struct buffer buffer = {.room = text.len + 4096};
	struct writer out = {.write = keep, .ctx = &buffer};

	buffer.bytes = arena_alloc(arena, buffer.room);
	while (buffer.bytes && text.len) {
		size_t end = text_find(text, TEXT("\n")) + 1;

		normalize_line(&out, text_slice(text, 0, end));
		text = text_slice(text, end, text.len);
	}
	CHECK(buffer.bytes && !out.err);
	return (struct text){buffer.bytes, buffer.len};
}

/* The release in "versions/1.20.5/x" is "1.20"; everything else was recorded with 2.3. */
static struct text release_of(struct arena *arena, struct text path)
{
	struct text folder = TEXT("versions/"), name, rest;
	size_t dot;

	if (!text_starts(path, folder))
		return TEXT("2.3");
	name = text_slice(path, folder.len, path.len);
	name = text_slice(name, 0, text_find(name, TEXT("/")));
	dot = text_find(name, TEXT(".")) + 1;
	rest = text_slice(name, dot, name.len);
	return text_copy(arena, text_slice(name, 0, dot + text_find(rest, TEXT("."))));
}

/* Runs the simulator; what it printed, and its exit status. */
static struct text simulate(struct arena *arena, struct text path, int *status)
{
	const char *build = getenv("BUILD");
	struct text program = text_format(arena, "%s/ewin-sim", build ? build : "build");
	struct text sql = text_format(arena, RECORDED "%.*s.sql", TEXT_ARG(path));
	struct text release = release_of(arena, path), printed;
	char *argv[] = {(char *)program.ptr, (char *)"run", (char *)"--data-root",
		(char *)RECORDED "root", (char *)"--client", (char *)release.ptr, (char *)sql.ptr,
		NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], err;
	pid_t pid;

	*status = -1;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return (struct text){0};
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	err = posix_spawn(&pid, program.ptr, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	printed = read_fd(arena, ends[0]);
	if (!err && waitpid(pid, &err, 0) == pid && WIFEXITED(err))
		*status = WEXITSTATUS(err);
	return printed;
}

static struct exception *find_exception(struct replay *replay, struct text path)
{
	for (size_t i = 0; i < replay->exception_count; i++)
		if (text_eq(replay->exceptions[i].path, path))
			return &replay->exceptions[i];
	return NULL;
}

static struct kind *find_kind(struct replay *replay, struct text name)
{
	for (size_t i = 0; i < replay->kind_count; i++)
		if (text_eq(replay->kinds[i].name, name))
			return &replay->kinds[i];
	return NULL;
}

static void problem(struct replay *replay, struct text path, const char *what)
{
	printf("# %.*s: %s\n", TEXT_ARG(path), what);
	replay->problems++;
}

static void count(struct replay *replay, enum result result, struct kind *kind)
{
	replay->counts[result]++;
	if (kind)
		kind->count++;
}

static void judge(struct replay *replay, struct text path, struct text printed,
	struct text recorded, int status)
{
	struct exception *exception = find_exception(replay, path);
	struct kind *kind = exception ? exception->kind : NULL;
	bool agrees = status == 0 && text_eq(printed, recorded);

	if (exception)
		exception->met = true;
	if (agrees) {
		if (kind)
			problem(replay, path, "agrees, but stands in " KNOWN);
		count(replay, AGREE, NULL);
	} else if (kind && !kind->refused) {
		count(replay, FOREIGN, kind);
	} else if (kind && status == 1 && text_starts(recorded, printed)) {
		count(replay, REFUSED, kind);
	} else {
		problem(replay, path,
			kind	      ? "is not refused as " KNOWN " says, or differs before that"
			: status != 0 ? "is refused"
				      : "differs");
		count(replay, DIFFER, NULL);
	}
}

static void replay_file(struct replay *replay, struct text path)
{
	struct arena arena;
	struct text name, recorded, printed;
	int status;

	arena_init(&arena, 256 << 20);
	name = text_format(&arena, RECORDED "%.*s.out", TEXT_ARG(path));
	recorded = read_path(&arena, name.ptr);
	if (recorded.ptr) {
		printed = normalized(&arena, simulate(&arena, path, &status));
		judge(replay, path, printed, normalized(&arena, recorded), status);
	}
	arena_finish(&arena);
}

static int note_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct text name = text_of(path);

	(void)st;
	(void)ftw;
	if (type == FTW_F && text_ends(name, TEXT(".sql")) && file_count < MAX_FILES)
		files[file_count++] = text_copy(&file_arena,
			text_slice(name, sizeof(RECORDED) - 1, name.len - strlen(".sql")));
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct text *left = a, *right = b;

	return text_cmp(*left, *right);
}

static void replay_folder(struct replay *replay, const char *folder)
{
	struct text path = text_format(&file_arena, RECORDED "%s", folder);

	memset(replay->counts, 0, sizeof(replay->counts));
	file_count = 0;
	nftw(path.ptr, note_file, 16, FTW_PHYS);
	qsort(files, file_count, sizeof(*files), by_name);
	for (size_t i = 0; i < file_count; i++)
		replay_file(replay, files[i]);
	CHECK(replay->counts[AGREE] > 0 && file_count < MAX_FILES);
	printf("## %s:", folder);
	for (int i = 0; i < RESULTS; i++)
		printf(" %d %s%s", replay->counts[i], result_names[i],
			i + 1 < RESULTS ? "," : "\n");
}

static struct text cut_word(struct text *rest)
{
	size_t end = text_find(*rest, TEXT(" "));
	struct text word = text_slice(*rest, 0, end);

	*rest = text_trim_left(text_slice(*rest, end, rest->len));
	return word;
}

/* "kind NAME refused|foreign REASON" or "PATH NAME"; a '#' begins a comment. */
static void read_known_line(struct replay *replay, struct text line)
{
	struct text first = cut_word(&line), second = cut_word(&line), third;
	struct kind *kind = find_kind(replay, second);

	if (!first.len || text_starts(first, TEXT("#")))
		return;
	if (!text_eq(first, TEXT("kind"))) {
		if (!kind || line.len || replay->exception_count == MAX_FILES ||
			find_exception(replay, first))
			problem(replay, first, "a line in " KNOWN " that is not right");
		else
			replay->exceptions[replay->exception_count++] =
				(struct exception){first, kind, false};
		return;
	}
	third = cut_word(&line);
	if (kind || !line.len || replay->kind_count == MAX_KINDS ||
		(!text_eq(third, TEXT("refused")) && !text_eq(third, TEXT("foreign"))))
		problem(replay, second, "a kind in " KNOWN " that is not right");
	else
		replay->kinds[replay->kind_count++] =
			(struct kind){second, text_eq(third, TEXT("refused")), 0};
}

static void read_known(struct replay *replay)
{
	struct text rest = read_path(&replay->arena, KNOWN), line;

	CHECK(rest.ptr != NULL);
	while (text_next_line(&rest, &line))
		read_known_line(replay, line);
}

static void check_known(struct replay *replay)
{
	for (size_t i = 0; i < replay->exception_count; i++)
		if (!replay->exceptions[i].met)
			problem(replay, replay->exceptions[i].path,
				"stands in " KNOWN ", but there is no such file");
	for (size_t i = 0; i < replay->kind_count; i++) {
		const struct kind *kind = &replay->kinds[i];

		printf("# %s, %.*s: %d\n", kind->refused ? "refused" : "not ours",
			TEXT_ARG(kind->name), kind->count);
		if (!kind->count)
			problem(replay, kind->name, "a kind in " KNOWN " without a file");
	}
}

TEST(each_recorded_output_is_printed_again)
{
	static struct replay replay;

	arena_init(&replay.arena, 64 << 20);
	arena_init(&file_arena, 64 << 20);
	read_known(&replay);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		replay_folder(&replay, folders[i]);
	check_known(&replay);
	CHECK(replay.problems == 0);
	arena_finish(&file_arena);
	arena_finish(&replay.arena);
}

int main(void)
{
	RUN(each_recorded_output_is_printed_again);
	return test_finish();
}

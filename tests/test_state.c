/* The state file: kept, damaged at every byte, appended to, and never a SEQ twice. */
#include "daemon/state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/limits.h"
#include "daemon/status.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

static char dir[] = "/tmp/ewin-state-XXXXXX";
static int fd;
static struct arena arena;
static struct state state;

#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define WHOLE                                                                \
	"ewind-state 1\nseq 1042\nstep watermark w5 3 1 " HASH " " HASH "\n" \
	"step watermark late 1 0 " HASH " -\nend\n"

static int load(struct text bytes)
{
	arena_finish(&arena);
	arena_init(&arena, 16u << 20);
	CHECK(status_write(fd, STATE_FILE, bytes, 0, NULL) == 0);
	return state_load(&arena, fd, &state, NULL);
}

static struct state_step *step_of(struct state *in, const char *lab, const char *step)
{
	return state_step(in, text_of(lab), text_of(step));
}

static void set_attempt(const char *lab, const char *step, int64_t attempt)
{
	struct state_step *entry = step_of(&state, lab, step);

	entry->attempt = attempt;
	state_touch(&state, entry);
}

static bool save(enum state_moment moment)
{
	return state_save(&state, fd, moment, NULL) == 0;
}

/* The file as it is now, for whoever is started next. */
static struct state *next(void)
{
	static struct state other;

	CHECK(state_load(&arena, fd, &other, NULL) == 0);
	return &other;
}

static int64_t next_attempt(const char *step)
{
	return step_of(next(), "watermark", step)->attempt;
}

static struct stat file_now(void)
{
	struct stat st = {0};

	CHECK(fstatat(fd, STATE_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0);
	return st;
}

/* As a full disk does, a write ends where it comes to that. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit = {bytes, RLIM_INFINITY};

	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

TEST(reads_what_it_wrote)
{
	CHECK(load(TEXT(WHOLE)) == 0);
	CHECK(state.seq == 1042 && state.count == 2);
	CHECK(state_step(&state, TEXT("watermark"), TEXT("w5"))->attempt == 3);
	CHECK(state_step(&state, TEXT("watermark"), TEXT("w5"))->hint_tier == 1);
	CHECK(strcmp(state_step(&state, TEXT("watermark"), TEXT("late"))->out, HASH) == 0);
	CHECK(state_step(&state, TEXT("watermark"), TEXT("late"))->sql[0] == '\0');
	set_attempt("window", "tumble", 7);
	CHECK(save(STATE_AT_END));
	CHECK(state_load(&arena, fd, &state, NULL) == 0);
	CHECK(state.count == 3 && state_step(&state, TEXT("window"), TEXT("tumble"))->attempt == 7);
}

TEST(cut_anywhere_it_is_damaged)
{
	struct text whole = TEXT(WHOLE);

	for (size_t len = 0; len < whole.len; len++) {
		CHECK(load(text_slice(whole, 0, len)) == 1);
		CHECK(state.seq == 0 && state.count == 0);
		CHECK(faccessat(fd, STATE_FILE ".damaged", F_OK, 0) == 0);
		CHECK(faccessat(fd, STATE_FILE, F_OK, 0) < 0);
	}
	CHECK(load(TEXT("ewind-state 1\nseq -1\nend\n")) == 1);
	CHECK(load(TEXT("ewind-state 2\nseq 1\nend\n")) == 1);
	CHECK(load(TEXT("ewind-state 1\nseq 1\nstep a b 1 1 xyz -\nend\n")) == 1);
	CHECK(load(TEXT("ewind-state 1\nseq 1\nend\nmore\n")) == 1);
}

/* Nobody gets there by counting, and what is added to it would be below 0. */
TEST(counts_that_cannot_be_are_damage)
{
	CHECK(load(TEXT("ewind-state 1\nseq 1000000000000\nstep a b 1000000000 4 - -\nend\n")) ==
		0);
	CHECK(load(TEXT("ewind-state 1\nseq 9223372036854775807\nend\n")) == 1);
	CHECK(load(TEXT("ewind-state 1\nseq 1\nstep a b 9223372036854775807 1 - -\nend\n")) == 1);
	CHECK(load(TEXT("ewind-state 1\nseq 1\nstep a b 1 9223372036854775807 - -\nend\n")) == 1);
	CHECK(state_next_seq(&state) == 1);
}

/* A folder with something in it gives way to no file, and a file to no folder. */
TEST(what_stands_in_the_way_is_said)
{
	struct diag diag = {0};

	unlinkat(fd, STATE_FILE ".damaged", 0);
	for (int i = 0; i < 2; i++) {
		const char *folder = i ? STATE_FILE : STATE_FILE ".damaged", *file = "file";

		CHECK(load(TEXT("nothing of ours\n")) == 1);
		unlinkat(fd, i ? STATE_FILE : STATE_FILE ".damaged", 0);
		if (!i)
			CHECK(status_write(fd, STATE_FILE, TEXT("nothing of ours\n"), 0, NULL) ==
				0);
		CHECK(mkdirat(fd, folder, 0755) == 0);
		CHECK(status_write(openat(fd, folder, O_RDONLY | O_DIRECTORY), file, TEXT("x"), 0,
			      NULL) == 0);
		CHECK(state_load(&arena, fd, &state, &diag) == 1 && strstr(diag.text, "damaged"));
		CHECK(state.count == 0 && state_next_seq(&state) == 1);
		CHECK(unlinkat(openat(fd, folder, O_RDONLY | O_DIRECTORY), file, 0) == 0);
		CHECK(unlinkat(fd, folder, AT_REMOVEDIR) == 0);
		unlinkat(fd, STATE_FILE, 0);
	}
}

TEST(no_file_is_an_empty_state)
{
	unlinkat(fd, STATE_FILE, 0);
	CHECK(state_load(&arena, fd, &state, NULL) == 0 && state.seq == 0 && state.count == 0);
}

/* A crash forgets what was not written; what was given out lies below what was reserved. */
TEST(no_seq_is_given_twice_over_a_crash)
{
	int64_t last = 0;

	CHECK(load(TEXT("ewind-state 1\nseq 0\nend\n")) == 0);
	for (int crash = 0; crash < 5; crash++) {
		for (int i = 0; i < 700; i++) {
			int64_t seq = state_next_seq(&state);
			CHECK(seq > last);
			last = seq;
			CHECK(save(STATE_AT_WORK));
		}
		CHECK(state_load(&arena, fd, &state, NULL) == 0);
	}
	CHECK(state_next_seq(&state) > last);
	CHECK(save(STATE_AT_END));
	last = state.seq;
	CHECK(state_load(&arena, fd, &state, NULL) == 0 && state.seq == last);
}

/* Of labs that come and go, such as those of a test run, the oldest are forgotten; those that are
 * there are not. */
TEST(old_entries_make_room)
{
	char name[32];

	CHECK(load(TEXT(WHOLE)) == 0);
	state_step(&state, TEXT("watermark"), TEXT("w5"))->attempt = 9;
	for (int i = 0; i < LIMIT_STATE_STEPS; i++) {
		snprintf(name, sizeof(name), "lab%d", i);
		CHECK(state_step(&state, text_of(name), TEXT("a"))->attempt == 0);
		state_step(&state, text_of(name), TEXT("a"))->attempt = 1;
	}
	CHECK(state.count == LIMIT_STATE_STEPS);
	CHECK(state_step(&state, TEXT("lab1"), TEXT("a"))->attempt == 1);
	state.changed = true;
	CHECK(save(STATE_AT_END));
	CHECK(state_load(&arena, fd, &state, NULL) == 0 && state.count == LIMIT_STATE_STEPS);
	state_step(&state, TEXT("lab1"), TEXT("a"))->attempt = 5;
	state_step(&state, TEXT("new"), TEXT("a"))->attempt = 2;
	state_step(&state, TEXT("newer"), TEXT("a"))->attempt = 3;
	CHECK(state.count == LIMIT_STATE_STEPS);
	CHECK(state_step(&state, TEXT("lab1"), TEXT("a"))->attempt == 5);
	CHECK(state_step(&state, TEXT("new"), TEXT("a"))->attempt == 2);
	CHECK(state_step(&state, TEXT("lab999"), TEXT("a"))->attempt == 1);
	CHECK(state_step(&state, TEXT("lab2"), TEXT("a"))->attempt == 0);
}

/* One that is not there any more must not push out one that is, when the file is read. */
TEST(what_made_room_is_not_in_the_file)
{
	char name[32];

	CHECK(load(TEXT(WHOLE)) == 0);
	set_attempt("watermark", "w5", 9);
	for (int i = 0; i < LIMIT_STATE_STEPS - 2; i++) {
		snprintf(name, sizeof(name), "lab%d", i);
		set_attempt(name, "a", 1);
	}
	CHECK(save(STATE_AT_WORK) && next()->count == LIMIT_STATE_STEPS);
	set_attempt("new", "a", 1);
	CHECK(save(STATE_AT_WORK));
	CHECK(next()->count == LIMIT_STATE_STEPS && next_attempt("w5") == 9);
	CHECK(next_attempt("late") == 0);
}

TEST(what_the_journal_was_told_is_kept)
{
	struct state_step *late;

	CHECK(load(TEXT(WHOLE)) == 0);
	late = step_of(&state, "watermark", "late");
	CHECK(!state_owes(late, "pass"));
	state_tell(&state, late, TOLD_NOTHING);
	CHECK(state_owes(late, "pass") && save(STATE_AT_WORK));
	CHECK(strcmp(step_of(next(), "watermark", "late")->told, TOLD_NOTHING) == 0);
	for (int i = 0; i <= VERDICT_MISSING; i++) {
		const char *verdict = verdict_name((enum verdict_kind)i);
		state_tell(&state, late, verdict);
		CHECK(save(STATE_AT_WORK) && !state_owes(late, verdict));
		CHECK(strcmp(step_of(next(), "watermark", "late")->told, verdict) == 0);
		CHECK(!step_of(next(), "watermark", "w5")->told);
	}
	CHECK(state_owes(late, "pass"));
	CHECK(load(TEXT("ewind-state 1\nseq 1\nstep a b 1 1 - - nothing\nend\n")) == 1);
}

/* ext4 lets a rename wait for the disk. */
TEST(a_change_is_appended_to_the_file_that_is_there)
{
	const off_t most = sizeof("seq 1042\nstep watermark w5 3 1 " HASH " " HASH " ?\n");
	struct stat before, after;

	CHECK(load(TEXT(WHOLE)) == 0);
	before = file_now();
	for (int i = 4; i < 10; i++) {
		set_attempt("watermark", "w5", i);
		CHECK(save(STATE_AT_WORK) && next_attempt("w5") == i && next_attempt("late") == 1);
	}
	CHECK(file_now().st_size <= before.st_size + 6 * most);
	CHECK(state_next_seq(&state) == 1043 && save(STATE_AT_WORK));
	after = file_now();
	CHECK(after.st_ino == before.st_ino && next()->seq > 1043);
	CHECK(save(STATE_AT_WORK) && save(STATE_AT_REST) && file_now().st_size == after.st_size);
	/* In full, so that a daemon of before reads it. */
	CHECK(save(STATE_AT_END) && file_now().st_ino != before.st_ino);
	CHECK(file_now().st_size < (off_t)sizeof(WHOLE) + 10);
	CHECK(next()->seq == 1043 && next_attempt("w5") == 9);
	before = file_now();
	set_attempt("watermark", "w5", 8);
	CHECK(save(STATE_AT_WORK) && file_now().st_size > before.st_size);
	CHECK(save(STATE_AT_END) && file_now().st_size == before.st_size);
	CHECK(next()->seq == 1043 && next_attempt("w5") == 8);
}

TEST(the_last_line_of_a_step_counts)
{
	CHECK(load(TEXT(WHOLE "step watermark w5 4 2 - - pass\nseq 2042\n"
			      "step window a 1 0 - - ?\nstep watermark w5 5 3 - - ?\n")) == 0);
	CHECK(state.seq == 2042 && state.count == 3);
	CHECK(step_of(&state, "watermark", "w5")->attempt == 5);
	CHECK(step_of(&state, "watermark", "w5")->hint_tier == 3);
	CHECK(!step_of(&state, "watermark", "w5")->out[0]);
	CHECK(!step_of(&state, "watermark", "w5")->told);
	CHECK(strcmp(step_of(&state, "watermark", "late")->out, HASH) == 0);
}

TEST(of_what_was_appended_only_a_line_that_is_cut_does_not_count)
{
	static const char appended[] =
		"step watermark w5 4 1 - - pass\nstep watermark w5 5 1 - - pass\n";
	const size_t line = (sizeof(appended) - 1) / 2;
	char bytes[sizeof(WHOLE) + sizeof(appended)];

	snprintf(bytes, sizeof(bytes), WHOLE "%s", appended);
	for (size_t len = 0; len < sizeof(appended); len++) {
		CHECK(load((struct text){bytes, sizeof(WHOLE) - 1 + len}) == 0);
		CHECK(step_of(&state, "watermark", "w5")->attempt == 3 + (int64_t)(len / line));
		set_attempt("watermark", "late", 8);
		CHECK(save(STATE_AT_WORK) && next_attempt("late") == 8);
		CHECK(next_attempt("w5") == 3 + (int64_t)(len / line));
	}
	CHECK(load(TEXT(WHOLE "step watermark w5 x\nstep watermark w5 4 1 - - pass\n")) == 1);
	CHECK(load(TEXT(WHOLE "step watermark w5 4 1 - - pass\nend\n")) == 1);
	CHECK(state.count == 0);
}

TEST(a_file_that_grew_is_written_anew_at_rest)
{
	int count = 0;

	CHECK(load(TEXT(WHOLE)) == 0);
	while (state.appended <= LIMIT_STATE_APPENDED) {
		CHECK(save(STATE_AT_REST));
		set_attempt("watermark", "w5", ++count);
		CHECK(save(STATE_AT_WORK));
	}
	CHECK(file_now().st_size > LIMIT_STATE_APPENDED);
	/* Also by the daemon that finds it so. */
	CHECK(state_load(&arena, fd, &state, NULL) == 0);
	CHECK(save(STATE_AT_WORK) && file_now().st_size > LIMIT_STATE_APPENDED);
	set_attempt("watermark", "w5", ++count);
	limit_files(10);
	CHECK(!save(STATE_AT_REST));
	limit_files(RLIM_INFINITY);
	CHECK(save(STATE_AT_WORK) && next_attempt("w5") == count);
	CHECK(save(STATE_AT_REST) && file_now().st_size < (off_t)sizeof(WHOLE) + 50);
	CHECK(next()->count == 2 && next_attempt("w5") == count);
}

TEST(without_a_rest_it_stays_one_that_can_be_read)
{
	off_t before = 0, most = 0;
	int count = 0, again = 0;

	CHECK(load(TEXT(WHOLE)) == 0);
	for (; again < 2 && count < 100000; count++) {
		off_t size;
		set_attempt("watermark", "w5", count);
		CHECK(save(STATE_AT_WORK));
		size = file_now().st_size;
		again += size < before;
		most = size > most ? size : most;
		before = size;
	}
	CHECK(again == 2 && most <= LIMIT_STATE_BYTES && most > LIMIT_STATE_BYTES / 2);
	CHECK(next_attempt("w5") == count - 1);
}

TEST(what_cannot_be_written_is_not_lost)
{
	struct diag diag = {0};
	size_t size = sizeof(WHOLE) - 1;

	CHECK(load(TEXT(WHOLE)) == 0);
	set_attempt("watermark", "w5", 4);
	limit_files(size - 10);
	CHECK(state_save(&state, fd, STATE_AT_WORK, &diag) == -EFBIG && state.changed);
	CHECK(strstr(diag.text, STATE_FILE) && next_attempt("w5") == 3);
	limit_files(RLIM_INFINITY);
	CHECK(save(STATE_AT_WORK) && !state.changed && next_attempt("w5") == 4);

	/* Now half of it can. */
	CHECK(load(TEXT(WHOLE)) == 0);
	for (int i = 0; i < 2; i++) {
		set_attempt("watermark", "w5", 4 + i);
		set_attempt("watermark", "late", 2 + i);
		limit_files(size + 300);
		CHECK(save(STATE_AT_WORK) && !state.changed);
		limit_files(RLIM_INFINITY);
		CHECK(next_attempt("w5") == 4 + i && next_attempt("late") == 2 + i);
	}
}

/* Somebody removed it, put another one there, or something that no one reads. */
TEST(a_file_that_is_not_as_it_was_left_is_written_anew)
{
	CHECK(load(TEXT(WHOLE)) == 0);
	for (int i = 0; i < 4; i++) {
		if (i == 3)
			CHECK(status_write(fd, STATE_FILE, TEXT("ewind-state 1\nseq 1\nend\n"), 0,
				      NULL) == 0);
		else
			CHECK(unlinkat(fd, STATE_FILE, 0) == 0);
		if (i == 1)
			CHECK(mkfifoat(fd, STATE_FILE, 0644) == 0);
		if (i == 2)
			CHECK(symlinkat("/dev/null", fd, STATE_FILE) == 0);
		set_attempt("watermark", "w5", 10 + i);
		CHECK(save(STATE_AT_WORK) && S_ISREG(file_now().st_mode));
		CHECK(next_attempt("w5") == 10 + i && next_attempt("late") == 1);
	}
}

int main(void)
{
	arena_init(&arena, 16u << 20);
	signal(SIGXFSZ, SIG_IGN);
	if (!mkdtemp(dir) || (fd = open(dir, O_RDONLY | O_DIRECTORY)) < 0)
		return 1;
	RUN(reads_what_it_wrote);
	RUN(cut_anywhere_it_is_damaged);
	RUN(counts_that_cannot_be_are_damage);
	RUN(what_stands_in_the_way_is_said);
	RUN(no_file_is_an_empty_state);
	RUN(no_seq_is_given_twice_over_a_crash);
	RUN(old_entries_make_room);
	RUN(what_made_room_is_not_in_the_file);
	RUN(what_the_journal_was_told_is_kept);
	RUN(a_change_is_appended_to_the_file_that_is_there);
	RUN(the_last_line_of_a_step_counts);
	RUN(of_what_was_appended_only_a_line_that_is_cut_does_not_count);
	RUN(a_file_that_grew_is_written_anew_at_rest);
	RUN(without_a_rest_it_stays_one_that_can_be_read);
	RUN(what_cannot_be_written_is_not_lost);
	RUN(a_file_that_is_not_as_it_was_left_is_written_anew);
	arena_finish(&arena);
	unlinkat(fd, STATE_FILE, 0);
	unlinkat(fd, STATE_FILE ".damaged", 0);
	return test_finish() | (rmdir(dir) != 0);
}

/* The state file: kept, damaged at every byte, and never a SEQ twice. */
#include "daemon/state.h"

#include <fcntl.h>
#include <stdlib.h>
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

TEST(reads_what_it_wrote)
{
	CHECK(load(TEXT(WHOLE)) == 0);
	CHECK(state.seq == 1042 && state.count == 2);
	CHECK(state_step(&state, TEXT("watermark"), TEXT("w5"))->attempt == 3);
	CHECK(state_step(&state, TEXT("watermark"), TEXT("w5"))->hint_tier == 1);
	CHECK(strcmp(state_step(&state, TEXT("watermark"), TEXT("late"))->out, HASH) == 0);
	CHECK(state_step(&state, TEXT("watermark"), TEXT("late"))->sql[0] == '\0');
	state_step(&state, TEXT("window"), TEXT("tumble"))->attempt = 7;
	state.changed = true;
	CHECK(state_save(&state, fd, true, NULL) == 0);
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
			CHECK(state_save(&state, fd, false, NULL) == 0);
		}
		CHECK(state_load(&arena, fd, &state, NULL) == 0);
	}
	CHECK(state_next_seq(&state) > last);
	CHECK(state_save(&state, fd, true, NULL) == 0);
	last = state.seq;
	CHECK(state_load(&arena, fd, &state, NULL) == 0 && state.seq == last);
}

/* Of labs that come and go, such as those of a test run, the oldest are forgotten; those that are there are
 * not. */
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
	CHECK(state_save(&state, fd, true, NULL) == 0);
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

/* The file as it is after that, for whoever is started next. */
static const char *told_in_file(const char *step)
{
	static struct state other;

	CHECK(state_load(&arena, fd, &other, NULL) == 0 && other.count == state.count);
	return state_step(&other, TEXT("watermark"), text_of(step))->told;
}

TEST(what_the_journal_was_told_is_noted_in_place)
{
	struct state_step *late;

	CHECK(load(TEXT(WHOLE)) == 0);
	late = state_step(&state, TEXT("watermark"), TEXT("late"));
	CHECK(!state_owes(late, "pass"));
	late->told = TOLD_NOTHING;
	state.changed = true;
	CHECK(state_save(&state, fd, false, NULL) == 0);
	CHECK(strcmp(told_in_file("late"), TOLD_NOTHING) == 0 && state_owes(late, "pass"));
	for (int i = 0; i <= VERDICT_MISSING; i++) {
		const char *verdict = verdict_name((enum verdict_kind)i);
		state_tell(&state, fd, late, verdict);
		CHECK(!state.changed && strcmp(told_in_file("late"), verdict) == 0);
		CHECK(!told_in_file("w5") && !state_owes(late, verdict));
	}
	CHECK(state_owes(late, "pass"));
	CHECK(load(TEXT("ewind-state 1\nseq 1\nstep a b 1 1 - - nothing\nend\n")) == 1);
}

/* What is not in the file as it is here cannot be noted there alone. */
TEST(what_was_told_of_what_is_not_written_yet_is_written_with_it)
{
	struct state_step *w5;

	CHECK(load(TEXT(WHOLE)) == 0);
	w5 = state_step(&state, TEXT("watermark"), TEXT("w5"));
	state_tell(&state, fd, w5, "pass");
	CHECK(state.changed && !told_in_file("w5"));
	CHECK(state_save(&state, fd, false, NULL) == 0 && strcmp(told_in_file("w5"), "pass") == 0);
	w5->attempt++;
	state.changed = true;
	state_tell(&state, fd, w5, "fail");
	CHECK(state.changed && strcmp(told_in_file("w5"), "pass") == 0);
	CHECK(unlinkat(fd, STATE_FILE, 0) == 0);
	state.changed = false;
	state_tell(&state, fd, w5, "fail");
	CHECK(state.changed);
}

int main(void)
{
	arena_init(&arena, 16u << 20);
	if (!mkdtemp(dir) || (fd = open(dir, O_RDONLY | O_DIRECTORY)) < 0)
		return 1;
	RUN(reads_what_it_wrote);
	RUN(cut_anywhere_it_is_damaged);
	RUN(no_file_is_an_empty_state);
	RUN(no_seq_is_given_twice_over_a_crash);
	RUN(old_entries_make_room);
	RUN(what_the_journal_was_told_is_noted_in_place);
	RUN(what_was_told_of_what_is_not_written_yet_is_written_with_it);
	arena_finish(&arena);
	unlinkat(fd, STATE_FILE, 0);
	unlinkat(fd, STATE_FILE ".damaged", 0);
	return test_finish() | (rmdir(dir) != 0);
}

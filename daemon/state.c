/* State: a small text file, read whole at start and written whole after a change.
 *
 *	ewind-state 1
 *	seq 1042
 *	step LAB STEP ATTEMPT HINT_TIER OUT_SHA256 SQL_SHA256 TOLD       ("-" for none)
 *	end
 *
 * TOLD is the verdict that the journal was told last, "?" where that is not known; it has the same width in each
 * line, so that it can be changed in place. Before ewind 0.2 it was not there.
 *
 * It is not forced to disk: after a crash of the machine it may be old or empty, which costs a
 * count of attempts and must not cost each save a wait for the disk. SEQ is written ahead in steps
 * of 1000, so that it grows also over a crash and is not written at every verdict. */
#include "daemon/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/limits.h"
#include "daemon/status.h"
#include "parser/arena.h"
#include "parser/diag.h"

#define HEAD	    "ewind-state 1"
#define SEQ_RESERVE 1000

/* The longest name of a verdict. */
#define TOLD_WIDTH (sizeof("cannot-tell") - 1)

static struct text next_word(struct text *rest)
{
	size_t len = text_find(*rest, TEXT(" "));
	struct text word = text_slice(*rest, 0, len);

	*rest = text_slice(*rest, len + 1, rest->len);
	return word;
}

static bool read_count(struct text word, int64_t *ret)
{
	return text_to_int64(word, ret) == 0 && *ret >= 0;
}

static bool read_hash(struct text word, char hash[SHA256_HEX])
{
	if (text_eq(word, TEXT("-")))
		return true;
	if (word.len != SHA256_HEX - 1)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (!word.ptr[i] || !strchr("0123456789abcdef", word.ptr[i]))
			return false;
	memcpy(hash, word.ptr, word.len);
	return true;
}

static bool read_told(struct text word, const char **ret)
{
	while (word.len && word.ptr[word.len - 1] == ' ')
		word.len--;
	*ret = NULL;
	if (!word.len || text_eq(word, TEXT("?")))
		return true;
	if (text_eq(word, TEXT(TOLD_NOTHING)))
		*ret = TOLD_NOTHING;
	for (int i = 0; i <= VERDICT_MISSING && !*ret; i++)
		if (text_eq(word, text_of(verdict_name((enum verdict_kind)i))))
			*ret = verdict_name((enum verdict_kind)i);
	return *ret;
}

/* Forgets the oldest entry of those that nobody asked for; where all were asked for, the oldest of all. */
static void make_room(struct state *state)
{
	size_t at = 0;

	while (at < state->count && state->steps[at].asked)
		at++;
	if (at == state->count)
		at = 0;
	state->count--;
	memmove(&state->steps[at], &state->steps[at + 1],
		(state->count - at) * sizeof(*state->steps));
}

static struct state_step *find_step(struct state *state, struct text lab, struct text step)
{
	struct state_step *entry;

	for (size_t i = 0; i < state->count; i++)
		if (text_eq(state->steps[i].lab, lab) && text_eq(state->steps[i].step, step))
			return &state->steps[i];
	if (state->count == LIMIT_STATE_STEPS)
		make_room(state);
	if (arena_grow(state->arena, &state->steps, state->count, &state->room,
		    sizeof(*state->steps)) < 0)
		return NULL;
	entry = &state->steps[state->count];
	*entry = (struct state_step){
		.lab = text_copy(state->arena, lab), .step = text_copy(state->arena, step)};
	if (!entry->lab.ptr || !entry->step.ptr)
		return NULL;
	state->count++;
	return entry;
}

struct state_step *state_step(struct state *state, struct text lab, struct text step)
{
	struct state_step *entry = find_step(state, lab, step);

	if (entry)
		entry->asked = true;
	return entry;
}

static bool read_step(struct state *state, struct text line)
{
	struct text lab = next_word(&line), step = next_word(&line);
	struct state_step *entry = find_step(state, lab, step);

	return entry && lab.len && step.len && read_count(next_word(&line), &entry->attempt) &&
	       read_count(next_word(&line), &entry->hint_tier) &&
	       read_hash(next_word(&line), entry->out) && read_hash(next_word(&line), entry->sql) &&
	       read_told(line, &entry->told);
}

static bool read_state(struct state *state, struct text bytes)
{
	struct text line, word;

	if (!text_ends(bytes, TEXT("\nend\n")) || !text_next_line(&bytes, &line) ||
		!text_eq(line, TEXT(HEAD)))
		return false;
	while (text_next_line(&bytes, &line)) {
		if (text_eq(line, TEXT("end")))
			return bytes.len == 0;
		word = next_word(&line);
		if (text_eq(word, TEXT("seq"))
				? !read_count(line, &state->seq)
				: !text_eq(word, TEXT("step")) || !read_step(state, line))
			return false;
	}
	return false;
}

int state_load(struct arena *arena, int dirfd, struct state *ret, struct diag *reterr)
{
	struct state state = {.arena = arena};
	struct arena scratch;
	struct intake intake;
	bool sound = true;
	int r;

	arena_init(&scratch, LIMIT_STATE_BYTES * 2);
	r = intake_read(&scratch, dirfd, STATE_FILE, LIMIT_STATE_BYTES, &intake, reterr);
	if (r == 0 && intake.file.state != FILE_MISSING)
		sound = intake.file.state == FILE_THERE && read_state(&state, intake.file.bytes);
	arena_finish(&scratch);
	if (r < 0)
		return r;
	if (!sound) {
		state = (struct state){.arena = arena};
		if (renameat(dirfd, STATE_FILE, dirfd, STATE_FILE ".damaged") < 0)
			return diag_set(reterr, -errno, 0, 0, STATE_FILE ": %s", strerror(errno));
		diag_set(reterr, 1, 0, 0,
			"the state file is damaged: it is kept as " STATE_FILE
			".damaged, and attempts are counted from 0");
	}
	state.seq_reserved = state.seq;
	*ret = state;
	return !sound;
}

int64_t state_next_seq(struct state *state)
{
	if (++state->seq > state->seq_reserved)
		state->changed = true;
	return state->seq;
}

static struct text hash_word(const char *hash)
{
	return hash[0] ? text_of(hash) : TEXT("-");
}

static struct text pack_step(struct arena *arena, const struct state_step *step)
{
	return text_format(arena, "step %.*s %.*s %lld %lld %.*s %.*s %-*s\n", TEXT_ARG(step->lab),
		TEXT_ARG(step->step), (long long)step->attempt, (long long)step->hint_tier,
		TEXT_ARG(hash_word(step->out)), TEXT_ARG(hash_word(step->sql)), (int)TOLD_WIDTH,
		step->told ? step->told : "?");
}

/* The whole file; notes where in it TOLD is. */
static struct text pack(struct arena *arena, struct state *state)
{
	size_t count = state->count + 2, len = 0;
	struct text *lines = arena_array(arena, count, sizeof(*lines));
	char *all, *end;

	if (!lines)
		return (struct text){0};
	lines[0] = text_format(arena, HEAD "\nseq %lld\n", (long long)state->seq_reserved);
	for (size_t i = 0; i < state->count; i++)
		lines[i + 1] = pack_step(arena, &state->steps[i]);
	lines[count - 1] = TEXT("end\n");
	for (size_t i = 0; i < count; i++)
		len += lines[i].len;
	all = end = arena_alloc(arena, len + 1);
	for (size_t i = 0; i < count; i++) {
		if (!all || !lines[i].ptr)
			return (struct text){0};
		memcpy(end, lines[i].ptr, lines[i].len);
		end += lines[i].len;
		if (i > 0 && i <= state->count)
			state->steps[i - 1].told_at = (size_t)(end - all) - TOLD_WIDTH - 1;
	}
	return (struct text){all, len};
}

int state_save(struct state *state, int dirfd, bool last, struct diag *reterr)
{
	int64_t reserved = state->seq_reserved;
	struct arena scratch;
	struct text bytes;
	int r;

	if (last && reserved != state->seq) {
		state->seq_reserved = state->seq;
		state->changed = true;
	} else if (state->seq > reserved) {
		state->seq_reserved = state->seq + SEQ_RESERVE;
	}
	if (!state->changed)
		return 0;
	arena_init(&scratch, LIMIT_GRADE_ARENA);
	bytes = pack(&scratch, state);
	r = bytes.ptr ? status_write(dirfd, STATE_FILE, bytes, 0, reterr) : diag_nomem(reterr);
	arena_finish(&scratch);
	state->changed = r < 0;
	if (r < 0)
		state->seq_reserved = reserved;
	return r;
}

bool state_owes(const struct state_step *step, const char *verdict)
{
	return step->told && strcmp(step->told, verdict) != 0;
}

void state_tell(struct state *state, int dirfd, struct state_step *step, const char *verdict)
{
	char word[TOLD_WIDTH + 1];
	int fd = -1;

	step->told = verdict;
	snprintf(word, sizeof(word), "%-*s", (int)TOLD_WIDTH, verdict);
	/* Else the file is to be written whole in any case. */
	if (!state->changed && step->told_at)
		fd = openat(dirfd, STATE_FILE, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, word, TOLD_WIDTH, (off_t)step->told_at) != (ssize_t)TOLD_WIDTH)
		state->changed = true;
	if (fd >= 0)
		close(fd);
}

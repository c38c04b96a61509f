/* State: a small text file, read whole at start; what changes is appended.
 *
 *	ewind-state 1
 *	seq 1042
 *	step LAB STEP ATTEMPT HINT_TIER OUT_SHA256 SQL_SHA256 TOLD       ("-" for none)
 *	end
 *	seq 2042                                                         (what changed since)
 *	step LAB STEP ...
 *
 * TOLD is the verdict that the journal was told last, "?" where that is not known. Before ewind
 * 0.2 it was not there. The last line of a step, and of SEQ, is the one that counts. All up to
 * "end" was written aside and renamed: without that line the file is damaged. What was appended
 * may end in a line that is cut, by a full disk or a crash, which does not count.
 *
 * To append takes microseconds. To rename over an existing file makes ext4 write the new one to
 * the disk at once, some 70 ms on a busy one: so that is done at the end, while nothing else
 * waits, and where nothing can be appended.
 *
 * It is not forced to disk: after a crash of the machine it may be old or empty, which costs a
 * count of attempts and must not cost each save a wait for the disk. SEQ is written ahead in steps
 * of 1000, so that it grows also over a crash and is not written at every verdict. */
#include "daemon/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/errors.h"
#include "daemon/intake.h"
#include "daemon/limits.h"
#include "daemon/status.h"
#include "parser/arena.h"
#include "parser/diag.h"

#define HEAD	    "ewind-state 1"
#define SEQ_RESERVE 1000

/* More than can be counted by a save a microsecond in thirty years: a file that says more is
 * damaged. */
#define COUNT_MOST INT64_C(1000000000000000)

static bool read_count(struct text word, int64_t *ret)
{
	return text_to_int64(word, ret) == 0 && *ret >= 0 && *ret <= COUNT_MOST;
}

static bool read_hash(struct text word, char hash[SHA256_HEX])
{
	hash[0] = '\0';
	if (text_eq(word, TEXT("-")))
		return true;
	if (word.len != SHA256_HEX - 1 || !text_is_of(word, "0123456789abcdef"))
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

/* Forgets the oldest entry of those that nobody asked for; where all were asked for, the oldest
 * of all. Since it stays in the file until that is written anew, this is done with the next
 * change. */
static void make_room(struct state *state)
{
	size_t at = 0;

	while (at < state->count && state->steps[at].asked)
		at++;
	if (at == state->count)
		at = 0;
	state->count--;
	state->size = 0;
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
	struct text lab = text_next_word(&line), step = text_next_word(&line);
	struct state_step *entry = find_step(state, lab, step);

	return entry && lab.len && step.len && read_count(text_next_word(&line), &entry->attempt) &&
	       read_count(text_next_word(&line), &entry->hint_tier) &&
	       read_hash(text_next_word(&line), entry->out) &&
	       read_hash(text_next_word(&line), entry->sql) && read_told(line, &entry->told);
}

static bool read_line(struct state *state, struct text line)
{
	struct text word = text_next_word(&line);

	return text_eq(word, TEXT("seq")) ? read_count(line, &state->seq)
					  : text_eq(word, TEXT("step")) && read_step(state, line);
}

static bool read_state(struct state *state, struct text bytes)
{
	struct text rest = bytes, line;
	bool whole = false;

	if (!text_next_line(&rest, &line) || !text_eq(line, TEXT(HEAD)))
		return false;
	while (text_find(rest, TEXT("\n")) < rest.len && text_next_line(&rest, &line)) {
		if (!whole && text_eq(line, TEXT("end"))) {
			whole = true;
			state->appended = rest.len;
		} else if (!read_line(state, line)) {
			return false;
		}
	}
	/* Behind a line that is cut nothing can be appended. */
	state->size = rest.len ? 0 : bytes.len;
	return whole;
}

/* What bears the name of the state and is none is not to be lost. Where something stands in the
 * way of that, such as a folder of that name, it is left there. 1, or -errno where that passes by
 * itself. */
static int set_aside(int dirfd, struct diag *reterr)
{
	if (renameat(dirfd, STATE_FILE, dirfd, STATE_FILE ".damaged") == 0)
		return diag_set(reterr, 1, 0, 0,
			"the state file is damaged: it is kept as " STATE_FILE
			".damaged, and attempts are counted from 0");
	if (error_passes(errno))
		return diag_set(reterr, -errno, 0, 0, STATE_FILE ": %s", strerror(errno));
	return diag_set(reterr, 1, 0, 0,
		"the state file is damaged, and cannot be kept as " STATE_FILE
		".damaged (%s): attempts are counted from 0",
		strerror(errno));
}

int state_load(struct arena *arena, int dirfd, struct state *ret, struct diag *reterr)
{
	struct state state = {.arena = arena};
	struct arena scratch;
	struct intake intake;
	bool sound = true;
	int r;

	arena_init(&scratch, LIMIT_STATE_BYTES * 2);
	r = intake_bytes(&scratch, dirfd, STATE_FILE, LIMIT_STATE_BYTES, &intake, reterr);
	if (r == 0 && intake.file.state != FILE_MISSING)
		sound = intake.file.state == FILE_THERE && read_state(&state, intake.file.bytes);
	arena_finish(&scratch);
	if (r == 0 && !sound) {
		state = (struct state){.arena = arena};
		r = set_aside(dirfd, reterr);
	}
	if (r < 0)
		return r;
	state.seq_reserved = state.seq;
	*ret = state;
	return r;
}

void state_touch(struct state *state, struct state_step *step)
{
	state->changed = step->changed = true;
}

int64_t state_next_seq(struct state *state)
{
	if (++state->seq > state->seq_reserved)
		state->changed = true;
	return state->seq;
}

bool state_owes(const struct state_step *step, const char *verdict)
{
	return step->told && strcmp(step->told, verdict) != 0;
}

void state_tell(struct state *state, struct state_step *step, const char *verdict)
{
	step->told = verdict;
	state_touch(state, step);
}

static struct text hash_word(const char *hash)
{
	return hash[0] ? text_of(hash) : TEXT("-");
}

static struct text pack_step(struct arena *arena, const struct state_step *step)
{
	return text_format(arena, "step %.*s %.*s %lld %lld %.*s %.*s %s\n", TEXT_ARG(step->lab),
		TEXT_ARG(step->step), (long long)step->attempt, (long long)step->hint_tier,
		TEXT_ARG(hash_word(step->out)), TEXT_ARG(hash_word(step->sql)),
		step->told ? step->told : "?");
}

static struct text join(struct arena *arena, const struct text *lines, size_t count)
{
	size_t len = 0;
	char *all, *end;

	for (size_t i = 0; i < count; i++)
		len += lines[i].len;
	all = end = arena_alloc(arena, len + 1);
	for (size_t i = 0; i < count; i++) {
		if (!all || !lines[i].ptr)
			return (struct text){0};
		memcpy(end, lines[i].ptr, lines[i].len);
		end += lines[i].len;
	}
	return (struct text){all, len};
}

/* The whole file, or the lines of what changed. On lack of memory its ptr is NULL. */
static struct text pack(struct arena *arena, const struct state *state, bool whole)
{
	struct text *lines = arena_array(arena, state->count + 2, sizeof(*lines));
	size_t count = 0;

	if (!lines)
		return (struct text){0};
	lines[count++] = text_format(
		arena, "%sseq %lld\n", whole ? HEAD "\n" : "", (long long)state->seq_reserved);
	for (size_t i = 0; i < state->count; i++)
		if (whole || state->steps[i].changed)
			lines[count++] = pack_step(arena, &state->steps[i]);
	if (whole)
		lines[count++] = TEXT("end\n");
	return join(arena, lines, count);
}

/* False: the file has not room for it, is not as it was left here, or has now only a part of it.
 * Only to write it anew helps then. */
static bool append(struct state *state, int dirfd, struct text bytes)
{
	struct stat st;
	bool done;
	int fd;

	if (!bytes.ptr || !state->size || state->size + bytes.len > LIMIT_STATE_BYTES)
		return false;
	fd = openat(dirfd, STATE_FILE, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	done = fd >= 0 && fstat(fd, &st) == 0 && st.st_size == (off_t)state->size &&
	       write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len;
	if (fd >= 0 && close(fd) < 0)
		done = false;
	state->size = done ? state->size + bytes.len : 0;
	state->appended += bytes.len;
	return done;
}

static int write_anew(struct state *state, int dirfd, struct text bytes, struct diag *reterr)
{
	int r = bytes.ptr ? status_write(dirfd, STATE_FILE, bytes, 0, reterr) : diag_nomem(reterr);

	if (r < 0)
		return r;
	state->size = bytes.len;
	state->appended = 0;
	return 0;
}

/* Is the file to be written anew, whether or not that can be put off? */
static bool is_due(const struct state *state, enum state_moment moment)
{
	if (moment == STATE_AT_END)
		return state->changed || state->appended || state->seq_reserved != state->seq;
	return moment == STATE_AT_REST && state->appended > LIMIT_STATE_APPENDED;
}

int state_save(struct state *state, int dirfd, enum state_moment moment, struct diag *reterr)
{
	bool due = is_due(state, moment);
	int64_t reserved = state->seq_reserved;
	struct arena scratch;
	int r = 0;

	if (!due && !state->changed)
		return 0;
	if (moment == STATE_AT_END)
		state->seq_reserved = state->seq;
	else if (state->seq > reserved)
		state->seq_reserved = state->seq + SEQ_RESERVE;
	arena_init(&scratch, LIMIT_GRADE_ARENA);
	if (due || !append(state, dirfd, pack(&scratch, state, false)))
		r = write_anew(state, dirfd, pack(&scratch, state, true), reterr);
	arena_finish(&scratch);
	state->changed = r < 0;
	if (r < 0)
		state->seq_reserved = reserved;
	for (size_t i = 0; r == 0 && i < state->count; i++)
		state->steps[i].changed = false;
	return r;
}

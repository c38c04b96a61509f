/* Bench: what it costs to look for the cause of an output alone that no mistake of the catalogue
 * gives.
 *
 *	search PLACE DATA_ROOT LAB all|last ROUNDS [STEP]
 *
 * The client's output of each reference with tables is saved without its SQL, and with another
 * last digit in all rows, or in the last one of each table: until then many mistakes give the
 * same rows. Prints a line a step: its name, the median of the rounds in microseconds of
 * processor time, and "whole" or "cut": a search that takes too long is ended. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/grade/diagnose.h"
#include "daemon/grade/grader.h"
#include "daemon/labs.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/client.h"

#define MAX_ROUNDS 1000

static int64_t cpu_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

struct printed {
	struct arena *arena;
	char *bytes;
	size_t len, room;
};

static int print(void *ctx, const char *bytes, size_t size)
{
	struct printed *printed = ctx;

	for (size_t i = 0; i < size; i++) {
		if (arena_grow(printed->arena, &printed->bytes, printed->len, &printed->room, 1))
			return -1;
		printed->bytes[printed->len++] = bytes[i];
	}
	return 0;
}

static double no_time(void *ctx)
{
	(void)ctx;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Rows of tables end with a number; behind the last one of each is a border. */
static void change_rows(char *bytes, size_t len, bool last)
{
	for (size_t i = 3; i + 1 < len; i++)
		if (bytes[i] == '\n' && bytes[i - 1] == '|' && is_digit(bytes[i - 3]) &&
			(!last || bytes[i + 1] == '+'))
			bytes[i - 3] = (char)('0' + (bytes[i - 3] - '0' + 5) % 10);
}

/* An output of the reference with wrong rows. */
static int save(
	struct arena *arena, const struct grader *grader, size_t step, bool last, struct text *ret)
{
	struct printed printed = {.arena = arena};
	struct writer writer = {.write = print, .ctx = &printed};
	struct client client = {.arena = arena,
		.session = session_new(arena, grader->data),
		.out = &writer,
		.history = TEXT("/root/.flink-sql-history"),
		.seconds = no_time,
		.release = FLINK_2_3};
	struct diag diag;

	if (!client.session || client_run(&client, grader->expected[step].sql, &diag))
		return -1;
	change_rows(printed.bytes, printed.len, last);
	*ret = (struct text){printed.bytes, printed.len};
	return 0;
}

static bool is_cut(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->remark_count; i++)
		if (verdict->remarks[i].id == MSG_DIAGNOSIS_CUT)
			return true;
	return false;
}

/* Was nothing found? */
static bool is_unknown(const struct verdict *verdict)
{
	return verdict->diagnosis_count == 1 && verdict->diagnosis[0].id == DIAG_UNRECOGNISED;
}

/* One round, whose time goes to *usec. */
static int diagnose_once(const struct grader *grader, size_t step, const struct submission *all,
	int64_t *usec, bool *cut)
{
	struct verdict verdict = {0};
	struct arena arena;
	int64_t start;
	int err;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	err = grade_step(&arena, grader, step, all, &verdict, NULL);
	start = cpu_usec();
	if (err == 0)
		err = diagnose_step(&arena, grader, step, all, &verdict, NULL);
	*usec = cpu_usec() - start;
	*cut = is_cut(&verdict);
	if (err == 0 && !*cut && !is_unknown(&verdict))
		err = -1;
	arena_finish(&arena);
	return err;
}

static int measure_step(const struct loaded_lab *loaded, size_t step, bool last, size_t rounds)
{
	const struct lab *lab = &loaded->lab;
	int64_t usec[MAX_ROUNDS];
	struct arena arena;
	struct submission *all;
	bool cut = false;
	int err = -1;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	all = arena_array(&arena, lab->step_count, sizeof(*all));
	if (all) {
		all[step].out.state = FILE_THERE;
		err = save(&arena, loaded->grader, step, last, &all[step].out.bytes);
	}
	for (size_t i = 0; i < rounds && err == 0; i++)
		err = diagnose_once(loaded->grader, step, all, &usec[i], &cut);
	arena_finish(&arena);
	if (err) {
		fprintf(stderr, "search: %.*s: something is found\n",
			TEXT_ARG(lab->steps[step].id));
		return -1;
	}
	qsort(usec, rounds, sizeof(*usec), compare);
	printf("%.*s %" PRId64 " %s\n", TEXT_ARG(lab->steps[step].id), usec[rounds / 2],
		cut ? "cut" : "whole");
	return 0;
}

static int measure_lab(const struct loaded_lab *loaded, bool last, size_t rounds, const char *only)
{
	int err = 0;

	for (size_t i = 0; i < loaded->lab.step_count && err == 0; i++)
		if (loaded->lab.steps[i].kind == STEP_TABLES &&
			(!only || text_eq(loaded->lab.steps[i].id, text_of(only))))
			err = measure_step(loaded, i, last, rounds);
	return err;
}

int main(int argc, char **argv)
{
	struct lab_places places = {.count = 1};
	const struct loaded_lab *loaded;
	struct labs labs;
	struct diag diag;
	int64_t rounds;
	int err;

	if ((argc != 6 && argc != 7) || text_to_int64(text_of(argv[5]), &rounds) < 0 ||
		rounds < 1 || rounds > MAX_ROUNDS) {
		fputs("usage: search PLACE DATA_ROOT LAB all|last ROUNDS [STEP]\n", stderr);
		return 2;
	}
	places.dirs[0] = argv[1];
	if (labs_load(&labs, &places, argv[2], NULL, false, &diag) < 0) {
		fprintf(stderr, "search: %s\n", diag.text);
		return 1;
	}
	loaded = labs_get(&labs, text_of(argv[3]));
	if (!loaded || !loaded->grader)
		fprintf(stderr, "search: %s: no such lab, or no data\n", argv[3]);
	err = loaded && loaded->grader
		      ? measure_lab(loaded, text_eq(text_of(argv[4]), TEXT("last")), (size_t)rounds,
				argv[6])
		      : -1;
	labs_finish(&labs);
	return err ? 1 : 0;
}

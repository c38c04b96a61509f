/* Bench: loads all labs of a place and computes every expected table.
 *
 *	labs PLACE DATA_ROOT ROUNDS
 *
 * Prints one line: how many labs, how many steps have tables, and the median of the rounds in
 * microseconds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/labs.h"

static int64_t now_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Steps that have a reference, of labs that can be graded. */
static size_t count_steps(const struct labs *labs)
{
	size_t count = 0;

	for (size_t i = 0; i < labs->count; i++)
		for (size_t j = 0; labs->items[i]->grader && j < labs->items[i]->lab.step_count;
			j++)
			count += labs->items[i]->lab.steps[j].reference.len > 0;
	return count;
}

int main(int argc, char **argv)
{
	struct lab_places places = {.count = 1};
	int64_t rounds, *usec;
	struct labs labs;
	struct diag diag;
	size_t steps = 0, count = 0;

	if (argc != 4 || text_to_int64(text_of(argv[3]), &rounds) < 0 || rounds < 1) {
		fputs("usage: labs PLACE DATA_ROOT ROUNDS\n", stderr);
		return 2;
	}
	places.dirs[0] = argv[1];
	usec = calloc((size_t)rounds, sizeof(*usec));
	for (int64_t i = 0; usec && i < rounds; i++) {
		int64_t start = now_usec();
		if (labs_load(&labs, &places, argv[2], NULL, false, &diag) < 0) {
			fprintf(stderr, "labs: %s\n", diag.text);
			return 1;
		}
		usec[i] = now_usec() - start;
		steps = count_steps(&labs);
		count = labs.count;
		labs_finish(&labs);
	}
	if (!usec)
		return 1;
	qsort(usec, (size_t)rounds, sizeof(*usec), compare);
	printf("%zu %zu %" PRId64 "\n", count, steps, usec[rounds / 2]);
	free(usec);
	return 0;
}

/* Bench: prints a CSV of COUNT rows in arrival order, the columns of the watermark lab.
 *
 *	rows COUNT SENSORS
 *
 * A hundred rows share a second; a row comes up to 8 s late, so a few miss their window with the
 * lab's delay. Always the same rows: the numbers come from a fixed linear congruential
 * generator. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "parser/text.h"

#define FIRST_SECOND 1783328400 /* 2026-07-06 09:00:00 UTC */

/* The calendar is asked once a second of event time, not once a row. */
#define RECENT_SECONDS 16

struct clock_texts {
	int64_t second[RECENT_SECONDS];
	char text[RECENT_SECONDS][20];
};

static const char *clock_text(struct clock_texts *recent, int64_t second)
{
	size_t slot = (size_t)(second % RECENT_SECONDS);
	time_t when = (time_t)(FIRST_SECOND + second);
	struct tm parts;

	if (recent->second[slot] != second || !recent->text[slot][0]) {
		gmtime_r(&when, &parts);
		strftime(recent->text[slot], sizeof(recent->text[slot]), "%Y-%m-%d %H:%M:%S",
			&parts);
		recent->second[slot] = second;
	}
	return recent->text[slot];
}

int main(int argc, char **argv)
{
	static struct clock_texts recent;
	int64_t count, sensors;
	uint64_t random = 1;

	if (argc != 3 || text_to_int64(text_of(argv[1]), &count) < 0 ||
		text_to_int64(text_of(argv[2]), &sensors) < 0 || sensors < 1) {
		fputs("usage: rows COUNT SENSORS\n", stderr);
		return 2;
	}
	for (int64_t i = 1; i <= count; i++) {
		int64_t late, second;

		random = random * 6364136223846793005u + 1442695040888963407u;
		late = (random >> 60) < 2 ? (int64_t)(random >> 33) % 9 : 0;
		second = i / 100 > late ? i / 100 - late : 0;
		printf("%" PRId64 ",s%" PRId64 ",%d,%s\n", i, (int64_t)(random >> 40) % sensors + 1,
			(int)(random >> 45) % 90 + 10, clock_text(&recent, second));
	}
	return fflush(stdout) != 0;
}

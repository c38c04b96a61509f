/* Numbers by chance that are the same on every machine: splitmix64 (Steele, Lea and Flood, 2014),
 * whose state is a counter that is mixed. */
#ifndef EWIN_DAEMON_GRADE_RANDOM_H
#define EWIN_DAEMON_GRADE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state; /* the seed */
};

/* The next number, 0 to below the bound, which is at least 1. */
uint64_t random_below(struct random *random, uint64_t bound);

#endif

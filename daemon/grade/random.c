/* splitmix64. A number below a bound is the upper half of the product of both, so that the lower
 * bits need not be good; the bias is bound / 2^64. */
#include "daemon/grade/random.h"

static uint64_t next(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t random_below(struct random *random, uint64_t bound)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)(((wide)next(random) * bound) >> 64);
}

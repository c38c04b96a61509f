/* Whole numbers of up to BIGNUM_BITS bits, for the digits of a DOUBLE far from 1. */
#ifndef EWIN_PARSER_BIGNUM_H
#define EWIN_PARSER_BIGNUM_H

#include <stdint.h>

/* What the digits of the largest and of the smallest DOUBLE need, 770 bits, and room for ten times
 * that and for bignum_divide()'s free bits. */
#define BIGNUM_BITS  832
#define BIGNUM_LIMBS (BIGNUM_BITS / 32)

/* The least significant limb first; the last of count is not 0. */
struct bignum {
	int count;
	uint32_t limbs[BIGNUM_LIMBS];
};

/* factor * 5^fives * 2^twos. */
void bignum_set(struct bignum *n, uint64_t factor, int fives, int twos);

void bignum_multiply(struct bignum *n, uint32_t factor);

/* How many bits are free above the first in n's first limb. */
int bignum_free_bits(const struct bignum *n);

/* Below, at or above 0 as a is to b. */
int bignum_compare(const struct bignum *a, const struct bignum *b);

void bignum_add(struct bignum *n, const struct bignum *other);

/* Returns n / by, which is at most 10, and leaves the remainder in n. by has 4 free bits. */
int bignum_divide(struct bignum *n, const struct bignum *by);

#endif

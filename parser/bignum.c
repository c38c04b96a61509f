/* Arithmetic of whole numbers too long for a register, in a fixed room: just what producing digits
 * one after another takes, as in Steele and White's paper. Nobody else has such numbers; DECIMAL's
 * fit in 128 bits. */
#include "parser/bignum.h"

/* 5^13 is the largest power that fits in a limb. */
#define LIMB_FIVES 13

static void add_limb(struct bignum *n, uint64_t limb)
{
	if (limb)
		n->limbs[n->count++] = (uint32_t)limb;
}

void bignum_multiply(struct bignum *n, uint32_t factor)
{
	uint64_t carry = 0;

	for (int i = 0; i < n->count; i++) {
		carry += (uint64_t)n->limbs[i] * factor;
		n->limbs[i] = (uint32_t)carry;
		carry >>= 32;
	}
	add_limb(n, carry);
}

static void multiply_by_fives(struct bignum *n, int fives)
{
	uint32_t rest = 1;

	for (; fives >= LIMB_FIVES; fives -= LIMB_FIVES)
		bignum_multiply(n, 1220703125);
	while (fives-- > 0)
		rest *= 5;
	bignum_multiply(n, rest);
}

static void shift_left(struct bignum *n, int bits)
{
	int limbs = bits / 32;

	bignum_multiply(n, UINT32_C(1) << bits % 32);
	if (!limbs)
		return;
	for (int i = n->count - 1; i >= 0; i--)
		n->limbs[i + limbs] = n->limbs[i];
	for (int i = 0; i < limbs; i++)
		n->limbs[i] = 0;
	n->count += limbs;
}

void bignum_set(struct bignum *n, uint64_t factor, int fives, int twos)
{
	n->count = 0;
	add_limb(n, factor & UINT32_MAX);
	add_limb(n, factor >> 32);
	multiply_by_fives(n, fives);
	shift_left(n, twos);
}

int bignum_free_bits(const struct bignum *n)
{
	return __builtin_clz(n->limbs[n->count - 1]);
}

int bignum_compare(const struct bignum *a, const struct bignum *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (int i = a->count - 1; i >= 0; i--)
		if (a->limbs[i] != b->limbs[i])
			return a->limbs[i] < b->limbs[i] ? -1 : 1;
	return 0;
}

void bignum_add(struct bignum *n, const struct bignum *other)
{
	uint64_t carry = 0;

	while (n->count < other->count)
		n->limbs[n->count++] = 0;
	for (int i = 0; i < n->count; i++) {
		carry += n->limbs[i];
		carry += i < other->count ? other->limbs[i] : 0;
		n->limbs[i] = (uint32_t)carry;
		carry >>= 32;
	}
	add_limb(n, carry);
}

/* n -= by * times, which is not above n. */
static void subtract(struct bignum *n, const struct bignum *by, uint32_t times)
{
	uint64_t product = 0;
	int64_t rest = 0;

	for (int i = 0; i < n->count; i++) {
		product += i < by->count ? (uint64_t)by->limbs[i] * times : 0;
		rest += (int64_t)n->limbs[i] - (int64_t)(uint32_t)product;
		n->limbs[i] = (uint32_t)rest;
		product >>= 32;
		rest >>= 32;
	}
	while (n->count && !n->limbs[n->count - 1])
		n->count--;
}

/* The first limbs alone give the quotient or one less. */
int bignum_divide(struct bignum *n, const struct bignum *by)
{
	uint32_t quotient = 0;

	if (n->count == by->count) {
		quotient = n->limbs[n->count - 1] / (by->limbs[by->count - 1] + 1);
		subtract(n, by, quotient);
	}
	while (bignum_compare(n, by) >= 0) {
		subtract(n, by, 1);
		quotient++;
	}
	return (int)quotient;
}

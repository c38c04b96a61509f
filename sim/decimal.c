/* DECIMAL arithmetic: see decimal.h. A product has up to 256 bits before its last digits are
 * rounded away; a quotient is made digit by digit. Recorded: semantics/types_stream,
 * more_sim/scalar_number. */
#include "sim/decimal.h"

#include <math.h>
#include <stdio.h>

#include "parser/csv_number.h"
#include "parser/double.h"

#define MOST_DIGITS 38

__extension__ typedef unsigned __int128 uint128;

int128 decimal_power(int exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

static uint128 magnitude(int128 n)
{
	return n < 0 ? 0 - (uint128)n : (uint128)n;
}

/* The number with that magnitude and sign. */
static bool with_sign(uint128 n, bool negative, int128 *ret)
{
	if (n >> 127)
		return false;
	*ret = negative ? -(int128)n : (int128)n;
	return true;
}

bool decimal_fits(int128 n, int precision)
{
	return magnitude(n) < (uint128)decimal_power(precision);
}

int128 decimal_cut(int128 n, int digits)
{
	return digits > MOST_DIGITS ? 0 : n / decimal_power(digits);
}

/* Rounds `drop` digits away: what counts is the first of them. */
static int128 round_off(int128 n, int drop)
{
	int128 cut = decimal_cut(n, drop - 1);

	return cut / 10 + (cut % 10 >= 5) - (cut % 10 <= -5);
}

bool decimal_rescale(int128 n, int from, int to, int128 *ret)
{
	if (to < from) {
		*ret = round_off(n, from - to);
		return true;
	}
	if (!n)
		to = from;
	*ret = n;
	return to - from <= MOST_DIGITS &&
	       !__builtin_mul_overflow(n, decimal_power(to - from), ret);
}

/* A number of 256 bits, its lowest 64 first. */
struct wide {
	uint64_t limbs[4];
};

static struct wide wide_product(uint128 a, uint128 b)
{
	uint64_t x[2] = {(uint64_t)a, (uint64_t)(a >> 64)};
	uint64_t y[2] = {(uint64_t)b, (uint64_t)(b >> 64)};
	struct wide wide = {{0}};

	for (size_t i = 0; i < 2; i++) {
		uint128 carry = 0;

		for (size_t j = 0; j < 2; j++) {
			carry += (uint128)x[i] * y[j] + wide.limbs[i + j];
			wide.limbs[i + j] = (uint64_t)carry;
			carry >>= 64;
		}
		wide.limbs[i + 2] = (uint64_t)carry;
	}
	return wide;
}

/* Divides by ten and returns the rest. */
static unsigned wide_shift(struct wide *wide)
{
	uint128 rest = 0;

	for (size_t i = 4; i-- > 0;) {
		rest = rest << 64 | wide->limbs[i];
		wide->limbs[i] = (uint64_t)(rest / 10);
		rest %= 10;
	}
	return (unsigned)rest;
}

bool decimal_multiply(int128 a, int128 b, int drop, int128 *ret)
{
	struct wide wide = wide_product(magnitude(a), magnitude(b));
	uint128 n;
	unsigned digit = 0;

	while (drop-- > 0)
		digit = wide_shift(&wide);
	if (wide.limbs[2] || wide.limbs[3])
		return false;
	n = (uint128)wide.limbs[1] << 64 | wide.limbs[0];
	return with_sign(n + (digit >= 5), (a < 0) != (b < 0), ret);
}

bool decimal_divide(int128 a, int128 b, int shift, int128 *ret, bool *too_long)
{
	uint128 n = magnitude(a), d = magnitude(b), quotient = n / d, rest = n % d;
	bool negative = (a < 0) != (b < 0);

	*too_long = d > ~(uint128)0 / 10;
	if (*too_long)
		return false;
	for (; shift > 0; shift--) {
		rest *= 10;
		if (quotient > (~(uint128)0 - 9) / 10)
			return false;
		quotient = quotient * 10 + rest / d;
		rest %= d;
	}
	if (shift < 0)
		return with_sign((uint128)round_off((int128)quotient, -shift), negative, ret);
	return with_sign(quotient + (rest * 10 / d >= 5), negative, ret);
}

double decimal_to_double(int128 n, int scale, bool single)
{
	struct sql_type type = {.kind = SQL_DECIMAL, .precision = MOST_DIGITS, .scale = scale};
	struct value value = {.dec = n};
	char buf[VALUE_TEXT];
	double f = 0;

	double_parse(value_text(&type, &value, buf), single, &f);
	return f;
}

bool decimal_from_double(double f, int scale, int128 *ret)
{
	struct sql_type type = {.kind = SQL_DECIMAL, .precision = MOST_DIGITS, .scale = scale};
	char buf[DOUBLE_SIZE];
	struct value value;
	int len = double_print(f, false, buf);

	if (!isfinite(f) || csv_decimal((struct text){buf, (size_t)len}, &type, &value) < 0 ||
		value.null)
		return false;
	*ret = value.dec;
	return true;
}

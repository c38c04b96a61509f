/* The digits that JDK 17 writes of a FLOAT or DOUBLE. Up to JDK 18 these are not always the
 * fewest that read back as the same number (JDK-4511638): they are produced from the first on, as
 * by Steele and White, and stop when what is left is less than half the distance to the next
 * number, either way. What makes them other than the fewest, all of it kept here:
 *  - a whole number below 2^63 is written out, without the digits that its last bit can't tell;
 *  - half the distance below a power of two is taken for that above it, too: it gets more digits;
 *  - the exact middle between two numbers is not near enough, save upward for long numbers;
 *  - what is printed with an exponent is not done after one digit;
 *  - the last digit is rounded to the nearest only where both sides are near enough;
 *  - the arithmetic of short numbers overflows: see short_step().
 * Compared with JDK 17.0.15: 34 million numbers of all kinds, none different. */
#include "parser/java_digits.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "parser/bignum.h"

/* odd * 2^(binary - odd_bits + 1), of which the type keeps so many bits. */
struct number {
	uint64_t odd;
	int odd_bits, binary, kept;
	int decimal; /* estimate_exponent() */
};

/* The number, the unit of its first digit and half the distance to the next number, measured in
 * what makes all three whole: odd * 5^fives_up * 2^twos, 5^fives_down * 2^unit_twos, and
 * 5^fives_up * 2^gap_twos. */
struct scale {
	int fives_up, fives_down;
	int twos, unit_twos, gap_twos;
};

/* What is left of f, ten times larger with each digit, as is gap; ten is ten units. Short numbers
 * are in int64_t, the others in struct bignum. */
struct steps {
	bool is_long;
	int64_t rest, unit, ten, gap;
	struct bignum long_rest, long_unit, long_ten, long_gap;
	bool low, high; /* near enough: the digits up to here; with the last one more */
};

static int64_t power(int base, int exponent)
{
	int64_t n = 1;

	while (exponent-- > 0)
		n *= base;
	return n;
}

/* Bits of 5^n: exact for what fits in 63 bits. */
static int bits_of_fives(int n)
{
	return n ? n * 2378 / 1024 + 1 : 0;
}

static void put_digit(struct java_digits *d, int digit)
{
	d->text[d->count++] = (char)('0' + digit);
}

/* A whole number. The digits that its type's last bit does not tell are rounded away. */
static void whole_digits(uint64_t whole, int lost_bits, struct java_digits *ret)
{
	int lost = lost_bits > 1 ? lost_bits * 1233 / 4096 : 0; /* digits of 2^lost_bits */
	uint64_t unit = (uint64_t)power(10, lost), rest = whole;

	whole = whole / unit + (lost && whole % unit >= unit / 2);
	while (whole % 10 == 0) {
		whole /= 10;
		lost++;
	}
	for (rest = whole; rest; rest /= 10)
		ret->count++;
	ret->exponent = lost + ret->count - 1;
	for (int i = ret->count - 1; i >= 0; i--, whole /= 10)
		ret->text[i] = (char)('0' + whole % 10);
}

/* The power of ten of the first digit, or one more: the tangent of the logarithm at 1.5, which lies
 * above it. Where it gives one more, the first digit is 0, and is dropped or rounded up. */
static int estimate_exponent(double mantissa, int binary)
{
	return (int)floor(
		(mantissa - 1.5) * 0.289529654 + 0.176091259 + binary * 0.301029995663981);
}

static void take_apart(double f, bool single, struct number *ret)
{
	int exponent, last = single ? FLT_MIN_EXP - FLT_MANT_DIG : DBL_MIN_EXP - DBL_MANT_DIG;
	double fraction = frexp(f, &exponent);
	uint64_t bits = (uint64_t)(fraction * 0x1p53);
	int zeros = __builtin_ctzll(bits);

	ret->odd = bits >> zeros;
	ret->odd_bits = DBL_MANT_DIG - zeros;
	ret->binary = exponent - 1;
	ret->kept = single ? FLT_MANT_DIG : DBL_MANT_DIG;
	if (ret->kept > ret->binary - last + 1)
		ret->kept = ret->binary - last + 1;
	ret->decimal = estimate_exponent(2 * fraction, ret->binary);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static void find_scale(const struct number *n, struct scale *ret)
{
	int common;

	ret->fives_up = n->decimal < 0 ? -n->decimal : 0;
	ret->fives_down = n->decimal > 0 ? n->decimal : 0;
	ret->twos = n->binary - n->odd_bits + 1 - n->decimal;
	ret->gap_twos = n->binary - n->kept - (n->odd_bits == 1) - n->decimal;
	common = least(least(ret->twos, ret->gap_twos), 0);
	ret->twos -= common;
	ret->gap_twos -= common;
	ret->unit_twos = -common;
}

static void begin(const struct number *n, struct steps *ret)
{
	struct scale s;
	int bits, ten_bits, shift;

	find_scale(n, &s);
	bits = n->odd_bits + s.twos + bits_of_fives(s.fives_up);
	ten_bits = s.unit_twos + 1 + bits_of_fives(s.fives_down + 1);
	ret->is_long = bits >= 64 || ten_bits >= 64;
	if (!ret->is_long) {
		ret->rest = ((int64_t)n->odd * power(5, s.fives_up)) << s.twos;
		ret->unit = power(5, s.fives_down) << s.unit_twos;
		ret->gap = power(5, s.fives_up) << s.gap_twos;
		ret->ten = ret->unit * 10;
		return;
	}
	bignum_set(&ret->long_unit, 1, s.fives_down, s.unit_twos);
	shift = (bignum_free_bits(&ret->long_unit) + 28) % 32;
	bignum_set(&ret->long_rest, n->odd, s.fives_up, s.twos + shift);
	bignum_set(&ret->long_unit, 1, s.fives_down, s.unit_twos + shift);
	bignum_set(&ret->long_gap, 1, s.fives_up, s.gap_twos + shift);
	ret->long_ten = ret->long_unit;
	bignum_multiply(&ret->long_ten, 10);
}

/* Half a distance times ten may have more than 63 bits, and so may its sum with what is left.
 * Java wraps both round: 3.2351106256288344E25 ends in 4, not in 5, since the sum is below 0
 * there. */
static int short_step(struct steps *s)
{
	int digit = (int)(s->rest / s->unit);

	s->rest = s->rest % s->unit * 10;
	s->gap = (int64_t)((uint64_t)s->gap * 10);
	s->low = s->gap <= 0 || s->rest < s->gap;
	s->high = s->gap <= 0 || (int64_t)((uint64_t)s->rest + (uint64_t)s->gap) > s->ten;
	return digit;
}

static int long_step(struct steps *s)
{
	struct bignum sum;
	int digit = bignum_divide(&s->long_rest, &s->long_unit);

	bignum_multiply(&s->long_rest, 10);
	bignum_multiply(&s->long_gap, 10);
	sum = s->long_rest;
	bignum_add(&sum, &s->long_gap);
	s->low = bignum_compare(&s->long_rest, &s->long_gap) < 0;
	s->high = bignum_compare(&sum, &s->long_ten) >= 0;
	return digit;
}

static int step(struct steps *s)
{
	return s->is_long ? long_step(s) : short_step(s);
}

/* Below, at or above 0 as what is left is to half a unit of the last digit. */
static int compare_half(struct steps *s)
{
	struct bignum twice;

	if (!s->is_long)
		return (s->rest > s->ten - s->rest) - (s->rest < s->ten - s->rest);
	twice = s->long_rest;
	bignum_multiply(&twice, 2);
	return bignum_compare(&twice, &s->long_ten);
}

static bool is_up(struct steps *s, char last)
{
	int half;

	if (!s->high || !s->low)
		return s->high;
	half = compare_half(s);
	return half > 0 || (half == 0 && last % 2 != 0);
}

static void round_up(struct java_digits *d)
{
	int i = d->count - 1;

	for (; i > 0 && d->text[i] == '9'; i--)
		d->text[i] = '0';
	if (d->text[i] == '9') {
		d->text[i] = '1';
		d->exponent++;
		return;
	}
	d->text[i]++;
}

void java_digits(double f, bool single, struct java_digits *ret)
{
	struct number n;
	struct steps steps;
	int digit;

	ret->count = 0;
	take_apart(f, single, &n);
	if (n.odd_bits - 1 <= n.binary && n.binary < 63) {
		whole_digits((uint64_t)f, n.binary - n.kept - 1, ret);
		return;
	}
	begin(&n, &steps);
	digit = step(&steps);
	ret->exponent = n.decimal;
	if (digit || steps.high)
		put_digit(ret, digit);
	else
		ret->exponent--;
	if (ret->exponent < -3 || ret->exponent >= 8)
		steps.low = steps.high = false;
	while (!steps.low && !steps.high)
		put_digit(ret, step(&steps));
	if (is_up(&steps, ret->text[ret->count - 1]))
		round_up(ret);
}

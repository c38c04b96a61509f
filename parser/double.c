/* FLOAT and DOUBLE as text. The fewest digits that read back as the same number, in Java's form:
 * plain in the middle, with an exponent outside. strtod() is used here alone, on text whose grammar
 * was checked: by itself it takes hexadecimal numbers, blanks and "inf". It expects a '.', since no
 * program of ours leaves the C locale for numbers.
 * Recorded: format/double_values_stream, semantics/types_stream. */
#include "parser/double.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits of the largest whole number that is written out. */
#define LONG_DIGITS 20

/* A number's significant digits and the power of ten of the first of them. */
struct digits {
	char text[LONG_DIGITS + 1];
	size_t count;
	int exponent;
};

/* Does this number of digits read back as the same number? */
static bool reads_back(double f, bool single, int digits, char buf[DOUBLE_SIZE])
{
	snprintf(buf, DOUBLE_SIZE, "%.*e", digits - 1, f);
	return single ? (double)strtof(buf, NULL) == f : strtod(buf, NULL) == f;
}

/* A whole number that has more bits than the type keeps, below 2^63: Java writes all of its digits but
 * those that the lost bits make up, rounded. */
static bool is_long_integer(double f, bool single)
{
	return f >= (single ? 0x1p24 : 0x1p53) && f < 0x1p63 && f == floor(f);
}

static void long_digits(double f, bool single, struct digits *ret)
{
	int bits = ilogb(f) - (single ? FLT_MANT_DIG : DBL_MANT_DIG) - 1;
	int lost = bits > 1 ? bits * 1233 / 4096 : 0; /* digits of 2^bits */
	uint64_t whole = (uint64_t)f, unit = 1;

	for (int i = 0; i < lost; i++)
		unit *= 10;
	whole = whole / unit + (lost && whole % unit >= unit / 2);
	ret->count = (size_t)snprintf(ret->text, sizeof(ret->text), "%" PRIu64, whole);
	ret->exponent = (int)ret->count - 1 + lost;
	while (ret->count > 1 && ret->text[ret->count - 1] == '0')
		ret->count--;
}

/* The fewest digits, and at least two, that read back as the same number. Every number of up to
 * DBL_DIG digits survives the way there and back, so that the search for a normal number begins
 * there and drops the zeros. */
static void shortest(double f, bool single, struct digits *ret)
{
	int most = single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
	bool normal = f >= (single ? (double)FLT_MIN : DBL_MIN);
	int count = !normal ? 2 : single ? FLT_DIG : DBL_DIG;
	char buf[DOUBLE_SIZE];
	int64_t exponent = 0;
	const char *at = buf;

	while (!reads_back(f, single, count, buf) && count < most)
		count++;
	for (ret->count = 0; *at != 'e'; at++)
		if (*at >= '0' && *at <= '9')
			ret->text[ret->count++] = *at;
	while (ret->count > 1 && ret->text[ret->count - 1] == '0')
		ret->count--;
	if (text_to_int64(text_of(at + 1), &exponent) == 0)
		ret->exponent = (int)exponent;
}

/* Plain from 10^-3 up to 10^7, else one digit, point, digits, E. */
int double_print(double f, bool single, char buf[DOUBLE_SIZE])
{
	const char *sign = signbit(f) ? "-" : "";
	struct digits d;
	int count, whole;

	if (isnan(f))
		return snprintf(buf, DOUBLE_SIZE, "NaN");
	if (isinf(f))
		return snprintf(buf, DOUBLE_SIZE, "%sInfinity", sign);
	if (f == 0)
		return snprintf(buf, DOUBLE_SIZE, "%s0.0", sign);
	if (is_long_integer(fabs(f), single))
		long_digits(fabs(f), single, &d);
	else
		shortest(fabs(f), single, &d);
	count = (int)d.count;
	if (d.exponent < -3 || d.exponent >= 7)
		return snprintf(buf, DOUBLE_SIZE, "%s%c.%.*sE%d", sign, d.text[0],
			count > 1 ? count - 1 : 1, count > 1 ? d.text + 1 : "0", d.exponent);
	if (d.exponent < 0)
		return snprintf(buf, DOUBLE_SIZE, "%s0.%.*s%.*s", sign, -d.exponent - 1, "00",
			count, d.text);
	whole = d.exponent + 1;
	if (count <= whole)
		return snprintf(buf, DOUBLE_SIZE, "%s%.*s%.*s.0", sign, count, d.text,
			whole - count, "000000");
	return snprintf(buf, DOUBLE_SIZE, "%s%.*s.%.*s", sign, whole, d.text, count - whole,
		d.text + whole);
}

static size_t cut_digits(struct text *rest)
{
	size_t count = 0;

	while (count < rest->len && rest->ptr[count] >= '0' && rest->ptr[count] <= '9')
		count++;
	*rest = text_slice(*rest, count, rest->len);
	return count;
}

static bool cut_one_of(struct text *rest, const char *set)
{
	if (!rest->len || !rest->ptr[0] || !strchr(set, rest->ptr[0]))
		return false;
	*rest = text_slice(*rest, 1, rest->len);
	return true;
}

static bool is_number(struct text t)
{
	size_t digits;

	cut_one_of(&t, "+-");
	digits = cut_digits(&t);
	if (cut_one_of(&t, "."))
		digits += cut_digits(&t);
	if (!digits)
		return false;
	if (cut_one_of(&t, "eE")) {
		cut_one_of(&t, "+-");
		if (!cut_digits(&t))
			return false;
	}
	return t.len == 0;
}

/* "NaN" and "Infinity", in Java's case only. */
static bool is_word(struct text t)
{
	cut_one_of(&t, "+-");
	return text_eq(t, TEXT("NaN")) || text_eq(t, TEXT("Infinity"));
}

int double_parse(struct text t, bool single, double *ret)
{
	char buf[DOUBLE_TEXT];

	if (t.len >= sizeof(buf) || !(is_number(t) || is_word(t)))
		return -EINVAL;
	memcpy(buf, t.ptr, t.len);
	buf[t.len] = '\0';
	*ret = single ? (double)strtof(buf, NULL) : strtod(buf, NULL);
	return 0;
}

/* FLOAT and DOUBLE as text. The digits of java_digits(), in Java's form:
 * plain in the middle, with an exponent outside. strtod() is used here alone, on text whose grammar
 * was checked: by itself it takes hexadecimal numbers, blanks and "inf". It expects a '.', since no
 * program of ours leaves the C locale for numbers.
 * Recorded: format/double_values_stream, semantics/types_stream. */
#include "parser/double.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/java_digits.h"

/* Plain from 10^-3 up to 10^7, else one digit, point, digits, E. */
int double_print(double f, bool single, char buf[DOUBLE_SIZE])
{
	const char *sign = signbit(f) ? "-" : "";
	struct java_digits d;
	int count, whole;

	if (isnan(f))
		return snprintf(buf, DOUBLE_SIZE, "NaN");
	if (isinf(f))
		return snprintf(buf, DOUBLE_SIZE, "%sInfinity", sign);
	if (f == 0)
		return snprintf(buf, DOUBLE_SIZE, "%s0.0", sign);
	java_digits(fabs(f), single, &d);
	count = d.count;
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

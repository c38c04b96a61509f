/* Numbers in CSV fields: Integer.parseInt(), new BigDecimal() and Double.parseDouble() of Java
 * 17, with the words of their exceptions. Integers and decimals take the digits of every script,
 * doubles those of ASCII; only doubles know "1e3f" and hexadecimal numbers, and only decimals
 * have no blanks around. Measured: tests/test_csv_value.c. Recorded:
 * semantics/errors_csv_bad_int, semantics/errors_csv_empty_int. */
#include "parser/csv_number.h"

#include <errno.h>
#include <inttypes.h>

#include "parser/arena.h"
#include "parser/double.h"
#include "parser/encoding.h"

#define NUMBER_FORMAT "java.lang.NumberFormatException: "

/* Java's short form of a decimal, which words one mistake differently. */
#define COMPACT_DIGITS 18

/* An exponent has at most so many digits behind its zeros. */
#define EXPONENT_DIGITS 10

/* Far beyond all types: Java would build numbers of that many digits. */
#define EXPONENT_SIMULATED 100000

/* The zeros of the scripts of the Basic Multilingual Plane; nine more digits follow each. */
static const uint16_t zeros[] = {0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6,
	0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090,
	0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
	0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10};

/* Cuts one digit off *rest. */
static bool cut_digit(struct text *rest, int *ret)
{
	uint32_t code;
	size_t len;

	if (!rest->len)
		return false;
	code = utf8_decode(*rest, &len);
	for (size_t i = 0; i < sizeof(zeros) / sizeof(*zeros); i++)
		if (code >= zeros[i] && code <= zeros[i] + 9u) {
			*ret = (int)(code - zeros[i]);
			*rest = text_slice(*rest, len, rest->len);
			return true;
		}
	return false;
}

static bool cut_sign(struct text *rest)
{
	bool negative = text_cut_char(rest, '-');

	if (!negative)
		text_cut_char(rest, '+');
	return negative;
}

/* A whole number of 64 bits. 0, or -EINVAL. */
static int read_integer(struct text text, int64_t *ret)
{
	bool negative = cut_sign(&text);
	int64_t sum = 0;
	int digit;

	if (!text.len)
		return -EINVAL;
	while (cut_digit(&text, &digit))
		if (__builtin_mul_overflow(sum, 10, &sum) ||
			__builtin_sub_overflow(sum, digit, &sum))
			return -EINVAL;
	if (text.len || (!negative && sum == INT64_MIN))
		return -EINVAL;
	*ret = negative ? sum : -sum;
	return 0;
}

static bool in_range(enum sql_kind kind, int64_t i)
{
	switch (kind) {
	case SQL_TINYINT: return i >= INT8_MIN && i <= INT8_MAX;
	case SQL_SMALLINT: return i >= INT16_MIN && i <= INT16_MAX;
	case SQL_INT: return i >= INT32_MIN && i <= INT32_MAX;
	default: return true;
	}
}

int csv_integer(struct text text, const struct sql_type *type, struct value *ret)
{
	int64_t i;

	if (read_integer(text, &i) < 0 || !in_range(type->kind, i))
		return -EINVAL;
	ret->i = i;
	return 0;
}

/* Byte and Short are read as Integer first. */
struct text csv_integer_error(struct arena *arena, struct text text, const struct sql_type *type)
{
	int64_t i;

	if (type->kind < SQL_INT && read_integer(text, &i) == 0 && in_range(SQL_INT, i))
		return text_format(arena,
			NUMBER_FORMAT "Value out of range. Value:\"%.*s\" Radix:10",
			TEXT_ARG(text));
	return text_format(arena, NUMBER_FORMAT "For input string: \"%.*s\"", TEXT_ARG(text));
}

static bool is_hexadecimal(struct text text)
{
	cut_sign(&text);
	return text_starts(text, TEXT("0x")) || text_starts(text, TEXT("0X"));
}

/* The letter of a literal, "1.5f", does not count. */
static struct text cut_suffix(struct text text)
{
	struct text number = text_slice(text, 0, text.len - 1);
	bool suffix = text.len > 1 &&
		      text_find(TEXT("fFdD"), text_slice(text, text.len - 1, text.len)) < 4;

	if (!suffix)
		return text;
	return text_find(TEXT("0123456789."), text_slice(number, number.len - 1, number.len)) < 11
		       ? number
		       : text;
}

int csv_double(struct text text, bool single, struct value *ret)
{
	if (text.len >= DOUBLE_TEXT ||
		(is_hexadecimal(text) && (text_find(text, TEXT("p")) < text.len ||
						 text_find(text, TEXT("P")) < text.len)))
		return -ENOTSUP;
	return double_parse(cut_suffix(text), single, &ret->f);
}

/* A second point, where all before it are digits. */
static bool has_points(struct text text)
{
	int points = 0;

	cut_sign(&text);
	while (text.len && ((text.ptr[0] >= '0' && text.ptr[0] <= '9') || text.ptr[0] == '.')) {
		points += text.ptr[0] == '.';
		text = text_slice(text, 1, text.len);
	}
	return points > 1;
}

struct text csv_double_error(struct arena *arena, struct text text)
{
	if (!text.len)
		return TEXT(NUMBER_FORMAT "empty String");
	if (has_points(text))
		return TEXT(NUMBER_FORMAT "multiple points");
	return text_format(arena, NUMBER_FORMAT "For input string: \"%.*s\"", TEXT_ARG(text));
}

enum decimal_fault {
	DECIMAL_FINE,
	DECIMAL_CHARACTER,
	DECIMAL_NO_EXPONENT_MARK,
	DECIMAL_POINTS,
	DECIMAL_NO_DIGITS,
	DECIMAL_CUT_OFF, /* it ends where Java looks for one more character */
	DECIMAL_LONG_EXPONENT,
	DECIMAL_EXPONENT_DIGIT,
	DECIMAL_EXPONENT_RANGE,
	DECIMAL_SCALE_RANGE
};

/* A decimal as it is written. */
struct decimal {
	bool negative;
	struct text digits;	 /* and perhaps a point */
	int64_t whole, fraction; /* digits before and behind the point */
	int64_t exponent;
	enum decimal_fault fault;
	struct text at; /* where the fault is */
};

static void decimal_fault(struct decimal *decimal, enum decimal_fault fault, struct text at)
{
	decimal->fault = fault;
	decimal->at = at;
}

/* What stands behind the 'e'. */
static void read_exponent(struct text rest, struct decimal *decimal)
{
	int64_t exponent = 0;
	bool negative;
	int digit;

	negative = cut_sign(&rest);
	if (!rest.len) {
		decimal_fault(decimal, DECIMAL_CUT_OFF, rest);
		return;
	}
	while (utf16_units(rest) > EXPONENT_DIGITS && rest.ptr[0] == '0')
		rest = text_slice(rest, 1, rest.len);
	if (utf16_units(rest) > EXPONENT_DIGITS) {
		decimal_fault(decimal, DECIMAL_LONG_EXPONENT, rest);
		return;
	}
	while (cut_digit(&rest, &digit))
		exponent = exponent * 10 + digit;
	if (rest.len)
		decimal_fault(decimal, DECIMAL_EXPONENT_DIGIT, rest);
	else if (exponent > INT32_MAX + (int64_t)negative)
		decimal_fault(decimal, DECIMAL_EXPONENT_RANGE, rest);
	decimal->exponent = negative ? -exponent : exponent;
}

/* The digits, a point among them, and perhaps an exponent. */
static void read_digits(struct text rest, struct decimal *decimal)
{
	bool compact = utf16_units(rest) <= COMPACT_DIGITS, point = false;
	const char *start = rest.ptr;
	int digit;

	for (;;) {
		if (cut_digit(&rest, &digit)) {
			decimal->whole += !point;
			decimal->fraction += point;
		} else if (!point && text_cut_char(&rest, '.')) {
			point = true;
		} else {
			break;
		}
	}
	decimal->digits = (struct text){start, (size_t)(rest.ptr - start)};
	if (!rest.len)
		return;
	if (rest.ptr[0] == '.')
		decimal_fault(decimal, DECIMAL_POINTS, rest);
	else if (rest.ptr[0] == 'e' || rest.ptr[0] == 'E')
		read_exponent(text_slice(rest, 1, rest.len), decimal);
	else
		decimal_fault(
			decimal, compact ? DECIMAL_CHARACTER : DECIMAL_NO_EXPONENT_MARK, rest);
}

static struct decimal read_decimal(struct text text)
{
	struct decimal decimal = {0};
	int64_t scale;

	if (!text.len) {
		decimal_fault(&decimal, DECIMAL_CUT_OFF, text);
		return decimal;
	}
	decimal.negative = cut_sign(&text);
	read_digits(text, &decimal);
	scale = decimal.fraction - decimal.exponent;
	if (decimal.fault)
		return decimal;
	if (!decimal.whole && !decimal.fraction)
		decimal_fault(&decimal, DECIMAL_NO_DIGITS, text);
	else if (scale > INT32_MAX || scale < INT32_MIN)
		decimal_fault(&decimal, DECIMAL_SCALE_RANGE, text);
	return decimal;
}

static int128 power_of_ten(int exponent)
{
	int128 power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* The number times 10^scale, rounded half up; false: that has more than `precision` digits. */
static bool scale_decimal(const struct decimal *decimal, const struct sql_type *type, int128 *ret)
{
	int128 sum = 0, limit = power_of_ten(type->precision);
	int64_t kept = decimal->whole + decimal->exponent + type->scale;
	struct text rest = decimal->digits;
	int digit;

	for (; rest.len && kept >= 0; kept--) {
		text_cut_char(&rest, '.');
		if (!cut_digit(&rest, &digit))
			break;
		if (kept > 0 && sum >= limit / 10)
			return false;
		sum = kept ? sum * 10 + digit : sum + (digit >= 5);
	}
	for (; kept > 0 && sum; kept--) {
		if (sum >= limit / 10)
			return false;
		sum *= 10;
	}
	if (sum >= limit)
		return false;
	*ret = decimal->negative ? -sum : sum;
	return true;
}

int csv_decimal(struct text text, const struct sql_type *type, struct value *ret)
{
	struct decimal decimal = read_decimal(text);
	int128 dec = 0;

	if (decimal.fault)
		return -EINVAL;
	if (decimal.exponent > EXPONENT_SIMULATED || decimal.exponent < -EXPONENT_SIMULATED)
		return -ENOTSUP;
	ret->null = !scale_decimal(&decimal, type, &dec);
	ret->dec = dec;
	return 0;
}

struct text csv_decimal_error(struct arena *arena, struct text text)
{
	struct decimal decimal = read_decimal(text);
	size_t units = utf16_units(text), len;

	switch (decimal.fault) {
	case DECIMAL_CHARACTER:
		len = utf8_length(decimal.at);
		if (len < 1 || len > 3)
			return TEXT("");
		return text_format(arena,
			NUMBER_FORMAT "Character %.*s is neither a decimal digit number, decimal "
				      "point, nor \"e\" notation exponential mark.",
			(int)len, decimal.at.ptr);
	case DECIMAL_NO_EXPONENT_MARK:
		return TEXT(NUMBER_FORMAT
			"Character array is missing \"e\" notation exponential mark.");
	case DECIMAL_POINTS:
		return TEXT(NUMBER_FORMAT "Character array contains more than one decimal point.");
	case DECIMAL_NO_DIGITS: return TEXT(NUMBER_FORMAT "No digits found.");
	case DECIMAL_CUT_OFF:
		return text_format(arena,
			"java.lang.ArrayIndexOutOfBoundsException: Index %zu out of bounds for "
			"length %zu",
			units, units);
	case DECIMAL_LONG_EXPONENT: return TEXT(NUMBER_FORMAT "Too many nonzero exponent digits.");
	case DECIMAL_EXPONENT_DIGIT: return TEXT(NUMBER_FORMAT "Not a digit.");
	case DECIMAL_EXPONENT_RANGE: return TEXT(NUMBER_FORMAT "Exponent overflow.");
	case DECIMAL_SCALE_RANGE: return TEXT(NUMBER_FORMAT "Scale out of range.");
	default: return TEXT("");
	}
}

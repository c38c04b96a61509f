/* SQL literals: their types and values, as Flink gives them.
 *
 * An integer is INT, else BIGINT, else DECIMAL; digits with a point are DECIMAL with as many of
 * them as are written; with an exponent DOUBLE. A text is CHAR of its length, which is Java's. */
#include "parser/sql_node.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/encoding.h"

#define DECIMAL_DIGITS 38

static struct sql_expr *new_literal(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_type type, struct text spelled)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_LITERAL, loc);

	if (!expr)
		return NULL;
	expr->type = type;
	expr->name = spelled;
	return expr;
}

/* Digits with at most one point between them. */
static struct sql_expr *new_decimal(
	struct sql_parser *parser, const struct sql_loc *loc, struct text digits)
{
	size_t point = text_find(digits, TEXT("."));
	struct sql_type type = {.kind = SQL_DECIMAL, .not_null = true};
	struct value value = {0};
	struct sql_expr *expr;
	int significant = 0;

	for (size_t i = 0; i < digits.len; i++) {
		if (i == point)
			continue;
		if (significant == DECIMAL_DIGITS || type.scale == DECIMAL_DIGITS)
			return sql_fail(parser, -EINVAL, loc->pos,
				"a number has more than %d digits", DECIMAL_DIGITS);
		value.dec = value.dec * 10 + (digits.ptr[i] - '0');
		significant += value.dec != 0;
		type.scale += i > point;
		type.precision += type.precision < DECIMAL_DIGITS;
	}
	expr = new_literal(parser, loc, type, digits);
	if (expr)
		expr->value = value;
	return expr;
}

struct sql_expr *sql_new_number(
	struct sql_parser *parser, const struct sql_loc *loc, struct text digits)
{
	struct sql_type type = {.kind = SQL_BIGINT, .not_null = true};
	struct value value = {0};
	struct sql_expr *expr;

	if (text_find(digits, TEXT("e")) < digits.len ||
		text_find(digits, TEXT("E")) < digits.len) {
		type.kind = SQL_DOUBLE;
		if (value_parse(digits, &type, &value))
			return sql_fail(
				parser, -EINVAL, loc->pos, "'%.*s' is no number", TEXT_ARG(digits));
	} else if (text_to_int64(text_ends(digits, TEXT("."))
					 ? text_slice(digits, 0, digits.len - 1)
					 : digits,
			   &value.i)) {
		return new_decimal(parser, loc, digits);
	} else if (value.i <= INT32_MAX) {
		type.kind = SQL_INT;
	}
	expr = new_literal(parser, loc, type, digits);
	if (expr)
		expr->value = value;
	return expr;
}

struct sql_expr *sql_new_string(
	struct sql_parser *parser, const struct sql_loc *loc, struct text text)
{
	struct sql_type type = {
		.kind = SQL_CHAR,
		.precision = (int32_t)utf16_units(text),
		.not_null = true,
	};
	struct sql_expr *expr = new_literal(parser, loc, type, text);

	if (expr)
		expr->value.s = text;
	return expr;
}

/* Four hexadecimal digits at t's start; -1: there are none. */
static int32_t hex_unit(struct text t)
{
	int32_t unit = 0;

	for (size_t i = 0; i < 4; i++) {
		char c = i < t.len ? t.ptr[i] : '\0';
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return -1;
		unit = unit * 16 + digit;
	}
	return unit;
}

/* The next character of the text, its escape resolved; false: that is none. */
static bool next_unicode(struct text *rest, char escape, struct text *ret, char buf[4])
{
	int32_t unit, low;
	size_t len;

	if (!text_cut_char(rest, escape)) {
		utf8_decode(*rest, &len);
		*ret = text_slice(*rest, 0, len);
		*rest = text_slice(*rest, len, rest->len);
		return true;
	}
	if (text_cut_char(rest, escape)) {
		buf[0] = escape;
		*ret = (struct text){buf, 1};
		return true;
	}
	unit = hex_unit(*rest);
	*rest = text_slice(*rest, 4, rest->len);
	if (unit >= 0xd800 && unit < 0xdc00 && text_cut_char(rest, escape)) {
		low = hex_unit(*rest);
		*rest = text_slice(*rest, 4, rest->len);
		unit = low >= 0xdc00 && low < 0xe000
			       ? 0x10000 + (unit - 0xd800) * 0x400 + low - 0xdc00
			       : -1;
	}
	if (unit < 0 || (unit >= 0xd800 && unit < 0xe000))
		return false;
	*ret = (struct text){buf, utf8_encode((uint32_t)unit, buf)};
	return true;
}

struct sql_expr *sql_new_unicode(
	struct sql_parser *parser, const struct sql_loc *loc, struct text text, char escape)
{
	char *out = arena_alloc(parser->arena, text.len + 1), buf[4];
	struct text next;
	size_t len = 0;

	if (!out)
		return sql_nomem(parser);
	while (text.len) {
		if (!escape || !next_unicode(&text, escape, &next, buf))
			return sql_fail(parser, -ENOTSUP, loc->pos,
				"this Unicode escape is outside of what is read here");
		memcpy(out + len, next.ptr, next.len);
		len += next.len;
	}
	return sql_new_string(parser, loc, (struct text){out, len});
}

/* A blank between day and time, and seconds, which values may be printed without. */
static bool spelled_out(enum sql_kind kind, struct text text)
{
	size_t colon = text_find(text, TEXT(":"));
	struct text rest = text_slice(text, colon + 1, text.len);

	return kind == SQL_DATE ||
	       (text_find(rest, TEXT(":")) < rest.len && text_find(text, TEXT("T")) == text.len);
}

/* DATE, TIME or TIMESTAMP with a text, which must be one. */
struct sql_expr *sql_new_time(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_kind kind, struct text text)
{
	size_t point = text_find(text, TEXT("."));
	size_t digits = point < text.len ? text.len - point - 1 : 0;
	struct sql_type type = {.kind = kind, .not_null = true};
	struct value value;
	struct sql_expr *expr;

	if (kind != SQL_DATE)
		type.precision = digits > 9 ? 9 : (int32_t)digits;
	if (digits > 9 || value_parse(text, &type, &value) || !spelled_out(kind, text))
		return sql_fail(parser, -EINVAL, loc->pos, "'%.*s' is no %s", TEXT_ARG(text),
			kind == SQL_DATE   ? "DATE"
			: kind == SQL_TIME ? "TIME"
					   : "TIMESTAMP");
	expr = new_literal(parser, loc, type, text);
	if (expr)
		expr->value = value;
	return expr;
}

/* TRUE, FALSE and NULL. */
struct sql_expr *sql_new_constant(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_kind kind, int64_t value)
{
	struct sql_type type = {.kind = kind, .not_null = kind != SQL_NULL};
	struct text spelled = kind == SQL_NULL ? TEXT("NULL")
			      : value	       ? TEXT("TRUE")
					       : TEXT("FALSE");
	struct sql_expr *expr = new_literal(parser, loc, type, spelled);

	if (!expr)
		return NULL;
	expr->value.null = kind == SQL_NULL;
	expr->value.i = value;
	return expr;
}

/* A unit as DESCRIBE prints it: upper case, singular, its precisions. */
static struct text print_unit(struct sql_parser *parser, const struct sql_unit *unit)
{
	struct text name = sql_unit_name(unit->word);

	if (unit->fraction >= 0)
		return text_format(parser->arena, "%.*s(%d, %d)", TEXT_ARG(name), unit->precision,
			unit->fraction);
	if (unit->precision >= 0)
		return text_format(parser->arena, "%.*s(%d)", TEXT_ARG(name), unit->precision);
	return name;
}

static struct text print_range(struct sql_parser *parser, const struct sql_range *range)
{
	struct text start = print_unit(parser, &range->start);
	struct text end;

	if (!start.ptr || !range->end.word.len)
		return start;
	end = print_unit(parser, &range->end);
	if (!end.ptr)
		return end;
	return text_format(parser->arena, "%.*s TO %.*s", TEXT_ARG(start), TEXT_ARG(end));
}

struct sql_expr *sql_new_interval(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_interval interval, const struct sql_range *range)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_INTERVAL, loc);
	int err;

	interval.unit = print_range(parser, range);
	if (!expr || !interval.unit.ptr)
		return sql_nomem(parser);
	expr->interval = interval;
	expr->type = sql_interval_type(range);
	err = sql_interval_value(&interval, range, &expr->value.i);
	if (err == -ERANGE)
		return sql_fail(parser, -EINVAL, loc->pos, "'%.*s' has more digits than %.*s holds",
			TEXT_ARG(interval.number), TEXT_ARG(interval.unit));
	if (err)
		return sql_fail(parser, -EINVAL, loc->pos, "'%.*s' is no interval of %.*s",
			TEXT_ARG(interval.number), TEXT_ARG(interval.unit));
	return expr;
}

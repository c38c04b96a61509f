/* Types of expressions: kinds, and the type that two values have in common, as Flink derives it for
 * comparisons, CASE and COALESCE. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/key.h"

struct sql_type type_as_decimal(const struct sql_type *type)
{
	static const int32_t digits[] = {
		[SQL_TINYINT] = 3, [SQL_SMALLINT] = 5, [SQL_INT] = 10, [SQL_BIGINT] = 19};

	if (!type_is_integer(type))
		return *type;
	return (struct sql_type){.kind = SQL_DECIMAL, .precision = digits[type->kind]};
}

bool type_is_integer(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_BIGINT;
}

bool type_is_number(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_DOUBLE;
}

bool type_is_time(const struct sql_type *type)
{
	return type->kind == SQL_TIMESTAMP || type->kind == SQL_TIMESTAMP_LTZ;
}

int32_t length_sum(int32_t a, int32_t b)
{
	return a > SQL_MAX_LENGTH - b ? SQL_MAX_LENGTH : a + b;
}

static int common_number(const struct sql_type *a, const struct sql_type *b, struct sql_type *ret)
{
	struct sql_type da, db;
	int32_t whole;

	if (a->kind >= SQL_FLOAT || b->kind >= SQL_FLOAT) {
		bool twice = a->kind == SQL_DOUBLE || b->kind == SQL_DOUBLE ||
			     a->kind == SQL_DECIMAL || b->kind == SQL_DECIMAL;

		*ret = (struct sql_type){.kind = twice ? SQL_DOUBLE : SQL_FLOAT};
		return 0;
	}
	if (a->kind != SQL_DECIMAL && b->kind != SQL_DECIMAL) {
		*ret = (struct sql_type){.kind = a->kind > b->kind ? a->kind : b->kind};
		return 0;
	}
	da = type_as_decimal(a);
	db = type_as_decimal(b);
	*ret = (struct sql_type){.kind = SQL_DECIMAL};
	ret->scale = da.scale > db.scale ? da.scale : db.scale;
	whole = da.precision - da.scale;
	if (whole < db.precision - db.scale)
		whole = db.precision - db.scale;
	ret->precision = whole + ret->scale;
	return ret->precision <= 38 ? 0 : -ENOTSUP;
}

int type_of_sum(const struct sql_type *a, const struct sql_type *b, struct sql_type *ret)
{
	int err = type_common(a, b, ret);

	if (err == 0 && a->kind == SQL_FLOAT && b->kind == SQL_DOUBLE)
		ret->kind = SQL_FLOAT;
	return err;
}

int type_common(const struct sql_type *a, const struct sql_type *b, struct sql_type *ret)
{
	if (type_is_number(a) && type_is_number(b))
		return common_number(a, b, ret);
	*ret = a->kind == SQL_NULL ? *b : *a;
	ret->attribute = TIME_NONE;
	ret->not_null = a->not_null && b->not_null;
	if (a->kind == SQL_NULL || b->kind == SQL_NULL)
		return 0;
	if (type_is_text(a) && type_is_text(b)) {
		ret->kind =
			a->kind == b->kind && a->precision == b->precision ? a->kind : SQL_VARCHAR;
		ret->precision = a->precision > b->precision ? a->precision : b->precision;
		return 0;
	}
	if (type_is_time(a) && b->kind == a->kind) {
		ret->precision = a->precision > b->precision ? a->precision : b->precision;
		return 0;
	}
	if (type_is_time(a) && type_is_text(b))
		return 0;
	if (type_is_text(a) && type_is_time(b)) {
		*ret = *b;
		ret->attribute = TIME_NONE;
		return 0;
	}
	return a->kind == b->kind ? 0 : -ENOTSUP;
}

struct text type_in_signature(struct arena *arena, const struct sql_type *type)
{
	static const struct text names[] = {
		[SQL_BOOLEAN] = {"BOOLEAN", 7},
		[SQL_TINYINT] = {"TINYINT", 7},
		[SQL_SMALLINT] = {"SMALLINT", 8},
		[SQL_INT] = {"INTEGER", 7},
		[SQL_BIGINT] = {"BIGINT", 6},
		[SQL_FLOAT] = {"FLOAT", 5},
		[SQL_DOUBLE] = {"DOUBLE", 6},
		[SQL_DATE] = {"DATE", 4},
	};
	const char *attribute = type->attribute == TIME_ROWTIME ? " *ROWTIME*" : "";

	switch (type->kind) {
	case SQL_CHAR: return text_format(arena, "CHAR(%d)", type->precision);
	case SQL_VARCHAR: return text_format(arena, "VARCHAR(%d)", type->precision);
	case SQL_DECIMAL:
		return text_format(arena, "DECIMAL(%d, %d)", type->precision, type->scale);
	case SQL_TIME: return text_format(arena, "TIME(%d)", type->precision);
	case SQL_TIMESTAMP:
		return text_format(arena, "TIMESTAMP(%d)%s", type->precision, attribute);
	case SQL_TIMESTAMP_LTZ:
		if (type->attribute == TIME_PROCTIME)
			return TEXT("");
		return text_format(arena, "TIMESTAMP_WITH_LOCAL_TIME_ZONE(%d)", type->precision);
	default:
		if (type->kind < sizeof(names) / sizeof(*names) && names[type->kind].len)
			return names[type->kind];
		return TEXT("");
	}
}

/* Tables and types: what a column of them is called. Values are value.c's and value_print.c's. */
#include "parser/table.h"

#include "parser/arena.h"

struct text row_op_text(enum row_op op)
{
	static const char texts[][3] = {"+I", "-U", "+U", "-D"};

	return (struct text){texts[op], 2};
}

size_t table_column(const struct table *table, struct text name)
{
	size_t i = 0;

	while (i < table->column_count && !text_eq(table->columns[i].name, name))
		i++;
	return i;
}

/* Types whose name says everything; "" where a number follows in brackets. */
static struct text plain_name(const struct sql_type *type)
{
	switch (type->kind) {
	case SQL_ANY:
	case SQL_OTHER: return type->spelled;
	case SQL_NULL: return TEXT("NULL");
	case SQL_BOOLEAN: return TEXT("BOOLEAN");
	case SQL_TINYINT: return TEXT("TINYINT");
	case SQL_SMALLINT: return TEXT("SMALLINT");
	case SQL_INT: return TEXT("INT");
	case SQL_BIGINT: return TEXT("BIGINT");
	case SQL_FLOAT: return TEXT("FLOAT");
	case SQL_DOUBLE: return TEXT("DOUBLE");
	case SQL_DATE: return TEXT("DATE");
	case SQL_VARCHAR: return type->precision == SQL_MAX_LENGTH ? TEXT("STRING") : TEXT("");
	case SQL_VARBINARY: return type->precision == SQL_MAX_LENGTH ? TEXT("BYTES") : TEXT("");
	case SQL_INTERVAL_DAY: return TEXT("INTERVAL SECOND(3)");
	case SQL_INTERVAL_MONTH: return TEXT("INTERVAL MONTH");
	default: return TEXT("");
	}
}

static const char *sized_name(enum sql_kind kind)
{
	switch (kind) {
	case SQL_CHAR: return "CHAR";
	case SQL_VARCHAR: return "VARCHAR";
	case SQL_BINARY: return "BINARY";
	case SQL_VARBINARY: return "VARBINARY";
	case SQL_TIME: return "TIME";
	case SQL_TIMESTAMP: return "TIMESTAMP";
	default: return "TIMESTAMP_LTZ";
	}
}

struct text sql_type_print(struct arena *arena, const struct sql_type *type)
{
	static const char *const attributes[] = {"", " *ROWTIME*", " *PROCTIME*"};
	const char *attribute = attributes[type->attribute];
	struct text plain = plain_name(type);

	if (type->kind == SQL_DECIMAL)
		return text_format(arena, "DECIMAL(%d, %d)", type->precision, type->scale);
	if (plain.len)
		return text_format(arena, "%.*s%s", TEXT_ARG(plain), attribute);
	return text_format(arena, "%s(%d)%s", sized_name(type->kind), type->precision, attribute);
}

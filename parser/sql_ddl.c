/* Types and the parts of DDL statements, as the grammar builds them. Whether a type's precision
 * is one that Flink has, or a column name is there twice, is sim/'s question. */
#include "parser/sql_node.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/limits.h"

/* More digits of a second than Flink keeps in a TIME. */
#define TIME_DIGITS 3

/* A type word with what it means where nothing is given in brackets. */
static const struct {
	const char *word;
	enum sql_kind kind;
	int32_t precision;
} types[] = {
	{"BIGINT", SQL_BIGINT, 0},
	{"BINARY", SQL_BINARY, 1},
	{"BOOLEAN", SQL_BOOLEAN, 0},
	{"BYTES", SQL_VARBINARY, SQL_MAX_LENGTH},
	{"CHAR", SQL_CHAR, 1},
	{"CHARACTER", SQL_CHAR, 1},
	{"DEC", SQL_DECIMAL, 10},
	{"DECIMAL", SQL_DECIMAL, 10},
	{"DOUBLE", SQL_DOUBLE, 0},
	{"FLOAT", SQL_FLOAT, 0},
	{"INT", SQL_INT, 0},
	{"INTEGER", SQL_INT, 0},
	{"NUMERIC", SQL_DECIMAL, 10},
	{"REAL", SQL_OTHER, 0},
	{"SMALLINT", SQL_SMALLINT, 0},
	{"STRING", SQL_VARCHAR, SQL_MAX_LENGTH},
	{"TIMESTAMP_LTZ", SQL_TIMESTAMP_LTZ, 6},
	{"TINYINT", SQL_TINYINT, 0},
	{"VARBINARY", SQL_VARBINARY, SQL_MAX_LENGTH},
	{"VARCHAR", SQL_VARCHAR, SQL_MAX_LENGTH},
};

bool sql_type_of(struct sql_parser *parser, const struct sql_unit *written,
	const struct sql_loc *loc, struct sql_type *ret)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!text_ieq(text_of(types[i].word), written->word))
			continue;
		*ret = (struct sql_type){
			.kind = types[i].kind,
			.precision =
				written->precision < 0 ? types[i].precision : written->precision,
			.scale = written->fraction < 0 ? 0 : written->fraction,
			.spelled = types[i].kind == SQL_OTHER ? written->word : (struct text){0},
		};
		return true;
	}
	return sql_fail(parser, -EINVAL, loc->pos, "'%.*s' is no type", TEXT_ARG(written->word));
}

struct sql_type sql_time_type(int32_t digits)
{
	return (struct sql_type){.kind = SQL_TIME,
		.precision = digits < 0		    ? 0
			     : digits > TIME_DIGITS ? TIME_DIGITS
						    : digits};
}

/* An inner type with its NOT NULL. One whose text is not known makes that of all around it
 * unknown: its text is empty. */
static bool inner_text(struct sql_parser *parser, const struct sql_type *type, struct text *ret)
{
	*ret = sql_type_print(parser->arena, type);
	if (type->not_null && ret->len)
		*ret = text_format(parser->arena, "%.*s NOT NULL", TEXT_ARG(*ret));
	return ret->ptr || sql_nomem(parser);
}

static bool in_brackets(
	struct sql_parser *parser, const char *word, struct text inner, struct text *ret)
{
	*ret = inner.len ? text_format(parser->arena, "%s<%.*s>", word, TEXT_ARG(inner)) : inner;
	return ret->ptr || sql_nomem(parser);
}

bool sql_nest_type(
	struct sql_parser *parser, const char *word, const struct sql_type *inner, struct text *ret)
{
	struct text text;

	return inner_text(parser, inner, &text) && in_brackets(parser, word, text, ret);
}

bool sql_join_fields(
	struct sql_parser *parser, struct text fields, struct text field, struct text *ret)
{
	*ret = TEXT("");
	if (fields.len && field.len)
		*ret = text_format(parser->arena, "%.*s, %.*s", TEXT_ARG(fields), TEXT_ARG(field));
	return ret->ptr || sql_nomem(parser);
}

bool sql_map_type(struct sql_parser *parser, const struct sql_type *key,
	const struct sql_type *value, struct text *ret)
{
	struct text from, to, both;

	return inner_text(parser, key, &from) && inner_text(parser, value, &to) &&
	       sql_join_fields(parser, from, to, &both) && in_brackets(parser, "MAP", both, ret);
}

bool sql_field_type(
	struct sql_parser *parser, struct text name, const struct sql_type *type, struct text *ret)
{
	struct text text;

	if (!inner_text(parser, type, &text))
		return false;
	*ret = TEXT("");
	if (text.len && text_find(name, TEXT("`")) == name.len)
		*ret = text_format(parser->arena, "`%.*s` %.*s", TEXT_ARG(name), TEXT_ARG(text));
	return ret->ptr || sql_nomem(parser);
}

bool sql_row_type(struct sql_parser *parser, struct text fields, struct text *ret)
{
	return in_brackets(parser, "ROW", fields, ret);
}

struct sql_create_table *sql_new_create(struct sql_parser *parser)
{
	parser->statement->create = ARENA_NEW(parser->arena, struct sql_create_table);
	if (!parser->statement->create)
		return sql_nomem(parser);
	parser->statement->create->name = parser->statement->name;
	return parser->statement->create;
}

bool sql_add_column(struct sql_parser *parser, const struct sql_column *column)
{
	struct sql_create_table *create = parser->statement->create;

	if (create->column_count == LIMIT_COLUMNS)
		return sql_fail(parser, -EINVAL, column->pos, "a table has more than %d columns",
			LIMIT_COLUMNS);
	if (arena_grow(parser->arena, &create->columns, create->column_count, &parser->column_room,
		    sizeof(*column)))
		return sql_nomem(parser);
	create->columns[create->column_count++] = *column;
	return true;
}

/* Columns without types are those of a query, whose names they change. */
bool sql_check_create(struct sql_parser *parser)
{
	if (!parser->bare_columns.line)
		return true;
	if (!parser->statement->create->as)
		return sql_fail(
			parser, -EINVAL, parser->bare_columns, "these columns have no types");
	return sql_fail(parser, -ENOTSUP, parser->bare_columns,
		"a list of columns in front of AS is outside of what is read here");
}

bool sql_set_key(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_names *names)
{
	struct sql_create_table *create = parser->statement->create;

	if (create->primary_key)
		return sql_fail(parser, -EINVAL, loc->pos, "a second PRIMARY KEY");
	create->primary_key = names->items;
	create->primary_key_count = names->count;
	return true;
}

bool sql_set_watermark(struct sql_parser *parser, const struct sql_loc *loc, struct text column,
	struct sql_expr *expr)
{
	struct sql_create_table *create = parser->statement->create;

	if (create->has_watermark)
		return sql_fail(parser, -EINVAL, loc->pos, "a second WATERMARK");
	create->has_watermark = true;
	create->watermark_column = column;
	create->watermark = expr;
	create->watermark_pos = loc->pos;
	return true;
}

bool sql_set_like(
	struct sql_parser *parser, const struct sql_loc *loc, struct text what, struct text feature)
{
	struct sql_create_table *create = parser->statement->create;
	bool excluding = text_ieq(what, TEXT("EXCLUDING"));
	bool overwriting = text_ieq(what, TEXT("OVERWRITING"));
	bool all = text_ieq(feature, TEXT("ALL"));

	if (!excluding && !overwriting && !text_ieq(what, TEXT("INCLUDING")))
		return sql_fail(
			parser, -EINVAL, loc->pos, "syntax error at '%.*s'", TEXT_ARG(what));
	if (all || text_ieq(feature, TEXT("WATERMARKS"))) {
		create->like_overwriting_watermarks = overwriting;
		create->like_excluding_watermarks = excluding;
	}
	if (all || text_ieq(feature, TEXT("OPTIONS"))) {
		create->like_overwriting_options = overwriting;
		create->like_excluding_options = excluding;
	}
	return true;
}

bool sql_add_option(struct sql_parser *parser, struct sql_options *list, const struct sql_loc *loc,
	struct text key, struct text value)
{
	if (arena_grow(parser->arena, &list->items, list->count, &list->room, sizeof(*list->items)))
		return sql_nomem(parser);
	list->items[list->count++] = (struct sql_option){key, value, loc->pos};
	return true;
}

/* EXPLAIN PLAN FOR query, or EXPLAIN detail, detail query. */
bool sql_check_explain(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *words, bool with_for)
{
	static const char *const details[] = {
		"ESTIMATED_COST",
		"CHANGELOG_MODE",
		"JSON_EXECUTION_PLAN",
		"PLAN_ADVICE",
	};

	for (size_t i = 0; i < words->count; i++) {
		bool known =
			with_for && words->count == 1 && text_ieq(words->items[i], TEXT("PLAN"));

		for (size_t d = 0; !with_for && d < sizeof(details) / sizeof(details[0]); d++)
			known |= text_ieq(words->items[i], text_of(details[d]));
		if (!known)
			return sql_fail(parser, -EINVAL, loc->pos, "syntax error at '%.*s'",
				TEXT_ARG(words->items[i]));
	}
	return true;
}

bool sql_set_insert(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *path, const struct sql_names *columns, struct sql_query *query)
{
	struct sql_statement *statement = parser->statement;

	statement->kind = STMT_INSERT;
	statement->query = query;
	statement->columns = columns->items;
	statement->column_count = columns->count;
	return sql_set_name(parser, loc, path, &statement->name, &statement->database);
}

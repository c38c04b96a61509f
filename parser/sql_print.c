/* A SQL expression printed again, as DESCRIBE shows a watermark.
 *
 * Columns are in back quotes, keywords in upper case, units singular; brackets stand only where the
 * order of operators needs them, and around an interval without quotes (recorded:
 * format/stmt_describe_watermarks). */
#include "parser/sql.h"

#include "parser/arena.h"

/* Operators by how tightly they bind, in the grammar's order. */
enum binding {
	BIND_OR,
	BIND_AND,
	BIND_NOT,
	BIND_IS,
	BIND_COMPARE,
	BIND_RANGE, /* BETWEEN, IN, LIKE */
	BIND_ADD,
	BIND_MULTIPLY,
	BIND_SIGN,
	BIND_ALL
};

static const struct {
	const char *before, *after; /* the operator of two; of one, where it stands */
	enum binding binding;
} operators[] = {
	[SQL_OP_OR] = {" OR ", "", BIND_OR},
	[SQL_OP_AND] = {" AND ", "", BIND_AND},
	[SQL_OP_NOT] = {"NOT ", "", BIND_NOT},
	[SQL_OP_EQ] = {" = ", "", BIND_COMPARE},
	[SQL_OP_NE] = {" <> ", "", BIND_COMPARE},
	[SQL_OP_LT] = {" < ", "", BIND_COMPARE},
	[SQL_OP_LE] = {" <= ", "", BIND_COMPARE},
	[SQL_OP_GT] = {" > ", "", BIND_COMPARE},
	[SQL_OP_GE] = {" >= ", "", BIND_COMPARE},
	[SQL_OP_ADD] = {" + ", "", BIND_ADD},
	[SQL_OP_SUB] = {" - ", "", BIND_ADD},
	[SQL_OP_MUL] = {" * ", "", BIND_MULTIPLY},
	[SQL_OP_DIV] = {" / ", "", BIND_MULTIPLY},
	[SQL_OP_MOD] = {" % ", "", BIND_MULTIPLY},
	[SQL_OP_NEG] = {"-", "", BIND_SIGN},
	[SQL_OP_CONCAT] = {" || ", "", BIND_MULTIPLY},
	[SQL_OP_LIKE] = {" LIKE ", " ESCAPE ", BIND_RANGE},
	[SQL_OP_IS_NULL] = {"", " IS NULL", BIND_IS},
	[SQL_OP_IS_NOT_NULL] = {"", " IS NOT NULL", BIND_IS},
	[SQL_OP_IS_TRUE] = {"", " IS TRUE", BIND_IS},
	[SQL_OP_IS_NOT_TRUE] = {"", " IS NOT TRUE", BIND_IS},
	[SQL_OP_IS_FALSE] = {"", " IS FALSE", BIND_IS},
	[SQL_OP_IS_NOT_FALSE] = {"", " IS NOT FALSE", BIND_IS},
	[SQL_OP_IS_DISTINCT] = {" IS DISTINCT FROM ", "", BIND_IS},
	[SQL_OP_IS_NOT_DISTINCT] = {" IS NOT DISTINCT FROM ", "", BIND_IS},
	[SQL_OP_BETWEEN] = {" BETWEEN ", " AND ", BIND_RANGE},
};

static struct text print(struct arena *arena, const struct sql_expr *expr, enum binding around);

static enum binding binding_of(const struct sql_expr *expr)
{
	if (expr->kind == EXPR_OP)
		return operators[expr->op].binding;
	return expr->kind == EXPR_IN ? BIND_RANGE : BIND_ALL;
}

/* The texts one after the other; none where one of them is none. */
static struct text join(struct arena *arena, struct text a, struct text between, struct text b)
{
	if (!a.ptr || !b.ptr)
		return (struct text){NULL, 0};
	return text_format(arena, "%.*s%.*s%.*s", TEXT_ARG(a), TEXT_ARG(between), TEXT_ARG(b));
}

static struct text wrap(
	struct arena *arena, const char *before, struct text text, const char *after)
{
	if (!text.ptr)
		return text;
	return text_format(arena, "%s%.*s%s", before, TEXT_ARG(text), after);
}

/* The text in quotes, such quotes within it doubled. */
static struct text quote(struct arena *arena, struct text text, char mark)
{
	char *out = arena_array(arena, text.len + 1, 2);
	size_t len = 0;

	if (!out)
		return (struct text){NULL, 0};
	out[len++] = mark;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == mark)
			out[len++] = mark;
		out[len++] = text.ptr[i];
	}
	out[len++] = mark;
	return (struct text){out, len};
}

static struct text print_list(
	struct arena *arena, struct sql_expr *const *items, size_t count, const char *between)
{
	struct text list = TEXT("");

	for (size_t i = 0; i < count; i++)
		list = join(
			arena, list, text_of(i ? between : ""), print(arena, items[i], BIND_OR));
	return list;
}

/* An operand on the right of an equally strong operator needs brackets, and so does a sign behind a
 * sign: two of them begin a comment. */
static struct text print_op(struct arena *arena, const struct sql_expr *expr)
{
	enum binding binding = operators[expr->op].binding;
	const char *before = operators[expr->op].before, *after = operators[expr->op].after;
	struct text text = print(arena, expr->args[0], binding + (expr->op == SQL_OP_NEG));

	if (expr->arg_count == 1)
		return wrap(arena, before, text, after);
	text = join(arena, text, text_of(before), print(arena, expr->args[1], binding + 1));
	if (expr->arg_count == 2)
		return text;
	return join(arena, text, text_of(after), print(arena, expr->args[2], binding + 1));
}

static struct text print_interval(struct arena *arena, const struct sql_interval *interval)
{
	const char *sign = interval->negative ? "-" : "";

	if (interval->unquoted)
		return text_format(arena, "(INTERVAL %s%.*s %.*s)", sign,
			TEXT_ARG(interval->number), TEXT_ARG(interval->unit));
	return text_format(arena, "INTERVAL %s'%.*s' %.*s", sign, TEXT_ARG(interval->number),
		TEXT_ARG(interval->unit));
}

static struct text print_literal(struct arena *arena, const struct sql_expr *expr)
{
	switch (expr->type.kind) {
	case SQL_CHAR: return quote(arena, expr->name, '\'');
	case SQL_DATE: return wrap(arena, "DATE ", quote(arena, expr->name, '\''), "");
	case SQL_TIME: return wrap(arena, "TIME ", quote(arena, expr->name, '\''), "");
	case SQL_TIMESTAMP: return wrap(arena, "TIMESTAMP ", quote(arena, expr->name, '\''), "");
	default: return expr->name;
	}
}

/* What stands between two arguments: no comma in FLOOR (x TO unit) and EXTRACT (unit FROM x). */
static const char *separator(const struct sql_expr *call)
{
	if (call->arg_count == 2 && call->args[1]->kind == EXPR_UNIT)
		return " TO ";
	return text_eq(call->name, TEXT("EXTRACT")) ? " FROM " : ", ";
}

static struct text print_call(struct arena *arena, const struct sql_expr *expr)
{
	bool trim = text_eq(expr->name, TEXT("TRIM")) && expr->arg_count == 3;
	bool array = text_eq(expr->name, TEXT("ARRAY")) || text_eq(expr->name, TEXT("MAP"));
	struct text list;

	if (expr->bare)
		return expr->name;
	if (text_eq(expr->name, TEXT("ITEM")) && expr->arg_count == 2)
		return join(arena, print(arena, expr->args[0], BIND_ALL), TEXT(""),
			wrap(arena, "[", print(arena, expr->args[1], BIND_OR), "]"));
	if (trim)
		return wrap(arena, "TRIM(",
			join(arena, print_list(arena, expr->args, 2, " "), TEXT(" FROM "),
				print(arena, expr->args[2], BIND_OR)),
			")");
	list = expr->star ? TEXT("*")
			  : print_list(arena, expr->args, expr->arg_count, separator(expr));
	if (array)
		list = wrap(arena, "[", list, "]");
	else
		list = wrap(arena, expr->distinct ? "(DISTINCT " : "(", list, ")");
	return join(arena, expr->name, TEXT(""), list);
}

static struct text print_case(struct arena *arena, const struct sql_expr *expr)
{
	size_t i = 0, whens = expr->arg_count - expr->case_else;
	struct text text = TEXT("CASE");

	if (expr->case_operand)
		text = join(arena, text, TEXT(" "), print(arena, expr->args[i++], BIND_OR));
	for (; i < whens; i += 2) {
		text = join(arena, text, TEXT(" WHEN "), print(arena, expr->args[i], BIND_OR));
		text = join(arena, text, TEXT(" THEN "), print(arena, expr->args[i + 1], BIND_OR));
	}
	if (expr->case_else)
		text = join(arena, text, TEXT(" ELSE "), print(arena, expr->args[i], BIND_OR));
	return wrap(arena, "", text, " END");
}

static struct text print_bare(struct arena *arena, const struct sql_expr *expr)
{
	struct text list;

	switch (expr->kind) {
	case EXPR_COLUMN:
		list = quote(arena, expr->name, '`');
		if (!expr->qualifier.len)
			return list;
		return join(arena, quote(arena, expr->qualifier, '`'), TEXT("."), list);
	case EXPR_LITERAL: return print_literal(arena, expr);
	case EXPR_INTERVAL: return print_interval(arena, &expr->interval);
	case EXPR_OP: return print_op(arena, expr);
	case EXPR_CALL: return print_call(arena, expr);
	case EXPR_CAST:
		list = sql_type_print(arena, &expr->type);
		list = join(arena, print(arena, expr->args[0], BIND_OR), TEXT(" AS "), list);
		return join(arena, expr->name, TEXT("("), wrap(arena, "", list, ")"));
	case EXPR_CASE: return print_case(arena, expr);
	case EXPR_IN:
		list = print_list(arena, expr->args + 1, expr->arg_count - 1, ", ");
		return join(arena, print(arena, expr->args[0], BIND_RANGE), TEXT(" IN "),
			wrap(arena, "(", list, ")"));
	case EXPR_ROW:
		return wrap(
			arena, "ROW(", print_list(arena, expr->args, expr->arg_count, ", "), ")");
	case EXPR_UNIT: return expr->name;
	case EXPR_STAR:
	case EXPR_QUERY:
	case EXPR_TABLE:
	case EXPR_DESCRIPTOR: break;
	}
	return TEXT("...");
}

/* Prints an operand of something that binds as `around`. */
static struct text print(struct arena *arena, const struct sql_expr *expr, enum binding around)
{
	struct text text = print_bare(arena, expr);

	return binding_of(expr) < around ? wrap(arena, "(", text, ")") : text;
}

struct text sql_expr_print(struct arena *arena, const struct sql_expr *expr)
{
	return print(arena, expr, BIND_OR);
}

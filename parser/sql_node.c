/* Nodes of SQL expressions: what the grammar builds, one function a rule.
 *
 * Every node knows the height of the tree below it; a tree higher than LIMIT_NESTING is refused as
 * soon as it is built, so that whoever walks it may recurse. Leaves all meaning to sim/. */
#include "parser/sql_node.h"

#include <errno.h>
#include <stdarg.h>

#include "parser/arena.h"
#include "parser/diag.h"

void *sql_fail(struct sql_parser *parser, int err, struct sql_pos pos, const char *format, ...)
{
	va_list args;

	if (parser->err)
		return NULL;
	va_start(args, format);
	parser->err = diag_vset(parser->reterr, err, pos.line, pos.col, format, args);
	va_end(args);
	return NULL;
}

void *sql_fail_as(
	struct sql_parser *parser, struct sql_pos pos, const char *fault, const char *what)
{
	if (!parser->err)
		parser->fault = fault;
	return sql_fail(parser, -EINVAL, pos, "%s", what);
}

void *sql_nomem(struct sql_parser *parser)
{
	if (!parser->err)
		parser->err = diag_nomem(parser->reterr);
	return NULL;
}

struct sql_expr *sql_new_expr(
	struct sql_parser *parser, enum sql_expr_kind kind, const struct sql_loc *loc)
{
	struct sql_expr *expr = ARENA_NEW(parser->arena, struct sql_expr);

	if (!expr)
		return sql_nomem(parser);
	expr->kind = kind;
	expr->pos = loc->pos;
	expr->height = 1;
	return expr;
}

/* Notes what hangs below the node now. */
static struct sql_expr *raise_to(struct sql_parser *parser, struct sql_expr *expr, int below)
{
	if (expr->height <= below)
		expr->height = below + 1;
	if (expr->height > LIMIT_NESTING)
		return sql_fail(parser, -ENOTSUP, expr->pos, "this is nested deeper than %d levels",
			LIMIT_NESTING);
	return expr;
}

/* An expression with a list of others below it; the list is taken over. */
static struct sql_expr *new_above(struct sql_parser *parser, enum sql_expr_kind kind,
	const struct sql_loc *loc, const struct sql_exprs *args)
{
	struct sql_expr *expr = sql_new_expr(parser, kind, loc);

	if (!expr || !args)
		return expr;
	expr->args = args->items;
	expr->arg_count = args->count;
	for (size_t i = 0; expr && i < args->count; i++)
		expr = raise_to(parser, expr, args->items[i]->height);
	return expr;
}

bool sql_add_expr(struct sql_parser *parser, struct sql_exprs *list, struct sql_expr *expr)
{
	if (!expr)
		return false;
	if (arena_grow(parser->arena, &list->items, list->count, &list->room, sizeof(expr)))
		return sql_nomem(parser);
	list->items[list->count++] = expr;
	return true;
}

bool sql_add_exprs(struct sql_parser *parser, struct sql_exprs *list, const struct sql_exprs *more)
{
	for (size_t i = 0; i < more->count; i++)
		if (!sql_add_expr(parser, list, more->items[i]))
			return false;
	return true;
}

bool sql_add_name(struct sql_parser *parser, struct sql_names *list, struct text name)
{
	if (arena_grow(parser->arena, &list->items, list->count, &list->room, sizeof(name)))
		return sql_nomem(parser);
	list->items[list->count++] = name;
	return true;
}

struct text sql_last_name(const struct sql_names *path)
{
	return path->items[path->count - 1];
}

bool sql_set_name(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *path, struct text *name, struct text *database)
{
	struct sql_path *noted;

	*name = sql_last_name(path);
	if (path->count == 1)
		return true;
	if (path->count > 3)
		return sql_fail(parser, -ENOTSUP, loc->pos,
			"a name of %zu parts is outside of what is read here", path->count);
	noted = ARENA_NEW(parser->arena, struct sql_path);
	if (!noted)
		return sql_nomem(parser);
	*noted = (struct sql_path){.database = path->items[path->count - 2],
		.pos = loc->pos,
		.next = parser->statement->paths};
	*database = noted->database;
	if (path->count == 3)
		noted->catalog = path->items[0];
	parser->statement->paths = noted;
	return true;
}

struct sql_expr *sql_new_op(struct sql_parser *parser, const struct sql_loc *loc, enum sql_op op,
	struct sql_expr *a, struct sql_expr *b)
{
	struct sql_exprs args = {0};
	struct sql_expr *expr;

	if (!sql_add_expr(parser, &args, a) || (b && !sql_add_expr(parser, &args, b)))
		return NULL;
	expr = new_above(parser, EXPR_OP, loc, &args);
	if (expr)
		expr->op = op;
	return expr;
}

struct sql_expr *sql_new_between(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *value, struct sql_expr *low, struct sql_expr *high)
{
	struct sql_exprs args = {0};
	struct sql_expr *expr;

	if (!sql_add_expr(parser, &args, value) || !sql_add_expr(parser, &args, low) ||
		!sql_add_expr(parser, &args, high))
		return NULL;
	expr = new_above(parser, EXPR_OP, loc, &args);
	if (expr)
		expr->op = SQL_OP_BETWEEN;
	return expr;
}

struct sql_expr *sql_new_like(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *text, struct sql_expr *pattern, struct sql_expr *escape)
{
	struct sql_exprs args = {0};
	struct sql_expr *expr;

	if (!sql_add_expr(parser, &args, text) || !sql_add_expr(parser, &args, pattern) ||
		(escape && !sql_add_expr(parser, &args, escape)))
		return NULL;
	expr = new_above(parser, EXPR_OP, loc, &args);
	if (expr)
		expr->op = SQL_OP_LIKE;
	return expr;
}

struct sql_expr *sql_new_in(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *value, const struct sql_exprs *list, struct sql_query *query)
{
	struct sql_exprs args = {0};
	struct sql_expr *expr;

	if (!sql_add_expr(parser, &args, value) || (list && !sql_add_exprs(parser, &args, list)))
		return NULL;
	expr = new_above(parser, EXPR_IN, loc, &args);
	if (!expr || !query)
		return expr;
	expr->query = query;
	return raise_to(parser, expr, query->height);
}

struct sql_expr *sql_negate(
	struct sql_parser *parser, const struct sql_loc *loc, struct sql_expr *expr)
{
	return expr ? sql_new_op(parser, loc, SQL_OP_NOT, expr, NULL) : NULL;
}

struct sql_expr *sql_new_column(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_names *path)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_COLUMN, loc);

	if (!expr)
		return NULL;
	expr->name = sql_last_name(path);
	if (path->count > 1)
		expr->qualifier = path->items[path->count - 2];
	return expr;
}

struct sql_expr *sql_new_star(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_names *path)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_STAR, loc);

	if (expr && path)
		expr->qualifier = sql_last_name(path);
	return expr;
}

struct sql_expr *sql_new_table(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *path, const struct sql_exprs *partition)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_TABLE, loc);

	if (!expr || !sql_set_name(parser, loc, path, &expr->name, &expr->qualifier))
		return NULL;
	expr->partition = partition->items;
	expr->partition_count = partition->count;
	return expr;
}

struct sql_expr *sql_new_query_expr(
	struct sql_parser *parser, const struct sql_loc *loc, struct sql_query *query)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_QUERY, loc);

	if (!expr)
		return NULL;
	expr->query = query;
	return raise_to(parser, expr, query->height);
}

/* ASCII letters in upper case, in the arena. */
static struct text upper(struct sql_parser *parser, struct text text)
{
	struct text copy = text_copy(parser->arena, text);
	char *out = (char *)copy.ptr;

	for (size_t i = 0; i < copy.len; i++)
		if (out[i] >= 'a' && out[i] <= 'z')
			out[i] = (char)(out[i] - 'a' + 'A');
	return copy;
}

/* A unit as it is known, in upper case; what is none, a plural perhaps, as it was written. */
static struct text unit_word(struct sql_parser *parser, struct text word)
{
	bool plural = !text_ieq(sql_unit_name(word), word);

	return plural ? text_copy(parser->arena, word) : upper(parser, word);
}

struct sql_expr *sql_new_unit(
	struct sql_parser *parser, const struct sql_loc *loc, struct text word)
{
	struct sql_expr *expr = sql_new_expr(parser, EXPR_UNIT, loc);

	if (!expr)
		return NULL;
	expr->name = unit_word(parser, word);
	return expr->name.ptr ? expr : sql_nomem(parser);
}

/* DESCRIPTOR names columns and nothing else. */
static struct sql_expr *descriptor(struct sql_parser *parser, struct sql_expr *call)
{
	for (size_t i = 0; i < call->arg_count; i++)
		if (call->args[i]->kind != EXPR_COLUMN || call->args[i]->qualifier.len)
			return sql_fail(parser, -EINVAL, call->args[i]->pos,
				"DESCRIPTOR takes the names of columns");
	call->kind = EXPR_DESCRIPTOR;
	return call;
}

/* A unit is an argument only of the functions that count in units. WEEK and QUARTER, which are no
 * reserved words, came as columns. */
static struct sql_expr *check_units(struct sql_parser *parser, struct sql_expr *call)
{
	bool counts = text_eq(call->name, TEXT("TIMESTAMPDIFF")) ||
		      text_eq(call->name, TEXT("TIMESTAMPADD"));

	if (counts && call->arg_count && call->args[0]->kind == EXPR_COLUMN) {
		call->args[0]->kind = EXPR_UNIT;
		call->args[0]->name = unit_word(parser, call->args[0]->name);
		if (!call->args[0]->name.ptr)
			return sql_nomem(parser);
	}
	for (size_t i = 0; i < call->arg_count; i++)
		if (call->args[i]->kind == EXPR_UNIT && (!counts || i > 0))
			return sql_fail(parser, -EINVAL, call->args[i]->pos,
				"syntax error at '%.*s': it is a reserved word",
				TEXT_ARG(call->args[i]->name));
	return call;
}

struct sql_expr *sql_new_call(struct sql_parser *parser, const struct sql_loc *loc,
	struct text name, const struct sql_exprs *args)
{
	struct sql_expr *expr = new_above(parser, EXPR_CALL, loc, args);

	if (!expr)
		return NULL;
	expr->name = upper(parser, name);
	if (!expr->name.ptr)
		return sql_nomem(parser);
	if (text_eq(expr->name, TEXT("DESCRIPTOR")))
		return descriptor(parser, expr);
	return check_units(parser, expr);
}

struct sql_expr *sql_new_call_of(struct sql_parser *parser, const struct sql_loc *loc,
	struct text name, struct sql_expr *a, struct sql_expr *b)
{
	struct sql_exprs args = {0};
	struct sql_expr *expr;

	if (!sql_add_expr(parser, &args, a) || (b && !sql_add_expr(parser, &args, b)))
		return NULL;
	expr = new_above(parser, EXPR_CALL, loc, &args);
	if (!expr)
		return NULL;
	expr->name = upper(parser, name);
	return expr->name.ptr ? expr : sql_nomem(parser);
}

/* a[1], or MAP[key, value, ...]: MAP is no reserved word. */
struct sql_expr *sql_new_item(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *of, const struct sql_exprs *index)
{
	if (of->kind == EXPR_COLUMN && !of->qualifier.len && text_ieq(of->name, TEXT("MAP")))
		return sql_new_call(parser, loc, TEXT("MAP"), index);
	if (index->count > 1)
		return sql_fail(parser, -EINVAL, index->items[1]->pos, "an element has one index");
	return sql_new_call_of(parser, loc, TEXT("ITEM"), of, index->items[0]);
}

struct sql_expr *sql_new_trim(struct sql_parser *parser, const struct sql_loc *loc,
	struct text side, struct sql_expr *set, struct sql_expr *text)
{
	struct sql_exprs args = {0};
	struct sql_expr *unit = sql_new_unit(parser, loc, side), *expr;

	if (!set)
		set = sql_new_string(parser, loc, TEXT(" "));
	if (!unit || !set || !sql_add_expr(parser, &args, unit) ||
		!sql_add_expr(parser, &args, set) || !sql_add_expr(parser, &args, text))
		return NULL;
	expr = new_above(parser, EXPR_CALL, loc, &args);
	if (expr)
		expr->name = TEXT("TRIM");
	return expr;
}

struct sql_expr *sql_new_row(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_exprs *args)
{
	return new_above(parser, EXPR_ROW, loc, args);
}

struct sql_expr *sql_new_cast(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *expr, const struct sql_type *type)
{
	struct sql_exprs args = {0};
	struct sql_expr *cast;

	if (!sql_add_expr(parser, &args, expr))
		return NULL;
	cast = new_above(parser, EXPR_CAST, loc, &args);
	if (!cast)
		return NULL;
	cast->name = TEXT("CAST");
	cast->type = *type;
	return cast;
}

struct sql_expr *sql_new_case(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *operand, const struct sql_exprs *whens, struct sql_expr *otherwise)
{
	struct sql_exprs args = {0};
	struct sql_expr *expr;

	if ((operand && !sql_add_expr(parser, &args, operand)) ||
		!sql_add_exprs(parser, &args, whens) ||
		(otherwise && !sql_add_expr(parser, &args, otherwise)))
		return NULL;
	expr = new_above(parser, EXPR_CASE, loc, &args);
	if (!expr)
		return NULL;
	expr->case_operand = operand != NULL;
	expr->case_else = otherwise != NULL;
	return expr;
}

struct sql_expr *sql_add_filter(
	struct sql_parser *parser, struct sql_expr *call, struct sql_expr *filter)
{
	call->filter = filter;
	return raise_to(parser, call, filter->height);
}

struct sql_over *sql_new_over(struct sql_parser *parser, const struct sql_exprs *partition,
	const struct sql_orders *orders, bool frame)
{
	struct sql_over *over = ARENA_NEW(parser->arena, struct sql_over);

	if (!over)
		return sql_nomem(parser);
	over->partition = partition->items;
	over->partition_count = partition->count;
	over->order = orders->first;
	over->frame = frame;
	return over;
}

struct sql_expr *sql_add_over(
	struct sql_parser *parser, struct sql_expr *call, struct sql_over *over)
{
	call->over = over;
	for (size_t i = 0; call && i < over->partition_count; i++)
		call = raise_to(parser, call, over->partition[i]->height);
	for (struct sql_order *order = over->order; call && order; order = order->next)
		call = raise_to(parser, call, order->expr->height);
	return call;
}

/* Reading report expressions: a recursive descent.
 *
 *	sum     = product { ("+" | "-") product }
 *	product = atom { ("*" | "/") atom }
 *	atom    = number | "(" sum ")" | "rows" "(" table [where] ")"
 *	        | ("sum" | "min" | "max" | "first" | "last") "(" cell [ "-" cell ] [where] ")"
 *	cell    = table "." column
 *	table   = step [ "[" number "]" ]
 *	where   = "where" condition { "and" condition }
 *	condition = column "=" ( column | number | "'" text "'" | ("min" | "max") "(" column ")" ) */
#include "daemon/grade/report.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

struct reading {
	struct arena *arena;
	struct text source;
	size_t at;
	int depth;
	struct diag *reterr;
};

static int parse_sum(struct reading *r, struct report_expr **ret);

static int refuse(const struct reading *r, const char *what)
{
	return diag_set(r->reterr, -EINVAL, 1, (int)r->at + 1, "%s is expected in \"%.*s\"", what,
		TEXT_ARG(r->source));
}

static int peek(struct reading *r)
{
	while (r->at < r->source.len && r->source.ptr[r->at] == ' ')
		r->at++;
	return r->at < r->source.len ? (unsigned char)r->source.ptr[r->at] : -1;
}

static bool take(struct reading *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

static struct text take_name(struct reading *r)
{
	size_t from;

	peek(r);
	from = r->at;
	while (r->at < r->source.len && text_is_word(r->source.ptr[r->at]))
		r->at++;
	return text_slice(r->source, from, r->at);
}

/* Takes this word where it comes next. */
static bool take_word(struct reading *r, struct text word)
{
	size_t at = r->at;

	if (text_eq(take_name(r), word))
		return true;
	r->at = at;
	return false;
}

static int parse_table(struct reading *r, struct text *step, size_t *table)
{
	int64_t number = 1;

	*step = take_name(r);
	if (step->len == 0)
		return refuse(r, "a step");
	if (take(r, '[')) {
		if (text_to_int64(take_name(r), &number) || number < 1)
			return refuse(r, "a table's number, from 1,");
		if (!take(r, ']'))
			return refuse(r, "']'");
	}
	*table = (size_t)number;
	return 0;
}

static int parse_cell(struct reading *r, struct text *step, size_t *table, struct text *column)
{
	int err = parse_table(r, step, table);

	if (err)
		return err;
	*column = take(r, '.') ? take_name(r) : (struct text){0};
	return column->len ? 0 : refuse(r, "a column, as in sum(step.column),");
}

/* cell [ "-" cell ] of one table */
static int parse_cells(struct reading *r, struct report_expr *expr)
{
	struct text step;
	size_t table;
	int err = parse_cell(r, &expr->step, &expr->table, &expr->column);

	if (err || !take(r, '-'))
		return err;
	err = parse_cell(r, &step, &table, &expr->minus);
	if (!err && (table != expr->table || !text_eq(step, expr->step)))
		return refuse(r, "a column of the same table");
	return err;
}

/* A text without its quotes. */
static int parse_literal(struct reading *r, struct text *ret)
{
	size_t from = r->at;

	while (r->at < r->source.len && r->source.ptr[r->at] != '\'')
		r->at++;
	*ret = text_slice(r->source, from, r->at);
	return take(r, '\'') ? 0 : refuse(r, "a closing quote");
}

static int parse_operand(struct reading *r, struct report_condition *condition)
{
	bool negative;
	size_t from;

	condition->kind = OPERAND_LITERAL;
	if (take(r, '\''))
		return parse_literal(r, &condition->operand);
	peek(r);
	from = r->at;
	negative = take(r, '-');
	condition->operand = take_name(r);
	if (condition->operand.len == 0)
		return refuse(r, "a column or a value");
	if (negative || (condition->operand.ptr[0] >= '0' && condition->operand.ptr[0] <= '9')) {
		condition->operand = text_slice(r->source, from, r->at);
		return 0;
	}
	condition->kind = OPERAND_COLUMN;
	if (!take(r, '('))
		return 0;
	condition->kind = text_eq(condition->operand, TEXT("min")) ? OPERAND_MIN : OPERAND_MAX;
	if (condition->kind == OPERAND_MAX && !text_eq(condition->operand, TEXT("max")))
		return refuse(r, "min(...) or max(...)");
	condition->operand = take_name(r);
	if (condition->operand.len == 0)
		return refuse(r, "a column");
	return take(r, ')') ? 0 : refuse(r, "')'");
}

static int parse_condition(struct reading *r, struct report_expr *expr)
{
	struct report_condition *condition;

	if (expr->where_count == LIMIT_CONDITIONS)
		return refuse(r, "fewer conditions");
	if (arena_grow(r->arena, &expr->where, expr->where_count, &expr->where_room,
		    sizeof(*expr->where)))
		return diag_nomem(r->reterr);
	condition = &expr->where[expr->where_count++];
	*condition = (struct report_condition){.column = take_name(r)};
	if (condition->column.len == 0)
		return refuse(r, "a column");
	if (!take(r, '='))
		return refuse(r, "'='");
	return parse_operand(r, condition);
}

static int parse_where(struct reading *r, struct report_expr *expr)
{
	int err = 0;

	if (!take_word(r, TEXT("where")))
		return 0;
	do
		err = parse_condition(r, expr);
	while (!err && take_word(r, TEXT("and")));
	return err;
}

static int find_function(struct text word, enum report_op *ret)
{
	static const char *const names[] = {[REPORT_ROWS] = "rows",
		[REPORT_SUM] = "sum",
		[REPORT_MIN] = "min",
		[REPORT_MAX] = "max",
		[REPORT_FIRST] = "first",
		[REPORT_LAST] = "last"};

	for (size_t i = REPORT_ROWS; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(word, text_of(names[i]))) {
			*ret = (enum report_op)i;
			return 0;
		}
	return -ENOENT;
}

static int parse_word(struct reading *r, struct report_expr *expr)
{
	struct text word = take_name(r);
	int err;

	if (text_to_int64(word, &expr->number) == 0)
		return 0;
	if (find_function(word, &expr->op))
		return refuse(r, "a number, rows(...), sum(...), min(...), max(...), first(...) or "
				 "last(...)");
	if (!take(r, '('))
		return refuse(r, "'('");
	err = expr->op == REPORT_ROWS ? parse_table(r, &expr->step, &expr->table)
				      : parse_cells(r, expr);
	if (!err)
		err = parse_where(r, expr);
	if (err)
		return err;
	return take(r, ')') ? 0 : refuse(r, "')'");
}

static int parse_atom(struct reading *r, struct report_expr **ret)
{
	struct report_expr *expr;
	int err;

	if (take(r, '(')) {
		if (r->depth++ == LIMIT_NESTING)
			return refuse(r, "less nesting");
		err = parse_sum(r, ret);
		r->depth--;
		return err ? err : take(r, ')') ? 0 : refuse(r, "')'");
	}
	expr = ARENA_NEW(r->arena, struct report_expr);
	if (!expr)
		return diag_nomem(r->reterr);
	err = parse_word(r, expr);
	if (!err)
		*ret = expr;
	return err;
}

static int join(
	struct reading *r, enum report_op op, struct report_expr **left, struct report_expr *right)
{
	struct report_expr *both = ARENA_NEW(r->arena, struct report_expr);

	if (!both)
		return diag_nomem(r->reterr);
	*both = (struct report_expr){.op = op, .left = *left, .right = right};
	*left = both;
	return 0;
}

static int parse_product(struct reading *r, struct report_expr **ret)
{
	int err = parse_atom(r, ret);

	while (!err && (peek(r) == '*' || peek(r) == '/')) {
		enum report_op op = r->source.ptr[r->at++] == '*' ? REPORT_MUL : REPORT_DIV;
		struct report_expr *right;

		err = parse_atom(r, &right);
		if (!err)
			err = join(r, op, ret, right);
	}
	return err;
}

static int parse_sum(struct reading *r, struct report_expr **ret)
{
	int err = parse_product(r, ret);

	while (!err && (peek(r) == '+' || peek(r) == '-')) {
		enum report_op op = r->source.ptr[r->at++] == '+' ? REPORT_ADD : REPORT_SUB;
		struct report_expr *right;

		err = parse_product(r, &right);
		if (!err)
			err = join(r, op, ret, right);
	}
	return err;
}

int report_parse(
	struct arena *arena, struct text source, struct report_expr **ret, struct diag *reterr)
{
	struct reading r = {.arena = arena, .source = source, .reterr = reterr};
	struct report_expr *expr;
	int err;

	if (source.len > LIMIT_EXPRESSION)
		return diag_set(reterr, -EINVAL, 1, 1, "an expression is longer than %d bytes",
			LIMIT_EXPRESSION);
	err = parse_sum(&r, &expr);
	if (err)
		return err;
	if (peek(&r) != -1)
		return refuse(&r, "the end");
	*ret = expr;
	return 0;
}

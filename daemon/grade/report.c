/* Report expressions: a recursive-descent reader and an evaluator over tables. Cells may be typed
 * (from the simulator) or printed text (from a transcript). */
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

/* step [ "[" number "]" ] */
static int parse_table(struct reading *r, struct report_expr *expr)
{
	int64_t table = 1;

	expr->step = take_name(r);
	if (expr->step.len == 0)
		return refuse(r, "a step");
	if (take(r, '[')) {
		if (text_to_int64(take_name(r), &table) || table < 1)
			return refuse(r, "a table's number, from 1,");
		if (!take(r, ']'))
			return refuse(r, "']'");
	}
	expr->table = (size_t)table;
	return 0;
}

/* number | "sum" "(" table "." column ")" | "rows" "(" table ")" */
static int parse_word(struct reading *r, struct report_expr *expr)
{
	struct text word = take_name(r);
	int err;

	if (text_to_int64(word, &expr->number) == 0)
		return 0;
	if (!text_eq(word, TEXT("sum")) && !text_eq(word, TEXT("rows")))
		return refuse(r, "a number, sum(...) or rows(...)");
	expr->op = text_eq(word, TEXT("sum")) ? REPORT_SUM : REPORT_ROWS;
	if (!take(r, '('))
		return refuse(r, "'('");
	err = parse_table(r, expr);
	if (err)
		return err;
	if (expr->op == REPORT_SUM) {
		expr->column = take(r, '.') ? take_name(r) : (struct text){0};
		if (expr->column.len == 0)
			return refuse(r, "a column, as in sum(step.column),");
	}
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

	while (!err && take(r, '*')) {
		struct report_expr *right;

		err = parse_atom(r, &right);
		if (!err)
			err = join(r, REPORT_MUL, ret, right);
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

static int cell_integer(const struct table *table, size_t row, size_t column, int64_t *ret)
{
	const struct value *cell = &table->rows[row].cells[column];
	enum sql_kind kind = table->columns[column].type.kind;

	if (cell->null)
		return -EINVAL;
	if (kind == SQL_ANY)
		return text_to_int64(cell->s, ret);
	if (kind < SQL_TINYINT || kind > SQL_BIGINT)
		return -EINVAL;
	*ret = cell->i;
	return 0;
}

static int sum_column(const struct table *table, struct text name, int64_t *ret)
{
	size_t column = table_column(table, name);
	int64_t sum = 0;

	if (column == table->column_count)
		return -ENOENT;
	for (size_t i = 0; i < table->row_count; i++) {
		int64_t cell;
		int err = cell_integer(table, i, column, &cell);

		if (err)
			return err;
		if (__builtin_add_overflow(sum, cell, &sum))
			return -ERANGE;
	}
	*ret = sum;
	return 0;
}

static int eval_table(
	const struct report_expr *expr, const struct report_tables *tables, int64_t *ret)
{
	const struct table *table = tables->get(tables->ctx, expr->step, expr->table);

	if (!table)
		return -ENOENT;
	if (expr->op == REPORT_SUM)
		return sum_column(table, expr->column, ret);
	*ret = (int64_t)table->row_count;
	return 0;
}

int report_eval(const struct report_expr *expr, const struct report_tables *tables, int64_t *ret)
{
	int64_t left, right;
	bool overflow;
	int err;

	if (expr->op == REPORT_NUMBER) {
		*ret = expr->number;
		return 0;
	}
	if (expr->op == REPORT_SUM || expr->op == REPORT_ROWS)
		return eval_table(expr, tables, ret);
	err = report_eval(expr->left, tables, &left);
	if (!err)
		err = report_eval(expr->right, tables, &right);
	if (err)
		return err;
	if (expr->op == REPORT_ADD)
		overflow = __builtin_add_overflow(left, right, ret);
	else if (expr->op == REPORT_SUB)
		overflow = __builtin_sub_overflow(left, right, ret);
	else
		overflow = __builtin_mul_overflow(left, right, ret);
	return overflow ? -ERANGE : 0;
}

void report_steps(
	const struct report_expr *expr, void (*see)(void *ctx, struct text step), void *ctx)
{
	if (expr->op == REPORT_SUM || expr->op == REPORT_ROWS) {
		see(ctx, expr->step);
	} else if (expr->op != REPORT_NUMBER) {
		report_steps(expr->left, see, ctx);
		report_steps(expr->right, see, ctx);
	}
}

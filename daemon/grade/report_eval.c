/* Working out a report expression over tables. Aggregates leave nothing out in silence: a NULL,
 * or a cell that is no whole number, is an error of the lab or of the saved table. */
#include <errno.h>

#include "daemon/grade/report.h"
#include "parser/limits.h"

/* A condition over one table: its column, and what that must be equal to. */
struct test {
	size_t column;
	size_t operand;	    /* of the same row; column_count: the value */
	struct value value; /* the literal, the minimum or the maximum */
};

/* The cells of a table that an expression reads. */
struct cells {
	const struct table *table;
	const struct report_expr *expr;
	size_t column, minus; /* column_count: there is none */
	size_t window_end;
	struct test tests[LIMIT_CONDITIONS];
};

static int whole_decimal(const struct value *cell, int32_t scale, int64_t *ret)
{
	int128 number = cell->dec;

	for (int32_t i = 0; i < scale; i++) {
		if (number % 10)
			return -EINVAL;
		number /= 10;
	}
	if (number != (int64_t)number)
		return -ERANGE;
	*ret = (int64_t)number;
	return 0;
}

static int cell_number(const struct table *table, size_t row, size_t column, int64_t *ret)
{
	const struct sql_type *type = &table->columns[column].type;
	const struct value *cell = &table->rows[row].cells[column];

	if (cell->null)
		return -EINVAL;
	switch (type->kind) {
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INT:
	case SQL_BIGINT:
	case SQL_TIME:
	case SQL_TIMESTAMP:
	case SQL_TIMESTAMP_LTZ:
	case SQL_INTERVAL_DAY: *ret = cell->i; return 0;
	case SQL_DATE: return __builtin_mul_overflow(cell->i, 86400000, ret) ? -ERANGE : 0;
	case SQL_DECIMAL: return whole_decimal(cell, type->scale, ret);
	default: return -EINVAL;
	}
}

/* column, or column - minus, of a row. */
static int row_number(const struct cells *c, size_t row, int64_t *ret)
{
	int64_t minus = 0;
	int err = cell_number(c->table, row, c->column, ret);

	if (!err && c->minus < c->table->column_count)
		err = cell_number(c->table, row, c->minus, &minus);
	if (err)
		return err;
	return __builtin_sub_overflow(*ret, minus, ret) ? -ERANGE : 0;
}

/* The row with the smallest or greatest value of a column; NULL is neither. The first of several;
 * for the greatest, the last. row_count where there is none. */
static size_t extreme_row(const struct table *table, size_t column, bool greatest)
{
	const struct sql_type *type = &table->columns[column].type;
	size_t found = table->row_count;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct value *cell = &table->rows[i].cells[column];
		int order = found == table->row_count
				    ? 0
				    : value_cmp(type, cell, &table->rows[found].cells[column]);

		if (cell->null)
			continue;
		if (found == table->row_count || (greatest ? order >= 0 : order < 0))
			found = i;
	}
	return found;
}

/* Works out once what each row is held against. */
static int find_test(
	const struct table *table, const struct report_condition *where, struct test *ret)
{
	const struct column *columns = table->columns;
	size_t count = table->column_count, column = table_column(table, where->column), operand,
	       row;

	*ret = (struct test){.column = column, .operand = count, .value = {.null = true}};
	if (column == count)
		return -ENOENT;
	if (where->kind == OPERAND_LITERAL)
		return value_parse(where->operand, &columns[column].type, &ret->value);
	operand = table_column(table, where->operand);
	if (operand == count)
		return -ENOENT;
	if (columns[operand].type.kind != columns[column].type.kind)
		return -EINVAL;
	if (where->kind == OPERAND_COLUMN) {
		ret->operand = operand;
		return 0;
	}
	row = extreme_row(table, operand, where->kind == OPERAND_MAX);
	if (row < table->row_count)
		ret->value = table->rows[row].cells[operand];
	return 0;
}

/* Does a row meet all conditions? NULL meets none. */
static bool meets(const struct cells *c, size_t row)
{
	const struct value *cells = c->table->rows[row].cells;

	for (size_t i = 0; i < c->expr->where_count; i++) {
		const struct test *test = &c->tests[i];
		const struct sql_type *type = &c->table->columns[test->column].type;
		const struct value *cell = &cells[test->column];
		const struct value *other = test->operand < c->table->column_count
						    ? &cells[test->operand]
						    : &test->value;

		if (cell->null || other->null || value_cmp(type, cell, other) != 0)
			return false;
	}
	return true;
}

/* Does row a come before row b for first() and last()? */
static bool is_before(const struct cells *c, size_t a, size_t b)
{
	const struct table *t = c->table;
	int order = 0;

	if (c->window_end < t->column_count)
		order = value_cmp(&t->columns[c->window_end].type, &t->rows[a].cells[c->window_end],
			&t->rows[b].cells[c->window_end]);
	return order ? order < 0 : a < b;
}

/* What has been put together so far. */
struct total {
	int64_t number;
	size_t rows;
	size_t row; /* of first() and last(): where the number stands */
};

static int take_row(const struct cells *c, size_t row, struct total *total)
{
	bool fresh = total->rows++ == 0;
	int64_t number;
	int err;

	if (c->expr->op == REPORT_ROWS)
		return 0;
	err = row_number(c, row, &number);
	if (err)
		return err;
	if (c->expr->op == REPORT_SUM)
		return __builtin_add_overflow(total->number, number, &total->number) ? -ERANGE : 0;
	if (fresh || (c->expr->op == REPORT_MIN && number < total->number) ||
		(c->expr->op == REPORT_MAX && number > total->number) ||
		(c->expr->op == REPORT_FIRST && is_before(c, row, total->row)) ||
		(c->expr->op == REPORT_LAST && is_before(c, total->row, row)))
		*total = (struct total){number, total->rows, row};
	return 0;
}

static int find_columns(
	const struct table *table, const struct report_expr *expr, struct cells *ret)
{
	int err = 0;

	*ret = (struct cells){.table = table,
		.expr = expr,
		.column = table_column(table, expr->column),
		.minus = table_column(table, expr->minus),
		.window_end = table_column(table, TEXT("window_end"))};
	if (expr->op != REPORT_ROWS && ret->column == table->column_count)
		return -ENOENT;
	if (expr->minus.len && ret->minus == table->column_count)
		return -ENOENT;
	for (size_t i = 0; !err && i < expr->where_count; i++)
		err = find_test(table, &expr->where[i], &ret->tests[i]);
	return err;
}

static int eval_table(
	const struct report_expr *expr, const struct report_tables *tables, int64_t *ret)
{
	const struct table *table = tables->get(tables->ctx, expr->step, expr->table);
	struct total total = {0};
	struct cells cells;
	int err = table ? find_columns(table, expr, &cells) : -ENOENT;

	for (size_t i = 0; !err && i < table->row_count; i++)
		if (meets(&cells, i))
			err = take_row(&cells, i, &total);
	if (err)
		return err;
	if (total.rows == 0 && expr->op != REPORT_ROWS && expr->op != REPORT_SUM)
		return -ENODATA;
	*ret = expr->op == REPORT_ROWS ? (int64_t)total.rows : total.number;
	return 0;
}

static int divide(int64_t left, int64_t right, int64_t *ret)
{
	if (right == 0)
		return -EDOM;
	if (left == INT64_MIN && right == -1)
		return -ERANGE;
	*ret = left / right;
	return 0;
}

int report_eval(const struct report_expr *expr, const struct report_tables *tables, int64_t *ret)
{
	int64_t left, right;
	int err;

	if (expr->op == REPORT_NUMBER) {
		*ret = expr->number;
		return 0;
	}
	if (expr->op >= REPORT_ROWS)
		return eval_table(expr, tables, ret);
	err = report_eval(expr->left, tables, &left);
	if (!err)
		err = report_eval(expr->right, tables, &right);
	if (err)
		return err;
	switch (expr->op) {
	case REPORT_ADD: return __builtin_add_overflow(left, right, ret) ? -ERANGE : 0;
	case REPORT_SUB: return __builtin_sub_overflow(left, right, ret) ? -ERANGE : 0;
	case REPORT_MUL: return __builtin_mul_overflow(left, right, ret) ? -ERANGE : 0;
	default: return divide(left, right, ret);
	}
}

void report_steps(
	const struct report_expr *expr, void (*see)(void *ctx, struct text step), void *ctx)
{
	if (expr->op >= REPORT_ROWS) {
		see(ctx, expr->step);
	} else if (expr->op != REPORT_NUMBER) {
		report_steps(expr->left, see, ctx);
		report_steps(expr->right, see, ctx);
	}
}

/* Each rule is a change of one aggregate in the expression, or of the expression as a whole:
 *
 *	counted for added, first for last, another column, conditions left out, all tables of the
 *	step together, lines of the frame counted in, lines left out	report-counted-lines
 *	another table with the same columns				report-from-other
 *	one operand of a difference, the sign turned			report-not-difference
 *	another unit of time						report-unit */
#include "daemon/grade/report_mutate.h"

#include <errno.h>

#include "daemon/grade/lab.h"
#include "parser/arena.h"

/* Lines around the rows of a table: three borders, the header and the footer. */
#define FRAME_LINES 5

bool report_is_leaf(const struct report_expr *expr)
{
	return expr->op >= REPORT_ROWS;
}

struct report_expr *report_copy(struct arena *arena, const struct report_expr *expr)
{
	struct report_expr *copy = ARENA_NEW(arena, struct report_expr);

	if (!copy)
		return NULL;
	*copy = *expr;
	if (expr->left)
		copy->left = report_copy(arena, expr->left);
	if (expr->right)
		copy->right = report_copy(arena, expr->right);
	return (expr->left && !copy->left) || (expr->right && !copy->right) ? NULL : copy;
}

static bool yields(const struct report_mutation *m, const struct report_expr *expr)
{
	int64_t value;

	return report_eval(expr, m->tables, &value) == 0 && value == m->wanted;
}

static void note(struct report_mutation *m, enum diagnosis_id id, const struct report_expr *root)
{
	if (!m->hits[id] && yields(m, root))
		m->hits[id] = true;
}

static const struct table *table_of(const struct report_mutation *m, const struct report_expr *leaf)
{
	return m->tables->get(m->tables->ctx, leaf->step, leaf->table);
}

/* ---- one aggregate ---- */

static bool is_integer(const struct column *column)
{
	return column->type.kind >= SQL_TINYINT && column->type.kind <= SQL_BIGINT;
}

static void other_function(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *leaf)
{
	const struct report_expr saved = *leaf;
	const struct table *table = table_of(m, leaf);

	for (int op = REPORT_ROWS; saved.op != REPORT_ROWS && op <= REPORT_LAST; op++) {
		leaf->op = (enum report_op)op;
		if (leaf->op == REPORT_ROWS)
			leaf->column = leaf->minus = (struct text){0};
		note(m, DIAG_REPORT_COUNTED_LINES, root);
		*leaf = saved;
	}
	for (size_t i = 0; table && i < table->column_count; i++) {
		if (!is_integer(&table->columns[i]) || saved.minus.len)
			continue;
		leaf->column = table->columns[i].name;
		if (saved.op == REPORT_ROWS)
			leaf->op = REPORT_SUM;
		note(m, DIAG_REPORT_COUNTED_LINES, root);
		*leaf = saved;
	}
}

/* Without one condition, and without all of them. */
static void other_rows(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *leaf)
{
	const struct report_expr saved = *leaf;

	for (size_t i = 0; i < saved.where_count; i++) {
		struct report_condition condition = leaf->where[i];

		leaf->where[i] = leaf->where[saved.where_count - 1];
		leaf->where_count--;
		note(m, DIAG_REPORT_COUNTED_LINES, root);
		leaf->where[i] = condition;
		leaf->where_count++;
	}
	leaf->where_count = 0;
	for (int op = REPORT_ROWS; saved.where_count && op <= REPORT_LAST; op++) {
		if (saved.op == REPORT_ROWS && op != REPORT_ROWS)
			continue;
		leaf->op = (enum report_op)op;
		if (op == REPORT_ROWS)
			leaf->column = leaf->minus = (struct text){0};
		note(m, DIAG_REPORT_COUNTED_LINES, root);
		leaf->op = saved.op;
		leaf->column = saved.column;
		leaf->minus = saved.minus;
	}
	*leaf = saved;
}

static size_t find_step(const struct report_mutation *m, struct text id)
{
	return lab_step(m->lab, id);
}

static void all_tables(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *leaf)
{
	const struct report_expr saved = *leaf;
	size_t count = m->grader->expected[find_step(m, saved.step)].count;
	int64_t sum = 0;

	for (size_t i = 1; i <= count; i++) {
		int64_t value;

		leaf->table = i;
		if (report_eval(leaf, m->tables, &value) ||
			__builtin_add_overflow(sum, value, &sum)) {
			*leaf = saved;
			return;
		}
	}
	*leaf = (struct report_expr){.op = REPORT_NUMBER, .number = sum};
	if (count > 1)
		note(m, DIAG_REPORT_COUNTED_LINES, root);
	*leaf = saved;
}

/* Which rows of the table are left over by a slip: the first n of each window, all but an end. */
enum slip { SLIP_FIRST_OF_WINDOW, SLIP_NOT_FIRST, SLIP_NOT_LAST };

static bool same_window(const struct table *table, size_t a, size_t b)
{
	return value_cmp(&table->columns[0].type, &table->rows[a].cells[0],
		       &table->rows[b].cells[0]) == 0;
}

/* The place of a row within its window, from 0. */
static size_t place(const struct table *table, size_t row)
{
	size_t before = 0;

	for (size_t i = 0; i < row; i++)
		before += same_window(table, i, row);
	return before;
}

static bool stays(const struct table *table, size_t row, enum slip slip, size_t n)
{
	switch (slip) {
	case SLIP_FIRST_OF_WINDOW: return place(table, row) < n;
	case SLIP_NOT_FIRST: return row >= n;
	case SLIP_NOT_LAST: return row + n < table->row_count;
	}
	return true;
}

static bool slipped_sum(
	const struct table *table, size_t column, enum slip slip, size_t n, int64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < table->row_count; i++)
		if (stays(table, i, slip, n) &&
			(table->rows[i].cells[column].null ||
				__builtin_add_overflow(*ret, table->rows[i].cells[column].i, ret)))
			return false;
	return true;
}

/* Rows of one window at most, and of its table; more are no ranking. */
#define RANKED_ROWS  10
#define RANKED_TABLE 300

static void slipped_rows(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *leaf)
{
	const struct report_expr saved = *leaf;
	const struct table *table = table_of(m, leaf);
	size_t column = table ? table_column(table, leaf->column) : 0;
	bool counts = table && leaf->op == REPORT_SUM && !leaf->minus.len && !leaf->where_count &&
		      column < table->column_count && is_integer(&table->columns[column]) &&
		      table->row_count <= RANKED_TABLE;

	for (int slip = SLIP_FIRST_OF_WINDOW; counts && slip <= SLIP_NOT_LAST; slip++)
		for (size_t n = 1; n <= (slip == SLIP_FIRST_OF_WINDOW ? RANKED_ROWS : 1); n++) {
			int64_t sum;

			if (!slipped_sum(table, column, (enum slip)slip, n, &sum))
				continue;
			*leaf = (struct report_expr){.op = REPORT_NUMBER, .number = sum};
			note(m, DIAG_REPORT_COUNTED_LINES, root);
			*leaf = saved;
		}
}

/* Another table in its place, of any step. */
static void other_table(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *leaf)
{
	const struct report_expr saved = *leaf;

	for (size_t i = 0; i < m->lab->step_count; i++) {
		leaf->step = m->lab->steps[i].id;
		for (size_t k = 1;
			m->lab->steps[i].kind == STEP_TABLES && k <= m->grader->expected[i].count;
			k++) {
			leaf->table = k;
			note(m, DIAG_REPORT_FROM_OTHER, root);
		}
	}
	*leaf = saved;
}

static void mutate_leaves(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *at)
{
	if (report_is_leaf(at)) {
		other_function(m, root, at);
		other_rows(m, root, at);
		all_tables(m, root, at);
		slipped_rows(m, root, at);
		other_table(m, root, at);
	} else if (at->left && at->right) {
		mutate_leaves(m, root, at->left);
		mutate_leaves(m, root, at->right);
	}
}

/* ---- the expression as a whole ---- */

/* Lines of the frame counted as rows. */
static void framed_rows(struct report_mutation *m, const struct report_expr *expr)
{
	int64_t rows;

	if (expr->op == REPORT_ROWS && report_eval(expr, m->tables, &rows) == 0 &&
		m->wanted > rows && m->wanted <= rows + FRAME_LINES)
		m->hits[DIAG_REPORT_COUNTED_LINES] = true;
}

/* Counts instead of sums, all at once. */
static void count_all(struct report_expr *at)
{
	if (report_is_leaf(at)) {
		at->op = REPORT_ROWS;
		at->column = at->minus = (struct text){0};
	} else if (at->left && at->right) {
		count_all(at->left);
		count_all(at->right);
	}
}

static void operands(struct report_mutation *m, const struct report_expr *expr)
{
	int64_t value;

	if (expr->op != REPORT_SUB || report_eval(expr, m->tables, &value))
		return;
	/* The lowest number has no counterpart. */
	if (value && m->wanted != INT64_MIN && value == -m->wanted)
		m->hits[DIAG_REPORT_NOT_DIFFERENCE] = m->turned = true;
	note(m, DIAG_REPORT_NOT_DIFFERENCE, expr->right);
}

static bool is_time(const struct report_expr *expr)
{
	if (report_is_leaf(expr))
		return expr->minus.len > 0;
	return (expr->left && is_time(expr->left)) || (expr->right && is_time(expr->right));
}

/* The same time in milliseconds, seconds, minutes or hours; rounded in any way. */
static void units(struct report_mutation *m, const struct report_expr *expr)
{
	static const int64_t factors[] = {1000, 60, 3600, 60000, 3600000};
	int64_t value;

	if (!is_time(expr) || report_eval(expr, m->tables, &value))
		return;
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
		int64_t up, down = value / factors[i];
		bool fits = !__builtin_mul_overflow(value, factors[i], &up);

		if (m->wanted && ((fits && up == m->wanted) || m->wanted == down ||
					 (value % factors[i] && m->wanted == down + 1)))
			m->hits[DIAG_REPORT_UNIT] = true;
	}
}

void report_mutate(struct report_mutation *m, const struct report_expr *expr)
{
	struct report_expr *copy = report_copy(m->arena, expr);

	if (!copy) {
		m->nomem = true;
		return;
	}
	operands(m, expr);
	units(m, expr);
	framed_rows(m, expr);
	mutate_leaves(m, copy, copy);
	count_all(copy);
	note(m, DIAG_REPORT_COUNTED_LINES, copy);
}

bool report_found(const struct report_mutation *m)
{
	for (int id = 0; id < DIAGNOSIS_COUNT; id++)
		if (m->hits[id])
			return true;
	return false;
}

/* Its rows, and the sum of each of its columns, in the leaf's place. */
static void any_of_table(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *leaf)
{
	const struct table *table = table_of(m, leaf);

	leaf->op = REPORT_ROWS;
	leaf->column = leaf->minus = (struct text){0};
	note(m, DIAG_REPORT_FROM_OTHER, root);
	leaf->op = REPORT_SUM;
	for (size_t i = 0; table && i < table->column_count; i++) {
		leaf->column = table->columns[i].name;
		if (is_integer(&table->columns[i]))
			note(m, DIAG_REPORT_FROM_OTHER, root);
	}
}

static void any_table(
	struct report_mutation *m, const struct report_expr *root, struct report_expr *at)
{
	const struct report_expr saved = *at;

	if (!report_is_leaf(at)) {
		if (at->left && at->right) {
			any_table(m, root, at->left);
			any_table(m, root, at->right);
		}
		return;
	}
	at->where_count = 0;
	for (size_t i = 0; i < m->lab->step_count; i++) {
		at->step = m->lab->steps[i].id;
		for (size_t k = 1;
			m->lab->steps[i].kind == STEP_TABLES && k <= m->grader->expected[i].count;
			k++) {
			at->table = k;
			any_of_table(m, root, at);
		}
	}
	*at = saved;
}

void report_mutate_far(struct report_mutation *m, const struct report_expr *expr)
{
	struct report_expr *copy = report_copy(m->arena, expr);

	if (copy)
		any_table(m, copy, copy);
	else
		m->nomem = true;
}

static bool same_leaf(const struct report_expr *a, const struct report_expr *b)
{
	return text_eq(a->step, b->step) && a->table == b->table;
}

/* Every mention of one table gets another, or a number where the whole aggregate is the same. */
static void replace(struct report_expr *at, const struct report_expr *from,
	const struct report_expr *to, bool *replaced)
{
	if (!report_is_leaf(at)) {
		if (at->left && at->right) {
			replace(at->left, from, to, replaced);
			replace(at->right, from, to, replaced);
		}
		return;
	}
	if (!same_leaf(at, from))
		return;
	if (to->op == REPORT_NUMBER &&
		(at->op != from->op || !text_eq(at->column, from->column) ||
			!text_eq(at->minus, from->minus) || at->where_count || from->where_count))
		return;
	if (to->op == REPORT_NUMBER) {
		*at = *to;
	} else {
		at->step = to->step;
		at->table = to->table;
	}
	*replaced = true;
}

bool report_instead(const struct report_mutation *m, const struct report_expr *expr,
	const struct report_expr *from, const struct report_expr *to, int64_t *ret)
{
	struct report_expr *copy = report_copy(m->arena, expr);
	bool replaced = false;

	if (!copy)
		return false;
	replace(copy, from, to, &replaced);
	return replaced && report_eval(copy, m->tables, ret) == 0;
}

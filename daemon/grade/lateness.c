/* Conditions on lateness, evaluated for rows that are made up: a row's own time is 0, the
 * watermark that it meets lies so many milliseconds before it or is NULL. Three-valued, as SQL's
 * logic is; what is neither a time nor a length of time is not known, and then neither is the
 * condition. */
#include "daemon/grade/lateness.h"

#include "sim/ast.h"
#include "sim/delay.h"

/* Highest rank that is tried. */
#define RANKS 1000

/* Before every row of a lab's file: 2000-01-01. */
#define LONG_AGO_MS INT64_C(946684800000)

enum answer_kind { NOT_KNOWN, IS_NULL, BOOLEAN, TIME, LONG_AGO, LENGTH, NUMBER };

struct answer {
	enum answer_kind kind;
	int64_t i; /* TIME: ms against the row's own */
};

struct made_up {
	const struct profile *profile;
	bool watermark; /* there is one */
	int64_t ahead_ms;
	int64_t rank;
};

static struct answer answer(const struct made_up *row, const struct sql_expr *expr);

static struct answer boolean(bool value)
{
	return (struct answer){BOOLEAN, value};
}

static bool is_rowtime(const struct profile *p, const struct sql_expr *expr)
{
	if (expr->kind != EXPR_COLUMN || expr->qualifier.len || !p->has_table ||
		!p->table.has_watermark)
		return false;
	for (size_t i = 0; i < p->table.column_count; i++)
		if (text_eq(p->table.columns[i].name, p->table.watermark_column))
			return text_eq(p->columns[i], expr->name);
	return false;
}

static struct answer of_literal(const struct sql_expr *expr)
{
	if (expr->value.null)
		return (struct answer){.kind = IS_NULL};
	if (expr->type.kind == SQL_BOOLEAN)
		return boolean(expr->value.i != 0);
	if (expr->type.kind >= SQL_TINYINT && expr->type.kind <= SQL_BIGINT)
		return (struct answer){NUMBER, expr->value.i};
	if (expr->type.kind == SQL_TIMESTAMP && expr->value.i < LONG_AGO_MS)
		return (struct answer){.kind = LONG_AGO};
	return (struct answer){0};
}

/* CAST('1970-01-01 00:00:00' AS TIMESTAMP(3)), or a time as another kind of time. */
static struct answer of_cast(const struct made_up *row, const struct sql_expr *expr)
{
	const struct sql_expr *arg = expr->args[0];
	struct value value;
	bool to_time = expr->type.kind == SQL_TIMESTAMP || expr->type.kind == SQL_TIMESTAMP_LTZ;
	bool text = arg->kind == EXPR_LITERAL &&
		    (arg->type.kind == SQL_CHAR || arg->type.kind == SQL_VARCHAR);

	if (!to_time)
		return (struct answer){0};
	if (!text)
		return answer(row, arg);
	if (value_parse(arg->value.s, &expr->type, &value) || value.i >= LONG_AGO_MS)
		return (struct answer){0};
	return (struct answer){.kind = LONG_AGO};
}

static struct answer of_difference(const struct made_up *row, const struct sql_expr *call)
{
	struct answer from, to;
	int64_t width_ms;

	if (call->arg_count != 3 || call->args[0]->kind != EXPR_UNIT)
		return (struct answer){0};
	width_ms = unit_width_ms(call->args[0]->name);
	from = answer(row, call->args[1]);
	to = answer(row, call->args[2]);
	if (from.kind == IS_NULL || to.kind == IS_NULL)
		return (struct answer){.kind = IS_NULL};
	if (!width_ms || from.kind != TIME || to.kind != TIME)
		return (struct answer){0};
	return (struct answer){NUMBER, (to.i - from.i) / width_ms};
}

static struct answer of_call(const struct made_up *row, const struct sql_expr *call)
{
	struct answer a = {.kind = IS_NULL};

	if (call->over)
		return row->rank ? (struct answer){NUMBER, row->rank} : (struct answer){0};
	if (text_eq(call->name, TEXT("CURRENT_WATERMARK"))) {
		if (call->arg_count != 1 || !is_rowtime(row->profile, call->args[0]))
			return (struct answer){0};
		return row->watermark ? (struct answer){TIME, -row->ahead_ms} : a;
	}
	if (text_eq(call->name, TEXT("COALESCE")) || text_eq(call->name, TEXT("IFNULL"))) {
		for (size_t i = 0; i < call->arg_count && a.kind == IS_NULL; i++)
			a = answer(row, call->args[i]);
		return a;
	}
	if (text_eq(call->name, TEXT("TIMESTAMPDIFF")))
		return of_difference(row, call);
	return (struct answer){0};
}

static struct answer of_case(const struct made_up *row, const struct sql_expr *expr)
{
	size_t i = 0;

	if (expr->case_operand)
		return (struct answer){0};
	for (; i + 1 < expr->arg_count; i += 2) {
		struct answer when = answer(row, expr->args[i]);

		if (when.kind == BOOLEAN && when.i)
			return answer(row, expr->args[i + 1]);
		if (when.kind != BOOLEAN && when.kind != IS_NULL)
			return (struct answer){0};
	}
	return expr->case_else ? answer(row, expr->args[i]) : (struct answer){.kind = IS_NULL};
}

/* AND, and OR with what decides it turned round. */
static struct answer of_both(struct answer a, struct answer b, bool decides)
{
	if ((a.kind == BOOLEAN && (a.i != 0) == decides) ||
		(b.kind == BOOLEAN && (b.i != 0) == decides))
		return boolean(decides);
	if (a.kind == NOT_KNOWN || b.kind == NOT_KNOWN)
		return (struct answer){0};
	if (a.kind == IS_NULL || b.kind == IS_NULL)
		return (struct answer){.kind = IS_NULL};
	return boolean(!decides);
}

static struct answer compared(enum sql_op op, int sign)
{
	switch (op) {
	case SQL_OP_EQ: return boolean(sign == 0);
	case SQL_OP_NE: return boolean(sign != 0);
	case SQL_OP_LT: return boolean(sign < 0);
	case SQL_OP_LE: return boolean(sign <= 0);
	case SQL_OP_GT: return boolean(sign > 0);
	case SQL_OP_GE: return boolean(sign >= 0);
	default: return (struct answer){0};
	}
}

static struct answer of_comparison(enum sql_op op, struct answer a, struct answer b)
{
	if (a.kind == IS_NULL || b.kind == IS_NULL)
		return (struct answer){.kind = IS_NULL};
	if (a.kind == TIME && b.kind == LONG_AGO)
		return compared(op, 1);
	if (a.kind == LONG_AGO && b.kind == TIME)
		return compared(op, -1);
	if (a.kind != b.kind || a.kind == NOT_KNOWN || a.kind == LONG_AGO)
		return (struct answer){0};
	return compared(op, (a.i > b.i) - (a.i < b.i));
}

static struct answer of_sum(struct answer a, struct answer b, int64_t sign)
{
	if (a.kind == IS_NULL || b.kind == IS_NULL)
		return (struct answer){.kind = IS_NULL};
	if (b.kind == TIME && a.kind == LENGTH && sign > 0)
		return (struct answer){TIME, a.i + b.i};
	if (a.kind == TIME && b.kind == LENGTH)
		return (struct answer){TIME, a.i + sign * b.i};
	if (a.kind == LONG_AGO && b.kind == LENGTH)
		return a;
	if (a.kind == b.kind && (a.kind == NUMBER || a.kind == LENGTH))
		return (struct answer){a.kind, a.i + sign * b.i};
	if (a.kind == TIME && b.kind == TIME && sign < 0)
		return (struct answer){LENGTH, a.i - b.i};
	return (struct answer){0};
}

/* IS TRUE and the like: never NULL. */
static struct answer of_test(struct answer a, enum answer_kind kind, bool value, bool turned)
{
	bool is = a.kind == kind && (kind == IS_NULL || (a.i != 0) == value);

	return a.kind == NOT_KNOWN ? a : boolean(is != turned);
}

static struct answer of_one(enum sql_op op, struct answer a)
{
	switch (op) {
	case SQL_OP_NOT: return a.kind == BOOLEAN ? boolean(!a.i) : a;
	case SQL_OP_NEG:
		return a.kind == LENGTH || a.kind == NUMBER ? (struct answer){a.kind, -a.i} : a;
	case SQL_OP_IS_NULL: return of_test(a, IS_NULL, false, false);
	case SQL_OP_IS_NOT_NULL: return of_test(a, IS_NULL, false, true);
	case SQL_OP_IS_TRUE: return of_test(a, BOOLEAN, true, false);
	case SQL_OP_IS_NOT_TRUE: return of_test(a, BOOLEAN, true, true);
	case SQL_OP_IS_FALSE: return of_test(a, BOOLEAN, false, false);
	case SQL_OP_IS_NOT_FALSE: return of_test(a, BOOLEAN, false, true);
	default: return (struct answer){0};
	}
}

static struct answer of_op(const struct made_up *row, const struct sql_expr *expr)
{
	struct answer a = answer(row, expr->args[0]), b;

	if (expr->arg_count == 1)
		return of_one(expr->op, a);
	b = answer(row, expr->args[1]);
	switch (expr->op) {
	case SQL_OP_AND: return of_both(a, b, false);
	case SQL_OP_OR: return of_both(a, b, true);
	case SQL_OP_ADD: return of_sum(a, b, 1);
	case SQL_OP_SUB: return of_sum(a, b, -1);
	case SQL_OP_BETWEEN:
		return of_both(of_comparison(SQL_OP_GE, a, b),
			of_comparison(SQL_OP_LE, a, answer(row, expr->args[2])), false);
	default: return of_comparison(expr->op, a, b);
	}
}

static struct answer answer(const struct made_up *row, const struct sql_expr *expr)
{
	int64_t ms;

	switch (expr->kind) {
	case EXPR_LITERAL: return of_literal(expr);
	case EXPR_INTERVAL:
		return interval_ms_of(expr, &ms) ? (struct answer){LENGTH, ms} : (struct answer){0};
	case EXPR_COLUMN:
		return is_rowtime(row->profile, expr) ? (struct answer){TIME, 0}
						      : (struct answer){0};
	case EXPR_CAST: return of_cast(row, expr);
	case EXPR_CALL: return of_call(row, expr);
	case EXPR_CASE: return of_case(row, expr);
	case EXPR_OP: return of_op(row, expr);
	default: return (struct answer){0};
	}
}

/* ---- what is asked from outside ---- */

static bool no_watermark(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !(expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("CURRENT_WATERMARK")));
}

bool reads_watermark(const struct sql_expr *expr)
{
	return !ast_walk(expr, no_watermark, NULL);
}

static void add_point(struct late_points *points, int64_t ahead_ms)
{
	for (size_t i = 0; i < points->count; i++)
		if (points->ahead_ms[i] == ahead_ms)
			return;
	if (points->count < sizeof(points->ahead_ms) / sizeof(points->ahead_ms[0]))
		points->ahead_ms[points->count++] = ahead_ms;
}

static bool add_points_of(const struct sql_expr *expr, void *ctx)
{
	int64_t ms;

	for (int64_t near = -1; interval_ms_of(expr, &ms) && near <= 1; near++) {
		add_point(ctx, ms + near);
		add_point(ctx, -ms + near);
	}
	return true;
}

void late_points_add(struct late_points *points, const struct terms *conditions)
{
	static const int64_t always[] = {
		-(INT64_C(1) << 40), -1000, -1, 0, 1, 1000, INT64_C(1) << 40};

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		add_point(points, always[i]);
	for (size_t i = 0; i < conditions->count; i++)
		if (reads_watermark(conditions->items[i]))
			ast_walk(conditions->items[i], add_points_of, points);
}

/* -1: not known. */
static int keeps(const struct made_up *row, const struct terms *conditions)
{
	int kept = 1;

	for (size_t i = 0; i < conditions->count; i++) {
		struct answer a;

		if (!reads_watermark(conditions->items[i]))
			continue;
		a = answer(row, conditions->items[i]);
		if (a.kind != BOOLEAN && a.kind != IS_NULL)
			return -1;
		if (a.kind == IS_NULL || !a.i)
			kept = 0;
	}
	return kept;
}

struct lateness lateness_of(const struct profile *profile, const struct terms *conditions,
	const struct late_points *points, int64_t shift_ms)
{
	struct made_up row = {.profile = profile};
	struct lateness late = {0};
	int kept = keeps(&row, conditions);

	late.first_row = kept > 0;
	row.watermark = true;
	for (size_t i = 0; kept >= 0 && i < points->count; i++) {
		row.ahead_ms = points->ahead_ms[i] + shift_ms;
		kept = keeps(&row, conditions);
		late.kept[i] = kept > 0;
	}
	late.known = kept >= 0;
	return late;
}

int64_t rank_bound(const struct profile *profile)
{
	int64_t highest = 0;

	for (int64_t rank = 1; rank <= RANKS; rank++) {
		struct made_up row = {.profile = profile, .rank = rank};
		bool kept = true;

		for (size_t i = 0; i < profile->rank.bounds.count; i++) {
			struct answer a = answer(&row, profile->rank.bounds.items[i]);

			if (a.kind != BOOLEAN)
				return 0;
			kept &= a.i != 0;
		}
		if (kept && highest != rank - 1)
			return 0;
		if (kept)
			highest = rank;
	}
	return highest < RANKS ? highest : 0;
}

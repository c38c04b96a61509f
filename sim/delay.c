/* Delay of a watermark: ts - INTERVAL '5' SECOND and the other ways to write it. Months have no
 * fixed length, so that an interval of them is no constant. Recorded:
 * format/stmt_describe_watermarks, watermark/more/w5_ok_wm_timestampadd and, for the product,
 * more_sim/ddl_wm_mul. */
#include "sim/delay.h"

#include "parser/calendar.h"

int64_t unit_width_ms(struct text unit)
{
	static const struct {
		struct text name;
		int64_t width_ms;
	} units[] = {{{"SECOND", 6}, MS_PER_SECOND}, {{"MINUTE", 6}, MS_PER_MINUTE},
		{{"HOUR", 4}, MS_PER_HOUR}, {{"DAY", 3}, MS_PER_DAY}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (text_ieq(unit, units[i].name))
			return units[i].width_ms;
	return 0;
}

static bool is_op(const struct sql_expr *expr, enum sql_op op)
{
	return expr->kind == EXPR_OP && expr->op == op;
}

static bool negated(int64_t n, int64_t *ret)
{
	return !__builtin_sub_overflow((int64_t)0, n, ret);
}

static bool whole_number(const struct sql_expr *expr, int64_t *ret)
{
	int64_t n;

	if (is_op(expr, SQL_OP_NEG))
		return whole_number(expr->args[0], &n) && negated(n, ret);
	if (expr->kind != EXPR_LITERAL || expr->type.kind < SQL_TINYINT ||
		expr->type.kind > SQL_BIGINT)
		return false;
	*ret = expr->value.i;
	return true;
}

static bool interval_product(
	const struct sql_expr *number, const struct sql_expr *interval, int64_t *ret_ms)
{
	int64_t n, ms;

	return whole_number(number, &n) && interval_ms_of(interval, &ms) &&
	       !__builtin_mul_overflow(n, ms, ret_ms);
}

static bool interval_sum(const struct sql_expr *expr, int64_t *ret_ms)
{
	int64_t a, b;

	if (!interval_ms_of(expr->args[0], &a) || !interval_ms_of(expr->args[1], &b))
		return false;
	if (expr->op == SQL_OP_ADD)
		return !__builtin_add_overflow(a, b, ret_ms);
	return !__builtin_sub_overflow(a, b, ret_ms);
}

bool interval_ms_of(const struct sql_expr *expr, int64_t *ret_ms)
{
	int64_t ms;

	if (expr->kind == EXPR_INTERVAL && expr->type.kind == SQL_INTERVAL_DAY) {
		*ret_ms = expr->value.i;
		return true;
	}
	if (is_op(expr, SQL_OP_NEG))
		return interval_ms_of(expr->args[0], &ms) && negated(ms, ret_ms);
	if (is_op(expr, SQL_OP_MUL))
		return interval_product(expr->args[0], expr->args[1], ret_ms) ||
		       interval_product(expr->args[1], expr->args[0], ret_ms);
	return (is_op(expr, SQL_OP_ADD) || is_op(expr, SQL_OP_SUB)) && interval_sum(expr, ret_ms);
}

/* TIMESTAMPADD(SECOND, -5, ts) */
static bool timestampadd_delay(const struct sql_expr *call, struct text column, int64_t *ret_ms)
{
	int64_t n, width_ms, before_ms;

	if (!text_eq(call->name, TEXT("TIMESTAMPADD")) || call->arg_count != 3 ||
		call->args[0]->kind != EXPR_UNIT)
		return false;
	width_ms = unit_width_ms(call->args[0]->name);
	return width_ms && whole_number(call->args[1], &n) &&
	       delay_of(call->args[2], column, &before_ms) &&
	       !__builtin_mul_overflow(n, width_ms, &n) &&
	       !__builtin_sub_overflow(before_ms, n, ret_ms);
}

/* A time plus or minus an interval, or an interval plus a time. */
static bool shifted_delay(const struct sql_expr *expr, struct text column, int64_t *ret_ms)
{
	int64_t before_ms, ms;

	if (is_op(expr, SQL_OP_SUB))
		return delay_of(expr->args[0], column, &before_ms) &&
		       interval_ms_of(expr->args[1], &ms) &&
		       !__builtin_add_overflow(before_ms, ms, ret_ms);
	if (!is_op(expr, SQL_OP_ADD))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (delay_of(expr->args[i], column, &before_ms) &&
			interval_ms_of(expr->args[1 - i], &ms))
			return !__builtin_sub_overflow(before_ms, ms, ret_ms);
	return false;
}

bool delay_of(const struct sql_expr *expr, struct text column, int64_t *ret_ms)
{
	if (expr->kind == EXPR_COLUMN && text_eq(expr->name, column)) {
		*ret_ms = 0;
		return true;
	}
	if (expr->kind == EXPR_CAST)
		return (expr->type.kind == SQL_TIMESTAMP || expr->type.kind == SQL_TIMESTAMP_LTZ) &&
		       expr->type.precision >= 3 && delay_of(expr->args[0], column, ret_ms);
	if (expr->kind == EXPR_CALL)
		return timestampadd_delay(expr, column, ret_ms);
	return expr->kind == EXPR_OP && shifted_delay(expr, column, ret_ms);
}

/* Mistakes about the filter on lateness: whether it is there, where, and what it says. Such a
 * filter is a comparison of the row's time with CURRENT_WATERMARK, and beside it a check of that
 * for NULL. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/ast.h"
#include "sim/mistakes.h"

static bool is_watermark(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("CURRENT_WATERMARK"));
}

/* The parts of the WHERE; all NULL where it is of another form. */
struct late_filter_parts {
	struct sql_expr *joint;	  /* OR, AND; NULL: the comparison alone */
	struct sql_expr *check;	  /* IS NULL, IS NOT NULL; NULL: there is none */
	struct sql_expr *compare; /* ts > CURRENT_WATERMARK(ts), either way round */
};

static bool is_check(const struct sql_expr *expr)
{
	return expr->kind == EXPR_OP &&
	       (expr->op == SQL_OP_IS_NULL || expr->op == SQL_OP_IS_NOT_NULL) &&
	       is_watermark(expr->args[0]);
}

static bool is_compare(const struct sql_expr *expr)
{
	return expr->kind == EXPR_OP && expr->op >= SQL_OP_EQ && expr->op <= SQL_OP_GE &&
	       (is_watermark(expr->args[0]) || is_watermark(expr->args[1]));
}

static struct late_filter_parts parts_of(const struct scene *scene)
{
	struct late_filter_parts parts = {0};
	struct sql_expr *where = scene->late ? scene->late->where : NULL;

	if (!where || where->kind != EXPR_OP)
		return parts;
	if (is_compare(where)) {
		parts.compare = where;
		return parts;
	}
	if (where->op != SQL_OP_OR && where->op != SQL_OP_AND)
		return parts;
	for (size_t i = 0; i < 2; i++) {
		if (is_check(where->args[i]))
			parts.check = where->args[i];
		if (is_compare(where->args[i]))
			parts.compare = where->args[i];
	}
	parts.joint = where;
	return parts.check && parts.compare ? parts : (struct late_filter_parts){0};
}

static const struct {
	enum sql_op op, negated, mirrored;
	const char *name;
} comparisons[] = {{SQL_OP_EQ, SQL_OP_NE, SQL_OP_EQ, "="}, {SQL_OP_NE, SQL_OP_EQ, SQL_OP_NE, "<>"},
	{SQL_OP_LT, SQL_OP_GE, SQL_OP_GT, "<"}, {SQL_OP_LE, SQL_OP_GT, SQL_OP_GE, "<="},
	{SQL_OP_GT, SQL_OP_LE, SQL_OP_LT, ">"}, {SQL_OP_GE, SQL_OP_LT, SQL_OP_LE, ">="}};

#define COMPARISONS (sizeof(comparisons) / sizeof(comparisons[0]))

static size_t comparison_of(enum sql_op op)
{
	size_t i = 0;

	while (comparisons[i].op != op)
		i++;
	return i;
}

/* As written with the row's time on the left. */
static size_t written(const struct sql_expr *compare)
{
	size_t i = comparison_of(compare->op);

	return is_watermark(compare->args[0]) ? comparison_of(comparisons[i].mirrored) : i;
}

static void write_comparison(struct sql_expr *compare, size_t comparison)
{
	compare->op = is_watermark(compare->args[0]) ? comparisons[comparison].mirrored
						     : comparisons[comparison].op;
}

static void negate_check(struct sql_expr *check)
{
	check->op = check->op == SQL_OP_IS_NULL ? SQL_OP_IS_NOT_NULL : SQL_OP_IS_NULL;
}

static void exchange_joint(struct sql_expr *joint)
{
	joint->op = joint->op == SQL_OP_OR ? SQL_OP_AND : SQL_OP_OR;
}

MISTAKE(make_filter_missing)
{
	if (index > 0 || !scene->late)
		return -ENOENT;
	scene->late->where = NULL;
	cause_add(ret, "filter-missing");
	return 0;
}

/* Where another step's filter would stand: in front of the window. */
MISTAKE(make_filter_extra)
{
	struct sql_query *query = scene->window_query;
	struct sql_expr *wm, *late;

	if (scene->late || !query || !scene->rowtime.ptr || index > 1)
		return -ENOENT;
	wm = scene_watermark(scene);
	late = scene_op(
		scene, index ? SQL_OP_GE : SQL_OP_GT, scene_column(scene, scene->rowtime), wm);
	scene_where(scene, query,
		scene_op(scene, SQL_OP_OR,
			scene_op(scene, SQL_OP_IS_NULL, scene_watermark(scene), NULL), late));
	scene->part = scene->rowwise;
	cause_add(ret, "filter-extra");
	ret->far = index > 0;
	if (index)
		cause_add_name(ret, "late-cmp", TEXT(">="));
	return 0;
}

/* The comparison alone is turned round, or the whole condition; with the edge on the other side
 * too. */
MISTAKE(make_filter_inverted)
{
	struct late_filter_parts parts = parts_of(scene);
	size_t comparison;

	if (!parts.compare || index > 3)
		return -ENOENT;
	if ((index & 2) && !parts.joint)
		return -EAGAIN;
	comparison = comparison_of(comparisons[written(parts.compare)].negated);
	cause_add(ret, "filter-inverted");
	ret->far = (index & 1) != 0;
	if (index & 1) {
		comparison = comparisons[comparison].op == SQL_OP_GT   ? comparison_of(SQL_OP_GE)
			     : comparisons[comparison].op == SQL_OP_LE ? comparison_of(SQL_OP_LT)
								       : COMPARISONS;
		if (comparison == COMPARISONS)
			return -EAGAIN;
		cause_add_name(ret, "late-cmp", text_of(comparisons[comparison].name));
	}
	write_comparison(parts.compare, comparison);
	if (!(index & 2))
		return 0;
	negate_check(parts.check);
	exchange_joint(parts.joint);
	return 0;
}

MISTAKE(make_late_cmp)
{
	struct late_filter_parts parts = parts_of(scene);
	size_t asked;
	bool upper;

	if (!parts.compare || index >= COMPARISONS)
		return -ENOENT;
	asked = written(parts.compare);
	upper = comparisons[index].op == SQL_OP_GT || comparisons[index].op == SQL_OP_GE;
	if (index == asked || (comparisons[index].op > SQL_OP_NE &&
				      upper != (comparisons[asked].op == SQL_OP_GT ||
						       comparisons[asked].op == SQL_OP_GE)))
		return -EAGAIN;
	write_comparison(parts.compare, index);
	cause_add_name(ret, "late-cmp", text_of(comparisons[index].name));
	return 0;
}

/* ---- the check for NULL ---- */

MISTAKE(make_null_first_row)
{
	struct late_filter_parts parts = parts_of(scene);

	if (index > 1 || !parts.check || parts.check->op != SQL_OP_IS_NULL ||
		parts.joint->op != SQL_OP_OR)
		return -ENOENT;
	cause_add(ret, "null-first-row");
	if (index) {
		cause_add_name(ret, "null-check", TEXT("is-not-null"));
		negate_check(parts.check);
		exchange_joint(parts.joint);
	} else {
		scene->late->where = parts.compare;
	}
	return 0;
}

static void add_check(struct mistake *ret, const struct sql_expr *check)
{
	cause_add_name(ret, "null-check",
		check->op == SQL_OP_IS_NULL ? TEXT("is-null") : TEXT("is-not-null"));
}

static void add_joint(struct mistake *ret, const struct sql_expr *joint)
{
	cause_add_name(ret, "null-check", joint->op == SQL_OP_OR ? TEXT("or") : TEXT("and"));
}

MISTAKE(make_null_check)
{
	struct late_filter_parts parts = parts_of(scene);

	if (!parts.check || index > 4)
		return -ENOENT;
	if (index == 2 && parts.check->op == SQL_OP_IS_NULL)
		return -EAGAIN; /* null-first-row */
	if (index == 0 || index == 2 || index == 3) {
		negate_check(parts.check);
		add_check(ret, parts.check);
	}
	if (index == 1 || index == 2) {
		exchange_joint(parts.joint);
		add_joint(ret, parts.joint);
	}
	if (index == 4)
		add_check(ret, parts.check);
	if (index == 3 || index == 4)
		scene->late->where = parts.check;
	return 0;
}

/* ---- by what, and where ---- */

/* 9999-01-01 */
#define FAR_FUTURE_MS INT64_C(253370764800000)

static int by_window(struct scene *scene, struct sql_expr *compare)
{
	struct sql_expr **time = &compare->args[is_watermark(compare->args[0]) ? 1 : 0];

	if (!scene->window || !scene->agg || scene->agg->where || scene->late == scene->agg ||
		scene->window_query != scene->agg)
		return -EAGAIN;
	*time = scene_column(scene, TEXT("window_end"));
	scene->agg->where = scene->late->where;
	scene->late->where = NULL;
	return 0;
}

/* Where there is no window in the query, its end is worked out. */
static int by_rounded(struct scene *scene, struct sql_expr *compare, size_t unit)
{
	static const struct {
		const char *name;
		int64_t ms;
	} units[] = {{"MINUTE", 60000}, {"HOUR", 3600000}};
	struct sql_expr **time = &compare->args[is_watermark(compare->args[0]) ? 1 : 0];
	struct sql_expr *to;

	if (scene->window || unit > 1)
		return -EAGAIN;
	to = scene_column(scene, text_of(units[unit].name));
	if (to)
		to->kind = EXPR_UNIT;
	*time = scene_op(scene, SQL_OP_ADD,
		scene_call(scene, TEXT("FLOOR"), scene_column(scene, scene->rowtime), to),
		scene_interval(scene, units[unit].ms));
	return 0;
}

static int by_moved(struct scene *scene, struct sql_expr *compare, bool ahead, struct mistake *ret)
{
	struct sql_expr **wm = &compare->args[is_watermark(compare->args[0]) ? 0 : 1];
	struct param delay = {.kind = PARAM_DURATION, .number = scene->delay_ms};

	if (!scene->delay_known || scene->delay_ms <= 0)
		return -EAGAIN;
	*wm = scene_op(scene, ahead ? SQL_OP_ADD : SQL_OP_SUB, scene_watermark(scene),
		scene_interval(scene, scene->delay_ms));
	cause_add_name(ret, "late-by",
		text_format(scene->arena, "wm%c%.*s", ahead ? '+' : '-',
			TEXT_ARG(param_print(scene->arena, &delay))));
	return 0;
}

/* The clock is far behind data of the past: every row is before it. */
static int by_clock(struct scene *scene, struct late_filter_parts *parts, bool alone)
{
	size_t wm = is_watermark(parts->compare->args[0]) ? 0 : 1;

	if (alone && !parts->joint)
		return -EAGAIN;
	parts->compare->args[wm] = scene_time(scene, FAR_FUTURE_MS);
	if (alone)
		scene->late->where = parts->compare;
	return 0;
}

MISTAKE(make_late_by)
{
	struct late_filter_parts parts = parts_of(scene);

	if (!parts.compare || index > 6)
		return -ENOENT;
	if (index < 2)
		return by_moved(scene, parts.compare, index == 0, ret);
	cause_add_name(ret, "late-by", index > 4 ? TEXT("clock") : TEXT("window"));
	if (index > 4)
		return by_clock(scene, &parts, index == 6);
	if (index == 2)
		return by_window(scene, parts.compare);
	return by_rounded(scene, parts.compare, index - 3);
}

/* Each aggregate of the query counts only what the filter lets through. */
MISTAKE(make_filter_place)
{
	struct sql_query *agg = scene->agg;
	struct sql_expr *where;

	if (index > 0 || !scene->late || !agg)
		return -ENOENT;
	where = scene->late->where;
	scene->late->where = NULL;
	for (size_t i = 0; i < agg->item_count; i++)
		if (agg->items[i].expr->kind == EXPR_CALL && ast_is_aggregate(agg->items[i].expr))
			agg->items[i].expr->filter = where;
	cause_add_name(ret, "filter-place", TEXT("FILTER-clause"));
	return 0;
}

/* Conditions: the late filter, told by the rows that it keeps; conditions that nobody asked for. */
#include "daemon/grade/differing.h"
#include "daemon/grade/lateness.h"
#include "parser/arena.h"
#include "sim/ast.h"

static bool has_late(const struct terms *conditions)
{
	for (size_t i = 0; i < conditions->count; i++)
		if (reads_watermark(conditions->items[i]))
			return true;
	return false;
}

/* What is looked for in a condition. */
struct search {
	const char *const *calls;
	bool window;	    /* a column of the window */
	bool over;	    /* OVER */
	struct text column; /* of the table */
	bool tests_null, tests_not_null, found;
};

static bool search_expr(const struct sql_expr *expr, void *ctx)
{
	struct search *s = ctx;

	for (size_t i = 0; expr->kind == EXPR_CALL && s->calls && s->calls[i]; i++)
		s->found |= text_eq(expr->name, text_of(s->calls[i]));
	if (expr->kind == EXPR_COLUMN && text_eq(expr->qualifier, WINDOW_COLUMN))
		s->found |= s->window;
	if (expr->kind == EXPR_COLUMN && !expr->qualifier.len && s->column.len)
		s->found |= text_eq(expr->name, s->column);
	if (expr->kind == EXPR_CALL && expr->over)
		s->found |= s->over;
	if (expr->kind == EXPR_OP && expr->op == SQL_OP_IS_NULL)
		s->tests_null = true;
	if (expr->kind == EXPR_OP && expr->op == SQL_OP_IS_NOT_NULL)
		s->tests_not_null = true;
	return true;
}

static struct search look(const struct terms *conditions, struct search search)
{
	for (size_t i = 0; i < conditions->count; i++)
		ast_walk(conditions->items[i], search_expr, &search);
	return search;
}

/* Late by the end of the window, by the clock, by another row. */
static bool differ_by(struct differing *d)
{
	static const char *const clocks[] = {"CURRENT_TIMESTAMP", "NOW", "LOCALTIMESTAMP",
		"LOCALTIME", "CURRENT_ROW_TIMESTAMP", "PROCTIME", NULL};
	static const char *const cuts[] = {"FLOOR", "CEIL", "CEILING", NULL};
	const struct terms *mine = &d->mine->before;

	if (look(mine, (struct search){.calls = clocks}).found)
		differ_say(d, DIAG_LATE_BY, TEXT("clock"));
	else if (look(mine, (struct search){.over = true}).found)
		differ_say(d, DIAG_LATE_BY, TEXT("previous-row"));
	else if (has_late(mine) && look(mine, (struct search){.calls = cuts, .window = true}).found)
		differ_say(d, DIAG_LATE_BY, TEXT("window"));
	else
		return false;
	return true;
}

bool differ_filters_aggregate(const struct profile *mine)
{
	for (size_t i = 0; i < mine->item_count; i++) {
		const struct sql_expr *item = term_bare(mine->items[i].expr);

		if (item && item->filter && reads_watermark(item->filter))
			return true;
	}
	return false;
}

/* The filter stands behind the aggregate, or in it. */
static bool differ_place(struct differing *d)
{
	if (differ_filters_aggregate(d->mine)) {
		differ_say(d, DIAG_FILTER_PLACE, TEXT("FILTER-clause"));
		return true;
	}
	if (!has_late(&d->mine->behind))
		return false;
	differ_say(d, DIAG_FILTER_PLACE,
		d->mine->having ? TEXT("HAVING") : TEXT("after-the-aggregate"));
	return true;
}

static void differ_missing(struct differing *d)
{
	if (differ_place(d) || differ_by(d))
		return;
	differ_say(d, DIAG_FILTER_MISSING,
		d->mine->view_unused ? TEXT("view-unused") : (struct text){0});
}

/* How the rows with a watermark are treated. */
enum relation { SAME, TURNED, BOUNDARY, ONLY_EQUAL, NONE, ALL, OTHER };

struct pair {
	const struct late_points *points;
	struct lateness asked, mine;
};

static size_t point_at(const struct late_points *points, int64_t ahead_ms)
{
	size_t i = 0;

	while (points->ahead_ms[i] != ahead_ms)
		i++;
	return i;
}

/* Do they agree but for where the time is exactly the watermark? */
static bool agree(const struct pair *pair, bool turned, bool *boundary)
{
	*boundary = false;
	for (size_t i = 0; i < pair->points->count; i++) {
		bool equal = (pair->mine.kept[i] == pair->asked.kept[i]) != turned;

		if (pair->points->ahead_ms[i] == 0)
			*boundary = !equal;
		else if (!equal)
			return false;
	}
	return true;
}

static enum relation relate(const struct pair *pair, bool *boundary)
{
	size_t kept = 0, zero = point_at(pair->points, 0);

	for (size_t i = 0; i < pair->points->count; i++)
		kept += pair->mine.kept[i];
	if (agree(pair, false, boundary))
		return *boundary ? BOUNDARY : SAME;
	if (kept == 0)
		return NONE;
	if (kept == pair->points->count)
		return ALL;
	if (kept == 1 && pair->mine.kept[zero])
		return ONLY_EQUAL;
	return agree(pair, true, boundary) ? TURNED : OTHER;
}

static struct text comparison_text(const struct pair *pair, bool boundary_only)
{
	size_t zero = point_at(pair->points, 0), ahead = point_at(pair->points, 1);
	bool equal = pair->mine.kept[zero];

	if (!boundary_only)
		return TEXT("=");
	if (pair->mine.kept[ahead])
		return equal ? TEXT(">=") : TEXT(">");
	return equal ? TEXT("<=") : TEXT("<");
}

/* A margin: the asked condition with the watermark moved by so much. */
static bool differ_margin(struct differing *d, const struct pair *pair)
{
	for (size_t i = 0; i < pair->points->count; i++) {
		int64_t shift_ms = pair->points->ahead_ms[i];
		struct lateness moved =
			lateness_of(d->asked, &d->asked->before, pair->points, -shift_ms);
		bool equal = moved.known && shift_ms != 0;

		for (size_t k = 0; equal && k < pair->points->count; k++)
			equal = moved.kept[k] == pair->mine.kept[k];
		if (!equal)
			continue;
		struct text length = text_duration(d->arena, shift_ms, "");

		differ_say(d, DIAG_LATE_BY,
			text_format(
				d->arena, "wm%s%.*s", shift_ms > 0 ? "+" : "", TEXT_ARG(length)));
		return true;
	}
	return false;
}

/* IS NULL for IS NOT NULL, OR for AND. */
static void say_null_check(struct differing *d)
{
	struct search asked = look(&d->asked->before, (struct search){0}),
		      mine = look(&d->mine->before, (struct search){0});
	size_t before = d->causes->count;

	if (mine.tests_null && !asked.tests_null)
		differ_say(d, DIAG_NULL_CHECK, TEXT("is-null"));
	if (mine.tests_not_null && !asked.tests_not_null)
		differ_say(d, DIAG_NULL_CHECK, TEXT("is-not-null"));
	if (d->causes->count == before)
		differ_say(d, DIAG_NULL_CHECK,
			d->mine->before.count > d->asked->before.count ? TEXT("and") : TEXT("or"));
}

static void differ_first_row(struct differing *d, const struct pair *pair)
{
	struct search mine = look(&d->mine->before, (struct search){0});

	if (pair->mine.first_row == pair->asked.first_row)
		return;
	if (pair->mine.first_row) {
		say_null_check(d);
		return;
	}
	differ_say(d, DIAG_NULL_FIRST_ROW, (struct text){0});
	if (mine.tests_not_null)
		differ_say(d, DIAG_NULL_CHECK, TEXT("is-not-null"));
}

static void differ_kept(struct differing *d, const struct pair *pair)
{
	bool boundary;

	switch (relate(pair, &boundary)) {
	case SAME: differ_first_row(d, pair); break;
	case BOUNDARY:
		differ_say(d, DIAG_LATE_CMP, comparison_text(pair, true));
		differ_first_row(d, pair);
		break;
	case ONLY_EQUAL: differ_say(d, DIAG_LATE_CMP, TEXT("=")); break;
	case TURNED:
		differ_say(d, DIAG_FILTER_INVERTED, (struct text){0});
		if (boundary)
			differ_say(d, DIAG_LATE_CMP, comparison_text(pair, true));
		break;
	case NONE:
	case ALL: say_null_check(d); break;
	case OTHER:
		if (differ_margin(d, pair))
			differ_first_row(d, pair);
		break;
	}
}

/* Do the conditions keep some rows with a watermark, and others not? IS NULL alone does not. */
static bool divides(
	const struct differing *d, const struct terms *conditions, const struct late_points *points)
{
	struct lateness lateness = lateness_of(d->mine, conditions, points, 0);
	size_t kept = 0;

	for (size_t i = 0; i < points->count; i++)
		kept += lateness.kept[i];
	return lateness.known && kept > 0 && kept < points->count;
}

/* Do some of the conditions alone, taken one by one, keep what is asked? Then the others are
 * those of another filter behind or in front of it. */
static bool differ_beside(struct differing *d, const struct pair *pair)
{
	struct terms late = {0};
	bool boundary;

	for (size_t i = 0; i < d->mine->before.count; i++)
		late.count += reads_watermark(d->mine->before.items[i]);
	if (late.count < 2 || relate(pair, &boundary) == SAME)
		return false;
	for (size_t i = 0; i + 1 < d->mine->before.count; i++) {
		struct terms front = {.items = d->mine->before.items, .count = i + 1},
			     behind = {.items = d->mine->before.items + i + 1,
				     .count = d->mine->before.count - i - 1};
		const struct terms *parts[] = {&front, &behind};

		for (size_t k = 0; k < 2; k++) {
			struct pair part = *pair;

			part.mine = lateness_of(d->mine, parts[k], pair->points, 0);
			if (!part.mine.known || part.mine.first_row != part.asked.first_row ||
				relate(&part, &boundary) != SAME ||
				!divides(d, parts[1 - k], pair->points))
				continue;
			differ_say(d, DIAG_FILTER_EXTRA, (struct text){0});
			return true;
		}
	}
	return false;
}

static void differ_late(struct differing *d)
{
	struct late_points points = {0};
	struct pair pair = {.points = &points};

	late_points_add(&points, &d->asked->before);
	late_points_add(&points, &d->mine->before);
	pair.asked = lateness_of(d->asked, &d->asked->before, &points, 0);
	pair.mine = lateness_of(d->mine, &d->mine->before, &points, 0);
	if (pair.asked.known && pair.mine.known) {
		if (!differ_beside(d, &pair))
			differ_kept(d, &pair);
	} else if (pair.asked.known)
		differ_by(d);
}

/* IS NOT NULL of a column, or a condition without one: it holds nothing back in a lab's file. */
static bool is_idle(const struct sql_expr *condition)
{
	return (condition->kind == EXPR_OP && condition->op == SQL_OP_IS_NOT_NULL) ||
	       condition->kind == EXPR_LITERAL ||
	       (condition->kind == EXPR_OP && condition->arg_count == 2 &&
		       condition->args[0]->kind == EXPR_LITERAL &&
		       condition->args[1]->kind == EXPR_LITERAL);
}

/* Does the condition judge the row's time, in place of the late filter that is asked? */
static bool stands_for_late(const struct differing *d, struct sql_expr *condition)
{
	struct terms one = {.items = &condition, .count = 1};
	struct search search = {.over = true, .column = d->asked->table.watermark_column};

	return has_late(&d->asked->before) && !has_late(&d->mine->before) &&
	       look(&one, search).found;
}

static void differ_extra(struct differing *d)
{
	for (size_t i = 0; i < d->mine->before.count; i++) {
		struct sql_expr *condition = d->mine->before.items[i];

		if (!reads_watermark(condition) && !is_idle(condition) &&
			!terms_have(&d->asked->before, condition) && !stands_for_late(d, condition))
			differ_say(d, DIAG_WHERE_EXTRA, (struct text){0});
	}
	for (size_t i = 0; i < d->mine->behind.count; i++)
		if (!reads_watermark(d->mine->behind.items[i]) &&
			!is_idle(d->mine->behind.items[i]) &&
			!terms_have(&d->asked->behind, d->mine->behind.items[i]))
			differ_say(d, DIAG_WHERE_EXTRA,
				d->mine->having ? TEXT("HAVING") : (struct text){0});
}

void differ_filter(struct differing *d)
{
	bool asked = has_late(&d->asked->before), mine = has_late(&d->mine->before);

	if (asked && mine)
		differ_late(d);
	else if (asked)
		differ_missing(d);
	else if (mine)
		differ_say(d, DIAG_FILTER_EXTRA, (struct text){0});
	else if (has_late(&d->mine->behind) || differ_filters_aggregate(d->mine))
		differ_say(d, DIAG_FILTER_EXTRA, (struct text){0});
	differ_extra(d);
}

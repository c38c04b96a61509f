/* The table's time: its watermark, its delay, what is taken for it, and whether it is moved. */
#include "daemon/grade/differing.h"
#include "parser/arena.h"
#include "sim/ast.h"
#include "sim/delay.h"

static bool not_proctime(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !(expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("PROCTIME")));
}

static bool is_proctime(const struct sql_expr *expr)
{
	return expr && !ast_walk(expr, not_proctime, NULL);
}

/* The name by which profiles know the time attribute; empty: there is none. */
static struct text rowtime_of(const struct profile *p)
{
	for (size_t i = 0; p->table.has_watermark && i < p->table.column_count; i++)
		if (text_eq(p->table.columns[i].name, p->table.watermark_column))
			return p->columns[i];
	return (struct text){0};
}

static bool is_rowtime(const struct profile *p, const struct sql_expr *expr)
{
	if (expr->kind != EXPR_COLUMN)
		return false;
	if (text_eq(expr->qualifier, WINDOW_COLUMN)) /* of windows over windows */
		return text_ieq(expr->name, TEXT("window_time"));
	return !expr->qualifier.len && text_eq(expr->name, rowtime_of(p));
}

struct attribute_search {
	const struct profile *profile;
	const struct sql_expr *wrong;
};

static bool find_wrong_argument(const struct sql_expr *expr, void *ctx)
{
	struct attribute_search *s = ctx;

	if (expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("CURRENT_WATERMARK")) &&
		expr->arg_count == 1 && !is_rowtime(s->profile, expr->args[0]))
		s->wrong = expr->args[0];
	return !s->wrong;
}

/* A window, or CURRENT_WATERMARK, is given something else than the time attribute. */
static void differ_attribute(struct differing *d)
{
	struct attribute_search search = {.profile = d->mine};
	const struct sql_expr *time = d->mine->window.time;

	if (time && !is_rowtime(d->mine, time))
		search.wrong = time;
	for (size_t i = 0; !search.wrong && i < d->mine->before.count; i++)
		ast_walk(d->mine->before.items[i], find_wrong_argument, &search);
	for (size_t i = 0; !search.wrong && i < d->mine->item_count; i++)
		if (d->mine->items[i].expr)
			ast_walk(d->mine->items[i].expr, find_wrong_argument, &search);
	if (!search.wrong || search.wrong->kind == EXPR_LITERAL)
		return;
	differ_say(d, DIAG_NO_TIME_ATTRIBUTE,
		search.wrong->kind == EXPR_CAST ? TEXT("CAST")
						: term_text(d, d->mine, search.wrong));
}

static void differ_delay(struct differing *d)
{
	const struct catalog_entry *asked = &d->asked->table, *mine = &d->mine->table;
	int64_t asked_ms, mine_ms;

	if (!delay_of(asked->watermark, asked->watermark_column, &asked_ms) ||
		!delay_of(mine->watermark, mine->watermark_column, &mine_ms) || asked_ms == mine_ms)
		return;
	if (mine_ms % 1000 && (mine_ms > 1000 || mine_ms < -1000))
		differ_say(d, DIAG_DELAY, text_format(d->arena, "%gs", (double)mine_ms / 1000));
	else
		differ_say(d, DIAG_DELAY, text_duration(d->arena, mine_ms, ""));
}

/* A watermark over a column that is no time. */
static bool differ_watermark_column(struct differing *d)
{
	const struct sql_column *column =
		catalog_column(&d->mine->table, d->mine->table.watermark_column);

	if (!column || column->kind != COLUMN_PHYSICAL || column->type.kind == SQL_TIMESTAMP ||
		column->type.kind == SQL_TIMESTAMP_LTZ ||
		text_eq(rowtime_of(d->mine), rowtime_of(d->asked)))
		return false;
	differ_say(d, DIAG_NO_TIME_ATTRIBUTE, column->name);
	return true;
}

/* Is the column that is asked to be the event time made of the clock? */
static bool has_clock(const struct differing *d)
{
	for (size_t i = 0; i < d->mine->table.column_count; i++)
		if (text_ieq(d->mine->table.columns[i].name, d->asked->table.watermark_column) &&
			is_proctime(d->mine->table.columns[i].expr))
			return true;
	return false;
}

void differ_watermark(struct differing *d)
{
	if (!differ_tables(d) || !d->asked->table.has_watermark)
		return;
	if (is_proctime(d->mine->window.time) || has_clock(d))
		differ_say(d, DIAG_PROCESSING_TIME, (struct text){0});
	else if (!d->mine->table.has_watermark)
		differ_say(d, DIAG_NO_WATERMARK, (struct text){0});
	else if (!differ_watermark_column(d)) {
		differ_delay(d);
		differ_attribute(d);
	}
}

/* The computed time attribute: moved by so much, or through a zone. */
void differ_zone(struct differing *d)
{
	const struct sql_column *column;
	const struct sql_expr *from;
	int64_t shift_ms;

	if (!differ_tables(d) || !d->mine->table.has_watermark)
		return;
	column = catalog_column(&d->mine->table, d->mine->table.watermark_column);
	if (!column || column->kind != COLUMN_COMPUTED)
		return;
	from = term_bare(column->expr);
	if (from->kind == EXPR_COLUMN)
		return;
	for (size_t i = 0; i < d->mine->table.column_count; i++) {
		struct text name = d->mine->table.columns[i].name;
		struct text length;

		if (!delay_of(from, name, &shift_ms) || shift_ms == 0)
			continue;
		length = text_duration(d->arena, -shift_ms, "");
		differ_say(d, DIAG_TIME_ZONE,
			text_format(d->arena, "%s%.*s", shift_ms < 0 ? "+" : "", TEXT_ARG(length)));
		return;
	}
	if (d->mine->settings.zone.len)
		differ_say(d, DIAG_TIME_ZONE, d->mine->settings.zone);
}

/* FROM: tables with their watermark, views, sub-queries, WITH. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/csv_value.h"
#include "parser/diag.h"
#include "sim/delay.h"
#include "sim/fault.h"
#include "sim/plan_window.h"

/* The type of a metadata column is known, though not its values. */
static struct plan_column table_column_of(const struct sql_column *column)
{
	struct plan_column ret = {.name = column->name, .type = column->type};

	if (column->kind == COLUMN_COMPUTED || !csv_type_known(&column->type))
		ret.type = (struct sql_type){.kind = SQL_OTHER};
	return ret;
}

/* A computed column, over the columns before and behind it. What is not simulated stays SQL_OTHER
 * and is refused only where a query reads it. */
static int bind_computed(
	struct planner *planner, struct plan *plan, const struct sql_column *column, size_t i)
{
	struct binder binder = {
		.planner = planner, .columns = plan->columns, .column_count = plan->column_count};
	struct diag *diag = planner->diag;
	int err;

	planner->diag = NULL;
	err = bind_expr(&binder, column->expr, &plan->scan.computed[i]);
	planner->diag = diag;
	if (err == -ENOTSUP)
		return 0;
	if (err < 0)
		return err;
	plan->columns[i].type = plan->scan.computed[i]->type;
	return 0;
}

/* One node for a column minus a constant: this is evaluated for each row of the file. */
static int shorten_delay(struct planner *planner, struct plan *plan, int64_t delay_ms)
{
	struct plan_scan *scan = &plan->scan;
	struct expr *time =
		expr_column(planner->arena, scan->rowtime, &plan->columns[scan->rowtime].type);

	if (time)
		scan->watermark = expr_delayed(planner->arena, scan->watermark, time, delay_ms);
	return time && scan->watermark ? 0 : diag_nomem(planner->diag);
}

/* The watermark as the rows are to be seen with it. One that is not simulated though it is
 * understood is refused only where a query reads the table. */
static int bind_watermark_expr(struct planner *planner, struct plan *plan)
{
	const struct catalog_entry *table = plan->scan.table;
	struct binder binder = {
		.planner = planner, .columns = plan->columns, .column_count = plan->column_count};
	struct diag *diag = planner->diag;
	int64_t delay_ms;
	int err;

	if (!delay_of(table->watermark, table->watermark_column, &delay_ms))
		return bind_expr(&binder, table->watermark, &plan->scan.watermark);
	planner->diag = NULL;
	err = bind_expr(&binder, table->watermark, &plan->scan.watermark);
	planner->diag = diag;
	if (err == -ENOTSUP)
		return 0;
	return err ? err : shorten_delay(planner, plan, delay_ms);
}

static int bind_watermark(struct planner *planner, struct plan *plan)
{
	const struct catalog_entry *table = plan->scan.table;
	struct binder binder = {
		.planner = planner, .columns = plan->columns, .column_count = plan->column_count};
	struct sql_expr name = {
		.kind = EXPR_COLUMN, .name = table->watermark_column, .pos = table->watermark->pos};
	int err = bind_column(&binder, &name, &plan->scan.rowtime);

	if (err == 0)
		err = bind_watermark_expr(planner, plan);
	if (err < 0)
		return err;
	if (!type_is_time(&plan->columns[plan->scan.rowtime].type) ||
		(plan->scan.watermark && !type_is_time(&plan->scan.watermark->type)))
		return refuse(planner, table->watermark->pos, "A watermark that is not a time");
	plan->scan.has_rowtime = true;
	plan->columns[plan->scan.rowtime].type.attribute = TIME_ROWTIME;
	plan->columns[plan->scan.rowtime].type.precision = ROWTIME_DIGITS;
	return 0;
}

int plan_table(struct planner *planner, const struct catalog_entry *table, struct plan **ret)
{
	struct plan *plan = plan_new(planner, PLAN_SCAN, NULL);
	size_t count = table->column_count;
	int err = 0;

	if (!plan)
		return diag_nomem(planner->diag);
	plan->columns = arena_array(planner->arena, count + 1, sizeof(*plan->columns));
	plan->column_count = count;
	plan->scan.table = table;
	plan->scan.computed = arena_array(planner->arena, count + 1, sizeof(struct expr *));
	plan->scan.needed = arena_array(planner->arena, count + 1, sizeof(bool));
	if (!plan->columns || !plan->scan.computed || !plan->scan.needed)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++)
		plan->columns[i] = table_column_of(&table->columns[i]);
	for (size_t i = 0; i < count && err == 0; i++)
		if (table->columns[i].kind == COLUMN_COMPUTED)
			err = bind_computed(planner, plan, &table->columns[i], i);
	if (err == 0 && table->has_watermark && !planner->batch)
		err = bind_watermark(planner, plan);
	if (err == 0)
		*ret = plan;
	return err;
}

/* A query inside another one. Two columns of one name are ambiguous to Flink where they are
 * read. */
static int plan_inner(
	struct planner *planner, const struct sql_query *query, size_t names, struct plan **ret)
{
	bool repeats = planner->repeats;
	int err;

	planner->repeats = false;
	err = plan_query(planner, query, ret);
	if (err == 0 && planner->repeats && !names)
		err = refuse(planner, query->pos, "A sub-query with two columns of one name");
	planner->repeats = repeats;
	return err;
}

/* A name of WITH, innermost first; its query sees only the names before it. */
static int plan_with(struct planner *planner, struct text name, struct plan **ret)
{
	const struct with_scope *saved = planner->with;

	for (const struct with_scope *scope = saved; scope; scope = scope->outer)
		for (const struct sql_with *with = scope->names; with != scope->end;
			with = with->next) {
			struct with_scope before = {scope->names, with, scope->outer};
			int err;

			if (!text_eq(with->name, name))
				continue;
			planner->with = &before;
			err = plan_inner(planner, with->query, 0, ret);
			planner->with = saved;
			return err;
		}
	return -ENOENT;
}

/* Gives the columns other names: an alias that lists them. */
static int rename_columns(struct planner *planner, struct plan *plan, const struct text *names,
	size_t count, struct sql_pos pos)
{
	struct plan_column *columns;

	if (!count)
		return 0;
	if (count != plan->column_count)
		return refuse(planner, pos, "A list of names of another length");
	columns = arena_array(planner->arena, count, sizeof(*columns));
	if (!columns)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++) {
		columns[i] = plan->columns[i];
		columns[i].name = names[i];
	}
	plan->columns = columns;
	return 0;
}

/* A view's query sees no name of the query around it. */
int plan_view(struct planner *planner, const struct catalog_entry *view, struct plan **ret)
{
	const struct with_scope *saved = planner->with;
	int err;

	if (!text_eq(view->database, planner->catalog->database))
		return refuse(planner, view->query->pos, "A view of another database");
	planner->with = NULL;
	err = plan_query(planner, view->query, ret);
	planner->with = saved;
	if (err < 0)
		return err;
	return rename_columns(
		planner, *ret, view->view_columns, view->view_column_count, view->query->pos);
}

/* A name that differs in its case alone is offered, with the place where it is; a place that was
 * named is told anyway. Recorded: more_sim/err_table_case. */
static int object_missing(struct planner *planner, struct text database, struct text name)
{
	const struct catalog *catalog = planner->catalog;
	struct text place = database.len ? database : catalog->database;
	const struct catalog_entry *like = catalog->first;
	struct text hint = TEXT("");

	while (like &&
		(like->dropped || !text_eq(like->database, place) || !text_ieq(like->name, name)))
		like = like->next;
	if (!like && !database.len)
		return plan_fault(planner, FAULT_CALCITE "Object '%.*s' not found", TEXT_ARG(name));
	if (like && database.len)
		return refuse(
			planner, planner->fault_pos, "A name with its database in another case");
	if (like)
		hint = text_format(planner->arena, "; did you mean '%.*s'?", TEXT_ARG(like->name));
	if (!hint.ptr)
		return diag_nomem(planner->diag);
	return plan_fault(planner,
		FAULT_CALCITE "Object '%.*s' not found within '" CATALOG ".%.*s'%.*s",
		TEXT_ARG(name), TEXT_ARG(place), TEXT_ARG(hint));
}

static int plan_name(
	struct planner *planner, struct text database, struct text name, struct plan **ret)
{
	const struct catalog_entry *entry;
	int err = database.len ? -ENOENT : plan_with(planner, name, ret);

	if (err != -ENOENT)
		return err;
	entry = catalog_find(planner->catalog, database, name);
	if (!entry)
		return object_missing(planner, database, name);
	return entry->is_view ? plan_view(planner, entry, ret) : plan_table(planner, entry, ret);
}

/* What a window function is applied to: TABLE name or a query. */
static int plan_argument_table(
	struct planner *planner, const struct sql_expr *arg, struct plan **ret)
{
	if (arg->kind == EXPR_TABLE)
		return plan_locate(
			planner, plan_name(planner, arg->qualifier, arg->name, ret), arg->pos);
	if (arg->kind == EXPR_QUERY)
		return plan_query(planner, arg->query, ret);
	if (arg->kind == EXPR_COLUMN && !arg->qualifier.len)
		return plan_locate(planner,
			plan_fault(planner, FAULT_CALCITE "Column '%.*s' not found in any table",
				TEXT_ARG(arg->name)),
			arg->pos);
	return refuse(planner, arg->pos, "A window function over this argument");
}

/* Names let arguments change places, but Flink 2.3 takes the first for the table all the same.
 * Recorded: more_sim/w5_ok_named_other_order. */
static int other_argument_first(struct planner *planner, const struct sql_expr *call)
{
	const struct sql_expr *time = window_argument(call, TEXT("TIMECOL"), 1);
	const struct sql_expr *first = call->args[0];

	if (first->kind != EXPR_INTERVAL || !time || time->kind != EXPR_DESCRIPTOR ||
		time->arg_count != 1)
		return refuse(planner, call->pos, "Such an order of arguments");
	return plan_fault(planner,
		"java.lang.IllegalStateException: Trying to access field %.*s in a type with no "
		"fields: INTERVAL %.*s",
		TEXT_ARG(time->args[0]->name), TEXT_ARG(first->interval.unit));
}

static int plan_function(struct planner *planner, const struct sql_expr *call, struct plan **ret)
{
	const struct sql_expr *table = window_argument(call, TEXT("DATA"), 0);
	int err;

	if (!window_function_known(call->name))
		return refuse(planner, call->pos, "This table function");
	if (!table)
		return refuse(planner, call->pos, "A window function without a table");
	if (table != call->args[0])
		return other_argument_first(planner, call);
	err = plan_argument_table(planner, table, ret);
	return err ? err : plan_window(planner, call, table, ret);
}

static int plan_row(struct planner *planner, struct plan **ret)
{
	*ret = plan_new(planner, PLAN_ROW, NULL);
	return *ret ? 0 : diag_nomem(planner->diag);
}

int plan_from(
	struct planner *planner, const struct sql_rel *rel, struct plan **ret, struct text *alias)
{
	int err;

	if (!rel)
		return plan_row(planner, ret);
	*alias = rel->alias.len ? rel->alias : rel->kind == REL_NAME ? rel->name : TEXT("");
	if (rel->hinted)
		return refuse(planner, rel->pos, "A hint");
	switch (rel->kind) {
	case REL_NAME: err = plan_name(planner, rel->database, rel->name, ret); break;
	case REL_QUERY: err = plan_inner(planner, rel->query, rel->column_count, ret); break;
	case REL_FUNCTION: err = plan_function(planner, rel->call, ret); break;
	case REL_JOIN: return refuse(planner, rel->pos, "A join");
	default: err = plan_values(planner, rel->query, ret); break;
	}
	if (err < 0)
		return plan_locate(planner, err, rel->pos);
	return rename_columns(planner, *ret, rel->columns, rel->column_count, rel->pos);
}

/* Window functions: their arguments, checked as Flink checks them.
 * Recorded: semantics/named_04, semantics/offset_02, semantics/errors_tumble_negative,
 * semantics/errors_cum_not_multiple, semantics/errors_hop_not_multiple,
 * semantics/errors_tumble_no_watermark, semantics/errors_tumble_descr_bigint,
 * semantics/errors_tumble_bad_column, semantics/errors_tumble_month,
 * semantics/errors_tumble_no_size. */
#include "sim/plan_window.h"

#include <errno.h>
#include <inttypes.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

struct window_function {
	struct text name;
	enum window_kind kind;
	struct text step, size; /* names of the arguments; without a step both are the size */
	int arguments;		/* that Flink's error asks for */
	const char *intervals;	/* as Flink's error lists them */
};

static const struct window_function functions[] = {
	{{"TUMBLE", 6}, WINDOW_TUMBLE, {NULL, 0}, {"SIZE", 4}, 3,
		"datetime interval[, datetime interval]"},
	{{"HOP", 3}, WINDOW_HOP, {"SLIDE", 5}, {"SIZE", 4}, 4,
		"datetime interval, datetime interval[, datetime interval]"},
	{{"CUMULATE", 8}, WINDOW_CUMULATE, {"STEP", 4}, {"SIZE", 4}, 4,
		"datetime interval, datetime interval[, datetime interval]"},
	{{"SESSION", 7}, WINDOW_SESSION, {NULL, 0}, {"GAP", 3}, 3, "datetime interval"},
};

static const struct window_function *find_function(struct text name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (text_ieq(functions[i].name, name))
			return &functions[i];
	return NULL;
}

bool window_function_known(struct text name)
{
	return find_function(name) != NULL;
}

const struct sql_expr *window_argument(const struct sql_expr *call, struct text name, size_t place)
{
	for (size_t i = 0; i < call->arg_count; i++)
		if (call->args[i]->arg_name.len ? text_ieq(call->args[i]->arg_name, name)
						: i == place)
			return call->args[i];
	return NULL;
}

/* An interval that is worked out of others? */
static bool is_interval(const struct sql_expr *arg)
{
	if (arg->kind != EXPR_OP)
		return false;
	for (size_t i = 0; i < arg->arg_count; i++)
		if (arg->args[i]->kind == EXPR_INTERVAL || is_interval(arg->args[i]))
			return true;
	return false;
}

/* INTERVAL '1' MINUTE as milliseconds. */
static int interval_argument(struct planner *planner, const struct sql_expr *arg, int64_t *ret_ms)
{
	if (is_interval(arg))
		return plan_fault(
			planner, FAULT_TABLE "Only constant window descriptors are supported.");
	if (arg->kind != EXPR_INTERVAL)
		return refuse(planner, arg->pos, "A window size that is not an interval literal");
	if (arg->type.kind == SQL_INTERVAL_MONTH)
		return plan_fault(planner, FAULT_TABLE
			"Window aggregate only support SECOND, MINUTE, HOUR, DAY as the "
			"time unit. MONTH and YEAR time unit are not supported yet.");
	if (arg->interval.unquoted)
		return plan_fault(
			planner, FAULT_TABLE "Only constant window descriptors are supported.");
	*ret_ms = arg->value.i;
	return 0;
}

static int optional_interval(struct planner *planner, const struct sql_expr *arg, int64_t *ret_ms)
{
	return arg ? interval_argument(planner, arg, ret_ms) : 0;
}

/* The sizes that the window cannot have, in Flink's words. */
static int check_window(
	struct planner *planner, const struct window *window, struct text name, struct sql_pos pos)
{
	bool hop = window->kind == WINDOW_HOP;
	int64_t size = window->size_ms, step = window->step_ms, offset = window->offset_ms;

	if (window->kind == WINDOW_TUMBLE && size <= 0)
		return plan_fault(planner,
			FAULT_VALIDATION "%.*s table function based aggregate requires size to be "
					 "positive, but got %" PRId64 " ms.",
			TEXT_ARG(name), size);
	if (window->kind == WINDOW_SESSION && size <= 0)
		return plan_fault(planner,
			FAULT_VALIDATION "%.*s table function based aggregate requires gap to be "
					 "positive, but got gap %" PRId64 " ms.",
			TEXT_ARG(name), size);
	if (size <= 0 || step <= 0)
		return plan_fault(planner,
			FAULT_VALIDATION
			"%.*s table function based aggregate requires %s and %s to "
			"be positive, but got %s %" PRId64 " ms and %s %" PRId64 " ms.",
			TEXT_ARG(name), hop ? "slide" : "maxSize", hop ? "size" : "step",
			hop ? "slide" : "maxSize", hop ? step : size, hop ? "size" : "step",
			hop ? size : step);
	if (size / step > LIMIT_WINDOW_SLICES)
		return refuse(planner, pos, "A window of so many slices");
	if (window->kind == WINDOW_TUMBLE && (offset >= size || -offset >= size))
		return plan_fault(planner,
			FAULT_VALIDATION
			"%.*s table function parameters must satisfy abs(offset) < "
			"size, but got size %" PRId64 " ms and offset %" PRId64 " ms.",
			TEXT_ARG(name), size, offset);
	if (window->kind == WINDOW_CUMULATE && size % step)
		return plan_fault(planner,
			FAULT_VALIDATION
			"%.*s table function based aggregate requires maxSize must be an "
			"integral multiple of step, but got maxSize %" PRId64
			" ms and step %" PRId64 " ms.",
			TEXT_ARG(name), size, step);
	if (window->kind == WINDOW_SESSION && planner->batch)
		return plan_fault(planner, FAULT_TABLE
			"Unaligned windows like session are not supported in batch mode yet.");
	return 0;
}

int plan_check_sliced(struct planner *planner, const struct window *window)
{
	if (window->kind == WINDOW_HOP && window->step_ms && window->size_ms % window->step_ms)
		return plan_fault(planner,
			FAULT_TABLE "HOP table function based aggregate requires size must be an "
				    "integral multiple of slide, but got size %" PRId64
				    " ms and slide %" PRId64 " ms",
			window->size_ms, window->step_ms);
	return 0;
}

/* The intervals of a call; the first stands at `place`. */
static int window_sizes(struct planner *planner, const struct sql_expr *call,
	const struct window_function *function, size_t place, struct window *ret)
{
	const struct sql_expr *step = NULL, *size;
	struct window window = {.kind = function->kind, .size_ms = 1, .step_ms = 1};
	int err;

	if (function->step.len)
		step = window_argument(call, function->step, place++);
	size = window_argument(call, function->size, place++);
	if (!size || (function->step.len && !step) ||
		call->arg_count > place + (size_t)(function->kind != WINDOW_SESSION))
		return plan_fault(planner,
			FAULT_CALCITE
			"Invalid number of arguments to function '%.*s'. Was expecting "
			"%d arguments",
			TEXT_ARG(function->name), function->arguments);
	err = interval_argument(planner, size, &window.size_ms);
	window.step_ms = window.size_ms;
	if (err == 0)
		err = optional_interval(planner, step, &window.step_ms);
	if (err == 0 && function->kind != WINDOW_SESSION)
		err = optional_interval(
			planner, window_argument(call, TEXT("OFFSET"), place), &window.offset_ms);
	if (err == 0)
		err = check_window(planner, &window, function->name, call->pos);
	*ret = window;
	return err;
}

/* A type as the window functions name it. */
static struct text column_summary(struct arena *arena, const struct sql_type *type)
{
	int precision = (int)type->precision;

	if (type->kind == SQL_VARCHAR)
		return text_format(arena, "VARCHAR(%d)", precision);
	if (type->kind == SQL_TIMESTAMP_LTZ)
		return text_format(arena, "TIMESTAMP_WITH_LOCAL_TIME_ZONE(%d)", precision);
	if (type->kind == SQL_INT)
		return TEXT("INTEGER");
	if (type->kind == SQL_VARBINARY)
		return text_format(arena, "VARBINARY(%d)", precision);
	return sql_type_print(arena, type);
}

/* The column of DESCRIPTOR(ts), which must be a time (attribute). */
static int time_column(struct planner *planner, const struct sql_expr *call,
	const struct window_function *function, const struct plan *plan, size_t *ret)
{
	const struct sql_expr *arg = window_argument(call, TEXT("TIMECOL"), 1);
	const struct sql_type *type;
	struct text summary;
	size_t i = 0;

	if (arg && arg->kind == EXPR_COLUMN && !arg->qualifier.len)
		return plan_fault(planner, FAULT_CALCITE "Column '%.*s' not found in any table",
			TEXT_ARG(arg->name));
	if (!arg || arg->kind != EXPR_DESCRIPTOR || arg->arg_count != 1 ||
		arg->args[0]->kind != EXPR_COLUMN)
		return refuse(planner, call->pos, "A window function without DESCRIPTOR(column)");
	while (i < plan->column_count && !text_eq(plan->columns[i].name, arg->args[0]->name))
		i++;
	if (i == plan->column_count)
		return plan_fault(planner, FAULT_CALCITE "Unknown identifier '%.*s'",
			TEXT_ARG(arg->args[0]->name));
	type = &plan->columns[i].type;
	if (type->kind == SQL_OTHER || type->attribute == TIME_PROCTIME)
		return refuse(planner, arg->pos, "A window over this column");
	summary = column_summary(planner->arena, type);
	if (!summary.ptr)
		return diag_nomem(planner->diag);
	if (!type_is_time(type))
		return plan_fault(planner,
			FAULT_VALIDATION
			"The window function %.*s(TABLE table_name, "
			"DESCRIPTOR(timecol), %s) requires the timecol to be TIMESTAMP or "
			"TIMESTAMP_LTZ, but is %.*s.\nBesides, the timecol must be a time "
			"attribute type in streaming mode.",
			TEXT_ARG(function->name), function->intervals, TEXT_ARG(summary));
	*ret = i;
	if (planner->batch || type->attribute == TIME_ROWTIME)
		return 0;
	return plan_defer(planner,
		plan_locate(planner,
			plan_fault(planner,
				FAULT_VALIDATION
				"The window function requires the timecol is a time attribute "
				"type, but is %.*s.",
				TEXT_ARG(summary)),
			call->pos));
}

/* PARTITION BY behind the table of SESSION. */
static int session_keys(struct planner *planner, const struct sql_expr *table, struct plan *plan)
{
	struct binder binder = {.planner = planner,
		.columns = plan->input->columns,
		.column_count = plan->input->column_count};
	int err = 0;

	plan->tvf.keys =
		arena_array(planner->arena, table->partition_count + 1, sizeof(*plan->tvf.keys));
	if (!plan->tvf.keys)
		return diag_nomem(planner->diag);
	plan->tvf.key_count = table->partition_count;
	for (size_t i = 0; i < table->partition_count && err == 0; i++)
		err = table->partition[i]->kind == EXPR_COLUMN
			      ? bind_column(&binder, table->partition[i], &plan->tvf.keys[i])
			      : refuse(planner, table->pos, "PARTITION BY an expression");
	return err;
}

/* The input's columns and window_start, window_end, window_time. */
static int add_window_columns(struct planner *planner, struct plan *plan)
{
	static const struct text names[] = {
		{"window_start", 12}, {"window_end", 10}, {"window_time", 11}};
	size_t count = plan->input->column_count;
	struct plan_column *columns = arena_array(planner->arena, count + 3, sizeof(*columns));

	if (!columns)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < count; i++) {
		columns[i] = plan->input->columns[i];
		columns[i].role = ROLE_NONE;
	}
	for (size_t i = 0; i < 3; i++)
		columns[count + i] = (struct plan_column){.name = names[i],
			.type = {.kind = SQL_TIMESTAMP, .precision = 3, .not_null = true},
			.role = ROLE_WINDOW_START + (int)i};
	columns[count + 2].type.kind = plan->input->columns[plan->tvf.time].type.kind;
	columns[count + 2].type.precision = plan->input->columns[plan->tvf.time].type.precision;
	columns[count + 2].type.attribute = planner->batch ? TIME_NONE : TIME_ROWTIME;
	plan->columns = columns;
	plan->column_count = count + 3;
	return 0;
}

int plan_window(struct planner *planner, const struct sql_expr *call, const struct sql_expr *table,
	struct plan **plan)
{
	const struct window_function *function = find_function(call->name);
	struct plan *tvf;
	int err;

	if (planner->batch && !plan_source(*plan))
		return refuse(planner, call->pos, "A window function over VALUES");
	tvf = plan_new(planner, PLAN_WINDOW, *plan);
	if (!tvf)
		return diag_nomem(planner->diag);
	tvf->tvf = (struct plan_window){0};
	err = time_column(planner, call, function, *plan, &tvf->tvf.time);
	if (err == 0 && ((*plan)->updates || plan_is_silent(*plan)))
		err = refuse(planner, call->pos, "A window function over a changelog");
	if (err == 0)
		err = plan_defer(
			planner, window_sizes(planner, call, function, 2, &tvf->tvf.window));
	if (err == 0 && table->partition_count && function->kind != WINDOW_SESSION)
		err = refuse(planner, table->pos, "PARTITION BY in this window function");
	if (err == 0)
		err = session_keys(planner, table, tvf);
	if (err == 0 && (*plan)->columns[tvf->tvf.time].type.kind == SQL_TIMESTAMP_LTZ)
		tvf->tvf.window.zone = planner->zone;
	if (err == 0)
		err = add_window_columns(planner, tvf);
	if (err < 0)
		return err;
	tvf->window = function->kind == WINDOW_SESSION ? NULL : &tvf->tvf.window;
	*plan = tvf;
	return 0;
}

/* Recorded: more_sim/legacy_session_batch. */
static int batch_session(struct planner *planner, const struct sql_expr *call, struct text time)
{
	int64_t gap_ms = 0;
	int err = call->arg_count == 2 ? interval_argument(planner, call->args[1], &gap_ms)
				       : refuse(planner, call->pos, "This legacy window");

	if (err < 0)
		return err;
	return plan_fault(planner,
		FAULT_TABLE "Window SessionGroupWindow('w$, %.*s, %" PRId64
			    ") is not supported right now.",
		TEXT_ARG(time), gap_ms);
}

int plan_legacy_window(
	struct planner *planner, const struct sql_expr *call, struct text time, struct window *ret)
{
	const struct window_function *function = find_function(call->name);

	if (!function || function->kind == WINDOW_CUMULATE)
		return refuse(planner, call->pos, "This legacy window");
	if (call->arg_count > 1 && call->args[1]->kind == EXPR_INTERVAL &&
		call->args[1]->value.i <= 0)
		return refuse(planner, call->pos, "A legacy window of no or negative size");
	if (function->kind == WINDOW_SESSION && planner->batch)
		return plan_defer(planner, batch_session(planner, call, time));
	return window_sizes(planner, call, function, 1, ret);
}

/* Binder: scalar functions, by a table of their names.
 * Recorded: more_sim/late_ok_if, more_sim/late_ok_ifnull, more_sim/w5_nullif,
 * more_sim/late_ok_greatest, more_sim/batch_string_start, watermark/mistakes/filtered_ok_coalesce,
 * watermark/more/w5_ok_computed_ts, more_sim/late_ok_unix. */
#include "sim/bind.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"
#include "sim/function.h"

static struct expr *null_constant(struct arena *arena)
{
	static const struct sql_type type = {.kind = SQL_NULL};

	return expr_constant(arena, &type, &(struct value){.null = true});
}

static int illegal_null(const struct call_args *call)
{
	return plan_fault(call->binder->planner, FAULT_CALCITE "Illegal use of 'NULL'");
}

static bool mixes_text_and_time(const struct call_args *call)
{
	bool text = false, time = false;

	for (size_t i = 0; i < call->count; i++) {
		enum sql_kind kind = call->args[i]->type.kind;

		text |= kind == SQL_CHAR || kind == SQL_VARCHAR;
		time |= kind == SQL_TIMESTAMP;
	}
	return text && time;
}

static int bind_coalesce(struct call_args *call, struct expr **ret)
{
	size_t nulls = 0;

	for (size_t i = 0; i < call->count; i++)
		nulls += call->args[i]->type.kind == SQL_NULL;
	if (nulls == call->count || (nulls && mixes_text_and_time(call)))
		return illegal_null(call);
	if (mixes_text_and_time(call))
		return plan_fault(
			call->binder->planner, FAULT_VALIDATION "Invalid input arguments.");
	return expr_coalesce(call->arena, call->args, call->count, ret);
}

static int bind_proctime(struct call_args *call, struct expr **ret)
{
	*ret = expr_proctime(call->arena);
	return *ret ? 0 : -ENOMEM;
}

/* Times of different digits, FLOAT and DOUBLE: the first one counts, whatever that makes of the
 * other. */
static bool mixes_digits(const struct sql_type *a, const struct sql_type *b)
{
	return (type_is_time(a) && a->precision != b->precision) ||
	       (a->kind != b->kind && (a->kind == SQL_FLOAT || b->kind == SQL_FLOAT));
}

static int bind_if(struct call_args *call, struct expr **ret)
{
	int err;

	if (call->args[1]->type.kind == SQL_NULL || call->args[2]->type.kind == SQL_NULL)
		return illegal_null(call);
	if (call->args[0]->type.kind != SQL_BOOLEAN ||
		mixes_digits(&call->args[1]->type, &call->args[2]->type))
		return -ENOTSUP;
	err = expr_case(call->arena, call->args, call->count, ret);
	if (err == 0)
		(*ret)->type.not_null &= call->args[0]->type.not_null;
	return err;
}

/* Where the first is never NULL nothing but that is left. */
static int bind_ifnull(struct call_args *call, struct expr **ret)
{
	if (call->args[0]->type.not_null) {
		*ret = call->args[0];
		return 0;
	}
	return bind_coalesce(call, ret);
}

/* CASE WHEN a = b THEN NULL ELSE a END */
static int bind_nullif(struct call_args *call, struct expr **ret)
{
	struct planner *planner = call->binder->planner;
	struct expr **args = arena_array(call->arena, 3, sizeof(struct expr *));
	int err = args ? bind_op(call->binder, SQL_OP_EQ, call->args[0], call->args[1], &args[0])
		       : -ENOMEM;

	if (err < 0)
		return err;
	if (call->args[0]->type.kind == SQL_NULL)
		return plan_fault(planner,
			FAULT_CALCITE "ELSE clause or at least one THEN clause must be non-NULL");
	args[1] = null_constant(call->arena);
	args[2] = call->args[0];
	return args[1] ? expr_case(call->arena, args, 3, ret) : -ENOMEM;
}

/* Bare NULLs, and DECIMALs beside other types, make Flink's generated code fail. */
static bool extreme_fails(const struct call_args *call)
{
	const struct sql_type *first = &call->args[0]->type;
	bool decimal = false, mixed = false;

	for (size_t i = 0; i < call->count; i++) {
		const struct sql_type *type = &call->args[i]->type;

		if (type->kind == SQL_NULL)
			return true;
		decimal |= type->kind == SQL_DECIMAL;
		mixed |= type->kind != first->kind || type->precision != first->precision ||
			 type->scale != first->scale;
	}
	return decimal && mixed;
}

static int bind_greatest(struct call_args *call, struct expr **ret)
{
	if (extreme_fails(call) || mixes_text_and_time(call))
		return -ENOTSUP;
	return expr_extreme(call->arena, SQL_OP_GT, call->args, call->count, ret);
}

static int bind_least(struct call_args *call, struct expr **ret)
{
	if (extreme_fails(call) || mixes_text_and_time(call))
		return -ENOTSUP;
	return expr_extreme(call->arena, SQL_OP_LT, call->args, call->count, ret);
}

static int bind_concat(struct call_args *call, struct expr **ret)
{
	return expr_concat(call->arena, call->args, call->count, ret);
}

static int bind_to_timestamp_ltz(struct call_args *call, struct expr **ret)
{
	return expr_epoch(call->arena, call->args, ret);
}

/* Counts from 1970 in the session's zone. */
static int bind_unix_timestamp(struct call_args *call, struct expr **ret)
{
	if (call->binder->planner->zone)
		return -ENOTSUP;
	return expr_unix_timestamp(call->arena, call->args, ret);
}

static int bind_concat_ws(struct call_args *call, struct expr **ret)
{
	return expr_concat_ws(call->arena, call->args, call->count, ret);
}

const struct function other_functions[] = {
	{"COALESCE", ".*", 0, 0, NULL, bind_coalesce, NULL},
	{"CONCAT", "t*", 0, 0, NULL, bind_concat, "<CHARACTER>"},
	{"CONCAT_WS", "t*", 0, 0, NULL, bind_concat_ws, NULL},
	{"GREATEST", ".*", 0, 0, NULL, bind_greatest, NULL},
	{"IF", "...", 0, 0, NULL, bind_if, NULL},
	{"IFNULL", "..", 0, 0, NULL, bind_ifnull, NULL},
	{"LEAST", ".*", 0, 0, NULL, bind_least, NULL},
	{"NULLIF", "..", 0, 0, NULL, bind_nullif, NULL},
	{"PROCTIME", "", 0, 0, NULL, bind_proctime, NULL},
	{"TO_TIMESTAMP_LTZ", "..", 0, 0, NULL, bind_to_timestamp_ltz, NULL},
	{"UNIX_TIMESTAMP", "t", 0, 0, NULL, bind_unix_timestamp, NULL},
	{0},
};

static bool has_kind(const struct call_args *call, enum sql_kind kind)
{
	for (size_t i = 0; i < call->count; i++)
		if (call->args[i]->type.kind == kind)
			return true;
	return false;
}

/* The forms that Flink names, one a line: 'F(<A>, <B>)'. */
static struct text supported_forms(struct arena *arena, const struct function *function)
{
	struct text rest = text_of(function->forms), list = TEXT("");

	for (size_t end = 0; rest.len; rest = text_slice(rest, end + 1, rest.len)) {
		end = text_find(rest, TEXT("|"));
		list = text_format(arena, "%.*s%s'%s(%.*s)'", TEXT_ARG(list), list.len ? "\n" : "",
			function->name, TEXT_ARG(text_slice(rest, 0, end)));
		if (!list.ptr)
			return list;
	}
	return list;
}

static int wrong_types(
	const struct binder *binder, const struct function *function, const struct call_args *call)
{
	struct text forms, list = TEXT("");

	/* A BIGINT for an INTEGER passes the validator and fails in generated code. */
	if (!function->forms || has_kind(call, SQL_BIGINT))
		return -ENOTSUP;
	if (has_kind(call, SQL_NULL))
		return plan_fault(binder->planner, FAULT_CALCITE "Illegal use of 'NULL'");
	for (size_t i = 0; i < call->count && list.ptr; i++) {
		struct text type = type_in_signature(call->arena, &call->args[i]->type);

		if (!type.len)
			return type.ptr ? -ENOTSUP : -ENOMEM;
		list = text_format(
			call->arena, "%.*s%s<%.*s>", TEXT_ARG(list), i ? ", " : "", TEXT_ARG(type));
	}
	forms = supported_forms(call->arena, function);
	if (!list.ptr || !forms.ptr)
		return -ENOMEM;
	return plan_fault(binder->planner,
		FAULT_CALCITE "Cannot apply '%s' to arguments of type '%s(%.*s)'. Supported "
			      "form(s): %.*s",
		function->name, function->name, TEXT_ARG(list), TEXT_ARG(forms));
}

static int wrong_count(
	const struct binder *binder, const struct function *function, size_t least, size_t most)
{
	if ((least != most && most != SIZE_MAX) || (function->bind && !function->forms))
		return -ENOTSUP;
	return plan_fault(binder->planner,
		FAULT_CALCITE "Invalid number of arguments to function '%s'. Was expecting %zu "
			      "arguments",
		function->name, least);
}

int bind_scalar(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct call_args call = {binder, binder->planner->arena, NULL, ast->arg_count};
	const struct function *function = function_find(ast->name);
	struct text what = text_format(call.arena, "%s%.*s%s", function ? "" : "The function ",
		TEXT_ARG(ast->name), function ? " for these arguments" : "");
	size_t least, most;
	int err;

	if (!what.ptr)
		return diag_nomem(binder->planner->diag);
	if (!function || ast->star || ast->distinct)
		return refuse(binder->planner, ast->pos, what.ptr);
	err = bind_arguments(binder, ast, &call.args);
	if (err == 0 && function->takes[0] == 'T' && call.count)
		err = bind_local(binder, call.args[0], &call.args[0]);
	if (err < 0)
		return err;
	function_arity(function, &least, &most);
	if (ast->arg_count < least || ast->arg_count > most)
		err = wrong_count(binder, function, least, most);
	else if (!function_takes(function, &call))
		err = wrong_types(binder, function, &call);
	else
		err = function_make(function, &call, ret);
	return bind_typed(binder, ast, err, what.ptr);
}

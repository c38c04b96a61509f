/* Binder: scalar functions, by a table of their names.
 * Recorded: more_sim/late_ok_if, more_sim/late_ok_ifnull, more_sim/w5_nullif,
 * more_sim/late_ok_greatest, more_sim/batch_string_start, watermark/mistakes/filtered_ok_coalesce,
 * watermark/more/w5_ok_computed_ts, more_sim/late_ok_unix. */
#include "sim/bind.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

/* Bound arguments of a call. */
struct call_args {
	const struct binder *binder;
	struct arena *arena;
	struct expr **args;
	size_t count;
};

static struct expr *null_constant(struct arena *arena)
{
	static const struct sql_type type = {.kind = SQL_NULL};

	return expr_constant(arena, &type, &(struct value){.null = true});
}

static int bind_coalesce(struct call_args *call, struct expr **ret)
{
	return expr_coalesce(call->arena, call->args, call->count, ret);
}

static int bind_proctime(struct call_args *call, struct expr **ret)
{
	*ret = expr_proctime(call->arena);
	return *ret ? 0 : -ENOMEM;
}

static int bind_if(struct call_args *call, struct expr **ret)
{
	return expr_case(call->arena, call->args, call->count, ret);
}

/* CASE WHEN a = b THEN NULL ELSE a END */
static int bind_nullif(struct call_args *call, struct expr **ret)
{
	struct expr **args = arena_array(call->arena, 3, sizeof(struct expr *));
	int err = args ? bind_op(call->binder, SQL_OP_EQ, call->args[0], call->args[1], &args[0])
		       : -ENOMEM;

	if (err < 0)
		return err;
	args[1] = null_constant(call->arena);
	args[2] = call->args[0];
	return args[1] ? expr_case(call->arena, args, 3, ret) : -ENOMEM;
}

static int bind_greatest(struct call_args *call, struct expr **ret)
{
	return expr_extreme(call->arena, SQL_OP_GT, call->args, call->count, ret);
}

static int bind_least(struct call_args *call, struct expr **ret)
{
	return expr_extreme(call->arena, SQL_OP_LT, call->args, call->count, ret);
}

static int bind_concat(struct call_args *call, struct expr **ret)
{
	return expr_concat(call->arena, call->args, call->count, ret);
}

static int bind_upper(struct call_args *call, struct expr **ret)
{
	return expr_letters(call->arena, call->args, true, ret);
}

static int bind_lower(struct call_args *call, struct expr **ret)
{
	return expr_letters(call->arena, call->args, false, ret);
}

static int bind_char_length(struct call_args *call, struct expr **ret)
{
	return expr_char_length(call->arena, call->args, ret);
}

static int bind_substring(struct call_args *call, struct expr **ret)
{
	return expr_substring(call->arena, call->args, call->count, ret);
}

static int bind_chr(struct call_args *call, struct expr **ret)
{
	return expr_chr(call->arena, call->args, ret);
}

static int bind_date_format(struct call_args *call, struct expr **ret)
{
	return expr_date_format(call->arena, call->args, ret);
}

static int bind_to_timestamp(struct call_args *call, struct expr **ret)
{
	return expr_parse_time(call->arena, call->args, false, ret);
}

/* Counts from 1970 in the session's zone. */
static int bind_unix_timestamp(struct call_args *call, struct expr **ret)
{
	if (!options_utc(call->binder->planner->options))
		return -ENOTSUP;
	return expr_parse_time(call->arena, call->args, true, ret);
}

struct scalar {
	const char *name;
	size_t least, most; /* arguments */
	int (*bind)(struct call_args *call, struct expr **ret);
};

static const struct scalar scalars[] = {
	{"CHAR_LENGTH", 1, 1, bind_char_length},
	{"CHR", 1, 1, bind_chr},
	{"COALESCE", 1, SIZE_MAX, bind_coalesce},
	{"CONCAT", 1, SIZE_MAX, bind_concat},
	{"DATE_FORMAT", 2, 2, bind_date_format},
	{"GREATEST", 1, SIZE_MAX, bind_greatest},
	{"IF", 3, 3, bind_if},
	{"IFNULL", 2, 2, bind_coalesce},
	{"LEAST", 1, SIZE_MAX, bind_least},
	{"LOWER", 1, 1, bind_lower},
	{"NULLIF", 2, 2, bind_nullif},
	{"PROCTIME", 0, 0, bind_proctime},
	{"SUBSTRING", 2, 3, bind_substring},
	{"TO_TIMESTAMP", 1, 1, bind_to_timestamp},
	{"UNIX_TIMESTAMP", 1, 1, bind_unix_timestamp},
	{"UPPER", 1, 1, bind_upper},
};

int bind_scalar(const struct binder *binder, const struct sql_expr *ast, struct expr **ret)
{
	struct call_args call = {binder, binder->planner->arena, NULL, ast->arg_count};
	const struct scalar *scalar = NULL;
	struct text what = text_format(call.arena, "The function %.*s", TEXT_ARG(ast->name));
	int err;

	if (!what.ptr)
		return diag_nomem(binder->planner->diag);
	for (size_t i = 0; i < sizeof(scalars) / sizeof(*scalars); i++)
		if (text_eq(ast->name, text_of(scalars[i].name)))
			scalar = &scalars[i];
	if (!scalar || ast->arg_count < scalar->least || ast->arg_count > scalar->most ||
		ast->star || ast->distinct)
		return refuse(binder->planner, ast->pos, what.ptr);
	err = bind_arguments(binder, ast, &call.args);
	if (err < 0)
		return err;
	what = text_format(call.arena, "%.*s for these arguments", TEXT_ARG(ast->name));
	if (!what.ptr)
		return diag_nomem(binder->planner->diag);
	return bind_typed(binder, ast, scalar->bind(&call, ret), what.ptr);
}

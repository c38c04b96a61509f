/* Functions: found by name, their arguments checked and evaluated. A NULL argument makes the result
 * NULL, whatever the function. */
#include "sim/function.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "sim/key.h"
#include "sim/letters.h"

const struct function *function_find(struct text name)
{
	const struct function *const tables[] = {text_functions, search_functions, number_functions,
		time_functions, other_functions};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct function *function = tables[i]; function->name; function++)
			if (text_eq(name, text_of(function->name)))
				return function;
	return NULL;
}

void function_arity(const struct function *function, size_t *least, size_t *most)
{
	const char *optional = strchr(function->takes, '?');
	size_t letters = strcspn(function->takes, "*");

	*least = optional ? (size_t)(optional - function->takes) : letters;
	*most = function->takes[letters] ? SIZE_MAX : letters - (optional != NULL);
}

static bool argument_fits(char letter, const struct expr *arg)
{
	const struct sql_type *type = &arg->type;

	switch (letter) {
	case 't': return type_is_text(type);
	case 'c': return type_is_text(type) && arg->is_constant && !arg->constant.null;
	case 'i': return type_is_integer(type) && type->kind != SQL_BIGINT;
	case 'l': return type_is_integer(type);
	case 'n': return type_is_number(type);
	case 'T': return type->kind == SQL_TIMESTAMP;
	default: return true;
	}
}

bool function_takes(const struct function *function, const struct call_args *call)
{
	const char *letter = function->takes;

	for (size_t i = 0; i < call->count; i++) {
		if (*letter == '?')
			letter++;
		if (!argument_fits(*letter, call->args[i]))
			return false;
		if (letter[1] != '*')
			letter++;
	}
	return true;
}

static void eval_function(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct call call = {.expr = expr, .eval = eval, .count = expr->arg_count};

	for (size_t i = 0; i < call.count; i++) {
		expr_arg(expr, i, eval, &call.args[i]);
		if (call.args[i].null) {
			*ret = call.args[i];
			return;
		}
	}
	*ret = (struct value){0};
	expr->function->apply(&call, ret);
	/* Flink stumbles over a NULL where it has promised none. */
	eval->beyond |= ret->null && expr->type.not_null;
}

/* Of a function that takes a text first, in what depends on that. */
static struct sql_type result_type(const struct function *function, const struct call_args *call)
{
	static const struct sql_type types[] = {
		[RESULT_STRING] = {.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH},
		[RESULT_INT] = {.kind = SQL_INT},
		[RESULT_BIGINT] = {.kind = SQL_BIGINT},
		[RESULT_BOOLEAN] = {.kind = SQL_BOOLEAN},
		[RESULT_DOUBLE] = {.kind = SQL_DOUBLE},
		[RESULT_DATE] = {.kind = SQL_DATE},
		[RESULT_TIMESTAMP] = {.kind = SQL_TIMESTAMP, .precision = 3},
	};
	struct sql_type type;

	if (types[function->result].kind)
		return types[function->result];
	type = call->args[0]->type;
	type.attribute = TIME_NONE;
	if (function->result != RESULT_FIRST)
		type.kind = SQL_VARCHAR;
	if (function->result == RESULT_JOINED)
		type.precision = length_sum(type.precision, call->args[1]->type.precision);
	return type;
}

int function_make(const struct function *function, struct call_args *call, struct expr **ret)
{
	struct sql_type type;
	struct expr *expr;

	if (function->bind)
		return function->bind(call, ret);
	type = result_type(function, call);
	expr = expr_node(call->arena, eval_function, &type, call->args, call->count);
	if (!expr)
		return -ENOMEM;
	if (function->null == NULL_ALWAYS)
		expr->type.not_null = false;
	else if (!call->count)
		expr->type.not_null = true;
	expr->function = function;
	expr->scratch = ARENA_NEW(call->arena, struct scratch);
	if (!expr->scratch)
		return -ENOMEM;
	expr->scratch->arena = call->arena;
	*ret = expr;
	return 0;
}

struct scratch *call_begin(const struct call *call)
{
	call->expr->scratch->len = 0;
	return call->expr->scratch;
}

void call_append(const struct call *call, struct text text)
{
	call->eval->beyond |= !scratch_append(call->expr->scratch, text);
}

void call_end(const struct call *call, struct value *ret)
{
	ret->s = scratch_text(call->expr->scratch);
}

void call_plain(const struct call *call, struct text text)
{
	call->eval->beyond |= has_surrogates(text);
}

/* Expressions that join texts, and UNIX_TIMESTAMP of one.
 * Recorded: format/pipe_newline_stream, more_sim/late_ok_unix, more_sim/scalar_text. */
#include "sim/expr.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/csv_quick.h"
#include "sim/key.h"
#include "sim/scratch.h"

static const struct sql_type string = {.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH};

static int text_node(struct arena *arena,
	void (*eval)(const struct expr *, struct eval *, struct value *), struct expr **args,
	size_t count, struct expr **ret)
{
	struct scratch *scratch = ARENA_NEW(arena, struct scratch);
	struct expr *expr = expr_node(arena, eval, &string, args, count);

	if (!scratch || !expr)
		return -ENOMEM;
	scratch->arena = arena;
	expr->scratch = scratch;
	*ret = expr;
	return 0;
}

static bool is_ascii(struct text text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] >= 0x80)
			return false;
	return true;
}

static bool all_texts(struct expr *const *args, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!type_is_text(&args[i]->type))
			return false;
	return true;
}

/* Argument n as a text of ASCII. False: NULL, and *ret is; or it is not simulated. */
static bool ascii_arg(
	const struct expr *expr, size_t n, struct eval *eval, struct value *ret, struct text *text)
{
	expr_arg(expr, n, eval, ret);
	if (ret->null)
		return false;
	eval->beyond |= !is_ascii(ret->s);
	*text = ret->s;
	return !eval->beyond;
}

static void eval_concat(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr->scratch->len = 0;
	for (size_t i = 0; i < expr->arg_count; i++) {
		expr_arg(expr, i, eval, ret);
		if (ret->null)
			return;
		eval->beyond |= !scratch_append(expr->scratch, ret->s);
	}
	*ret = (struct value){.s = scratch_text(expr->scratch)};
}

int expr_concat(struct arena *arena, struct expr **args, size_t count, struct expr **ret)
{
	return all_texts(args, count) ? text_node(arena, eval_concat, args, count, ret) : -ENOTSUP;
}

int expr_join(struct arena *arena, struct expr **args, struct expr **ret)
{
	int err = expr_concat(arena, args, 2, ret);
	bool fixed = args[0]->type.kind == SQL_CHAR && args[1]->type.kind == SQL_CHAR;

	if (err < 0)
		return err;
	(*ret)->type.kind = fixed ? SQL_CHAR : SQL_VARCHAR;
	(*ret)->type.precision = length_sum(args[0]->type.precision, args[1]->type.precision);
	return 0;
}

/* NULLs are left out, but for the separator. */
static void eval_concat_ws(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value separator;
	bool any = false;

	expr_arg(expr, 0, eval, &separator);
	expr->scratch->len = 0;
	for (size_t i = 1; i < expr->arg_count && !separator.null; i++) {
		expr_arg(expr, i, eval, ret);
		if (ret->null)
			continue;
		if (any)
			eval->beyond |= !scratch_append(expr->scratch, separator.s);
		eval->beyond |= !scratch_append(expr->scratch, ret->s);
		any = true;
	}
	*ret = (struct value){.null = separator.null, .s = scratch_text(expr->scratch)};
}

int expr_concat_ws(struct arena *arena, struct expr **args, size_t count, struct expr **ret)
{
	return all_texts(args, count) ? text_node(arena, eval_concat_ws, args, count, ret)
				      : -ENOTSUP;
}

/* "yyyy-MM-dd HH:mm:ss", and perhaps zeros behind a point. */
static void eval_unix_timestamp(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct csv_day day = {0};
	struct text text;
	int64_t time_ms;

	if (!ascii_arg(expr, 0, eval, ret, &text))
		return;
	if (text_ends(text, TEXT(".000")))
		text = text_slice(text, 0, text.len - 4);
	eval->beyond |= !csv_quick_timestamp(text, &day, &time_ms);
	if (!eval->beyond)
		*ret = (struct value){.i = time_ms / MS_PER_SECOND};
}

int expr_unix_timestamp(struct arena *arena, struct expr **args, struct expr **ret)
{
	static const struct sql_type bigint = {.kind = SQL_BIGINT};

	if (!all_texts(args, 1))
		return -ENOTSUP;
	*ret = expr_node(arena, eval_unix_timestamp, &bigint, args, 1);
	return *ret ? 0 : -ENOMEM;
}

/* Expressions that make texts. A text lies in memory of its node until the node is evaluated again.
 * Letters and lengths are those of ASCII: other characters leave what is simulated.
 * CAST to STRING prints as the client prints, which casts likewise.
 * Recorded: more_sim/late_string_cmp, more_sim/late_wm_cast_string, more_sim/batch_string_start
 * (DATE_FORMAT), format/pipe_newline_stream (CONCAT, CHR). */
#include "sim/expr.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/csv_time.h"
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

/* The parts of a time, by the letters that stand for them, in the order of value_text(). */
static const struct {
	struct text letters;
	size_t at, len; /* in "2026-07-06 09:00:00.000" */
} time_parts[] = {{{"yyyy", 4}, 0, 4}, {{"MM", 2}, 5, 2}, {{"dd", 2}, 8, 2}, {{"HH", 2}, 11, 2},
	{{"mm", 2}, 14, 2}, {{"ss", 2}, 17, 2}, {{"SSS", 3}, 20, 3}};

#define TIME_PARTS (sizeof(time_parts) / sizeof(*time_parts))

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The run of one letter that the pattern begins with. */
static struct text letter_run(struct text pattern)
{
	size_t len = 1;

	while (len < pattern.len && pattern.ptr[len] == pattern.ptr[0])
		len++;
	return text_slice(pattern, 0, len);
}

/* Index of the part that these letters stand for, or TIME_PARTS. */
static size_t find_part(struct text letters)
{
	size_t i = 0;

	while (i < TIME_PARTS && !text_eq(letters, time_parts[i].letters))
		i++;
	return i;
}

static bool pattern_known(struct text pattern)
{
	while (pattern.len) {
		struct text run = letter_run(pattern);

		if (is_letter(run.ptr[0]) ? find_part(run) == TIME_PARTS
					  : text_find(TEXT(" -:./,T_"), text_slice(run, 0, 1)) == 8)
			return false;
		pattern = text_slice(pattern, run.len, pattern.len);
	}
	return true;
}

static void eval_date_format(const struct expr *expr, struct eval *eval, struct value *ret)
{
	static const struct sql_type millis = {.kind = SQL_TIMESTAMP, .precision = 3};
	struct text pattern, printed;
	struct value time;
	char buf[VALUE_TEXT];

	expr_arg(expr, 0, eval, &time);
	expr_arg(expr, 1, eval, ret);
	ret->null |= time.null;
	if (ret->null)
		return;
	pattern = ret->s;
	printed = value_text(&millis, &time, buf);
	expr->scratch->len = 0;
	while (pattern.len) {
		struct text run = letter_run(pattern);
		size_t part = find_part(run);

		pattern = text_slice(pattern, run.len, pattern.len);
		if (part < TIME_PARTS)
			run = text_slice(printed, time_parts[part].at,
				time_parts[part].at + time_parts[part].len);
		eval->beyond |= !scratch_append(expr->scratch, run);
	}
	ret->s = scratch_text(expr->scratch);
}

int expr_date_format(struct arena *arena, struct expr **args, struct expr **ret)
{
	if (args[0]->type.kind != SQL_TIMESTAMP || !args[1]->is_constant ||
		!all_texts(&args[1], 1) || !pattern_known(args[1]->constant.s))
		return -ENOTSUP;
	return text_node(arena, eval_date_format, args, 2, ret);
}

/* "yyyy-MM-dd HH:mm:ss" with a day that every month has, and perhaps zeros behind a point; expr->number
 * is the width of the unit. */
static void eval_parse_time(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct text text;
	int64_t time_ms;

	if (!ascii_arg(expr, 0, eval, ret, &text))
		return;
	if (text_ends(text, TEXT(".000")))
		text = text_slice(text, 0, text.len - 4);
	eval->beyond |= !csv_plain_timestamp(text, &time_ms);
	if (!eval->beyond)
		*ret = (struct value){.i = time_ms / expr->number};
}

int expr_parse_time(struct arena *arena, struct expr **args, bool seconds, struct expr **ret)
{
	static const struct sql_type bigint = {.kind = SQL_BIGINT};
	static const struct sql_type timestamp = {.kind = SQL_TIMESTAMP, .precision = 3};

	if (!all_texts(args, 1))
		return -ENOTSUP;
	*ret = expr_node(arena, eval_parse_time, seconds ? &bigint : &timestamp, args, 1);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = seconds ? MS_PER_SECOND : 1;
	return 0;
}

/* Expressions: columns, constants, logic, comparison, CASE, CURRENT_WATERMARK. Arithmetic and casts
 * are in expr_number.c and expr_cast.c; names are resolved in bind.c.
 * AND, OR and NOT know three values. Recorded: semantics/cumulate_01, semantics/watermark_03
 * (CURRENT_WATERMARK is NULL only in the first row). */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/key.h"

static const struct sql_type boolean = {.kind = SQL_BOOLEAN};

struct expr *expr_node(struct arena *arena,
	void (*eval)(const struct expr *, struct eval *, struct value *),
	const struct sql_type *type, struct expr **args, size_t count)
{
	struct expr *expr = ARENA_NEW(arena, struct expr);

	if (!expr)
		return NULL;
	*expr = (struct expr){.eval = eval, .type = *type, .args = args, .arg_count = count};
	if (count)
		expr->type.not_null = true;
	for (size_t i = 0; i < count; i++) {
		expr->reads_watermark |= args[i]->reads_watermark;
		expr->type.not_null &= args[i]->type.not_null;
	}
	return expr;
}

static void eval_column(const struct expr *expr, struct eval *eval, struct value *ret)
{
	*ret = eval->cells[expr->column];
}

struct expr *expr_column(struct arena *arena, size_t column, const struct sql_type *type)
{
	struct expr *expr = expr_node(arena, eval_column, type, NULL, 0);

	if (expr) {
		expr->column = column;
		expr->is_column = true;
	}
	return expr;
}

static void eval_constant(const struct expr *expr, struct eval *eval, struct value *ret)
{
	(void)eval;
	*ret = expr->constant;
}

struct expr *expr_constant(
	struct arena *arena, const struct sql_type *type, const struct value *value)
{
	struct expr *expr = expr_node(arena, eval_constant, type, NULL, 0);

	if (expr) {
		expr->constant = *value;
		expr->is_constant = true;
	}
	return expr;
}

static void eval_watermark(const struct expr *expr, struct eval *eval, struct value *ret)
{
	(void)expr;
	*ret = (struct value){.null = eval->wm_ms == WATERMARK_NONE, .i = eval->wm_ms};
}

struct expr *expr_current_watermark(struct arena *arena, const struct sql_type *type)
{
	struct sql_type plain = {.kind = type->kind, .precision = 3};
	struct expr *expr = expr_node(arena, eval_watermark, &plain, NULL, 0);

	if (expr)
		expr->reads_watermark = true;
	return expr;
}

/* AND where op is SQL_OP_AND, OR otherwise: one argument that decides, else NULL if one is NULL. */
static void eval_logic(const struct expr *expr, struct eval *eval, struct value *ret)
{
	int64_t decides = expr->op == SQL_OP_OR;
	bool null = false;

	for (size_t i = 0; i < expr->arg_count; i++) {
		expr_arg(expr, i, eval, ret);
		if (!ret->null && ret->i == decides)
			return;
		null |= ret->null;
	}
	*ret = (struct value){.null = null, .i = !decides};
}

static void eval_not(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr_arg(expr, 0, eval, ret);
	if (!ret->null)
		ret->i = !ret->i;
}

/* IS [NOT] NULL, TRUE, FALSE: never NULL. */
static void eval_is(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value arg;
	bool is = false;

	expr_arg(expr, 0, eval, &arg);
	switch (expr->op) {
	case SQL_OP_IS_NULL: is = arg.null; break;
	case SQL_OP_IS_NOT_NULL: is = !arg.null; break;
	case SQL_OP_IS_TRUE: is = !arg.null && arg.i; break;
	case SQL_OP_IS_NOT_TRUE: is = arg.null || !arg.i; break;
	case SQL_OP_IS_FALSE: is = !arg.null && !arg.i; break;
	default: is = arg.null || arg.i; break;
	}
	*ret = (struct value){.i = is};
}

static bool order_satisfies(enum sql_op op, int order)
{
	switch (op) {
	case SQL_OP_EQ: return order == 0;
	case SQL_OP_NE: return order != 0;
	case SQL_OP_LT: return order < 0;
	case SQL_OP_LE: return order <= 0;
	case SQL_OP_GT: return order > 0;
	default: return order >= 0;
	}
}

static void eval_compare(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value a, b;

	expr_arg(expr, 0, eval, &a);
	expr_arg(expr, 1, eval, &b);
	*ret = (struct value){.null = a.null || b.null};
	if (!ret->null)
		ret->i = order_satisfies(expr->op, value_cmp(&expr->args[0]->type, &a, &b));
}

/* The bytes of the first character. */
static size_t character_bytes(struct text text)
{
	size_t len = 1;

	while (len < text.len && ((unsigned char)text.ptr[len] & 0xc0) == 0x80)
		len++;
	return len;
}

/* Does the pattern's character at p stand for this one of the text? *width: its bytes in the
 * pattern. */
static bool like_one(struct text text, struct text pattern, char escape, size_t *width)
{
	size_t len = character_bytes(text), at = 0;

	*width = 0;
	if (!pattern.len)
		return false;
	if (escape && pattern.ptr[0] == escape)
		at = 1;
	else if (pattern.ptr[0] == '_') {
		*width = 1;
		return true;
	}
	*width = at + len;
	return text_eq(text_slice(pattern, at, at + len), text_slice(text, 0, len));
}

/* text LIKE pattern: % any characters, _ one; behind the escape character they mean themselves. */
static bool like(struct text text, struct text pattern, char escape)
{
	size_t t = 0, p = 0, star = SIZE_MAX, from = 0, width;

	while (t < text.len) {
		struct text rest = text_slice(pattern, p, pattern.len);

		if (rest.len && rest.ptr[0] == '%' && escape != '%') {
			star = p++;
			from = t;
		} else if (like_one(text_slice(text, t, text.len), rest, escape, &width)) {
			p += width;
			t += character_bytes(text_slice(text, t, text.len));
		} else if (star != SIZE_MAX) {
			p = star + 1;
			from += character_bytes(text_slice(text, from, text.len));
			t = from;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '%')
		p++;
	return p == pattern.len;
}

/* expr->number is the escape character; 0: none. */
static void eval_like(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value a, b;

	expr_arg(expr, 0, eval, &a);
	expr_arg(expr, 1, eval, &b);
	*ret = (struct value){.null = a.null || b.null};
	if (!ret->null)
		ret->i = like(a.s, b.s, (char)expr->number);
}

/* Every escape character in a pattern stands before %, _ or itself. */
static bool escapes_right(struct text pattern, char escape)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char next = i + 1 < pattern.len ? pattern.ptr[i + 1] : '\0';

		if (pattern.ptr[i] != escape)
			continue;
		if (next != '%' && next != '_' && next != escape)
			return false;
		i++;
	}
	return true;
}

/* The escape must be one character of ASCII, and known together with the pattern. */
static int make_like(struct arena *arena, struct expr **args, size_t count, struct expr **ret)
{
	const struct expr *escape = count == 3 ? args[2] : NULL;

	for (size_t i = 0; i < count; i++)
		if (!type_is_text(&args[i]->type))
			return -ENOTSUP;
	if (escape &&
		(!escape->is_constant || escape->constant.null || escape->constant.s.len != 1 ||
			!args[1]->is_constant || args[1]->constant.null ||
			!escapes_right(args[1]->constant.s, escape->constant.s.ptr[0])))
		return -ENOTSUP;
	*ret = expr_node(arena, eval_like, &boolean, args, 2);
	if (!*ret)
		return -ENOMEM;
	(*ret)->number = escape ? escape->constant.s.ptr[0] : 0;
	return 0;
}

static void eval_case(const struct expr *expr, struct eval *eval, struct value *ret)
{
	size_t i = 0;

	for (; i + 1 < expr->arg_count; i += 2) {
		expr_arg(expr, i, eval, ret);
		if (!ret->null && ret->i) {
			expr_arg(expr, i + 1, eval, ret);
			return;
		}
	}
	expr_arg(expr, i, eval, ret);
}

static void eval_coalesce(const struct expr *expr, struct eval *eval, struct value *ret)
{
	for (size_t i = 0; i < expr->arg_count; i++) {
		expr_arg(expr, i, eval, ret);
		if (!ret->null)
			return;
	}
}

static void eval_extreme(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value next;

	expr_arg(expr, 0, eval, ret);
	for (size_t i = 1; i < expr->arg_count; i++) {
		expr_arg(expr, i, eval, &next);
		if (next.null || (!ret->null && order_satisfies(expr->op,
							value_cmp(&expr->type, &next, ret))))
			*ret = next;
		if (ret->null)
			return;
	}
}

/* IS [NOT] DISTINCT FROM: equal, where NULL is a value like any other. */
static void eval_distinct(const struct expr *expr, struct eval *eval, struct value *ret)
{
	struct value a, b;
	bool same;

	expr_arg(expr, 0, eval, &a);
	expr_arg(expr, 1, eval, &b);
	same = value_same(&expr->args[0]->type, &a, &b);
	*ret = (struct value){.i = same == (expr->op == SQL_OP_IS_NOT_DISTINCT)};
}

/* In CASE, is this argument a result? All but the conditions, which stand before each. */
static bool is_result(size_t i, size_t count)
{
	return i % 2 == 1 || i + 1 == count;
}

/* Casts the arguments (of a CASE: its results) to the type that they have in common. */
static int unify(
	struct arena *arena, struct expr **args, size_t count, bool is_case, struct sql_type *ret)
{
	struct sql_type type = {.kind = SQL_NULL};
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++)
		if (!is_case || is_result(i, count))
			err = is_case ? type_of_sum(&type, &args[i]->type, &type)
				      : type_common(&type, &args[i]->type, &type);
	for (size_t i = 0; i < count && err == 0; i++)
		if (!is_case || is_result(i, count))
			err = expr_cast(arena, args[i], &type, &args[i]);
	*ret = type;
	return err;
}

static int compare(struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret)
{
	struct sql_type type;
	bool distinct;
	int err = unify(arena, args, 2, false, &type);

	if (err < 0)
		return err;
	distinct = op == SQL_OP_IS_DISTINCT || op == SQL_OP_IS_NOT_DISTINCT;
	*ret = expr_node(arena, distinct ? eval_distinct : eval_compare, &boolean, args, 2);
	if (!*ret)
		return -ENOMEM;
	(*ret)->op = op;
	(*ret)->type.not_null |= distinct;
	return 0;
}

static int logic(struct arena *arena,
	void (*eval)(const struct expr *, struct eval *, struct value *), enum sql_op op,
	struct expr **args, size_t count, struct expr **ret)
{
	for (size_t i = 0; i < count; i++)
		if (eval != eval_is && args[i]->type.kind != SQL_BOOLEAN &&
			args[i]->type.kind != SQL_NULL)
			return -ENOTSUP;
	*ret = expr_node(arena, eval, &boolean, args, count);
	if (!*ret)
		return -ENOMEM;
	(*ret)->op = op;
	(*ret)->type.not_null |= eval == eval_is;
	return 0;
}

int expr_op(
	struct arena *arena, enum sql_op op, struct expr **args, size_t count, struct expr **ret)
{
	switch (op) {
	case SQL_OP_AND:
	case SQL_OP_OR: return logic(arena, eval_logic, op, args, count, ret);
	case SQL_OP_NOT: return logic(arena, eval_not, op, args, count, ret);
	case SQL_OP_EQ:
	case SQL_OP_NE:
	case SQL_OP_LT:
	case SQL_OP_LE:
	case SQL_OP_GT:
	case SQL_OP_GE:
	case SQL_OP_IS_DISTINCT:
	case SQL_OP_IS_NOT_DISTINCT: return compare(arena, op, args, ret);
	case SQL_OP_ADD:
	case SQL_OP_SUB:
	case SQL_OP_MUL:
	case SQL_OP_DIV:
	case SQL_OP_MOD:
	case SQL_OP_NEG: return expr_arithmetic(arena, op, args, count, ret);
	case SQL_OP_CONCAT: return expr_join(arena, args, ret);
	case SQL_OP_LIKE: return make_like(arena, args, count, ret);
	case SQL_OP_IS_NULL:
	case SQL_OP_IS_NOT_NULL: return logic(arena, eval_is, op, args, count, ret);
	case SQL_OP_IS_TRUE:
	case SQL_OP_IS_NOT_TRUE:
	case SQL_OP_IS_FALSE:
	case SQL_OP_IS_NOT_FALSE:
		if (args[0]->type.kind != SQL_BOOLEAN)
			return -ENOTSUP;
		return logic(arena, eval_is, op, args, count, ret);
	default: return -ENOTSUP;
	}
}

int expr_case(struct arena *arena, struct expr **args, size_t count, struct expr **ret)
{
	struct sql_type type;
	int err = unify(arena, args, count, true, &type);

	if (err < 0)
		return err;
	*ret = expr_node(arena, eval_case, &type, args, count);
	if (!*ret)
		return -ENOMEM;
	(*ret)->type.not_null = true;
	for (size_t i = 0; i < count; i++)
		(*ret)->type.not_null &= !is_result(i, count) || args[i]->type.not_null;
	return 0;
}

int expr_coalesce(struct arena *arena, struct expr **args, size_t count, struct expr **ret)
{
	struct sql_type type;
	int err = unify(arena, args, count, false, &type);

	if (err < 0)
		return err;
	*ret = expr_node(arena, eval_coalesce, &type, args, count);
	for (size_t i = 0; *ret && i < count; i++)
		(*ret)->type.not_null |= args[i]->type.not_null;
	return *ret ? 0 : -ENOMEM;
}

int expr_extreme(
	struct arena *arena, enum sql_op op, struct expr **args, size_t count, struct expr **ret)
{
	struct sql_type type;
	int err = unify(arena, args, count, false, &type);

	if (err < 0)
		return err;
	*ret = expr_node(arena, eval_extreme, &type, args, count);
	if (!*ret)
		return -ENOMEM;
	(*ret)->op = op;
	return 0;
}

int expr_eval(const struct expr *expr, struct eval *eval, struct value *ret)
{
	expr->eval(expr, eval, ret);
	if (eval->fault)
		return -EBADMSG;
	return eval->beyond ? -ENOTSUP : 0;
}

int expr_holds(const struct expr *expr, struct eval *eval, bool *ret)
{
	struct value value;
	int err = expr_eval(expr, eval, &value);

	*ret = err == 0 && !value.null && value.i;
	return err;
}

bool expr_is_constant(const struct expr *expr)
{
	for (size_t i = 0; i < expr->arg_count; i++)
		if (!expr_is_constant(expr->args[i]))
			return false;
	return expr->is_constant || expr->arg_count;
}

void expr_mark_columns(const struct expr *expr, bool *columns)
{
	if (expr->is_column)
		columns[expr->column] = true;
	for (size_t i = 0; i < expr->arg_count; i++)
		expr_mark_columns(expr->args[i], columns);
}

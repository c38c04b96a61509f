/* Terms of profiles: when two are one, and how they are quoted. */
#include "daemon/grade/differing.h"
#include "parser/arena.h"
#include "sim/ast.h"

const struct sql_expr *term_bare(const struct sql_expr *expr)
{
	while (expr && expr->kind == EXPR_CAST)
		expr = expr->args[0];
	return expr;
}

static bool same_args(const struct sql_expr *a, const struct sql_expr *b)
{
	if (a->arg_count != b->arg_count)
		return false;
	for (size_t i = 0; i < a->arg_count; i++)
		if (!term_equal(a->args[i], b->args[i]))
			return false;
	return true;
}

static bool is_number_of_rank(const struct sql_expr *expr)
{
	return expr->kind == EXPR_CALL && expr->over &&
	       (text_eq(expr->name, TEXT("ROW_NUMBER")) || text_eq(expr->name, TEXT("RANK")) ||
		       text_eq(expr->name, TEXT("DENSE_RANK")));
}

bool term_equal(const struct sql_expr *a, const struct sql_expr *b)
{
	a = term_bare(a);
	b = term_bare(b);
	if (!a || !b || a->kind != b->kind || a->query || b->query)
		return false;
	if (is_number_of_rank(a) && is_number_of_rank(b))
		return true;
	if (!a->over != !b->over)
		return false;
	switch (a->kind) {
	case EXPR_LITERAL:
	case EXPR_INTERVAL: return ast_same_value(a, b);
	case EXPR_COLUMN: return text_eq(a->qualifier, b->qualifier) && text_eq(a->name, b->name);
	case EXPR_OP: return a->op == b->op && same_args(a, b);
	case EXPR_CASE:
		return a->case_operand == b->case_operand && a->case_else == b->case_else &&
		       same_args(a, b);
	default: break;
	}
	if (!a->filter != !b->filter || (a->filter && !term_equal(a->filter, b->filter)))
		return false;
	return text_eq(a->name, b->name) && a->distinct == b->distinct && a->star == b->star &&
	       same_args(a, b);
}

bool term_is_window(const struct sql_expr *expr, const char *column)
{
	return expr && expr->kind == EXPR_COLUMN && text_eq(expr->qualifier, WINDOW_COLUMN) &&
	       text_eq(expr->name, text_of(column));
}

bool term_is_of_window(const struct sql_expr *expr)
{
	return expr->kind == EXPR_COLUMN && text_eq(expr->qualifier, WINDOW_COLUMN);
}

bool terms_have(const struct terms *terms, const struct sql_expr *expr)
{
	for (size_t i = 0; i < terms->count; i++)
		if (term_equal(terms->items[i], expr))
			return true;
	return false;
}

static struct text own_name(const struct profile *profile, struct text name)
{
	for (size_t i = 0; profile->has_table && i < profile->table.column_count; i++)
		if (text_eq(profile->columns[i], name))
			return profile->table.columns[i].name;
	return name;
}

struct text term_print(struct differing *d, const struct sql_expr *expr)
{
	struct text t = sql_expr_print(d->arena, expr);
	struct text mark = text_format(d->arena, "`%.*s`.", TEXT_ARG(WINDOW_COLUMN));
	size_t at;

	while (t.ptr && mark.ptr && (at = text_find(t, mark)) < t.len)
		t = text_format(d->arena, "%.*s%.*s", (int)at, t.ptr,
			TEXT_ARG(text_slice(t, at + mark.len, t.len)));
	d->causes->nomem |= !t.ptr || !mark.ptr;
	return t;
}

struct text term_text(
	struct differing *d, const struct profile *profile, const struct sql_expr *expr)
{
	expr = term_bare(expr);
	if (!expr)
		return (struct text){0};
	if (expr->kind == EXPR_COLUMN)
		return expr->qualifier.len ? expr->name : own_name(profile, expr->name);
	if (expr->kind == EXPR_CALL)
		return expr->name;
	return term_print(d, expr);
}

bool text_has(struct text t, const char *part)
{
	struct text needle = text_of(part);

	for (size_t i = 0; i + needle.len <= t.len; i++)
		if (text_ieq(text_slice(t, i, i + needle.len), needle))
			return true;
	return false;
}

void differ_say(struct differing *d, enum diagnosis_id id, struct text param)
{
	causes_add_at(d->causes, id, param, d->table);
}

static bool same_terms(const struct terms *a, const struct terms *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!terms_have(b, a->items[i]))
			return false;
	return true;
}

bool profiles_alike(const struct profile *a, const struct profile *b)
{
	const struct profile_window *x = &a->window, *y = &b->window;

	if (!a->known || !b->known || !text_eq(x->kind, y->kind) || x->size_ms != y->size_ms ||
		x->step_ms != y->step_ms || x->offset_ms != y->offset_ms ||
		a->item_count != b->item_count || a->rank.function.len != b->rank.function.len)
		return false;
	for (size_t i = 0; i < a->item_count; i++)
		if (!term_equal(a->items[i].expr, b->items[i].expr))
			return false;
	return same_terms(&a->keys, &b->keys) && same_terms(&a->before, &b->before) &&
	       same_terms(&a->behind, &b->behind);
}

/* The selected columns. They are matched by value and name, by value, by name; what is left over
 * is missing or too many. */
#include "daemon/grade/differing.h"
#include "daemon/grade/lateness.h"
#include "parser/arena.h"
#include "sim/ast.h"

struct columns {
	const struct profile *asked, *mine;
	size_t *of;  /* an asked item: mine, or SIZE_MAX */
	bool *taken; /* mine */
};

static void match(struct columns *c, bool by_value, bool by_name)
{
	for (size_t i = 0; i < c->asked->item_count; i++)
		for (size_t k = 0; c->of[i] == SIZE_MAX && k < c->mine->item_count; k++) {
			const struct profile_item *a = &c->asked->items[i], *m = &c->mine->items[k];

			if (c->taken[k] || (by_name && !text_ieq(a->name, m->name)) ||
				(by_value && !term_equal(a->expr, m->expr)))
				continue;
			c->of[i] = k;
			c->taken[k] = true;
		}
}

static bool is_count(const struct sql_expr *call)
{
	return text_eq(call->name, TEXT("COUNT")) && !call->distinct;
}

static bool same_argument(const struct sql_expr *a, const struct sql_expr *b)
{
	return a->arg_count == b->arg_count &&
	       (!a->arg_count || term_equal(a->args[0], b->args[0]));
}

/* The last two of an aggregate each: the same column under another function and name. */
static void match_rest(struct columns *c)
{
	size_t a = SIZE_MAX, m = SIZE_MAX, left = 0;

	for (size_t i = 0; i < c->asked->item_count; i++)
		if (c->of[i] == SIZE_MAX) {
			a = i;
			left++;
		}
	for (size_t k = 0; k < c->mine->item_count; k++)
		if (!c->taken[k]) {
			m = k;
			left++;
		}
	if (left != 2 || a == SIZE_MAX || m == SIZE_MAX)
		return;
	const struct sql_expr *x = term_bare(c->asked->items[a].expr),
			      *y = term_bare(c->mine->items[m].expr);

	if (!x || !y || !ast_is_aggregate(x) || !ast_is_aggregate(y))
		return;
	c->of[a] = m;
	c->taken[m] = true;
}

/* What stands in the place of an asked column, as a whole. */
static void differ_value(
	struct differing *d, const struct profile_item *asked, const struct sql_expr *mine)
{
	struct text what =
		mine->kind == EXPR_COLUMN ? term_text(d, d->mine, mine) : term_print(d, mine);

	differ_say(d, DIAG_COLUMN_VALUE,
		text_format(d->arena, "%.*s:%.*s", TEXT_ARG(asked->name), TEXT_ARG(what)));
}

struct holding {
	const struct sql_expr *term;
	bool found;
};

static bool see_term(const struct sql_expr *expr, void *ctx)
{
	struct holding *holding = ctx;

	holding->found = holding->found || term_equal(holding->term, expr);
	return !holding->found;
}

/* Is the asked column worked into an expression, such as SUM(amount * 2)? */
static bool holds_argument(const struct sql_expr *asked, const struct sql_expr *mine)
{
	struct holding holding = {.term = asked->arg_count ? asked->args[0] : NULL};

	if (holding.term && mine->arg_count)
		ast_walk(mine->args[0], see_term, &holding);
	return holding.found;
}

static void differ_aggregate(struct differing *d, const struct profile_item *item,
	const struct sql_expr *asked, const struct sql_expr *mine)
{
	struct text column = mine->arg_count ? term_text(d, d->mine, mine->args[0]) : TEXT("*");

	if (is_count(asked) && is_count(mine))
		return;
	if (mine->distinct != asked->distinct)
		differ_say(d, DIAG_AGG_FUNCTION,
			text_format(d->arena, "%.*s%s:%.*s", TEXT_ARG(mine->name),
				mine->distinct ? "-DISTINCT" : "", TEXT_ARG(column)));
	else if (!text_eq(mine->name, asked->name))
		differ_say(d, DIAG_AGG_FUNCTION, mine->name);
	if (is_count(asked) || same_argument(asked, mine) || text_eq(column, TEXT("*")))
		return;
	if (holds_argument(asked, mine))
		differ_value(d, item, mine);
	else
		differ_say(d, DIAG_AGG_COLUMN, column);
}

/* The aggregates in a column that is worked out from several. */
struct made_of {
	const struct sql_expr *asked;
	const struct sql_expr *instead; /* another function over the asked argument */
	bool has_asked;
};

static bool see_part(const struct sql_expr *expr, void *ctx)
{
	struct made_of *made = ctx;

	if (!ast_is_aggregate(expr) || !same_argument(made->asked, expr))
		return true;
	if (text_eq(expr->name, made->asked->name))
		made->has_asked = true;
	else if (!made->instead)
		made->instead = expr;
	return true;
}

/* Is the asked sum made in a roundabout way, of another function? */
static const struct sql_expr *roundabout(const struct sql_expr *asked, const struct sql_expr *mine)
{
	struct made_of made = {.asked = asked};

	if (ast_is_aggregate(asked) && !is_count(asked) && !ast_is_aggregate(mine))
		ast_walk(mine, see_part, &made);
	return made.has_asked ? NULL : made.instead;
}

static void differ_item(
	struct differing *d, const struct profile_item *asked, const struct profile_item *mine)
{
	const struct sql_expr *a = term_bare(asked->expr), *m = term_bare(mine->expr), *instead;

	if (!a || !m || term_equal(a, m))
		return;
	if (m->filter && !a->filter && !reads_watermark(m->filter))
		differ_say(d, DIAG_WHERE_EXTRA, TEXT("FILTER"));
	if (a->filter || m->filter)
		return; /* of late rows: told with the filter's place */
	if (term_is_of_window(a) && !d->mine->window.kind.len)
		return; /* told with the window */
	if (ast_is_aggregate(a) && ast_is_aggregate(m)) {
		differ_aggregate(d, asked, a, m);
		return;
	}
	instead = roundabout(a, m);
	if (instead) {
		differ_say(d, DIAG_AGG_FUNCTION, instead->name);
		return;
	}
	differ_value(d, asked, m);
}

/* Does the column stand under the name of another asked one, and that under its name? */
static bool names_swapped(const struct differing *d, const struct columns *c, size_t i)
{
	const struct profile_item *mine = &d->mine->items[c->of[i]];

	for (size_t k = 0; k < d->asked->item_count; k++)
		if (k != i && c->of[k] != SIZE_MAX &&
			text_ieq(d->asked->items[k].name, mine->name) &&
			text_ieq(d->asked->items[i].name, d->mine->items[c->of[k]].name))
			return true;
	return false;
}

static void differ_name(struct differing *d, const struct columns *c, size_t i)
{
	const struct profile_item *asked = &d->asked->items[i], *mine = &d->mine->items[c->of[i]];

	if (text_eq(asked->name, mine->name))
		return;
	if (d->grading->step->form.names == FORM_FREE && mine->named)
		return;
	if (!mine->named)
		differ_say(d, DIAG_COLUMN_NAMES, TEXT("EXPR$"));
	else if (names_swapped(d, c, i))
		differ_say(d, DIAG_COLUMN_NAMES, TEXT("swapped"));
	else if (text_ieq(asked->name, mine->name))
		differ_say(d, DIAG_COLUMN_NAMES, TEXT("case"));
	else
		differ_say(d, DIAG_COLUMN_NAMES, (struct text){0});
}

static void differ_matched(struct differing *d, const struct columns *c)
{
	const struct form *form = &d->grading->step->form;
	size_t last = 0;
	bool in_order = true, swapped = false;

	for (size_t i = 0; i < d->asked->item_count; i++) {
		if (c->of[i] == SIZE_MAX)
			continue;
		differ_item(d, &d->asked->items[i], &d->mine->items[c->of[i]]);
		differ_name(d, c, i);
		swapped |= names_swapped(d, c, i);
		in_order &= c->of[i] >= last;
		last = c->of[i];
	}
	if (!in_order && !swapped && form->order != FORM_FREE)
		differ_say(d, DIAG_COLUMN_ORDER, (struct text){0});
}

static void differ_unmatched(struct differing *d, const struct columns *c)
{
	const struct form *form = &d->grading->step->form;
	bool exchanged = differ_keys_exchanged(d);

	for (size_t i = 0; i < d->asked->item_count; i++) {
		const struct sql_expr *expr = d->asked->items[i].expr;
		bool of_window = expr && term_is_of_window(expr) && !d->mine->window.kind.len;
		bool of_rank =
			expr && expr->over && d->mine->limited && !d->mine->rank.function.len;

		if (c->of[i] != SIZE_MAX || of_rank || form->missing == FORM_FREE ||
			(of_window && !d->asked->aggregated) ||
			(exchanged && expr && terms_have(&d->asked->keys, expr)))
			continue;
		differ_say(d, DIAG_COLUMN_MISSING, d->asked->items[i].name);
	}
	for (size_t k = 0; k < d->mine->item_count; k++) {
		bool key = terms_have(&d->mine->keys, d->mine->items[k].expr);

		if (!c->taken[k] && (key ? !exchanged : form->extra != FORM_FREE))
			differ_say(d, DIAG_COLUMN_EXTRA, d->mine->items[k].name);
	}
}

/* False: no memory. */
static bool match_items(struct differing *d, struct columns *ret)
{
	struct columns c = {.asked = d->asked,
		.mine = d->mine,
		.of = arena_array(d->arena, d->asked->item_count + 1, sizeof(size_t)),
		.taken = arena_array(d->arena, d->mine->item_count + 1, sizeof(bool))};

	if (!c.of || !c.taken) {
		d->causes->nomem = true;
		return false;
	}
	for (size_t i = 0; i < d->asked->item_count; i++)
		c.of[i] = SIZE_MAX;
	match(&c, true, true);
	match(&c, true, false);
	match(&c, false, true);
	match_rest(&c);
	*ret = c;
	return true;
}

void differ_items(struct differing *d)
{
	struct columns c;

	if (differ_ranked_level(d) || differ_level(d))
		return;
	if (d->grading->step->kind == STEP_ERROR)
		return; /* a refusal has no columns */
	if (d->mine->item_count == 0 || !match_items(d, &c))
		return;
	differ_matched(d, &c);
	differ_unmatched(d, &c);
}

static bool has_cause(const struct causes *causes, const struct diagnosis *cause)
{
	for (size_t i = 0; i < causes->count; i++)
		if (causes->items[i].id == cause->id &&
			text_eq(causes->items[i].param, cause->param))
			return true;
	return false;
}

bool differ_find_item(
	struct differing *d, const struct diagnosis *cause, size_t *ret_asked, size_t *ret_mine)
{
	struct causes found;
	struct differing one = *d;
	struct columns c;

	if (!match_items(d, &c))
		return false;
	one.causes = &found;
	for (size_t i = 0; i < d->asked->item_count; i++) {
		causes_init(&found, d->arena);
		if (c.of[i] == SIZE_MAX)
			continue;
		differ_item(&one, &d->asked->items[i], &d->mine->items[c.of[i]]);
		if (has_cause(&found, cause)) {
			*ret_asked = i;
			*ret_mine = c.of[i];
			return true;
		}
	}
	return false;
}

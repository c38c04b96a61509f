/* Grouping, LIMIT and ORDER BY, UNION ALL. */
#include "daemon/grade/differing.h"
#include "parser/arena.h"
#include "sim/ast.h"

bool differ_ranked_level(const struct differing *d)
{
	return d->asked->rank.function.len && d->mine->rank.function.len &&
	       d->asked->rank.on_groups != d->mine->rank.on_groups;
}

bool differ_level(const struct differing *d)
{
	return d->asked->aggregated != d->mine->aggregated;
}

struct reading {
	const struct sql_expr *column;
	bool reads;
};

static bool see_column(const struct sql_expr *expr, void *ctx)
{
	struct reading *r = ctx;

	r->reads = r->reads || term_equal(expr, r->column);
	return !r->reads;
}

/* Something worked out from the column: UPPER(shop). */
static bool is_made_of(const struct sql_expr *expr, const struct sql_expr *column)
{
	struct reading r = {.column = column};

	expr = term_bare(expr);
	if (expr->kind == EXPR_COLUMN || ast_is_aggregate(expr))
		return false;
	ast_walk(expr, see_column, &r);
	return r.reads;
}

/* Is the key there, but worked out into something else, which stands in its column? The column is
 * told then. */
static bool is_dressed(
	const struct differing *d, const struct sql_expr *asked, const struct sql_expr *mine)
{
	bool shown = false;

	if (term_is_of_window(asked) || !is_made_of(mine, asked))
		return false;
	for (size_t i = 0; i < d->asked->item_count; i++)
		for (size_t k = 0; k < d->mine->item_count; k++)
			shown = shown ||
				(term_equal(d->asked->items[i].expr, asked) &&
					term_equal(d->mine->items[k].expr, mine) &&
					text_ieq(d->asked->items[i].name, d->mine->items[k].name));
	return shown;
}

static bool has_dressed(const struct differing *d, const struct sql_expr *asked)
{
	for (size_t i = 0; i < d->mine->keys.count; i++)
		if (is_dressed(d, asked, d->mine->keys.items[i]))
			return true;
	return false;
}

static bool is_dress(const struct differing *d, const struct sql_expr *mine)
{
	for (size_t i = 0; i < d->asked->keys.count; i++)
		if (!terms_have(&d->mine->keys, d->asked->keys.items[i]) &&
			is_dressed(d, d->asked->keys.items[i], mine))
			return true;
	return false;
}

static size_t missing_keys(struct differing *d, bool say)
{
	size_t count = 0;

	for (size_t i = 0; i < d->asked->keys.count; i++) {
		const struct sql_expr *key = d->asked->keys.items[i];

		if (terms_have(&d->mine->keys, key) ||
			(term_is_of_window(key) && loses_windows(d)) || has_dressed(d, key))
			continue;
		count++;
		if (say)
			differ_say(d, DIAG_GROUP_KEY_MISSING, term_text(d, d->asked, key));
	}
	return count;
}

static size_t extra_keys(struct differing *d, bool say)
{
	size_t count = 0;

	for (size_t i = 0; i < d->mine->keys.count; i++) {
		const struct sql_expr *key = term_bare(d->mine->keys.items[i]);
		bool instead = key->kind == EXPR_CALL && !d->mine->window.kind.len;

		if (terms_have(&d->asked->keys, key) || term_is_window(key, "window_time") ||
			instead || is_dress(d, key))
			continue;
		count++;
		if (say)
			differ_say(d, DIAG_GROUP_KEY_EXTRA, term_text(d, d->mine, key));
	}
	return count;
}

bool differ_keys_exchanged(struct differing *d)
{
	return missing_keys(d, false) && extra_keys(d, false);
}

void differ_grouping(struct differing *d)
{
	if (differ_ranked_level(d))
		return;
	if (differ_level(d)) {
		differ_say(
			d, DIAG_AGGREGATED, d->asked->aggregated ? TEXT("missing") : TEXT("extra"));
		return;
	}
	if (!d->asked->aggregated)
		return;
	if (!d->mine->grouped && d->asked->grouped) {
		if (d->mine->window.kind.len)
			differ_say(d, DIAG_GROUP_KEY_MISSING, TEXT("all"));
		return;
	}
	missing_keys(d, true);
	extra_keys(d, true);
}

/* ---- LIMIT, ORDER BY, UNION ALL ---- */

/* What LIMIT leaves is the order's to say. A stream refuses to sort, or drops late rows; in batch
 * mode sorting alone changes no row. */
static bool is_sort_felt(const struct differing *d, bool limit)
{
	bool streaming = !d->mine->settings.batch;

	return limit || text_has(d->error, "sort") || (streaming && !d->error.len);
}

/* What it is sorted by, as it was written: an alias stands in its expression's place. */
static struct text order_text(struct differing *d)
{
	const struct sql_expr *by = d->mine->order.items[0];

	for (size_t i = 0; i < d->mine->item_count; i++) {
		const struct profile_item *item = &d->mine->items[i];

		if (item->named && item->expr && term_equal(item->expr, by))
			return item->name;
	}
	return term_text(d, d->mine, by);
}

void differ_limit(struct differing *d)
{
	const struct profile *mine = d->mine;
	bool limit = mine->limited && !d->asked->limited;

	if (limit)
		differ_say(d, DIAG_LIMIT, text_format(d->arena, "%lld", (long long)mine->limit));
	if (mine->order.count && !d->asked->order.count && is_sort_felt(d, limit))
		differ_say(d, DIAG_ORDER_BY, order_text(d));
}

void differ_union(struct differing *d)
{
	const struct profile *mine = d->mine;
	size_t branches = 1;
	bool twice = false;

	for (const struct profile *other = mine->other; other; other = other->other) {
		branches++;
		twice |= other->origin == mine->origin && mine->has_table;
	}
	if (!mine->other || d->asked->other)
		return;
	if (branches == d->grading->expected->count && branches > 1)
		differ_say(d, DIAG_TABLE_MISSING, TEXT("joined"));
	else if (twice)
		differ_say(d, DIAG_OTHER_DATA, TEXT("twice"));
}

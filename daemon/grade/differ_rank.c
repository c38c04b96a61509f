/* Top-N: which function, within what, by what, how many. */
#include "daemon/grade/differing.h"
#include "daemon/grade/lateness.h"
#include "parser/arena.h"

static void differ_rank_partition(struct differing *d)
{
	const struct terms *asked = &d->asked->rank.partition, *mine = &d->mine->rank.partition;
	size_t missing = 0, extra = 0;
	struct text lost = {0}, more = {0};

	for (size_t i = 0; i < asked->count; i++)
		if (!terms_have(mine, asked->items[i])) {
			missing++;
			lost = term_text(d, d->asked, asked->items[i]);
		}
	for (size_t i = 0; i < mine->count; i++)
		if (!terms_have(asked, mine->items[i]) &&
			!term_is_window(mine->items[i], "window_time")) {
			extra++;
			more = term_text(d, d->mine, mine->items[i]);
		}
	if (!missing && !extra)
		return;
	if (mine->count == 0)
		more = TEXT("none");
	else if (!missing || !extra)
		more = text_format(d->arena, "%.*s-%s", TEXT_ARG(extra ? more : lost),
			extra ? "extra" : "missing");
	differ_say(d, DIAG_TOPN_PARTITION, more);
}

/* The asked item that is this expression, or NULL. */
static const struct profile_item *item_of(const struct profile *p, const struct sql_expr *expr)
{
	for (size_t i = 0; i < p->item_count; i++)
		if (term_equal(p->items[i].expr, expr))
			return &p->items[i];
	return NULL;
}

/* Two columns of one name: what sets them apart is said of the column. */
static bool same_column(
	const struct differing *d, const struct sql_expr *asked, const struct sql_expr *mine)
{
	const struct profile_item *a = item_of(d->asked, asked), *b = item_of(d->mine, mine);

	return term_equal(asked, mine) || (a && b && text_ieq(a->name, b->name));
}

static void differ_rank_order(struct differing *d)
{
	const struct profile_rank *asked = &d->asked->rank, *mine = &d->mine->rank;

	if (asked->order.count == 0 || mine->order.count == 0)
		return;
	if (asked->on_groups != mine->on_groups)
		differ_say(
			d, DIAG_TOPN_ORDER, asked->on_groups ? TEXT("single-rows") : TEXT("sums"));
	else if (!same_column(d, asked->order.items[0], mine->order.items[0]))
		differ_say(d, DIAG_TOPN_ORDER, term_text(d, d->mine, mine->order.items[0]));
	else if (asked->descending != mine->descending)
		differ_say(d, DIAG_TOPN_ORDER,
			mine->descending ? TEXT("descending") : TEXT("ascending"));
}

void differ_rank(struct differing *d)
{
	const struct profile_rank *asked = &d->asked->rank, *mine = &d->mine->rank;
	int64_t n = rank_bound(d->mine);

	if (!asked->function.len)
		return;
	if (!mine->function.len) {
		if (!d->mine->limited && !differ_level(d)) /* groups are not ranked rows */
			differ_say(d, DIAG_TOPN_N, (struct text){0});
		return;
	}
	if (!text_eq(asked->function, mine->function))
		differ_say(d, DIAG_AGG_FUNCTION, mine->function);
	differ_rank_partition(d);
	differ_rank_order(d);
	if (n != rank_bound(d->asked))
		differ_say(d, DIAG_TOPN_N,
			n ? text_format(d->arena, "%lld", (long long)n) : (struct text){0});
}

/* ORDER BY: in streaming mode only a time attribute, ascending, may come first.
 * Recorded: semantics/order_05, semantics/errors_order_by_id,
 * semantics/errors_order_by_window_start, watermark/mistakes/w5_order_by_time,
 * batch_order_desc. */
#include "sim/planner.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"
#include "sim/key.h"

int bind_order(const struct binder *binder, const struct sql_order *order, struct sort_key **ret,
	size_t *count)
{
	struct planner *planner = binder->planner;
	struct sort_key *keys;
	size_t n = 0;
	int err = 0;

	for (const struct sql_order *each = order; each; each = each->next)
		n++;
	keys = arena_array(planner->arena, n + 1, sizeof(*keys));
	if (!keys)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < n && err == 0; i++, order = order->next) {
		if (order->expr->kind == EXPR_LITERAL)
			err = refuse(planner, order->expr->pos, "ORDER BY a constant");
		if (err == 0)
			err = bind_expr(binder, order->expr, &keys[i].expr);
		if (err == 0 && type_is_text(&keys[i].expr->type) && !keys[i].expr->is_column)
			err = refuse(planner, order->expr->pos, "ORDER BY a text that is made");
		keys[i].descending = order->descending;
		keys[i].nulls_last = order->nulls_given ? !order->nulls_first : order->descending;
	}
	*ret = keys;
	*count = n;
	return err;
}

static bool by_time(const struct sort_key *key)
{
	return key->expr->is_column && key->expr->type.attribute == TIME_ROWTIME &&
	       !key->descending;
}

int plan_order(struct planner *planner, const struct sql_query *query, const struct binder *binder,
	struct plan **plan)
{
	struct plan *sort = plan_new(planner, PLAN_SORT, *plan);
	struct plan_sort order = {0};
	int err;

	if (!sort)
		return diag_nomem(planner->diag);
	err = bind_order(binder, query->order, &order.order, &order.order_count);
	if (err == -EBADMSG)
		return refuse(planner, query->order->expr->pos, "ORDER BY what is not selected");
	if (err < 0)
		return err;
	if ((*plan)->updates)
		return refuse(planner, query->order->expr->pos, "ORDER BY over a changelog");
	if (!planner->batch && !by_time(&order.order[0]))
		return plan_defer(
			planner, plan_fault(planner, FAULT_TABLE
					 "Sort on a non-time-attribute field is not supported."));
	order.time = order.order[0].expr->column;
	order.limited = query->limit && query->limit->kind == EXPR_LITERAL;
	order.limit = order.limited ? query->limit->value.i : 0;
	sort->sort = order;
	*plan = sort;
	return 0;
}

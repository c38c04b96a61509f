/* A query followed down to its table. Each relation on the way is a list of columns with what
 * they are worked out from; a reference to one is replaced by that, so that the spelling (views,
 * WITH, sub-queries, aliases) is gone. What is not understood makes the profile unknown: nothing
 * is said of it then. */
#include "daemon/grade/following.h"

#include "daemon/grade/lateness.h"
#include "parser/arena.h"
#include "parser/limits.h"
#include "sim/ast.h"
#include "sim/plan_window.h"

/* Queries of one statement: views that are read twice by one another double at each level. */
#define MOST_FOLLOWED 200

static struct relation follow_query(struct following *f, const struct sql_query *query);

static struct relation give_up(struct following *f)
{
	f->profile->known = false;
	return (struct relation){0};
}

static bool not_rank(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !is_rank_call(expr);
}

static bool is_rowtime(const struct catalog_entry *table, const struct sql_column *column)
{
	return table->has_watermark && text_eq(column->name, table->watermark_column);
}

static void compute(
	struct following *f, struct relation *relation, size_t i, const struct sql_expr *expr)
{
	relation->items[i].expr = expand(f, relation, expr);
	relation->items[i].size = f->size + 1;
}

/* Computed columns are what they are computed from, but for the time attribute. */
static struct relation table_relation(struct following *f, const struct catalog_entry *entry)
{
	struct relation relation = {0};

	profile_table(f->builder, entry, f->profile);
	if (!entry || !f->profile->known || f->builder->nomem)
		return relation;
	for (size_t i = 0; i < entry->column_count; i++)
		add_item(f, &relation, entry->columns[i].name,
			new_column(f, (struct text){0}, f->profile->columns[i]), 1);
	for (size_t i = 0; i < relation.count; i++)
		if (entry->columns[i].kind == COLUMN_COMPUTED &&
			!is_rowtime(entry, &entry->columns[i]))
			compute(f, &relation, i, entry->columns[i].expr);
	return relation;
}

/* ---- FROM ---- */

static void rename_items(struct relation *relation, const struct text *names, size_t count)
{
	for (size_t i = 0; i < count && i < relation->count; i++)
		relation->items[i].name = names[i];
}

/* Is there a view that filters by the watermark? Whoever made it and does not read it forgot it. */
static bool has_late_view(const struct catalog *catalog)
{
	for (const struct catalog_entry *e = catalog->first; e; e = e->next)
		if (!e->dropped && e->is_view && e->query->where &&
			reads_watermark(e->query->where))
			return true;
	return false;
}

static struct relation follow_name(struct following *f, struct text database, struct text name)
{
	const struct with_scope *saved = f->with;
	const struct catalog_entry *entry;
	struct relation relation;

	for (const struct with_scope *scope = saved; scope && !database.len; scope = scope->outer)
		for (const struct sql_with *one = scope->names; one != scope->end;
			one = one->next) {
			struct with_scope before = {scope->names, one, scope->outer};

			if (!text_eq(one->name, name))
				continue;
			f->with = &before;
			relation = follow_query(f, one->query);
			f->with = saved;
			return relation;
		}
	entry = catalog_find(f->builder->catalog, database, name);
	if (!entry || !entry->is_view)
		return table_relation(f, entry);
	f->with = NULL;
	relation = follow_query(f, entry->query);
	f->with = saved;
	rename_items(&relation, entry->view_columns, entry->view_column_count);
	return relation;
}

static void add_window_columns(struct following *f, struct relation *relation)
{
	static const char *const names[] = {"window_start", "window_end", "window_time"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_item(f, relation, text_of(names[i]),
			new_column(f, WINDOW_COLUMN, text_of(names[i])), 1);
}

static struct relation follow_function(struct following *f, const struct sql_expr *call)
{
	const struct sql_expr *data = window_argument(call, TEXT("DATA"), 0);
	const struct sql_expr *time = window_argument(call, TEXT("TIMECOL"), 1);
	struct relation relation;

	if (!window_function_known(call->name) || !data || f->profile->window.kind.len ||
		f->profile->aggregated)
		return give_up(f);
	if (data->kind == EXPR_TABLE)
		relation = follow_name(f, data->qualifier, data->name);
	else if (data->kind == EXPR_QUERY)
		relation = follow_query(f, data->query);
	else
		return give_up(f);
	f->profile->window.kind = call->name;
	take_sizes(&f->profile->window, call, 2);
	take_partition(f, &relation, data);
	if (time && time->kind == EXPR_DESCRIPTOR && time->arg_count == 1)
		f->profile->window.time = expand(f, &relation, time->args[0]);
	add_window_columns(f, &relation);
	return relation;
}

static struct relation follow_rel(struct following *f, const struct sql_rel *rel)
{
	struct relation relation;

	switch (rel->kind) {
	case REL_NAME: relation = follow_name(f, rel->database, rel->name); break;
	case REL_QUERY: relation = follow_query(f, rel->query); break;
	case REL_FUNCTION: relation = follow_function(f, rel->call); break;
	default: return give_up(f);
	}
	rename_items(&relation, rel->columns, rel->column_count);
	return relation;
}

/* ---- conditions ---- */

static void take_condition(struct following *f, struct sql_expr *expr, bool having)
{
	struct profile *p = f->profile;

	if (expr && expr->kind == EXPR_OP && expr->op == SQL_OP_AND) {
		take_condition(f, expr->args[0], having);
		take_condition(f, expr->args[1], having);
		return;
	}
	p->having |= having;
	if (!expr)
		p->known = false;
	else if (!ast_walk(expr, not_rank, NULL))
		add_term(f, &p->rank.bounds, expr);
	else
		add_term(f, p->aggregated ? &p->behind : &p->before, expr);
}

/* ---- SELECT ---- */

/* GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE): the window, and its two columns as keys. */
static bool take_legacy(
	struct following *f, const struct relation *relation, const struct sql_expr *key)
{
	struct profile_window *window = &f->profile->window;

	if (key->kind != EXPR_CALL || !window_function_known(key->name) || key->arg_count < 2 ||
		window->kind.len)
		return false;
	window->kind = key->name;
	window->legacy = true;
	take_sizes(window, key, 1);
	window->time = expand(f, relation, key->args[0]);
	add_term(f, &f->profile->keys, new_column(f, WINDOW_COLUMN, TEXT("window_start")));
	add_term(f, &f->profile->keys, new_column(f, WINDOW_COLUMN, TEXT("window_end")));
	return true;
}

static bool calls_aggregate(const struct sql_query *query)
{
	for (size_t i = 0; i < query->item_count; i++)
		if (ast_has_aggregate(query->items[i].expr))
			return true;
	return query->having && ast_has_aggregate(query->having);
}

static void take_group(
	struct following *f, const struct relation *relation, const struct sql_query *query)
{
	struct profile *p = f->profile;

	p->levels++;
	if (p->levels > 1 || p->rank.function.len || query->grouping_sets) {
		p->known = false;
		return;
	}
	p->aggregated = true;
	p->grouped = query->grouped;
	for (size_t i = 0; i < query->group_count; i++)
		if (!take_legacy(f, relation, query->group[i]))
			add_term(f, &p->keys, expand(f, relation, query->group[i]));
}

/* A legacy SESSION is kept by the other keys of its GROUP BY. */
static void finish_legacy(struct profile *p)
{
	if (!p->window.legacy || !text_eq(p->window.kind, TEXT("SESSION")))
		return;
	for (size_t i = 0; i < p->keys.count; i++)
		if (!text_eq(p->keys.items[i]->qualifier, WINDOW_COLUMN))
			p->window.partitioned = true;
}

static struct text item_name(const struct sql_item *item)
{
	if (item->alias.len)
		return item->alias;
	return item->expr->kind == EXPR_COLUMN ? item->expr->name : (struct text){0};
}

static void take_rank(struct following *f, const struct sql_expr *call)
{
	struct profile_rank *rank = &f->profile->rank;

	if (rank->function.len) {
		f->profile->known &= text_eq(rank->function, call->name);
		return;
	}
	rank->function = call->name;
	rank->on_groups = f->profile->aggregated;
	rank->descending = call->over->order && call->over->order->descending;
	for (size_t i = 0; i < call->over->partition_count; i++)
		add_term(f, &rank->partition, call->over->partition[i]);
	for (const struct sql_order *order = call->over->order; order; order = order->next)
		add_term(f, &rank->order, order->expr);
}

static struct relation select_items(
	struct following *f, const struct relation *from, const struct sql_query *query)
{
	struct relation relation = {0};

	for (size_t i = 0; i < query->item_count; i++) {
		const struct sql_item *item = &query->items[i];
		struct sql_expr *expr;

		if (item->expr->kind == EXPR_STAR) {
			for (size_t k = 0; k < from->count; k++)
				add_item(f, &relation, from->items[k].name, from->items[k].expr,
					from->items[k].size);
			continue;
		}
		expr = expand(f, from, item->expr);
		if (expr && item->expr->kind != EXPR_COLUMN && is_rank_call(expr))
			take_rank(f, expr);
		add_item(f, &relation, item_name(item), expr, f->size + 1);
	}
	return relation;
}

static void take_limit(struct following *f, const struct sql_query *query)
{
	struct profile *p = f->profile;

	if (query->offset || p->limited)
		p->known = false;
	p->limited = true;
	if (query->limit->kind == EXPR_LITERAL)
		p->limit = query->limit->value.i;
}

static struct relation follow_select(struct following *f, const struct sql_query *query)
{
	struct relation from = {0}, relation;
	struct profile *p = f->profile;

	if (query->from)
		from = follow_rel(f, query->from);
	if (query->qualify)
		return give_up(f);
	if (query->where)
		take_condition(f, expand(f, &from, query->where), false);
	if (query->grouped || calls_aggregate(query))
		take_group(f, &from, query);
	finish_legacy(p);
	if (query->having)
		take_condition(f, expand(f, &from, query->having), true);
	relation = select_items(f, &from, query);
	p->distinct |= query->distinct;
	for (const struct sql_order *order = query->order; order; order = order->next) {
		struct sql_expr *expr = expand(f, &relation, order->expr);

		add_term(f, &p->order, expr ? expr : expand(f, &from, order->expr));
	}
	return relation;
}

/* The branches behind the first are profiles of their own. */
static struct relation follow_union(struct following *f, const struct sql_query *query)
{
	struct profile *other = ARENA_NEW(f->arena, struct profile), **end = &f->profile->other;
	struct relation relation = follow_query(f, query->left);
	struct following right = *f;

	if (!other) {
		f->builder->nomem = true;
		return relation;
	}
	*other = (struct profile){.known = true, .settings = f->profile->settings};
	right.profile = other;
	follow_query(&right, query->right);
	while (*end)
		end = &(*end)->other;
	*end = other;
	return relation;
}

static struct relation follow_query(struct following *f, const struct sql_query *query)
{
	struct with_scope scope = {query->with, NULL, f->with};
	struct relation relation;

	if (f->depth >= LIMIT_NESTING || f->builder->followed >= MOST_FOLLOWED)
		return give_up(f);
	f->builder->followed++;
	f->depth++;
	if (query->with)
		f->with = &scope;
	if (query->kind == QUERY_SELECT)
		relation = follow_select(f, query);
	else if (query->kind == QUERY_UNION_ALL)
		relation = follow_union(f, query);
	else
		relation = give_up(f);
	if (query->limit)
		take_limit(f, query);
	if (query->with)
		f->with = scope.outer;
	f->depth--;
	return relation;
}

void profile_query(
	struct profile_builder *builder, const struct sql_query *query, struct profile *profile)
{
	struct following following = {
		.builder = builder, .arena = builder->arena, .profile = profile};
	struct relation relation = follow_query(&following, query);

	profile->items = relation.items;
	profile->item_count = relation.count;
	profile->view_unused = has_late_view(builder->catalog);
}

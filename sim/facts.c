/* Facts about a query: source, delay, interval, where CURRENT_WATERMARK decides. The source of a
 * query that has no plan is looked for in its syntax. */
#include "sim/facts.h"

#include "parser/limits.h"
#include "sim/delay.h"
#include "sim/run.h"
#include "sim/source.h"

/* Does the column's value depend on CURRENT_WATERMARK? */
static bool late_column(const struct plan *plan, size_t column);

static bool late_expr(const struct plan *input, const struct expr *expr)
{
	if (expr->reads_watermark)
		return true;
	if (expr->is_column && input)
		return late_column(input, expr->column);
	for (size_t i = 0; i < expr->arg_count; i++)
		if (late_expr(input, expr->args[i]))
			return true;
	return false;
}

static bool late_column(const struct plan *plan, size_t column)
{
	switch (plan->kind) {
	case PLAN_SCAN:
	case PLAN_ROW:
	case PLAN_VALUES: return false;
	case PLAN_PROJECT: return late_expr(plan->input, plan->exprs[column]);
	case PLAN_WINDOW_AGG:
	case PLAN_GROUP_AGG:
		return column < plan->agg.spec.key_count &&
		       late_column(plan->input, plan->agg.spec.keys[column]);
	default: return column < plan->input->column_count && late_column(plan->input, column);
	}
}

static bool is_aggregate(const struct plan *plan)
{
	return plan->kind == PLAN_WINDOW_AGG || plan->kind == PLAN_GROUP_AGG;
}

static bool aggregates_below(const struct plan *plan)
{
	while (plan && !is_aggregate(plan))
		plan = plan->input;
	return plan != NULL;
}

static bool late_call(const struct plan *plan)
{
	for (size_t i = 0; i < plan->agg.spec.call_count; i++) {
		const struct agg_call *call = &plan->agg.spec.calls[i];

		if (call->has_filter && late_column(plan->input, call->filter))
			return true;
	}
	return false;
}

/* The filter nearest to the source. */
enum late_filter facts_late_filter(const struct plan *plan)
{
	enum late_filter found = LATE_FILTER_NONE;

	for (; plan; plan = plan->input) {
		if (plan->kind == PLAN_FILTER && late_expr(plan->input, plan->condition))
			found = aggregates_below(plan) ? LATE_FILTER_BEHIND : LATE_FILTER_ROWS;
		if (is_aggregate(plan) && late_call(plan))
			found = LATE_FILTER_AGGREGATE;
	}
	return found;
}

static int64_t parallelism_of(const struct options *options)
{
	static const char *const keys[] = {
		"table.exec.resource.default-parallelism", "parallelism.default"};
	int64_t parallelism = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && parallelism < 1; i++)
		if (text_to_int64(text_trim(options_get(options, keys[i], "0")), &parallelism) < 0)
			parallelism = 0;
	return parallelism < 1 ? 1 : parallelism;
}

static void table_facts(struct query_facts *facts, const struct catalog_entry *table)
{
	facts->has_source = true;
	facts->path = source_path(table);
	facts->format = catalog_option(table, TEXT("format"));
	facts->connector = catalog_option(table, TEXT("connector"));
	facts->has_watermark = table->has_watermark;
	if (table->has_watermark)
		facts->delay_known =
			delay_of(table->watermark, table->watermark_column, &facts->delay_ms);
}

struct query_facts facts_unplanned(const struct options *options, const struct catalog_entry *table)
{
	struct query_facts facts = {.batch = options_batch(options),
		.interval_ms = options_interval_ms(options),
		.parallelism = parallelism_of(options)};

	if (table)
		table_facts(&facts, table);
	return facts;
}

struct query_facts facts_of(
	const struct plan *plan, const struct options *options, bool legacy_window)
{
	const struct plan *scan = plan_source(plan);
	struct query_facts facts = facts_unplanned(options, scan ? scan->scan.table : NULL);

	facts.planned = true;
	facts.late_filter = facts_late_filter(plan);
	facts.legacy_window = legacy_window;
	for (const struct plan *node = plan; node; node = node->input)
		facts.windowed |= node->kind == PLAN_WINDOW_AGG;
	return facts;
}

/* ---- the source by syntax ---- */

struct lookup {
	const struct catalog *catalog;
	int depth; /* of views and sub-queries */
};

static const struct catalog_entry *query_source(
	struct lookup lookup, const struct with_scope *outer, const struct sql_query *query);

static const struct catalog_entry *name_source(
	struct lookup lookup, const struct with_scope *with, struct text database, struct text name)
{
	const struct catalog_entry *entry;

	for (; with && !database.len; with = with->outer)
		for (const struct sql_with *one = with->names; one != with->end; one = one->next) {
			struct with_scope before = {with->names, one, with->outer};

			if (text_eq(one->name, name))
				return query_source(lookup, &before, one->query);
		}
	entry = catalog_find(lookup.catalog, database, name);
	return entry && entry->is_view ? query_source(lookup, NULL, entry->query) : entry;
}

static const struct catalog_entry *rel_source(
	struct lookup lookup, const struct with_scope *with, const struct sql_rel *rel)
{
	const struct sql_expr *call = rel->call;

	switch (rel->kind) {
	case REL_NAME: return name_source(lookup, with, rel->database, rel->name);
	case REL_QUERY: return query_source(lookup, with, rel->query);
	case REL_JOIN: return rel_source(lookup, with, rel->left);
	case REL_FUNCTION: break;
	default: return NULL;
	}
	for (size_t i = 0; i < call->arg_count; i++) {
		if (call->args[i]->kind == EXPR_TABLE)
			return name_source(
				lookup, with, call->args[i]->qualifier, call->args[i]->name);
		if (call->args[i]->kind == EXPR_QUERY)
			return query_source(lookup, with, call->args[i]->query);
	}
	return NULL;
}

static const struct catalog_entry *query_source(
	struct lookup lookup, const struct with_scope *outer, const struct sql_query *query)
{
	struct with_scope scope = {query->with, NULL, outer};

	if (lookup.depth++ >= LIMIT_NESTING)
		return NULL;
	if (query->left)
		return query_source(lookup, &scope, query->left);
	return query->from ? rel_source(lookup, &scope, query->from) : NULL;
}

const struct catalog_entry *source_by_syntax(
	const struct catalog *catalog, const struct sql_query *query)
{
	return query_source((struct lookup){catalog, 0}, NULL, query);
}

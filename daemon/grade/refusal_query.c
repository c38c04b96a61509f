/* Refused queries: a column that is not grouped by, a function over what it does not take,
 * sorting and ranking that a stream has not. */
#include "daemon/grade/lateness.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"
#include "sim/ast.h"

static bool aggregates(const struct sql_query *query)
{
	for (size_t i = 0; i < query->item_count; i++)
		if (ast_has_aggregate(query->items[i].expr))
			return true;
	return false;
}

/* The aggregating query, here or in a sub-query in FROM. */
static const struct sql_query *aggregating(const struct sql_query *query)
{
	while (query && !query->grouped && !aggregates(query) && query->from)
		query = query->from->query;
	return query && (query->grouped || aggregates(query)) ? query : NULL;
}

void refusal_ungrouped(struct refusal *r)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	struct text name = refusal_quoted(r, "Expression ");
	size_t dot = text_find(name, TEXT("."));

	query = query ? aggregating(query) : NULL;
	if (query && query->having && reads_watermark(query->having))
		refusal_add(r, DIAG_FILTER_PLACE, TEXT("HAVING"));
	else if (query && r->written.whole && !query->grouped)
		refusal_add(r, DIAG_GROUP_KEY_MISSING, TEXT("all"));
	else
		refusal_add(r, DIAG_GROUP_KEY_MISSING,
			dot < name.len ? text_slice(name, dot + 1, name.len) : name);
}

/* A call, or an operator, over a column. */
struct finding_use {
	struct text call;	   /* SUM ... */
	const struct sql_expr *of; /* its argument */
};

static bool see_use(const struct sql_expr *expr, void *ctx)
{
	struct finding_use *find = ctx;

	if (expr->kind != EXPR_CALL || !text_eq(expr->name, find->call) || !expr->arg_count ||
		expr->args[0]->kind != EXPR_COLUMN)
		return true;
	find->of = expr->args[0];
	return false;
}

static bool is_text_type(const struct sql_create_table *table, struct text column)
{
	for (size_t i = 0; table && i < table->column_count; i++)
		if (text_ieq(table->columns[i].name, column))
			return table->columns[i].kind == COLUMN_PHYSICAL &&
			       (table->columns[i].type.kind == SQL_VARCHAR ||
				       table->columns[i].type.kind == SQL_CHAR);
	return false;
}

static bool is_number_in_file(const struct refusal *r, struct text column)
{
	const struct lab *lab = r->grading->grader->lab;

	for (size_t i = 0; i < lab->fixture_count; i++)
		for (size_t k = 0; k < lab->fixtures[i].column_count; k++)
			if (text_ieq(lab->fixtures[i].columns[k].name, column))
				return text_find(lab->fixtures[i].columns[k].type, TEXT("INT")) <
				       lab->fixtures[i].columns[k].type.len;
	return false;
}

/* SUM over a text: a number of the file that was declared as text, or another column than asked. */
static void say_use(struct refusal *r, const struct sql_query *query, struct text call)
{
	const struct sql_create_table *table = query_table(&r->written, r->at, query);
	struct finding_use find = {.call = call};

	query_walk(query, see_use, &find);
	if (!find.of)
		return;
	if (is_text_type(table, find.of->name) && is_number_in_file(r, find.of->name))
		refusal_columns(r, table);
	else
		refusal_add(r, DIAG_AGG_COLUMN, find.of->name);
}

static bool is_letter(char c)
{
	return text_is_word(c) || (unsigned char)c >= 0x80;
}

/* The word behind the last FROM that is followed by a bracket. */
static struct text called_in_from(struct text source)
{
	struct text found = {0};

	for (size_t i = 0; i + 5 < source.len; i++) {
		struct text rest = text_slice(source, i + 4, source.len);
		size_t len = 0;

		if (!text_ieq(text_slice(source, i, i + 4), TEXT("FROM")) || is_letter(rest.ptr[0]))
			continue;
		rest = text_trim_left(rest);
		while (len < rest.len && is_letter(rest.ptr[len]))
			len++;
		if (len && text_starts(text_trim_left(text_slice(rest, len, rest.len)), TEXT("(")))
			found = text_slice(rest, 0, len);
	}
	return found;
}

/* TABLE t where no window function stands around it is taken for a sub-query: the function's name
 * is none. */
void refusal_scalar(struct refusal *r)
{
	struct text name =
		r->statement ? called_in_from(r->statement->piece.source) : (struct text){0};

	if (name.len && !refusal_is_window(name) && !text_ieq(name, TEXT("TABLE")))
		refusal_add(r, DIAG_ERROR_UNKNOWN_NAME, name);
	else
		refusal_add(r, DIAG_ERROR_SYNTAX, name);
}

/* A call with too many or too few arguments. */
void refusal_arguments(struct refusal *r)
{
	refusal_add(r, DIAG_ERROR_SYNTAX, refusal_quoted(r, "to function "));
}

void refusal_form(struct refusal *r)
{
	refusal_add(r, DIAG_ERROR_SYNTAX, (struct text){0});
}

void refusal_sink(struct refusal *r)
{
	refusal_add(r, DIAG_SINK_ONLY, (struct text){0});
}

void refusal_argument_type(struct refusal *r)
{
	struct text name = refusal_quoted(r, "Cannot apply ");
	const struct written_statement *s = r->statement;
	const struct sql_query *query = s ? written_query(s) : NULL;

	if (refusal_is_window(name))
		refusal_add(r, DIAG_ERROR_SYNTAX, name);
	else if (s && !s->err && s->tree.kind == STMT_CREATE_TABLE &&
		 refusal_columns(r, s->tree.create))
		return;
	else if (query && text_is_word(name.len ? name.ptr[0] : ' '))
		say_use(r, query, name);
	else
		refusal_add(r, DIAG_ERROR_SYNTAX,
			text_format(r->arena, "types of %.*s", TEXT_ARG(name)));
}

void refusal_sort(struct refusal *r)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	const struct sql_order *order = query ? query->order : NULL;
	bool column = order && order->expr->kind == EXPR_COLUMN;

	refusal_add(r, DIAG_ORDER_BY, column ? order->expr->name : (struct text){0});
}

/* A ranking without ORDER BY, or by a constant. */
void refusal_unordered(struct refusal *r)
{
	refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("ORDER-BY"));
}

void refusal_rank(struct refusal *r)
{
	size_t at = text_find(r->error, TEXT("() function is not supported on Window"));
	size_t from = at;

	while (from > 0 && (text_is_word(r->error.ptr[from - 1])))
		from--;
	refusal_add(r, DIAG_AGG_FUNCTION, text_slice(r->error, from, at));
}

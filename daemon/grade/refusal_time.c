/* Refused for the sake of time: a column that is no time attribute where one is needed. A column
 * loses the attribute in a batch query, by a cast or a function, in an aggregate, and it never
 * had it in a table without a WATERMARK. */
#include "daemon/grade/refusal.h"
#include "parser/arena.h"
#include "sim/ast.h"

/* The first call of that name in the query. */
struct finding_call {
	struct text name;
	bool (*wanted)(const struct sql_expr *call);
	const struct sql_expr *call;
};

static bool see_call(const struct sql_expr *expr, void *ctx)
{
	struct finding_call *find = ctx;

	if (expr->kind != EXPR_CALL || !text_eq(expr->name, find->name) ||
		(find->wanted && !find->wanted(expr)))
		return true;
	find->call = expr;
	return false;
}

/* In the refused statement, or in a view before it, latest first. */
static const struct sql_expr *find_call(
	const struct refusal *r, const char *name, bool (*wanted)(const struct sql_expr *))
{
	struct finding_call find = {.name = text_of(name), .wanted = wanted};

	for (size_t i = r->at + 1; !find.call && i > 0 && r->written.count; i--) {
		const struct sql_query *query =
			i <= r->written.count ? written_query(&r->written.items[i - 1]) : NULL;

		if (query)
			query_walk(query, see_call, &find);
	}
	return find.call;
}

static bool is_batch(const struct refusal *r)
{
	struct text mode = written_setting(&r->written, r->at, "execution.runtime-mode");

	return text_ieq(text_trim(mode), TEXT("batch"));
}

static bool is_no_column(const struct sql_expr *call)
{
	return call->arg_count == 1 && call->args[0]->kind != EXPR_COLUMN;
}

static bool is_window_column(const struct sql_expr *call)
{
	return call->arg_count == 1 && call->args[0]->kind == EXPR_COLUMN &&
	       (text_ieq(call->args[0]->name, TEXT("window_start")) ||
		       text_ieq(call->args[0]->name, TEXT("window_end")) ||
		       text_ieq(call->args[0]->name, TEXT("window_time")));
}

/* What an expression makes of its column: CAST, a function's name, or an operator. */
static struct text conversion(const struct sql_expr *expr)
{
	if (expr->kind == EXPR_CAST)
		return TEXT("CAST");
	return expr->kind == EXPR_CALL ? expr->name : TEXT("expression");
}

/* The item of a view or a sub-query that makes this column. */
struct finding_item {
	struct text name;
	const struct sql_expr *made;
};

static void find_item(const struct sql_query *query, struct finding_item *find)
{
	for (size_t i = 0; query && i < query->item_count; i++)
		if (text_ieq(query->items[i].alias, find->name) &&
			query->items[i].expr->kind != EXPR_COLUMN)
			find->made = query->items[i].expr;
}

static const struct sql_expr *converted(const struct refusal *r, struct text name)
{
	struct finding_item find = {.name = name};

	for (size_t i = 0; i <= r->at && i < r->written.count; i++) {
		const struct sql_query *query = written_query(&r->written.items[i]);

		find_item(query, &find);
		for (const struct sql_with *with = query ? query->with : NULL; with;
			with = with->next)
			find_item(with->query, &find);
		if (query && query->from)
			find_item(query->from->query, &find);
	}
	return find.made;
}

/* Was the watermark taken off, or put on, by a later ALTER TABLE? */
static bool has_watermark(const struct refusal *r, const struct sql_create_table *table)
{
	bool has = table->has_watermark || table->like.len;

	for (size_t i = 0; i < r->at && i < r->written.count; i++) {
		const struct written_statement *s = &r->written.items[i];

		if (s->err || !text_ieq(s->tree.name, table->name))
			continue;
		has = (has || s->tree.kind == STMT_ALTER_WATERMARK) &&
		      s->tree.kind != STMT_ALTER_NO_WATERMARK;
	}
	return has;
}

/* Why this column of the query is no time attribute, as far as the table and what lies between
 * tell. */
static bool say_column(struct refusal *r, struct text name)
{
	const struct sql_create_table *table = refusal_table(r);
	const struct sql_expr *made = converted(r, name);

	if (made)
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, conversion(made));
	else if (table && !has_watermark(r, table))
		refusal_add(r, DIAG_NO_WATERMARK, (struct text){0});
	else if (table && table->has_watermark && !text_ieq(table->watermark_column, name))
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, name);
	else
		return false;
	return true;
}

static void say_mode(struct refusal *r, enum diagnosis_id in_batch)
{
	if (!r->written.whole || is_batch(r))
		refusal_add(
			r, refusal_asks_batch(r) ? in_batch : DIAG_BATCH_MODE, (struct text){0});
	else
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, (struct text){0});
}

void refusal_not_rowtime(struct refusal *r)
{
	const struct sql_expr *behind = find_call(r, "CURRENT_WATERMARK", is_window_column);
	const struct sql_expr *other = find_call(r, "CURRENT_WATERMARK", is_no_column);
	const struct sql_expr *call = find_call(r, "CURRENT_WATERMARK", NULL);

	if (is_batch(r))
		say_mode(r, DIAG_FILTER_EXTRA);
	else if (other)
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, conversion(other->args[0]));
	else if (behind)
		refusal_add(r, DIAG_FILTER_PLACE, TEXT("after-the-aggregate"));
	else if (!call || !call->arg_count || !say_column(r, call->args[0]->name))
		say_mode(r, DIAG_FILTER_EXTRA);
}

/* The argument has a type that no time has: a text that should be a name, or another column. */
void refusal_watermark_argument(struct refusal *r)
{
	const struct sql_expr *call = find_call(r, "CURRENT_WATERMARK", NULL);
	bool literal =
		text_find(r->error, TEXT("NOT NULL' cannot be a time attribute")) < r->error.len;

	if (call && call->arg_count == 1 && call->args[0]->kind == EXPR_COLUMN) {
		size_t before = r->causes->count;

		refusal_columns(r, refusal_table(r));
		if (r->causes->count == before)
			refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, call->args[0]->name);
	} else if (call && call->arg_count == 1 && call->args[0]->kind != EXPR_LITERAL) {
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, conversion(call->args[0]));
	} else {
		refusal_add(r, literal ? DIAG_ERROR_SYNTAX : DIAG_NO_TIME_ATTRIBUTE,
			literal ? TEXT("CURRENT_WATERMARK") : (struct text){0});
	}
}

static bool see_descriptor(const struct sql_expr *expr, void *ctx)
{
	const struct sql_expr **found = ctx;

	if (expr->kind != EXPR_DESCRIPTOR)
		return true;
	*found = expr;
	return false;
}

/* The column in DESCRIPTOR(...), or the first argument of a window of the old spelling. */
static struct text time_column(const struct refusal *r)
{
	static const char *const legacy[] = {"TUMBLE", "HOP", "SESSION"};
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	const struct sql_expr *found = NULL;

	if (query)
		query_walk(query, see_descriptor, &found);
	for (size_t i = 0; !found && i < sizeof(legacy) / sizeof(legacy[0]); i++)
		found = find_call(r, legacy[i], NULL);
	return found && found->arg_count && found->args[0]->kind == EXPR_COLUMN
		       ? found->args[0]->name
		       : (struct text){0};
}

static bool in_file(const struct refusal *r, struct text name)
{
	const struct lab *lab = r->grading->grader->lab;

	for (size_t i = 0; i < lab->fixture_count; i++)
		if (lab->fixtures[i].rowtime < lab->fixtures[i].column_count &&
			text_ieq(lab->fixtures[i].columns[lab->fixtures[i].rowtime].name, name))
			return true;
	return false;
}

/* A column that is no time at all: another one than the file's times, or declared as something
 * else. */
static void say_no_time(struct refusal *r, struct text name)
{
	const struct sql_expr *made = converted(r, name);

	if (made)
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, conversion(made));
	else if (!in_file(r, name) || !refusal_columns(r, refusal_table(r)))
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, name);
}

void refusal_descriptor_type(struct refusal *r)
{
	say_no_time(r, time_column(r));
}

/* The watermark is left to a source that has none: no delay is declared. */
void refusal_of_source(struct refusal *r)
{
	refusal_add(r, DIAG_DELAY, (struct text){0});
}

void refusal_watermark_type(struct refusal *r)
{
	const struct sql_statement *s =
		r->statement && !r->statement->err ? &r->statement->tree : NULL;

	if (s && s->create && s->create->has_watermark && in_file(r, s->create->watermark_column) &&
		refusal_columns(r, s->create))
		return;
	refusal_add(r, DIAG_NO_TIME_ATTRIBUTE,
		s && s->create ? s->create->watermark_column : (struct text){0});
}

void refusal_not_time_attribute(struct refusal *r)
{
	struct text name = time_column(r);

	if (!name.len || !say_column(r, name))
		refusal_add(r, DIAG_NO_TIME_ATTRIBUTE, name);
}

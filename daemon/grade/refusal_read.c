/* Questions about what was written: the table behind a query, settings in force, how a table's
 * columns differ from the file's. Views and WITH are followed back to the table that they
 * read. */
#include <errno.h>

#include "daemon/grade/lab.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"
#include "parser/limits.h"
#include "sim/ast.h"

void refusal_add(struct refusal *r, enum diagnosis_id id, struct text param)
{
	causes_add_at(r->causes, id, param, r->table);
}

struct text refusal_quoted(const struct refusal *r, const char *mark)
{
	size_t at = text_find(r->error, text_of(mark)), from, len;
	struct text rest;

	if (at == r->error.len)
		return (struct text){0};
	rest = text_slice(r->error, at + text_of(mark).len, r->error.len);
	from = text_find(rest, TEXT("'"));
	rest = text_slice(rest, from + 1, rest.len);
	len = text_find(rest, TEXT("'"));
	return len == rest.len ? (struct text){0} : text_slice(rest, 0, len);
}

struct walk {
	bool (*see)(const struct sql_expr *, void *);
	void *ctx;
};

static bool walk_expr(const struct sql_expr *expr, void *ctx)
{
	const struct walk *walk = ctx;

	return walk->see(expr, walk->ctx) &&
	       (!expr->query || query_walk(expr->query, walk->see, walk->ctx));
}

static bool walk_all(const struct walk *walk, const struct sql_expr *expr)
{
	return !expr || ast_walk(expr, walk_expr, (void *)walk);
}

static bool walk_rel(const struct walk *walk, const struct sql_rel *rel)
{
	return !rel || (walk_all(walk, rel->call) &&
			       (!rel->query || query_walk(rel->query, walk->see, walk->ctx)) &&
			       walk_rel(walk, rel->left) && walk_rel(walk, rel->right));
}

bool query_walk(const struct sql_query *q, bool (*see)(const struct sql_expr *, void *), void *ctx)
{
	const struct walk walk = {see, ctx};
	bool on = walk_rel(&walk, q->from) && walk_all(&walk, q->where) &&
		  walk_all(&walk, q->having) && walk_all(&walk, q->qualify);

	for (const struct sql_with *with = q->with; on && with; with = with->next)
		on = query_walk(with->query, see, ctx);
	for (size_t i = 0; on && i < q->item_count; i++)
		on = walk_all(&walk, q->items[i].expr);
	for (size_t i = 0; on && i < q->group_count; i++)
		on = walk_all(&walk, q->group[i]);
	for (const struct sql_order *order = q->order; on && order; order = order->next)
		on = walk_all(&walk, order->expr);
	return on && (!q->left || query_walk(q->left, see, ctx)) &&
	       (!q->right || query_walk(q->right, see, ctx));
}

/* The name or the sub-query that a relation reads. */
static bool find_table(const struct sql_expr *expr, void *ctx)
{
	const struct sql_expr **found = ctx;

	if (expr->kind != EXPR_TABLE && expr->kind != EXPR_QUERY)
		return true;
	*found = expr;
	return false;
}

static void reads(const struct sql_rel *rel, struct text *name, const struct sql_query **query)
{
	const struct sql_expr *table = NULL;

	while (rel && rel->kind == REL_JOIN)
		rel = rel->left;
	if (!rel)
		return;
	*name = rel->name;
	*query = rel->query;
	if (rel->call && !ast_walk(rel->call, find_table, &table)) {
		*name = table->name;
		*query = table->query;
	}
}

static const struct sql_query *view(
	const struct written *written, size_t *before, const struct sql_query *q, struct text name)
{
	for (const struct sql_with *with = q->with; with; with = with->next)
		if (text_ieq(with->name, name))
			return with->query;
	for (size_t i = *before < written->count ? *before : written->count; i > 0; i--) {
		const struct written_statement *s = &written->items[i - 1];

		if (s->err || s->tree.kind != STMT_CREATE_VIEW || !text_ieq(s->tree.name, name))
			continue;
		*before = i - 1;
		return s->tree.query;
	}
	return NULL;
}

const struct sql_create_table *query_table(
	const struct written *written, size_t at, const struct sql_query *query)
{
	const struct sql_query *around = query;

	for (int depth = 0; query && depth < LIMIT_NESTING; depth++) {
		struct text name = {0};
		const struct sql_query *next = NULL;
		const struct sql_create_table *table;

		while (query->left)
			query = query->left;
		around = query->with ? query : around;
		reads(query->from, &name, &next);
		if (!next && name.len) {
			next = view(written, &at, around, name);
			table = next ? NULL : written_table(written, at, name);
			if (table)
				return table;
		}
		query = next;
	}
	return NULL;
}

const struct sql_create_table *refusal_table(const struct refusal *r)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	const struct sql_create_table *table =
		query ? query_table(&r->written, r->at, query) : NULL;

	for (size_t i = r->at; !table && i > 0; i--)
		if (!r->written.items[i - 1].err &&
			r->written.items[i - 1].tree.kind == STMT_CREATE_TABLE)
			table = r->written.items[i - 1].tree.create;
	return table;
}

struct text written_setting(const struct written *written, size_t at, const char *key)
{
	struct text value = {0};

	for (size_t i = 0; i < at && i < written->count; i++) {
		const struct sql_statement *s = &written->items[i].tree;

		if (written->items[i].err)
			continue;
		if (s->kind == STMT_SET && text_eq(s->key, text_of(key)))
			value = s->value;
		if (s->kind == STMT_RESET && (!s->key.len || text_eq(s->key, text_of(key))))
			value = (struct text){0};
	}
	return value;
}

bool refusal_asks_batch(const struct refusal *r)
{
	struct text mode = written_setting(&r->asked, r->asked.count, "execution.runtime-mode");

	return text_ieq(text_trim(mode), TEXT("batch"));
}

static struct text without_file(struct text path)
{
	if (text_starts(path, TEXT("file:")))
		path = text_slice(path, 5, path.len);
	while (path.len > 1 && path.ptr[0] == '/' && path.ptr[1] == '/')
		path = text_slice(path, 1, path.len);
	return path;
}

static struct text option(const struct sql_create_table *table, const char *key)
{
	for (size_t i = 0; i < table->option_count; i++)
		if (text_eq(table->options[i].key, text_of(key)))
			return table->options[i].value;
	return (struct text){0};
}

/* The lab's file that the table is meant to read: the one whose path it names, else the first. */
static const struct fixture *fixture_of(
	const struct refusal *r, const struct sql_create_table *table, bool *named)
{
	const struct lab *lab = r->grading->grader->lab;
	struct text path = without_file(option(table, "path"));

	*named = false;
	for (size_t i = 0; i < lab->fixture_count; i++)
		if (text_eq(lab->fixtures[i].path, path)) {
			*named = true;
			return &lab->fixtures[i];
		}
	return lab->fixture_count ? &lab->fixtures[0] : NULL;
}

static size_t find_column(const struct sql_create_table *table, struct text name)
{
	size_t i = 0;

	while (i < table->column_count && !text_ieq(table->columns[i].name, name))
		i++;
	return i;
}

static bool is_physical(const struct sql_column *column)
{
	return column->kind == COLUMN_PHYSICAL;
}

static void say_type(struct refusal *r, const struct sql_column *column, struct text asked)
{
	struct sql_type type = column->type;
	struct text printed;

	type.not_null = false;
	printed = sql_type_print(r->arena, &type);
	if (!text_ieq(printed, asked))
		refusal_add(r, DIAG_DDL_COLUMNS,
			text_format(
				r->arena, "%.*s:%.*s", TEXT_ARG(column->name), TEXT_ARG(printed)));
}

static void say_column(struct refusal *r, struct text name, const char *what)
{
	refusal_add(r, DIAG_DDL_COLUMNS, text_format(r->arena, "%.*s-%s", TEXT_ARG(name), what));
}

/* Columns that the file has and the table has not, and the other way round. */
static void say_names(
	struct refusal *r, const struct sql_create_table *table, const struct fixture *file)
{
	for (size_t i = 0; i < file->column_count; i++) {
		size_t at = find_column(table, file->columns[i].name);

		if (at == table->column_count)
			say_column(r, file->columns[i].name, "missing");
		else if (is_physical(&table->columns[at]))
			say_type(r, &table->columns[at], file->columns[i].type);
	}
	for (size_t i = 0; i < table->column_count; i++) {
		size_t at = 0;

		while (at < file->column_count &&
			!text_ieq(file->columns[at].name, table->columns[i].name))
			at++;
		if (at == file->column_count && is_physical(&table->columns[i]))
			say_column(r, table->columns[i].name, "extra");
	}
}

/* Do the columns that both have stand in another order? */
static bool is_reordered(const struct sql_create_table *table, const struct fixture *file)
{
	size_t last = 0;

	for (size_t i = 0; i < file->column_count; i++) {
		size_t at = find_column(table, file->columns[i].name);

		if (at == table->column_count)
			continue;
		if (at < last)
			return true;
		last = at;
	}
	return false;
}

bool refusal_columns(struct refusal *r, const struct sql_create_table *table)
{
	size_t before = r->causes->count;
	bool named;
	const struct fixture *file = table ? fixture_of(r, table, &named) : NULL;

	if (!file || !file->column_count)
		return false;
	say_names(r, table, file);
	if (r->causes->count == before && is_reordered(table, file))
		refusal_add(r, DIAG_DDL_COLUMNS, TEXT("order"));
	return r->causes->count > before;
}

static struct text base_name(struct text path)
{
	size_t from = path.len;

	while (from > 0 && path.ptr[from - 1] != '/')
		from--;
	return text_slice(path, from, path.len);
}

void refusal_no_file(struct refusal *r)
{
	const struct sql_create_table *table = refusal_table(r);
	bool named = false;

	if (table && fixture_of(r, table, &named) && named)
		return; /* it is the lab's own file that is not there */
	refusal_add(r, DIAG_PATH, table ? option(table, "path") : (struct text){0});
}

/* A table that reads another file than the lab's. */
static bool reads_other(struct refusal *r, const struct sql_create_table *table, struct text what)
{
	bool named = false;

	if (!table || !fixture_of(r, table, &named) || named)
		return false;
	refusal_add(r, DIAG_OTHER_DATA, what.len ? what : base_name(option(table, "path")));
	return true;
}

void refusal_bad_line(struct refusal *r)
{
	const struct sql_create_table *table = refusal_table(r);

	if (reads_other(r, table, (struct text){0}))
		return;
	if (table && !text_eq(option(table, "format"), TEXT("csv"))) {
		refusal_add(r, DIAG_TABLE_OPTION, TEXT("format"));
		return;
	}
	if (refusal_columns(r, table))
		return;
	if (table && option(table, "csv.field-delimiter").len)
		refusal_add(r, DIAG_TABLE_OPTION, TEXT("csv.field-delimiter"));
	else
		refusal_add(r, DIAG_ERROR_CSV, (struct text){0});
}

/* A bad line became NULLs, which no time can be: so bad lines are ignored, and there is one. */
void refusal_null_rowtime(struct refusal *r)
{
	const struct sql_create_table *table = refusal_table(r);
	bool ignored = table && option(table, "csv.ignore-parse-errors").len;

	if (!reads_other(r, table, (struct text){0}) && !refusal_columns(r, table))
		refusal_add(r, DIAG_ERROR_CSV, (struct text){0});
	if (ignored)
		refusal_add(r, DIAG_TABLE_OPTION, TEXT("ignore-parse-errors"));
}

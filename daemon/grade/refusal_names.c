/* Refused names. A name that nothing was created under is a table that this run never made; where
 * something was created, a name that is nearly the same is a misspelling. */
#include "daemon/grade/distance.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"

/* Letters by which a misspelt name may differ. */
#define NEAR_NAME 2

static struct text last_part(struct text name)
{
	size_t from = name.len;

	while (from > 0 && name.ptr[from - 1] != '.' && name.ptr[from - 1] != '`')
		from--;
	return text_slice(name, from, name.len);
}

static struct text created(const struct written_statement *s)
{
	if (s->err)
		return (struct text){0};
	if (s->tree.kind == STMT_CREATE_TABLE)
		return s->tree.create->name;
	return s->tree.kind == STMT_CREATE_VIEW ? s->tree.name : (struct text){0};
}

struct names {
	bool any;   /* something is created before */
	bool later; /* this one is created, but behind */
	bool near;  /* one like it is created before */
};

static struct names look(const struct refusal *r, struct text name)
{
	struct names names = {0};

	for (size_t i = 0; i < r->written.count; i++) {
		struct text made = created(&r->written.items[i]);

		if (!made.len)
			continue;
		if (i > r->at) {
			names.later = names.later || text_ieq(made, name);
			continue;
		}
		names.any = true;
		names.near = names.near || text_distance(made, name) <= NEAR_NAME ||
			     text_starts(made, name) || text_starts(name, made);
	}
	return names;
}

static bool asked_creates(const struct refusal *r, struct text name)
{
	for (size_t i = 0; i < r->asked.count; i++)
		if (text_ieq(created(&r->asked.items[i]), name))
			return true;
	return false;
}

/* The name behind whichever of the marks the message has. */
static struct text named_table(const struct refusal *r)
{
	static const char *const marks[] = {"Object ", "find table ", "identifier ", "Table "};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		struct text name = refusal_quoted(r, marks[i]);

		if (name.len && text_ends(name, TEXT("`")))
			name.len--;
		if (name.len)
			return last_part(name);
	}
	return (struct text){0};
}

void refusal_no_table(struct refusal *r)
{
	struct text name = named_table(r);
	struct names names = look(r, name);

	if (names.later)
		refusal_add(r, DIAG_CREATE_MISSING, TEXT("later"));
	else if (!names.any || (!names.near && asked_creates(r, name)))
		refusal_add(r, DIAG_CREATE_MISSING, (struct text){0});
	else
		refusal_add(r, DIAG_ERROR_UNKNOWN_NAME, name);
}

static bool is_lateral_call(const struct sql_expr *expr, void *ctx)
{
	const struct text *name = ctx;
	bool reads = false;

	if (expr->kind != EXPR_CALL)
		return true;
	for (size_t i = 0; i < expr->arg_count; i++)
		reads = reads || (expr->args[i]->kind == EXPR_COLUMN &&
					 text_ieq(expr->args[i]->name, *name));
	return !reads;
}

/* A window function whose table or time column is given as a bare word: TUMBLE(events, ts, ...). */
static const char *bare_argument(const struct refusal *r, struct text name)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	const struct sql_rel *from = query ? query->from : NULL;

	if (!from || !from->call || is_lateral_call(from->call, &name))
		return NULL;
	return written_table(&r->written, r->at, name) ? "TABLE" : "DESCRIPTOR";
}

/* A column that the lab's file has, and the table has not. */
static bool is_undeclared(struct refusal *r, struct text name)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	const struct sql_create_table *table =
		query ? query_table(&r->written, r->at, query) : NULL;
	const struct lab *lab = r->grading->grader->lab;

	for (size_t i = 0; table && i < table->column_count; i++)
		if (text_ieq(table->columns[i].name, name))
			return false;
	for (size_t i = 0; table && i < lab->fixture_count; i++)
		for (size_t k = 0; k < lab->fixtures[i].column_count; k++)
			if (text_ieq(lab->fixtures[i].columns[k].name, name))
				return true;
	return false;
}

/* A window of the old spelling has no window_start, and adds no column. */
static bool is_legacy_window(const struct sql_expr *expr)
{
	static const char *const names[] = {"TUMBLE", "HOP", "SESSION"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (expr->kind == EXPR_CALL && text_eq(expr->name, text_of(names[i])))
			return true;
	return false;
}

static bool groups_by_legacy_window(const struct refusal *r)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;

	for (size_t i = 0; query && i < query->group_count; i++)
		if (is_legacy_window(query->group[i]))
			return true;
	return false;
}

/* SESSION(TABLE t PARTITION BY a, b, ...): without brackets the list ends at the first comma. */
static bool see_unbracketed(const struct sql_expr *expr, void *ctx)
{
	const struct text *name = ctx;
	bool of_table = false;

	for (size_t i = 0; expr->kind == EXPR_CALL && i < expr->arg_count; i++) {
		const struct sql_expr *arg = expr->args[i];

		if (of_table && arg->kind == EXPR_COLUMN && !arg->arg_name.len &&
			text_ieq(arg->name, *name))
			return false;
		of_table = (arg->kind == EXPR_TABLE && arg->partition_count) ||
			   (of_table && arg->kind == EXPR_COLUMN);
	}
	return true;
}

static bool is_unbracketed(const struct refusal *r, struct text name)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;

	return query && !query_walk(query, see_unbracketed, &name);
}

/* DESCRIBE TABLE t: the client takes it for a query. */
static bool is_description(const struct refusal *r)
{
	struct text source =
		r->statement ? text_trim(r->statement->piece.source) : (struct text){0};

	return text_ieq(text_slice(source, 0, 4), TEXT("DESC"));
}

/* A call of '*' that is no COUNT(*): the name of none that takes it. */
static bool see_starred(const struct sql_expr *expr, void *ctx)
{
	struct text *name = ctx;

	if (expr->kind != EXPR_CALL || !expr->star || text_ieq(expr->name, TEXT("COUNT")))
		return true;
	*name = expr->name;
	return false;
}

static bool is_aggregate(struct text name)
{
	static const char *const names[] = {
		"SUM", "AVG", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_ieq(name, text_of(names[i])))
			return true;
	return false;
}

/* Unknown identifier '*': COUNT alone takes it, so another function was called, or one that there
 * is not. */
static bool is_starred(struct refusal *r, struct text unknown)
{
	const struct sql_query *query = r->statement ? written_query(r->statement) : NULL;
	struct text name = {0};

	if (!text_eq(unknown, TEXT("*")) || !query || query_walk(query, see_starred, &name))
		return false;
	refusal_add(r, is_aggregate(name) ? DIAG_ERROR_SYNTAX : DIAG_ERROR_UNKNOWN_NAME, name);
	return true;
}

void refusal_no_column(struct refusal *r)
{
	bool unknown = text_find(r->error, TEXT("Unknown identifier '")) < r->error.len;
	struct text name = refusal_quoted(r, unknown ? "Unknown identifier " : "Column ");
	const char *keyword = bare_argument(r, name);

	if (is_description(r)) {
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("DESCRIBE"));
		return;
	}
	if (is_starred(r, name))
		return;
	if (text_starts(name, TEXT("window_")) && groups_by_legacy_window(r))
		refusal_add(r, DIAG_LEGACY_WINDOW, (struct text){0});
	if (is_unbracketed(r, name)) {
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("brackets"));
		refusal_add(r, DIAG_SESSION_PARTITION, name);
	} else if (keyword)
		refusal_add(r, DIAG_ERROR_SYNTAX, text_of(keyword));
	else if (!is_undeclared(r, name) ||
		 !refusal_columns(r, query_table(&r->written, r->at, written_query(r->statement))))
		refusal_add(r, DIAG_ERROR_UNKNOWN_NAME, name);
}

/* The last name between quotes, or brackets, of what the message says is not there. */
void refusal_no_name(struct refusal *r)
{
	static const char *const marks[] = {"rowtime attribute field ", "Primary key column ",
		"Unknown target column ", "Table ", "'default_catalog'.", "Database "};
	const struct text mark = TEXT("A database with name [");
	size_t at = text_find(r->error, mark);
	struct text name = text_slice(r->error, at + mark.len, r->error.len);

	name = text_slice(name, 0, text_find(name, TEXT("]")));
	for (size_t i = 0; !name.len && i < sizeof(marks) / sizeof(marks[0]); i++)
		name = refusal_quoted(r, marks[i]);
	refusal_add(r, DIAG_ERROR_UNKNOWN_NAME, name);
}

/* Without the same name among the supported signatures: it is a call's form that is wrong then. */
void refusal_no_function(struct refusal *r)
{
	size_t at = text_find(r->error, TEXT("signature "));
	struct text name = text_slice(r->error, at + TEXT("signature ").len, r->error.len);
	bool known = text_find(r->error, TEXT("Supported signatures")) < r->error.len;

	name = text_slice(name, 0, text_find(name, TEXT("(")));
	refusal_add(r, known ? DIAG_ERROR_SYNTAX : DIAG_ERROR_UNKNOWN_NAME, name);
}

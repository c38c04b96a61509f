/* Refused names, definitions and settings. A name that nothing was created under is a table that this run
 * never made; where something was created, a name that is nearly the same is a misspelling. */
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

void refusal_no_column(struct refusal *r)
{
	bool unknown = text_find(r->error, TEXT("Unknown identifier '")) < r->error.len;
	struct text name = refusal_quoted(r, unknown ? "Unknown identifier " : "Column ");
	const char *keyword = bare_argument(r, name);

	if (is_description(r)) {
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("DESCRIBE"));
		return;
	}
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

void refusal_table_twice(struct refusal *r)
{
	refusal_add(r, DIAG_CREATE_CONFLICT, TEXT("table"));
}

void refusal_watermark_twice(struct refusal *r)
{
	refusal_add(r, DIAG_CREATE_CONFLICT, TEXT("watermark"));
}

void refusal_column_twice(struct refusal *r)
{
	struct text name = refusal_quoted(r, "Column named ");

	refusal_add(r, DIAG_DDL_COLUMNS, text_format(r->arena, "%.*s-extra", TEXT_ARG(name)));
}

/* Is it a setting of the client that stands among the table's options? */
static bool is_asked_setting(const struct refusal *r, struct text key)
{
	for (size_t i = 0; i < r->asked.count; i++)
		if (!r->asked.items[i].err && r->asked.items[i].tree.kind == STMT_SET &&
			text_eq(r->asked.items[i].tree.key, key))
			return true;
	return false;
}

void refusal_option(struct refusal *r)
{
	struct text mark = TEXT("Unsupported options:\n\n"), rest, line = {0};
	size_t at = text_find(r->error, mark);

	rest = text_slice(r->error, at + mark.len, r->error.len);
	while (text_next_line(&rest, &line) && line.len) {
		line = text_trim(line);
		if (is_asked_setting(r, line))
			refusal_add(r, DIAG_SET_LOST, TEXT("table-option"));
		else
			refusal_add(r, DIAG_TABLE_OPTION, line);
		if (!rest.ptr)
			break;
	}
}

void refusal_required_option(struct refusal *r)
{
	struct text mark = TEXT("Missing required options are:\n\n"), rest, line = {0};
	size_t at = text_find(r->error, mark);

	rest = text_slice(r->error, at + mark.len, r->error.len);
	text_next_line(&rest, &line);
	refusal_add(r, DIAG_TABLE_OPTION, text_trim(line));
}

void refusal_connector(struct refusal *r)
{
	refusal_add(r, DIAG_TABLE_OPTION, TEXT("connector"));
}

void refusal_format(struct refusal *r)
{
	refusal_add(r, DIAG_TABLE_OPTION, TEXT("format"));
}

void refusal_emit(struct refusal *r)
{
	struct text on = written_setting(&r->written, r->at, "table.exec.emit.early-fire.enabled");
	struct text late = written_setting(&r->written, r->at, "table.exec.emit.late-fire.enabled");
	bool early = text_ieq(text_trim(on), TEXT("true"));

	if (text_ieq(text_trim(late), TEXT("true")) && !early)
		refusal_add(r, DIAG_EMIT_OPTIONS, TEXT("late-fire"));
	else
		refusal_add(r, DIAG_EMIT_OPTIONS, early ? TEXT("early-fire") : (struct text){0});
}

void refusal_session_in_batch(struct refusal *r)
{
	if (refusal_asks_batch(r))
		refusal_add(r, DIAG_WINDOW_KIND, TEXT("SESSION"));
	else
		refusal_add(r, DIAG_BATCH_MODE, (struct text){0});
}

#define RESULT_MODE "sql-client.execution.result-mode"

/* The setting whose values are those of the class that the message names. */
static struct text key_of_class(struct text error)
{
	static const struct {
		const char *class, *key;
	} classes[] = {{"config.ResultMode", RESULT_MODE},
		{"RuntimeExecutionMode", "execution.runtime-mode"},
		{"'execution.runtime-mode'", "execution.runtime-mode"},
		{"Invalid time zone", "table.local-time-zone"}};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (text_find(error, text_of(classes[i].class)) < error.len)
			return text_of(classes[i].key);
	return (struct text){0};
}

/* The value of a setting cannot be read: of the refused SET, or of one in front of the refused query. */
void refusal_value(struct refusal *r)
{
	size_t colon = text_find(r->error, TEXT("format: "));
	struct text value = text_slice(r->error, colon + 8, r->error.len);
	struct text key = key_of_class(r->error);

	if (r->statement && !r->statement->err && r->statement->tree.kind == STMT_SET) {
		refusal_add(r, DIAG_SET_MISSPELT,
			text_format(r->arena, "value:%.*s", TEXT_ARG(r->statement->tree.key)));
		return;
	}
	if (key.len) {
		refusal_add(
			r, DIAG_SET_MISSPELT, text_format(r->arena, "value:%.*s", TEXT_ARG(key)));
		return;
	}
	for (size_t i = r->at; i > 0; i--) {
		const struct written_statement *s = &r->written.items[i - 1];

		if (s->err || s->tree.kind != STMT_SET ||
			(value.len && !text_eq(text_trim(s->tree.value), text_trim(value))))
			continue;
		if (value.len || is_asked_setting(r, s->tree.key)) {
			refusal_add(r, DIAG_SET_MISSPELT,
				text_format(r->arena, "value:%.*s", TEXT_ARG(s->tree.key)));
			return;
		}
	}
	refusal_add(r, DIAG_SET_MISSPELT, (struct text){0});
}

static bool is_near_key(struct text key, struct text asked)
{
	return text_distance(key, asked) <= 4 || (key.len > 5 && text_ends(asked, key)) ||
	       (key.len > asked.len && text_ends(key, asked));
}

/* Is the setting's key in a comment of a statement up to the refused one? Its SET would be a statement of its
 * own otherwise. */
static bool is_commented(const struct refusal *r, struct text key)
{
	for (size_t i = 0; i <= r->at && i < r->written.count; i++) {
		const struct written_statement *s = &r->written.items[i];
		size_t at = text_find(s->piece.source, key);

		if (at < s->piece.source.len &&
			(s->err || s->tree.kind != STMT_SET || !text_eq(s->tree.key, key)))
			return true;
	}
	return false;
}

/* Why the result mode is not in force: a SET behind the query, a misspelt one, one that was taken back. */
static bool say_lost_mode(struct refusal *r, struct text key)
{
	bool set = false;

	for (size_t i = 0; i < r->written.count; i++) {
		const struct sql_statement *s = &r->written.items[i].tree;

		if (r->written.items[i].err || s->kind != STMT_SET)
			continue;
		set = set || (i < r->at && text_eq(s->key, key));
		if (text_eq(s->key, key) && i > r->at)
			refusal_add(r, DIAG_SET_AFTER_QUERY, key);
		else if (text_eq(s->key, key) && text_ieq(text_trim(s->value), TEXT("tableau")))
			refusal_add(r, DIAG_SET_LOST, TEXT("reset"));
		else if (!text_eq(s->key, key) && i < r->at && is_near_key(s->key, key))
			refusal_add(r, DIAG_SET_MISSPELT,
				text_format(r->arena, "key:%.*s", TEXT_ARG(s->key)));
		else
			continue;
		return true;
	}
	if (!set && is_commented(r, key))
		refusal_add(r, DIAG_SET_LOST, TEXT("commented"));
	return !set && is_commented(r, key);
}

void refusal_no_tableau(struct refusal *r)
{
	if (!r->written.whole || !say_lost_mode(r, TEXT(RESULT_MODE)))
		refusal_add(r, DIAG_NO_TABLEAU, (struct text){0});
	if (r->grading->step->kind == STEP_ERROR)
		refusal_add(r, DIAG_NOT_REFUSED, (struct text){0});
}

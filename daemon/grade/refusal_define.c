/* Refused definitions and settings: what is there already, options that no connector has, values
 * and keys that are none. */
#include "daemon/grade/distance.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"

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

/* The value of a setting cannot be read: of the refused SET, or of one in front of the refused
 * query. */
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

/* Is the setting's key in a comment of a statement up to the refused one? Its SET would be a
 * statement of its own otherwise. */
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

/* Why the result mode is not in force: a SET behind the query, a misspelt one, one that was taken
 * back. */
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

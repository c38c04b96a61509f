/* SHOW CREATE TABLE: the table's definition printed again, with types in their long form.
 * Recorded: format/stmt_show, more_sim/show_create_types, more_sim/show_create_other,
 * versions/1.20.5/probe. */
#include "sim/show.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

/* A text between quotes; a quote in it is doubled. Here as in all below, a ptr of NULL is a lack of
 * memory. */
static struct text quote(struct arena *arena, char mark, struct text text)
{
	char *out = arena_array(arena, text.len + 2, 2);
	size_t n = 0;

	if (!out)
		return (struct text){0};
	out[n++] = mark;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == mark)
			out[n++] = mark;
		out[n++] = text.ptr[i];
	}
	out[n++] = mark;
	return (struct text){out, n};
}

static struct text type_text(struct arena *arena, const struct sql_type *type)
{
	struct sql_type bare = *type;

	bare.attribute = TIME_NONE;
	switch (type->kind) {
	case SQL_VARCHAR: return text_format(arena, "VARCHAR(%d)", (int)type->precision);
	case SQL_VARBINARY: return text_format(arena, "VARBINARY(%d)", (int)type->precision);
	case SQL_TIMESTAMP_LTZ:
		return text_format(
			arena, "TIMESTAMP(%d) WITH LOCAL TIME ZONE", (int)type->precision);
	default: return sql_type_print(arena, &bare);
	}
}

static struct text column_text(struct arena *arena, const struct sql_column *column)
{
	struct text name = quote(arena, '`', column->name), what;
	struct text comment = quote(arena, '\'', column->comment);
	struct text key = quote(arena, '\'', column->metadata);

	what = column->kind == COLUMN_COMPUTED ? sql_expr_print(arena, column->expr)
					       : type_text(arena, &column->type);
	if (!name.ptr || !what.ptr || !comment.ptr || !key.ptr)
		return (struct text){0};
	if (column->kind == COLUMN_COMPUTED)
		return text_format(arena, "  %.*s AS %.*s", TEXT_ARG(name), TEXT_ARG(what));
	if (column->kind == COLUMN_METADATA)
		return text_format(arena, "  %.*s %.*s METADATA%s%.*s%s", TEXT_ARG(name),
			TEXT_ARG(what), column->metadata.len ? " FROM " : "",
			column->metadata.len ? (int)key.len : 0, key.ptr,
			column->is_virtual ? " VIRTUAL" : "");
	return text_format(arena, "  %.*s %.*s%s%s%.*s", TEXT_ARG(name), TEXT_ARG(what),
		column->type.not_null ? " NOT NULL" : "", column->has_comment ? " COMMENT " : "",
		column->has_comment ? (int)comment.len : 0, comment.ptr);
}

/* CONSTRAINT `PK_a_b` PRIMARY KEY (`a`, `b`) NOT ENFORCED */
static struct text key_text(struct arena *arena, const struct catalog_entry *table)
{
	struct text name = TEXT("PK"), list = TEXT("");

	for (size_t i = 0; i < table->primary_key_count && list.ptr && name.ptr; i++) {
		struct text column = quote(arena, '`', table->primary_key[i]);

		if (!column.ptr)
			return column;
		name = text_format(
			arena, "%.*s_%.*s", TEXT_ARG(name), TEXT_ARG(table->primary_key[i]));
		list = text_format(
			arena, "%.*s%s%.*s", TEXT_ARG(list), i ? ", " : "", TEXT_ARG(column));
	}
	name = name.ptr ? quote(arena, '`', name) : name;
	if (!name.ptr || !list.ptr)
		return (struct text){0};
	return text_format(arena, ",\n  CONSTRAINT %.*s PRIMARY KEY (%.*s) NOT ENFORCED",
		TEXT_ARG(name), TEXT_ARG(list));
}

static struct text watermark_text(struct arena *arena, const struct catalog_entry *table)
{
	struct text column = quote(arena, '`', table->watermark_column);
	struct text expr = sql_expr_print(arena, table->watermark);

	if (!column.ptr || !expr.ptr)
		return (struct text){0};
	return text_format(
		arena, ",\n  WATERMARK FOR %.*s AS %.*s", TEXT_ARG(column), TEXT_ARG(expr));
}

static struct text join(struct arena *arena, struct text a, const char *between, struct text b)
{
	if (!a.ptr || !b.ptr)
		return (struct text){0};
	return text_format(arena, "%.*s%s%.*s", TEXT_ARG(a), between, TEXT_ARG(b));
}

static struct text elements_text(struct arena *arena, const struct catalog_entry *table)
{
	struct text lines = TEXT("");

	for (size_t i = 0; i < table->column_count; i++)
		lines = join(arena, lines, i ? ",\n" : "", column_text(arena, &table->columns[i]));
	if (table->has_watermark)
		lines = join(arena, lines, "", watermark_text(arena, table));
	if (table->primary_key_count)
		lines = join(arena, lines, "", key_text(arena, table));
	return lines;
}

/* The option with the smallest key above `after`, or NULL; of one that was set again, the last. */
static const struct sql_option *next_option(const struct catalog_entry *table, struct text after)
{
	const struct sql_option *found = NULL;

	for (size_t i = 0; i < table->option_count; i++) {
		const struct sql_option *option = &table->options[i];

		if ((after.ptr && text_cmp(option->key, after) <= 0) ||
			(found && text_cmp(option->key, found->key) > 0))
			continue;
		found = option;
	}
	return found;
}

/* "WITH (...)" on lines of its own; empty without options. */
static struct text options_text(struct arena *arena, const struct catalog_entry *table)
{
	const struct sql_option *option = next_option(table, (struct text){0});
	struct text lines = TEXT("");

	if (!option)
		return lines;
	while (option && lines.ptr) {
		struct text key = quote(arena, '\'', option->key);
		struct text value = quote(arena, '\'', option->value);

		lines = join(
			arena, lines, lines.len ? ",\n  " : "  ", join(arena, key, " = ", value));
		option = next_option(table, option->key);
	}
	return join(arena, TEXT("WITH (\n"), "", join(arena, lines, "", TEXT("\n)\n")));
}

/* Forms whose print was never seen. */
static bool is_unseen(const struct catalog_entry *table, enum flink_release release)
{
	if (table->unprintable ||
		(release < FLINK_2_0 && (table->primary_key_count || table->comment.ptr)))
		return true;
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].type.kind == SQL_OTHER ||
			(table->columns[i].has_comment &&
				table->columns[i].kind != COLUMN_PHYSICAL))
			return true;
	return false;
}

static int no_table(struct planner *planner, const struct sql_statement *statement, bool is_view)
{
	struct text database = planner->catalog->database;

	if (is_view)
		return plan_fault(planner,
			FAULT_TABLE "SHOW CREATE TABLE is only supported for tables, but "
				    "`default_catalog`.`%.*s`.`%.*s` is a view. Please use SHOW "
				    "CREATE VIEW instead.",
			TEXT_ARG(database), TEXT_ARG(statement->name));
	return plan_fault(planner,
		FAULT_VALIDATION "Could not execute SHOW CREATE TABLE. Table with identifier "
				 "`default_catalog`.`%.*s`.`%.*s` does not exist.",
		TEXT_ARG(database), TEXT_ARG(statement->name));
}

int show_create(
	struct planner *planner, const struct sql_statement *statement, const struct sim_sink *sink)
{
	const struct catalog_entry *table =
		catalog_find(planner->catalog, TEXT(""), statement->name);
	struct arena *arena = planner->catalog->arena;
	struct text elements, options, comment, text;

	if (!table || table->is_view)
		return no_table(planner, statement, table != NULL);
	if (is_unseen(table, planner->release))
		return refuse(planner, statement->pos, "SHOW CREATE TABLE of this");
	elements = elements_text(arena, table);
	options = options_text(arena, table);
	comment = table->comment.ptr ? quote(arena, '\'', table->comment) : TEXT("");
	if (table->comment.ptr)
		comment = join(arena, TEXT("COMMENT "), "", comment);
	if (!elements.ptr || !options.ptr || !comment.ptr)
		return diag_nomem(planner->diag);
	text = text_format(arena,
		"CREATE %sTABLE `default_catalog`.`%.*s`.`%.*s` (\n%.*s\n)%s%.*s%s%.*s",
		table->temporary ? "TEMPORARY " : "", TEXT_ARG(table->database),
		TEXT_ARG(table->name), TEXT_ARG(elements),
		options.len && planner->release < FLINK_2_0 ? " " : "\n", TEXT_ARG(comment),
		comment.len ? "\n" : "", TEXT_ARG(options));
	return text.ptr ? show_one_row(arena, TEXT("result"), text, sink)
			: diag_nomem(planner->diag);
}

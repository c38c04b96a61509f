/* DESCRIBE and SHOW COLUMNS. Recorded: watermark/ref/ddl, format/stmt_describe_watermarks,
 * watermark/more/ddl_ok_metadata, watermark/more/ddl_proctime,
 * watermark/mistakes/ddl_batch_mode. */
#include "sim/describe.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/show.h"

enum describe_column { NAME, TYPE, NULLABLE, KEY, EXTRAS, WATERMARK, COMMENT, COLUMNS };

static const struct sql_type string = {.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH};

static struct value text_value(struct text text)
{
	return (struct value){.null = !text.ptr, .s = text};
}

static bool has_comments(const struct plan *plan)
{
	for (size_t i = 0; plan->kind == PLAN_SCAN && i < plan->column_count; i++)
		if (plan->scan.table->columns[i].has_comment)
			return true;
	return false;
}

static int begin_describe(struct arena *arena, bool comments, const struct sim_sink *sink)
{
	static const struct text names[COLUMNS] = {{"name", 4}, {"type", 4}, {"null", 4},
		{"key", 3}, {"extras", 6}, {"watermark", 9}, {"comment", 7}};
	struct table shape = {.form = TABLE_CATALOG, .column_count = comments ? COLUMNS : COMMENT};

	shape.columns = arena_array(arena, COLUMNS, sizeof(*shape.columns));
	if (!shape.columns)
		return -ENOMEM;
	for (size_t i = 0; i < COLUMNS; i++)
		shape.columns[i] = (struct column){names[i], string};
	shape.columns[NULLABLE].type = (struct sql_type){.kind = SQL_BOOLEAN};
	return sink->begin(sink->ctx, &shape);
}

/* "PRI(a, b)" for each column of the key. */
static int key_text(struct arena *arena, const struct catalog_entry *table, struct text column,
	struct value *ret)
{
	struct text list = {0};
	bool in_key = false;

	for (size_t i = 0; i < table->primary_key_count; i++) {
		struct text name = table->primary_key[i];

		in_key |= text_eq(name, column);
		list = i ? text_format(arena, "%.*s, %.*s", TEXT_ARG(list), TEXT_ARG(name)) : name;
	}
	*ret = (struct value){.null = !in_key};
	if (in_key)
		*ret = text_value(text_format(arena, "PRI(%.*s)", TEXT_ARG(list)));
	return in_key && ret->null ? -ENOMEM : 0;
}

static struct text extras_text(struct arena *arena, const struct sql_column *column)
{
	struct text text;

	switch (column->kind) {
	case COLUMN_COMPUTED:
		text = sql_expr_print(arena, column->expr);
		return text.ptr ? text_format(arena, "AS %.*s", TEXT_ARG(text)) : text;
	case COLUMN_METADATA:
		text = column->metadata.len ? text_format(arena, "METADATA FROM '%.*s'",
						      TEXT_ARG(column->metadata))
					    : TEXT("METADATA");
		return column->is_virtual && text.ptr
			       ? text_format(arena, "%.*s VIRTUAL", TEXT_ARG(text))
			       : text;
	default: return (struct text){0};
	}
}

static int table_cells(
	struct arena *arena, const struct catalog_entry *table, size_t i, struct value *cells)
{
	const struct sql_column *column = &table->columns[i];
	int err = key_text(arena, table, column->name, &cells[KEY]);

	cells[EXTRAS] = text_value(extras_text(arena, column));
	if (table->has_watermark && text_eq(table->watermark_column, column->name))
		cells[WATERMARK] = text_value(sql_expr_print(arena, table->watermark));
	if (column->has_comment)
		cells[COMMENT] = text_value(column->comment);
	return err;
}

/* A declared type is known also where no query can read its column. */
static struct sql_type type_of(const struct plan *plan, size_t i)
{
	const struct sql_column *column;

	if (plan->columns[i].type.kind != SQL_OTHER || plan->kind != PLAN_SCAN)
		return plan->columns[i].type;
	column = &plan->scan.table->columns[i];
	return column->kind == COLUMN_COMPUTED ? plan->columns[i].type : column->type;
}

/* A table's time attribute is one, with the digits that were declared, in whatever mode it is
 * looked at. Recorded: more_sim/rowtime_digits. */
static struct sql_type shown_type(const struct plan *plan, size_t i)
{
	const struct catalog_entry *table = plan->kind == PLAN_SCAN ? plan->scan.table : NULL;
	struct sql_type type = type_of(plan, i);

	if (!table || !table->has_watermark ||
		!text_eq(table->watermark_column, table->columns[i].name))
		return type;
	if (table->columns[i].kind == COLUMN_PHYSICAL)
		type.precision = table->columns[i].type.precision;
	type.attribute = table->made_in_batch ? TIME_NONE : TIME_ROWTIME;
	return type;
}

static int describe_column(
	struct arena *arena, const struct plan *plan, size_t i, const struct sim_sink *sink)
{
	struct sql_type type = shown_type(plan, i);
	struct value cells[COLUMNS] = {0};
	int err = 0;

	for (size_t c = KEY; c < COLUMNS; c++)
		cells[c].null = true;
	cells[NAME] = text_value(plan->columns[i].name);
	cells[TYPE] = text_value(sql_type_print(arena, &type));
	cells[NULLABLE] = (struct value){.i = !type.not_null};
	if (cells[TYPE].null)
		return -ENOMEM;
	if (plan->kind == PLAN_SCAN)
		err = table_cells(arena, plan->scan.table, i, cells);
	return err ? err : sink->row(sink->ctx, OP_INSERT, cells);
}

int describe_plan(struct arena *arena, const struct plan *plan,
	const struct sql_statement *statement, const struct sim_sink *sink)
{
	int err = 0;

	for (size_t i = 0; i < plan->column_count; i++) {
		struct sql_type type = type_of(plan, i);

		if (type.kind == SQL_OTHER && !type.spelled.len)
			return -ENOTSUP;
	}
	err = begin_describe(arena, has_comments(plan), sink);
	for (size_t i = 0; i < plan->column_count && err == 0; i++)
		if (show_matches(statement, plan->columns[i].name))
			err = describe_column(arena, plan, i, sink);
	return err;
}

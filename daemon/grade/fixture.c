/* Reading and writing a fixture. It is read by the simulator, as a table of the columns that
 * lab.json declares: so a bad value is told as Flink tells it, with its place in the file. */
#include "daemon/grade/fixture.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "daemon/grade/script.h"
#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/csv_value.h"
#include "parser/diag.h"

/* ---- reading ---- */

#define PATH_OF_FILE "/fixture.csv"

struct bytes {
	struct text rest;
};

static long read_bytes(void *ctx, char *buf, size_t size)
{
	struct bytes *bytes = ctx;
	struct text next = text_slice(bytes->rest, 0, size);

	if (next.len)
		memcpy(buf, next.ptr, next.len);
	bytes->rest = text_slice(bytes->rest, next.len, bytes->rest.len);
	return (long)next.len;
}

static int open_bytes(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	(void)path;
	(void)reterr;
	*ret = (struct reader){.read = read_bytes, .ctx = ctx};
	return 0;
}

/* A script that reads the whole file: its columns have names of ours, since any name may need
 * quotes. */
static struct text reading_script(struct arena *arena, const struct fixture *fixture)
{
	struct text columns = TEXT("");

	for (size_t i = 0; i < fixture->column_count && columns.ptr; i++)
		columns = text_format(arena, "%.*s%sc%zu %.*s", TEXT_ARG(columns), i ? ", " : "", i,
			TEXT_ARG(fixture->columns[i].type));
	return text_format(arena,
		"CREATE TABLE t (%.*s) WITH ('connector' = 'filesystem', 'path' = '" PATH_OF_FILE
		"', 'format' = 'csv');\nSELECT * FROM t;\n",
		TEXT_ARG(columns));
}

/* The statement is made of the type alone. */
int fixture_type(struct arena *arena, struct text type, struct sql_type *ret)
{
	struct text sql = text_format(arena, "CREATE TABLE t (c %.*s);", TEXT_ARG(type));
	struct sql_script pieces;
	struct sql_statement statement;
	int err = sql.ptr ? sql_split(arena, sql, &pieces, NULL) : -ENOMEM;

	if (!err && pieces.count != 1)
		err = -EINVAL;
	if (!err)
		err = sql_parse(arena, &pieces.pieces[0], &statement, NULL);
	if (err)
		return err == -ENOMEM ? err : -EINVAL;
	if (statement.kind != STMT_CREATE_TABLE || statement.create->column_count != 1 ||
		!csv_type_known(&statement.create->columns[0].type))
		return -EINVAL;
	*ret = statement.create->columns[0].type;
	return 0;
}

/* Each type by itself, so that a wrong one is told with its own place. */
static int check_types(struct arena *arena, const struct fixture *fixture, struct diag *reterr)
{
	for (size_t i = 0; i < fixture->column_count; i++) {
		const struct lab_column *column = &fixture->columns[i];
		struct sql_type type;
		int err = fixture_type(arena, column->type, &type);

		if (err == -ENOMEM)
			return diag_nomem(reterr);
		if (err)
			return diag_set(reterr, err, column->line, column->col,
				"\"%.*s\" is no type of a CSV file's columns that is known",
				TEXT_ARG(column->type));
	}
	return 0;
}

/* The number behind a mark, in "row 2, line 3, column 'c0'"; -1: none. */
static int64_t number_in(struct text row, struct text mark)
{
	size_t at = text_find(row, mark), end = at + mark.len;
	int64_t number;

	while (at < row.len && end < row.len && row.ptr[end] >= '0' && row.ptr[end] <= '9')
		end++;
	if (at == row.len || text_to_int64(text_slice(row, at + mark.len, end), &number))
		return -1;
	return number;
}

/* " (row 2, line 3, column 'price')", with the column's own name; empty where it is about no
 * row. */
static struct text row_of(
	struct arena *arena, const struct fixture *fixture, const struct script *script)
{
	const struct text mark = TEXT(", column 'c");
	struct text place = script->error_place,
		    row = text_slice(place, sizeof(PATH_OF_FILE ": ") - 1, place.len);
	int64_t column = number_in(row, mark);

	if (!row.len)
		return TEXT("");
	if (column < 0 || (size_t)column >= fixture->column_count)
		return text_format(arena, " (%.*s)", TEXT_ARG(row));
	return text_format(arena, " (%.*s, column '%.*s')", (int)text_find(row, mark), row.ptr,
		TEXT_ARG(fixture->columns[column].name));
}

/* What is wrong, in the file that ships, or else in lab.json, which names another. */
static int refuse_script(struct arena *arena, const struct fixture *fixture,
	const struct script *script, struct diag *reterr)
{
	struct text why = script->error.len ? script->error : text_of(script->refused.text),
		    row = row_of(arena, fixture, script);
	int64_t line = number_in(row, TEXT("line "));

	if (script->whole && !script->error.len)
		why = TEXT("it holds no row");
	if (!fixture->data.len)
		return diag_set(reterr, -EINVAL, fixture->line, fixture->col, "%.*s: %.*s%.*s",
			TEXT_ARG(fixture->path), TEXT_ARG(why), TEXT_ARG(row));
	diag_file(reterr, fixture->data);
	return diag_set(reterr, -EINVAL, line > 0 && line <= INT_MAX ? (int)line : 0, 0, "%.*s%.*s",
		TEXT_ARG(why), TEXT_ARG(row));
}

int fixture_read(struct arena *arena, const struct fixture *fixture, struct text csv,
	struct fixture_rows *ret, struct diag *reterr)
{
	struct bytes bytes = {csv};
	struct sim_files files = {.open = open_bytes, .ctx = &bytes};
	struct text sql = reading_script(arena, fixture);
	struct script script;
	int err = check_types(arena, fixture, reterr);

	if (err)
		return err;
	if (!sql.ptr || script_run(arena, sql, &files, &script))
		return diag_nomem(reterr);
	if (!script.whole || script.error.len || script.count != 1 ||
		script.results[0].table.row_count == 0)
		return refuse_script(arena, fixture, &script, reterr);
	*ret = (struct fixture_rows){.table = script.results[0].table, .rowtime = fixture->rowtime};
	for (size_t i = 0; i < fixture->column_count; i++)
		ret->table.columns[i].name = fixture->columns[i].name;
	return 0;
}

/* ---- writing ---- */

struct writer {
	struct arena *arena;
	char *bytes;
	size_t count, room;
	int nomem;
};

static void put(struct writer *w, struct text text)
{
	for (size_t i = 0; i < text.len && !w->nomem; i++) {
		w->nomem = arena_grow(w->arena, &w->bytes, w->count, &w->room, 1);
		if (!w->nomem)
			w->bytes[w->count++] = text.ptr[i];
	}
}

static void put_quoted(struct writer *w, struct text text)
{
	put(w, TEXT("\""));
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '"')
			put(w, TEXT("\""));
		put(w, text_slice(text, i, i + 1));
	}
	put(w, TEXT("\""));
}

static bool needs_quotes(struct text text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] == ',' || text.ptr[i] == '"' || text.ptr[i] == '\n' ||
			text.ptr[i] == '\r')
			return true;
	return text.len && (text.ptr[0] <= ' ' || text.ptr[text.len - 1] <= ' ');
}

static bool is_timestamp(const struct sql_type *type)
{
	return type->kind == SQL_TIMESTAMP || type->kind == SQL_TIMESTAMP_LTZ;
}

/* The fraction digits that the times of a column have. */
static int32_t digits_of(const struct fixture_rows *rows, size_t column)
{
	int32_t digits = 0;

	for (size_t i = 0; i < rows->table.row_count; i++) {
		const struct value *value = &rows->table.rows[i].cells[column];

		if (!value->null && value->nanos)
			return 9;
		if (!value->null && value->i % MS_PER_SECOND)
			digits = 3;
	}
	return digits;
}

static void put_value(struct writer *w, const struct sql_type *type, const struct value *value)
{
	char buf[VALUE_TEXT];
	struct text text = value_text(type, value, buf);

	if (value->null)
		return;
	if (needs_quotes(text))
		put_quoted(w, text);
	else
		put(w, text);
	if (type->kind == SQL_TIMESTAMP_LTZ && !text_ends(text, TEXT("Z")))
		put(w, TEXT("Z"));
}

int fixture_write(struct arena *arena, const struct fixture_rows *rows, struct text *ret)
{
	const struct table *table = &rows->table;
	struct sql_type *types = arena_array(arena, table->column_count, sizeof(*types));
	struct writer w = {.arena = arena};

	if (!types)
		return -ENOMEM;
	for (size_t k = 0; k < table->column_count; k++) {
		types[k] = table->columns[k].type;
		if (is_timestamp(&types[k]))
			types[k].precision = digits_of(rows, k);
	}
	for (size_t i = 0; i < table->row_count; i++)
		for (size_t k = 0; k < table->column_count; k++) {
			put_value(&w, &types[k], &table->rows[i].cells[k]);
			put(&w, k + 1 < table->column_count ? TEXT(",") : TEXT("\n"));
		}
	*ret = (struct text){w.bytes, w.count};
	return w.nomem;
}

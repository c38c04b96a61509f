/* The fixtures of a lab: where the data lies, its columns, and what the lab needs of it. What a
 * property means is not known here; each is handed on as it stands. */
#include <errno.h>

#include "daemon/grade/lab_read.h"
#include "parser/arena.h"
#include "parser/diag.h"

static int read_column(const struct json *json, struct fixture *fixture, struct diag *reterr)
{
	static const struct lab_key keys[] = {
		{"name", JSON_STRING, false}, {"type", JSON_STRING, false}};
	struct lab_column column;
	int err = LAB_CHECK_KEYS(json, keys, reterr);

	if (err)
		return err;
	column = (struct lab_column){
		lab_string(json, "name"), lab_string(json, "type"), json->line, json->col};
	if (column.name.len == 0 || column.type.len == 0)
		return lab_refuse(json, reterr, "a column has a name and an SQL type");
	for (size_t i = 0; i < fixture->column_count; i++)
		if (text_eq(fixture->columns[i].name, column.name))
			return lab_refuse(json, reterr, "another column has this name");
	fixture->columns[fixture->column_count++] = column;
	return 0;
}

static int read_columns(
	struct arena *arena, const struct json *list, struct fixture *fixture, struct diag *reterr)
{
	int err = 0;

	if (list->count == 0)
		return lab_refuse(list, reterr, "there is no column");
	fixture->columns = arena_array(arena, list->count, sizeof(*fixture->columns));
	if (!fixture->columns)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < list->count; i++)
		err = read_column(list->items[i], fixture, reterr);
	return err;
}

static int read_rowtime(const struct json *json, struct fixture *fixture, struct diag *reterr)
{
	fixture->rowtime = 0;
	while (fixture->rowtime < fixture->column_count &&
		!(json && text_eq(fixture->columns[fixture->rowtime].name, json->string)))
		fixture->rowtime++;
	if (json && fixture->rowtime == fixture->column_count)
		return lab_refuse(json, reterr, "the rowtime is no column of this fixture");
	return 0;
}

static int read_properties(
	struct arena *arena, const struct json *list, struct fixture *fixture, struct diag *reterr)
{
	fixture->properties = arena_array(arena, list->count + 1, sizeof(*fixture->properties));
	if (!fixture->properties)
		return diag_nomem(reterr);
	for (size_t i = 0; i < list->count; i++) {
		const struct json *is = json_get(list->items[i], TEXT("is"));

		if (!is || is->kind != JSON_STRING)
			return lab_refuse(list->items[i], reterr,
				"a property is an object with \"is\": its name");
		fixture->properties[fixture->property_count++] =
			(struct lab_property){is->string, list->items[i]};
	}
	return 0;
}

static int read_paths(const struct json *json, struct fixture *fixture, struct diag *reterr)
{
	const struct json *data = json_get(json, TEXT("data"));

	fixture->path = lab_string(json, "path");
	fixture->data = lab_string(json, "data");
	if (!text_starts(fixture->path, TEXT("/")))
		return lab_refuse(
			json_get(json, TEXT("path")), reterr, "a fixture's path is absolute");
	if (data && !lab_is_inside(data->string))
		return lab_refuse(data, reterr, "this is no path within the lab's folder");
	return 0;
}

static int read_fixture(
	struct arena *arena, const struct json *json, struct fixture *fixture, struct diag *reterr)
{
	static const struct lab_key keys[] = {{"path", JSON_STRING, false},
		{"data", JSON_STRING, true}, {"columns", JSON_ARRAY, false},
		{"rowtime", JSON_STRING, true}, {"properties", JSON_ARRAY, true}};
	const struct json *properties;
	int err = LAB_CHECK_KEYS(json, keys, reterr);

	if (!err)
		err = read_paths(json, fixture, reterr);
	if (!err)
		err = read_columns(arena, json_get(json, TEXT("columns")), fixture, reterr);
	if (!err)
		err = read_rowtime(json_get(json, TEXT("rowtime")), fixture, reterr);
	if (!err && (properties = json_get(json, TEXT("properties"))))
		err = read_properties(arena, properties, fixture, reterr);
	fixture->line = json->line;
	fixture->col = json->col;
	return err;
}

int lab_read_fixtures(
	struct arena *arena, const struct json *list, struct lab *lab, struct diag *reterr)
{
	int err = 0;

	lab->fixtures = arena_array(arena, list->count + 1, sizeof(*lab->fixtures));
	if (!lab->fixtures)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < list->count; i++) {
		err = read_fixture(arena, list->items[i], &lab->fixtures[i], reterr);
		for (size_t k = 0; !err && k < i; k++)
			if (text_eq(lab->fixtures[i].path, lab->fixtures[k].path))
				err = lab_refuse(
					list->items[i], reterr, "another fixture has this path");
		lab->fixture_count++;
	}
	return err;
}

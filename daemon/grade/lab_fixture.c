/* The fixtures of a lab: where the data lies, its columns, and what the lab needs of it. What a
 * property means is not known here; each is handed on as it stands. */
#include "daemon/grade/lab_read.h"

static void read_column(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	static const struct lab_key keys[] = {
		{"name", JSON_STRING, false}, {"type", JSON_STRING, false}};
	const struct json *name, *type;

	if (!LAB_CHECK_KEYS(reading, json, keys))
		return;
	name = lab_member(json, "name", JSON_STRING);
	type = lab_member(json, "type", JSON_STRING);
	if (name && name->string.len == 0)
		lab_refuse(reading, name, "a column has a name");
	if (type && type->string.len == 0)
		lab_refuse(reading, type, "a column has an SQL type");
	if (!name || !type)
		return;
	for (size_t i = 0; i < fixture->column_count; i++)
		if (text_eq(fixture->columns[i].name, name->string))
			lab_refuse(reading, name, "another column has this name");
	fixture->columns[fixture->column_count++] =
		(struct lab_column){lab_keep(reading, name->string),
			lab_keep(reading, type->string), json->line, json->col};
}

static void read_columns(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	const struct json *list = lab_member(json, "columns", JSON_ARRAY);

	if (!list)
		return;
	if (list->count == 0)
		lab_refuse(reading, list, "there is no column");
	fixture->columns = lab_array(reading, list->count, sizeof(*fixture->columns));
	for (size_t i = 0; fixture->columns && i < list->count; i++)
		read_column(reading, list->items[i], fixture);
}

static void read_rowtime(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	const struct json *rowtime = lab_member(json, "rowtime", JSON_STRING);
	size_t i = 0;

	while (i < fixture->column_count &&
		!(rowtime && text_eq(fixture->columns[i].name, rowtime->string)))
		i++;
	fixture->rowtime = i;
	if (rowtime && i == fixture->column_count)
		lab_refuse(reading, rowtime, "the rowtime is no column of this fixture");
}

static void read_property(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	const struct json *is = lab_member(json, "is", JSON_STRING),
			  *other = json_get(json, TEXT("is"));
	struct json *kept = is ? json_copy(reading->arena, json) : NULL;

	if (kept)
		fixture->properties[fixture->property_count++] =
			(struct lab_property){json_get(kept, TEXT("is"))->string, kept};
	else if (is)
		reading->nomem = true;
	else
		lab_refuse(reading, other ? other : json,
			"a property is an object with \"is\": its name");
}

static void read_properties(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	const struct json *list = lab_member(json, "properties", JSON_ARRAY);

	fixture->properties =
		list ? lab_array(reading, list->count, sizeof(*fixture->properties)) : NULL;
	for (size_t i = 0; fixture->properties && i < list->count; i++) {
		read_property(reading, list->items[i], fixture);
	}
}

static void read_paths(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	const struct json *path = lab_member(json, "path", JSON_STRING),
			  *data = lab_member(json, "data", JSON_STRING);

	fixture->path = lab_string(reading, json, "path");
	fixture->data = lab_string(reading, json, "data");
	if (path && !text_starts(path->string, TEXT("/")))
		lab_refuse(reading, path, "a fixture's path is absolute");
	if (data && !lab_is_inside(data->string))
		lab_refuse(reading, data, "this is no path within the lab's folder");
}

static void read_fixture(
	struct lab_reading *reading, const struct json *json, struct fixture *fixture)
{
	static const struct lab_key keys[] = {{"path", JSON_STRING, false},
		{"data", JSON_STRING, true}, {"columns", JSON_ARRAY, false},
		{"rowtime", JSON_STRING, true}, {"properties", JSON_ARRAY, true}};

	if (!LAB_CHECK_KEYS(reading, json, keys))
		return;
	read_paths(reading, json, fixture);
	read_columns(reading, json, fixture);
	read_rowtime(reading, json, fixture);
	read_properties(reading, json, fixture);
	fixture->line = json->line;
	fixture->col = json->col;
}

void lab_read_fixtures(struct lab_reading *reading, const struct json *root, struct lab *lab)
{
	const struct json *list = lab_member(root, "fixtures", JSON_ARRAY);

	lab->fixtures = list ? lab_array(reading, list->count, sizeof(*lab->fixtures)) : NULL;
	for (size_t i = 0; lab->fixtures && i < list->count; i++) {
		struct fixture *fixture = &lab->fixtures[lab->fixture_count++];

		read_fixture(reading, list->items[i], fixture);
		for (size_t k = 0; k < i && fixture->path.len; k++)
			if (text_eq(fixture->path, lab->fixtures[k].path))
				lab_refuse(
					reading, list->items[i], "another fixture has this path");
	}
}

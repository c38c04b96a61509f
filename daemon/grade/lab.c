/* Reading lab.json: a table of keys for each object, so that what is missing, unknown or of the
 * wrong type is told with its place. */
#include "daemon/grade/lab.h"

#include <errno.h>

#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"

static const char *const kind_names[] = {
	"null", "false", "true", "a number", "a text", "a list", "an object"};

static int refuse(const struct json *at, struct diag *reterr, const char *what)
{
	return diag_set(reterr, -EINVAL, at->line, at->col, "%s", what);
}

/* A key that an object has or may have. */
struct key {
	const char *name;
	enum json_kind kind;
	bool optional;
};

static int check_member(
	const struct json *member, const struct key *keys, size_t count, struct diag *reterr)
{
	for (size_t i = 0; i < count; i++) {
		if (!text_eq(member->name, text_of(keys[i].name)))
			continue;
		if (member->kind == keys[i].kind)
			return 0;
		return diag_set(reterr, -EINVAL, member->line, member->col, "\"%s\" must be %s",
			keys[i].name, kind_names[keys[i].kind]);
	}
	return diag_set(reterr, -EINVAL, member->line, member->col,
		"the key \"%.*s\" is not known here", TEXT_ARG(member->name));
}

static int check_keys(
	const struct json *object, const struct key *keys, size_t count, struct diag *reterr)
{
	if (object->kind != JSON_OBJECT)
		return refuse(object, reterr, "an object is expected");
	for (size_t i = 0; i < object->count; i++) {
		int err = check_member(object->items[i], keys, count, reterr);

		if (err)
			return err;
	}
	for (size_t i = 0; i < count; i++)
		if (!keys[i].optional && !json_get(object, text_of(keys[i].name)))
			return diag_set(reterr, -EINVAL, object->line, object->col,
				"the key \"%s\" is missing", keys[i].name);
	return 0;
}

#define CHECK_KEYS(object, keys, reterr) \
	check_keys((object), (keys), sizeof(keys) / sizeof((keys)[0]), (reterr))

static struct text string_of(const struct json *object, const char *name)
{
	const struct json *member = json_get(object, text_of(name));

	return member ? member->string : (struct text){0};
}

/* Names go into status lines and file names. */
static bool is_plain(struct text name, const char *extra)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool plain =
			(c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') ||
			text_find(text_of(extra), text_slice(name, i, i + 1)) < text_of(extra).len;

		if (!plain)
			return false;
	}
	return name.len > 0 && name.len <= 64 && name.ptr[0] != '.';
}

static int parse_form(const struct json *form, struct step *step, struct diag *reterr)
{
	static const struct key keys[] = {{"names", JSON_STRING, true},
		{"order", JSON_STRING, true}, {"extra", JSON_STRING, true}};
	enum strictness *const targets[] = {&step->names, &step->order, &step->extra};
	int err = CHECK_KEYS(form, keys, reterr);

	for (size_t i = 0; !err && i < 3; i++) {
		const struct json *member = json_get(form, text_of(keys[i].name));

		if (!member)
			continue;
		if (text_eq(member->string, TEXT("asked")))
			*targets[i] = FORM_PARTIAL;
		else if (text_eq(member->string, TEXT("free")))
			*targets[i] = FORM_FREE;
		else
			err = refuse(member, reterr, "\"asked\" or \"free\" is expected");
	}
	return err;
}

static int parse_asks(const struct json *asks, unsigned *ret, struct diag *reterr)
{
	static const struct {
		const char *name;
		enum query_part part;
	} parts[] = {{"delay", PART_DELAY}, {"interval", PART_INTERVAL},
		{"late_filter", PART_LATE_FILTER}, {"path", PART_PATH}, {"format", PART_FORMAT},
		{"table_name", PART_TABLE_NAME}, {"window", PART_WINDOW}};
	unsigned known = 0;

	for (size_t i = 0; i < asks->count; i++) {
		size_t k = 0;

		while (k < sizeof(parts) / sizeof(parts[0]) &&
			!text_eq(asks->items[i]->string, text_of(parts[k].name)))
			k++;
		if (k == sizeof(parts) / sizeof(parts[0]))
			return refuse(asks->items[i], reterr, "no step can ask this of a query");
		known |= parts[k].part;
	}
	*ret = known;
	return 0;
}

static int parse_report(
	struct arena *arena, const struct json *keys, struct step *step, struct diag *reterr)
{
	step->keys = arena_array(arena, keys->count, sizeof(*step->keys));
	if (!step->keys)
		return diag_nomem(reterr);
	for (size_t i = 0; i < keys->count; i++) {
		const struct json *member = keys->items[i];
		struct report_key *key = &step->keys[step->key_count++];
		int err;

		if (member->kind != JSON_STRING)
			return refuse(member, reterr, "an expression is expected");
		key->name = member->name;
		key->source = member->string;
		err = report_parse(arena, member->string, &key->expr, reterr);
		if (err) {
			if (reterr) {
				reterr->line = member->line;
				reterr->col += member->col;
			}
			return err;
		}
	}
	return 0;
}

static int parse_kind(const struct json *json, struct step *step, struct diag *reterr)
{
	static const char *const names[] = {
		[STEP_TABLES] = "tables", [STEP_DESCRIBE] = "describe", [STEP_REPORT] = "report"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(json->string, text_of(names[i]))) {
			step->kind = (enum step_kind)i;
			return 0;
		}
	return refuse(json, reterr, "a step's kind is tables, describe or report");
}

static int check_step(const struct json *json, const struct step *step, struct diag *reterr)
{
	bool report = step->kind == STEP_REPORT;

	if (!is_plain(step->id, "_-"))
		return refuse(json, reterr, "a step's id is made of letters, digits, _ and -");
	if (!is_plain(step->file, "_-.") || (!report && !is_plain(step->sql, "_-.")))
		return refuse(json, reterr,
			"a step's files are plain names of files in the lab's folder");
	if (report != (json_get(json, TEXT("keys")) != NULL))
		return refuse(json, reterr, "a report has keys, and only a report");
	if (report == (step->reference.len > 0))
		return refuse(json, reterr, "each step but a report has a reference SQL");
	return 0;
}

static int parse_step(
	struct arena *arena, const struct json *json, struct step *step, struct diag *reterr)
{
	static const struct key keys[] = {{"id", JSON_STRING, false}, {"kind", JSON_STRING, false},
		{"file", JSON_STRING, false}, {"sql", JSON_STRING, true},
		{"reference", JSON_STRING, true}, {"asks", JSON_ARRAY, true},
		{"form", JSON_OBJECT, true}, {"keys", JSON_OBJECT, true}};
	const struct json *part;
	int err = CHECK_KEYS(json, keys, reterr);

	if (err)
		return err;
	step->id = string_of(json, "id");
	step->file = string_of(json, "file");
	step->sql = string_of(json, "sql");
	step->reference = string_of(json, "reference");
	err = parse_kind(json_get(json, TEXT("kind")), step, reterr);
	if (!err)
		err = check_step(json, step, reterr);
	if (!err && (part = json_get(json, TEXT("form"))))
		err = parse_form(part, step, reterr);
	if (!err && (part = json_get(json, TEXT("asks"))))
		err = parse_asks(part, &step->asks, reterr);
	if (!err && (part = json_get(json, TEXT("keys"))))
		err = parse_report(arena, part, step, reterr);
	return err;
}

/* No two steps share an id or a file: a saved file has one verdict. */
static int check_unique(const struct lab *lab, const struct json *steps, struct diag *reterr)
{
	for (size_t i = 0; i < lab->step_count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_eq(lab->steps[i].id, lab->steps[k].id) ||
				text_eq(lab->steps[i].file, lab->steps[k].file))
				return refuse(steps->items[i], reterr,
					"another step has this id or file");
	return 0;
}

struct step_check {
	const struct lab *lab;
	bool known;
};

static void see_step(void *ctx, struct text id)
{
	struct step_check *check = ctx;
	size_t step = lab_step(check->lab, id);

	if (step == check->lab->step_count || check->lab->steps[step].kind != STEP_TABLES)
		check->known = false;
}

static int check_reports(const struct lab *lab, const struct json *steps, struct diag *reterr)
{
	for (size_t i = 0; i < lab->step_count; i++)
		for (size_t k = 0; k < lab->steps[i].key_count; k++) {
			struct step_check check = {lab, true};

			report_steps(lab->steps[i].keys[k].expr, see_step, &check);
			if (!check.known)
				return refuse(json_get(steps->items[i], TEXT("keys"))->items[k],
					reterr,
					"this reads a step that is not there or has no tables");
		}
	return 0;
}

static int parse_steps(
	struct arena *arena, const struct json *root, struct lab *lab, struct diag *reterr)
{
	const struct json *steps = json_get(root, TEXT("steps"));
	int err = 0;

	if (steps->count == 0)
		return refuse(steps, reterr, "there is no step");
	lab->steps = arena_array(arena, steps->count, sizeof(*lab->steps));
	if (!lab->steps)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < steps->count; i++) {
		struct step *step = &lab->steps[lab->step_count++];

		err = parse_form(json_get(root, TEXT("form")), step, reterr);
		if (!err)
			err = parse_step(arena, steps->items[i], step, reterr);
	}
	if (!err)
		err = check_unique(lab, steps, reterr);
	return err ? err : check_reports(lab, steps, reterr);
}

static int parse_fixtures(
	struct arena *arena, const struct json *list, struct lab *lab, struct diag *reterr)
{
	lab->fixtures = arena_array(arena, list->count, sizeof(*lab->fixtures));
	if (!lab->fixtures)
		return diag_nomem(reterr);
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i]->kind != JSON_STRING ||
			!text_starts(list->items[i]->string, TEXT("/")))
			return refuse(list->items[i], reterr, "a fixture is an absolute path");
		lab->fixtures[lab->fixture_count++] = list->items[i]->string;
	}
	return 0;
}

static int check_head(const struct json *root, const struct lab *lab, struct diag *reterr)
{
	const struct json *version = json_get(root, TEXT("version"));
	const struct json *title = json_get(root, TEXT("title"));
	int64_t number;

	if (json_integer(version, &number) || number != 1)
		return refuse(version, reterr, "this version of lab.json is not known; 1 is");
	if (!is_plain(lab->name, "_-"))
		return refuse(json_get(root, TEXT("name")), reterr,
			"a lab's name is made of letters, digits, _ and -");
	if (!text_starts(lab->folder, TEXT("/")))
		return refuse(
			json_get(root, TEXT("folder")), reterr, "the folder is an absolute path");
	for (size_t i = 0; i < title->count; i++)
		if (title->items[i]->kind != JSON_STRING)
			return refuse(title->items[i], reterr, "a title is a text");
	return 0;
}

int lab_parse(struct arena *arena, struct text source, struct lab *ret, struct diag *reterr)
{
	static const struct key keys[] = {{"version", JSON_NUMBER, false},
		{"name", JSON_STRING, false}, {"title", JSON_OBJECT, false},
		{"folder", JSON_STRING, false}, {"fixtures", JSON_ARRAY, false},
		{"form", JSON_OBJECT, false}, {"steps", JSON_ARRAY, false}};
	struct lab lab = {0};
	struct json root;
	int err = json_parse(arena, source, &root, reterr);

	if (!err)
		err = CHECK_KEYS(&root, keys, reterr);
	if (err)
		return err;
	lab.name = string_of(&root, "name");
	lab.folder = string_of(&root, "folder");
	err = check_head(&root, &lab, reterr);
	if (!err)
		err = parse_fixtures(arena, json_get(&root, TEXT("fixtures")), &lab, reterr);
	if (!err)
		err = parse_steps(arena, &root, &lab, reterr);
	if (!err)
		*ret = lab;
	return err;
}

size_t lab_step(const struct lab *lab, struct text name)
{
	size_t i = 0;

	while (i < lab->step_count && !text_eq(lab->steps[i].id, name) &&
		!text_eq(lab->steps[i].file, name))
		i++;
	return i;
}

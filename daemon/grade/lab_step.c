/* The steps of a lab: each by itself, and then what they say of each other. */
#include <errno.h>

#include "daemon/grade/lab_read.h"
#include "daemon/grade/report.h"
#include "parser/diag.h"

static void read_strictness(
	struct lab_reading *reading, const struct json *json, enum strictness *ret)
{
	static const char *const names[] = {
		[FORM_FREE] = "free", [FORM_PARTIAL] = "asked", [FORM_FAIL] = "must"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(json->string, text_of(names[i]))) {
			*ret = (enum strictness)i;
			return;
		}
	lab_refuse(reading, json, "\"free\", \"asked\" or \"must\" is expected");
}

/* The part "form" of the lab or of a step, should it be there. */
static void read_form(struct lab_reading *reading, const struct json *json, struct form *form)
{
	static const struct lab_key keys[] = {{"names", JSON_STRING, true},
		{"order", JSON_STRING, true}, {"extra", JSON_STRING, true},
		{"rows", JSON_STRING, true}, {"mode", JSON_STRING, true},
		{"missing", JSON_STRING, true}, {"types", JSON_STRING, true}};
	enum strictness *const targets[] = {&form->names, &form->order, &form->extra, &form->rows,
		&form->mode, &form->missing, &form->types};
	const struct json *part = lab_member(json, "form", JSON_OBJECT);

	if (!part || !LAB_CHECK_KEYS(reading, part, keys))
		return;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct json *member = lab_member(part, keys[i].name, JSON_STRING);

		if (member)
			read_strictness(reading, member, targets[i]);
	}
}

static void read_asked(struct lab_reading *reading, const struct json *json, unsigned *asks)
{
	static const struct {
		const char *name;
		enum query_part part;
	} parts[] = {{"delay", PART_DELAY}, {"interval", PART_INTERVAL},
		{"late_filter", PART_LATE_FILTER}, {"path", PART_PATH}, {"format", PART_FORMAT},
		{"table_name", PART_TABLE_NAME}, {"window", PART_WINDOW}};

	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
		if (json->kind == JSON_STRING && text_eq(json->string, text_of(parts[k].name))) {
			*asks |= parts[k].part;
			return;
		}
	lab_refuse(reading, json,
		"what can be asked of a query is \"delay\", \"interval\", \"late_filter\", "
		"\"path\", \"format\", "
		"\"table_name\" or \"window\"");
}

static void read_asks(struct lab_reading *reading, const struct json *json, struct step *step)
{
	const struct json *asks = lab_member(json, "asks", JSON_ARRAY);

	for (size_t i = 0; asks && i < asks->count; i++)
		read_asked(reading, asks->items[i], &step->asks);
}

static void read_key(struct lab_reading *reading, const struct json *json, struct report_key *key)
{
	struct diag diag = {0};
	struct json place = *json;
	int err;

	if (json->kind != JSON_STRING) {
		lab_refuse(reading, json, "an expression is expected");
		return;
	}
	key->name = lab_keep(reading, json->name);
	key->source = lab_keep(reading, json->string);
	err = report_parse(reading->arena, key->source, &key->expr, &diag);
	place.col += diag.col;
	if (err == -EINVAL)
		lab_refuse(reading, &place, "%s", diag.text);
	else if (err)
		reading->nomem = true;
}

static void read_report(struct lab_reading *reading, const struct json *json, struct step *step)
{
	const struct json *keys = lab_member(json, "keys", JSON_OBJECT);

	if (!keys)
		return;
	if (keys->count == 0)
		lab_refuse(reading, keys, "there is no key");
	step->keys = lab_array(reading, keys->count, sizeof(*step->keys));
	for (size_t i = 0; step->keys && i < keys->count; i++)
		read_key(reading, keys->items[i], &step->keys[step->key_count++]);
}

/* Which keys a kind of step must have, and which it cannot have. */
static void check_kind(struct lab_reading *reading, const struct json *json, enum step_kind kind)
{
	static const char *const names[] = {"sql", "reference", "keys", "asks", "form"};
	bool report = kind == STEP_REPORT, error = kind == STEP_ERROR;
	const bool needed[] = {!report, !report, report, false, false};
	const bool barred[] = {report, report, !report, report || error, report || error};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct json *member = json_get(json, text_of(names[i]));

		if (needed[i] && !member)
			lab_refuse(reading, json, "a step of this kind has \"%s\"", names[i]);
		if (barred[i] && member)
			lab_refuse(reading, member, "a step of this kind has no \"%s\"", names[i]);
	}
}

static void read_kind(struct lab_reading *reading, const struct json *json, struct step *step)
{
	static const char *const names[] = {[STEP_TABLES] = "tables",
		[STEP_DESCRIBE] = "describe",
		[STEP_ERROR] = "error",
		[STEP_REPORT] = "report"};
	const struct json *kind = lab_member(json, "kind", JSON_STRING);

	for (size_t i = 0; kind && i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(kind->string, text_of(names[i]))) {
			step->kind = (enum step_kind)i;
			check_kind(reading, json, step->kind);
			return;
		}
	if (kind)
		lab_refuse(reading, kind, "a step's kind is tables, describe, error or report");
}

static void check_names(struct lab_reading *reading, const struct json *json)
{
	const struct json *id = lab_member(json, "id", JSON_STRING),
			  *reference = lab_member(json, "reference", JSON_STRING);

	if (id && !lab_is_plain(id->string, "_-"))
		lab_refuse(reading, id, "a step's id is made of letters, digits, _ and -");
	for (int i = 0; i < 2; i++) {
		const struct json *file = lab_member(json, i ? "sql" : "file", JSON_STRING);

		if (file && !lab_is_plain(file->string, "_-."))
			lab_refuse(reading, file,
				"a step's files are plain names of files in the lab's folder");
	}
	if (reference && !lab_is_inside(reference->string))
		lab_refuse(reading, reference, "this is no path within the lab's folder");
}

static void read_step(struct lab_reading *reading, const struct json *json, struct step *step)
{
	static const struct lab_key keys[] = {{"id", JSON_STRING, false},
		{"kind", JSON_STRING, false}, {"file", JSON_STRING, false},
		{"sql", JSON_STRING, true}, {"reference", JSON_STRING, true},
		{"after", JSON_ARRAY, true}, {"asks", JSON_ARRAY, true},
		{"form", JSON_OBJECT, true}, {"keys", JSON_OBJECT, true},
		{"title", JSON_OBJECT, true}, {"hints", JSON_ARRAY, true},
		{"learned", JSON_OBJECT, true}, {"links", JSON_ARRAY, true}};

	if (!LAB_CHECK_KEYS(reading, json, keys))
		return;
	step->id = lab_string(reading, json, "id");
	step->file = lab_string(reading, json, "file");
	step->sql = lab_string(reading, json, "sql");
	step->reference = lab_string(reading, json, "reference");
	step->line = json->line;
	step->col = json->col;
	read_kind(reading, json, step);
	check_names(reading, json);
	read_form(reading, json, &step->form);
	read_asks(reading, json, step);
	read_report(reading, json, step);
	lab_read_texts(reading, json, "title", &step->title);
	lab_read_texts(reading, json, "learned", &step->learned);
	lab_read_hints(reading, json, step);
	lab_read_links(reading, json, step);
}

/* No two steps share an id or a file: a saved file has one verdict. */
static void check_unique(
	struct lab_reading *reading, const struct lab *lab, size_t number, const struct json *json)
{
	const struct step *step = &lab->steps[number];

	for (size_t k = 0; k < number; k++)
		if ((step->id.len && text_eq(step->id, lab->steps[k].id)) ||
			(step->file.len && text_eq(step->file, lab->steps[k].file))) {
			lab_refuse(reading, json, "another step has this id or file");
			return;
		}
}

static bool is_file_of(const struct step *step, struct text name)
{
	return name.len && (text_eq(step->file, name) || text_eq(step->sql, name));
}

/* A file of the learner's has one part in one step: SQL that were of two would make either's
 * output newer than it. */
static void check_files(
	struct lab_reading *reading, const struct lab *lab, size_t number, const struct json *json)
{
	const struct step *step = &lab->steps[number];
	const struct json *sql = lab_member(json, "sql", JSON_STRING),
			  *file = lab_member(json, "file", JSON_STRING);

	if (step->sql.len && text_eq(step->sql, step->file))
		lab_refuse(reading, sql, "this is the step's \"file\", too");
	for (size_t k = 0; k < number; k++) {
		if (is_file_of(&lab->steps[k], step->sql))
			lab_refuse(reading, sql, "this is a file of another step, too");
		if (step->file.len && text_eq(lab->steps[k].sql, step->file))
			lab_refuse(reading, file, "this is a file of another step, too");
	}
}

static size_t find_id(const struct lab *lab, struct text id)
{
	size_t i = 0;

	while (i < lab->step_count && !(id.len && text_eq(lab->steps[i].id, id)))
		i++;
	return i;
}

static bool stands_before(const struct step *step, size_t at)
{
	for (size_t k = 0; k < step->after_count; k++)
		if (step->after[k] == at)
			return true;
	return false;
}

/* The steps that one builds on: earlier ones, each once. */
static void read_after(
	struct lab_reading *reading, const struct lab *lab, size_t number, const struct json *json)
{
	struct step *step = &lab->steps[number];
	const struct json *list = lab_member(json, "after", JSON_ARRAY);

	step->after = list ? lab_array(reading, list->count, sizeof(*step->after)) : NULL;
	for (size_t i = 0; step->after && i < list->count; i++) {
		const struct json *item = list->items[i];
		size_t at = item->kind == JSON_STRING ? find_id(lab, item->string) : number;

		if (at >= number)
			lab_refuse(reading, item, "the id of an earlier step is expected");
		else if (stands_before(step, at))
			lab_refuse(reading, item, "this step stands there twice");
		else
			step->after[step->after_count++] = at;
	}
}

struct step_check {
	const struct lab *lab;
	bool known;
};

static void see_step(void *ctx, struct text id)
{
	struct step_check *check = ctx;
	size_t step = find_id(check->lab, id);

	if (step == check->lab->step_count || check->lab->steps[step].kind != STEP_TABLES)
		check->known = false;
}

static void check_report(struct lab_reading *reading, const struct lab *lab,
	const struct step *step, const struct json *json)
{
	const struct json *keys = lab_member(json, "keys", JSON_OBJECT);

	for (size_t i = 0; keys && i < step->key_count; i++) {
		struct step_check check = {lab, true};

		if (step->keys[i].expr)
			report_steps(step->keys[i].expr, see_step, &check);
		if (!check.known)
			lab_refuse(reading, keys->items[i],
				"this reads a step that is not there or has no tables");
	}
}

void lab_read_steps(struct lab_reading *reading, const struct json *root, struct lab *lab)
{
	const struct json *steps = lab_member(root, "steps", JSON_ARRAY);
	struct form form = {.missing = FORM_FAIL, .types = FORM_FAIL};

	read_form(reading, root, &form);
	if (!steps)
		return;
	if (steps->count == 0)
		lab_refuse(reading, steps, "there is no step");
	lab->steps = lab_array(reading, steps->count, sizeof(*lab->steps));
	for (size_t i = 0; lab->steps && i < steps->count; i++) {
		lab->steps[lab->step_count].form = form;
		read_step(reading, steps->items[i], &lab->steps[lab->step_count++]);
	}
	for (size_t i = 0; i < lab->step_count; i++) {
		check_unique(reading, lab, i, steps->items[i]);
		check_files(reading, lab, i, steps->items[i]);
		read_after(reading, lab, i, steps->items[i]);
		check_report(reading, lab, &lab->steps[i], steps->items[i]);
	}
}

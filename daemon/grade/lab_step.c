/* The steps of a lab: each by itself, and then what they say of each other. */
#include <errno.h>

#include "daemon/grade/lab_read.h"
#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/diag.h"

static int read_strictness(const struct json *json, enum strictness *ret, struct diag *reterr)
{
	static const char *const names[] = {
		[FORM_FREE] = "free", [FORM_PARTIAL] = "asked", [FORM_FAIL] = "must"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(json->string, text_of(names[i]))) {
			*ret = (enum strictness)i;
			return 0;
		}
	return lab_refuse(json, reterr, "\"free\", \"asked\" or \"must\" is expected");
}

static int read_form(const struct json *json, struct form *form, struct diag *reterr)
{
	static const struct lab_key keys[] = {{"names", JSON_STRING, true},
		{"order", JSON_STRING, true}, {"extra", JSON_STRING, true},
		{"rows", JSON_STRING, true}, {"mode", JSON_STRING, true},
		{"missing", JSON_STRING, true}, {"types", JSON_STRING, true}};
	enum strictness *const targets[] = {&form->names, &form->order, &form->extra, &form->rows,
		&form->mode, &form->missing, &form->types};
	int err = LAB_CHECK_KEYS(json, keys, reterr);

	for (size_t i = 0; !err && i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct json *member = json_get(json, text_of(keys[i].name));

		if (member)
			err = read_strictness(member, targets[i], reterr);
	}
	return err;
}

static int read_asks(const struct json *asks, unsigned *ret, struct diag *reterr)
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
			return lab_refuse(
				asks->items[i], reterr, "no step can ask this of a query");
		known |= parts[k].part;
	}
	*ret = known;
	return 0;
}

static int read_key(
	struct arena *arena, const struct json *json, struct report_key *key, struct diag *reterr)
{
	int err;

	if (json->kind != JSON_STRING)
		return lab_refuse(json, reterr, "an expression is expected");
	key->name = json->name;
	key->source = json->string;
	err = report_parse(arena, json->string, &key->expr, reterr);
	if (err && reterr) {
		reterr->line = json->line;
		reterr->col += json->col;
	}
	return err;
}

static int read_report(
	struct arena *arena, const struct json *keys, struct step *step, struct diag *reterr)
{
	int err = 0;

	if (keys->count == 0)
		return lab_refuse(keys, reterr, "there is no key");
	step->keys = arena_array(arena, keys->count, sizeof(*step->keys));
	if (!step->keys)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < keys->count; i++)
		err = read_key(arena, keys->items[i], &step->keys[step->key_count++], reterr);
	return err;
}

static int read_kind(const struct json *json, struct step *step, struct diag *reterr)
{
	static const char *const names[] = {[STEP_TABLES] = "tables",
		[STEP_DESCRIBE] = "describe",
		[STEP_ERROR] = "error",
		[STEP_REPORT] = "report"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_eq(json->string, text_of(names[i]))) {
			step->kind = (enum step_kind)i;
			return 0;
		}
	return lab_refuse(json, reterr, "a step's kind is tables, describe, error or report");
}

/* Which keys a kind of step must have, and which it cannot have. */
static int check_kind(const struct json *json, enum step_kind kind, struct diag *reterr)
{
	static const char *const names[] = {"sql", "reference", "keys", "asks", "form"};
	bool report = kind == STEP_REPORT, error = kind == STEP_ERROR;
	const bool needed[] = {!report, !report, report, false, false};
	const bool barred[] = {report, report, !report, report || error, report || error};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct json *member = json_get(json, text_of(names[i]));

		if (needed[i] && !member)
			return diag_set(reterr, -EINVAL, json->line, json->col,
				"a step of this kind has \"%s\"", names[i]);
		if (barred[i] && member)
			return diag_set(reterr, -EINVAL, member->line, member->col,
				"a step of this kind has no \"%s\"", names[i]);
	}
	return 0;
}

static int check_step(const struct json *json, const struct step *step, struct diag *reterr)
{
	bool report = step->kind == STEP_REPORT;
	int err = check_kind(json, step->kind, reterr);

	if (err)
		return err;
	if (!lab_is_plain(step->id, "_-"))
		return lab_refuse(json, reterr, "a step's id is made of letters, digits, _ and -");
	if (!lab_is_plain(step->file, "_-.") || (!report && !lab_is_plain(step->sql, "_-.")))
		return lab_refuse(json, reterr,
			"a step's files are plain names of files in the lab's folder");
	if (!report && !lab_is_inside(step->reference))
		return lab_refuse(json_get(json, TEXT("reference")), reterr,
			"this is no path within the lab's folder");
	return 0;
}

static int read_words(
	struct arena *arena, const struct json *json, struct step *step, struct diag *reterr)
{
	const struct json *part;
	int err = lab_read_texts(arena, json, "title", &step->title, reterr);

	if (!err)
		err = lab_read_texts(arena, json, "learned", &step->learned, reterr);
	if (!err && (part = json_get(json, TEXT("hints"))))
		err = lab_read_hints(arena, part, step, reterr);
	if (!err && (part = json_get(json, TEXT("links"))))
		err = lab_read_links(arena, part, step, reterr);
	return err;
}

static int read_parts(
	struct arena *arena, const struct json *json, struct step *step, struct diag *reterr)
{
	const struct json *part;
	int err = 0;

	if ((part = json_get(json, TEXT("form"))))
		err = read_form(part, &step->form, reterr);
	if (!err && (part = json_get(json, TEXT("asks"))))
		err = read_asks(part, &step->asks, reterr);
	if (!err && (part = json_get(json, TEXT("keys"))))
		err = read_report(arena, part, step, reterr);
	return err ? err : read_words(arena, json, step, reterr);
}

static int read_step(
	struct arena *arena, const struct json *json, struct step *step, struct diag *reterr)
{
	static const struct lab_key keys[] = {{"id", JSON_STRING, false},
		{"kind", JSON_STRING, false}, {"file", JSON_STRING, false},
		{"sql", JSON_STRING, true}, {"reference", JSON_STRING, true},
		{"after", JSON_ARRAY, true}, {"asks", JSON_ARRAY, true},
		{"form", JSON_OBJECT, true}, {"keys", JSON_OBJECT, true},
		{"title", JSON_OBJECT, true}, {"hints", JSON_ARRAY, true},
		{"learned", JSON_OBJECT, true}, {"links", JSON_ARRAY, true}};
	int err = LAB_CHECK_KEYS(json, keys, reterr);

	if (err)
		return err;
	step->id = lab_string(json, "id");
	step->file = lab_string(json, "file");
	step->sql = lab_string(json, "sql");
	step->reference = lab_string(json, "reference");
	step->line = json->line;
	step->col = json->col;
	err = read_kind(json_get(json, TEXT("kind")), step, reterr);
	if (!err)
		err = check_step(json, step, reterr);
	return err ? err : read_parts(arena, json, step, reterr);
}

/* No two steps share an id or a file: a saved file has one verdict. */
static int check_unique(const struct lab *lab, const struct json *steps, struct diag *reterr)
{
	for (size_t i = 0; i < lab->step_count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_eq(lab->steps[i].id, lab->steps[k].id) ||
				text_eq(lab->steps[i].file, lab->steps[k].file))
				return lab_refuse(steps->items[i], reterr,
					"another step has this id or file");
	return 0;
}

static size_t find_id(const struct lab *lab, struct text id)
{
	size_t i = 0;

	while (i < lab->step_count && !text_eq(lab->steps[i].id, id))
		i++;
	return i;
}

/* The steps that one builds on: earlier ones, each once. */
static int read_after(struct arena *arena, const struct lab *lab, size_t number,
	const struct json *list, struct diag *reterr)
{
	struct step *step = &lab->steps[number];

	step->after = arena_array(arena, list->count + 1, sizeof(*step->after));
	if (!step->after)
		return diag_nomem(reterr);
	for (size_t i = 0; i < list->count; i++) {
		const struct json *item = list->items[i];
		size_t at = item->kind == JSON_STRING ? find_id(lab, item->string) : number;

		if (at >= number)
			return lab_refuse(item, reterr, "the id of an earlier step is expected");
		for (size_t k = 0; k < step->after_count; k++)
			if (step->after[k] == at)
				return lab_refuse(item, reterr, "this step stands there twice");
		step->after[step->after_count++] = at;
	}
	return 0;
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

static int check_report(const struct lab *lab, const struct step *step, const struct json *keys,
	struct diag *reterr)
{
	for (size_t i = 0; i < step->key_count; i++) {
		struct step_check check = {lab, true};

		report_steps(step->keys[i].expr, see_step, &check);
		if (!check.known)
			return lab_refuse(keys->items[i], reterr,
				"this reads a step that is not there or has no tables");
	}
	return 0;
}

static int check_others(
	struct arena *arena, const struct lab *lab, const struct json *steps, struct diag *reterr)
{
	int err = check_unique(lab, steps, reterr);

	for (size_t i = 0; !err && i < lab->step_count; i++) {
		const struct json *after = json_get(steps->items[i], TEXT("after"));

		if (after)
			err = read_after(arena, lab, i, after, reterr);
		if (!err && lab->steps[i].kind == STEP_REPORT)
			err = check_report(lab, &lab->steps[i],
				json_get(steps->items[i], TEXT("keys")), reterr);
	}
	return err;
}

int lab_read_steps(
	struct arena *arena, const struct json *root, struct lab *lab, struct diag *reterr)
{
	const struct json *steps = json_get(root, TEXT("steps"));
	int err = 0;

	if (steps->count == 0)
		return lab_refuse(steps, reterr, "there is no step");
	lab->steps = arena_array(arena, steps->count, sizeof(*lab->steps));
	if (!lab->steps)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < steps->count; i++) {
		struct step *step = &lab->steps[lab->step_count++];

		step->form = (struct form){.missing = FORM_FAIL, .types = FORM_FAIL};
		err = read_form(json_get(root, TEXT("form")), &step->form, reterr);
		if (!err)
			err = read_step(arena, steps->items[i], step, reterr);
	}
	return err ? err : check_others(arena, lab, steps, reterr);
}

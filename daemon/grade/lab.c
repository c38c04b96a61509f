/* Reading lab.json: a table of keys for each object, so that what is missing, unknown or of the
 * wrong type is told with its place. Whatever was told is skipped, so that the rest is read too. */
#include <errno.h>
#include <stdarg.h>

#include "daemon/grade/lab_read.h"
#include "parser/arena.h"
#include "parser/diag.h"

static const char *const kind_names[] = {
	"null", "false", "true", "a number", "a text", "a list", "an object"};

static void add_diag(struct lab_reading *reading, const struct diag *diag)
{
	struct lab_faults *faults = &reading->faults;
	struct text text = text_copy(reading->arena, text_of(diag->text));

	if (!text.ptr || arena_grow(reading->arena, &faults->items, faults->count, &faults->room,
				 sizeof(*faults->items))) {
		reading->nomem = true;
		return;
	}
	faults->items[faults->count++] = (struct lab_fault){text, diag->line, diag->col};
}

void lab_refuse(struct lab_reading *reading, const struct json *at, const char *format, ...)
{
	struct diag diag = {0};
	va_list args;

	va_start(args, format);
	diag_vset(&diag, -EINVAL, at->line, at->col, format, args);
	va_end(args);
	add_diag(reading, &diag);
}

void *lab_array(struct lab_reading *reading, size_t count, size_t size)
{
	void *array = arena_array(reading->arena, count + 1, size);

	reading->nomem = reading->nomem || !array;
	return array;
}

static void check_member(struct lab_reading *reading, const struct json *member,
	const struct lab_key *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!text_eq(member->name, text_of(keys[i].name)))
			continue;
		if (member->kind != keys[i].kind)
			lab_refuse(reading, member, "\"%s\" must be %s", keys[i].name,
				kind_names[keys[i].kind]);
		return;
	}
	lab_refuse(reading, member, "the key \"%.*s\" is not known here", TEXT_ARG(member->name));
}

bool lab_check_keys(struct lab_reading *reading, const struct json *object,
	const struct lab_key *keys, size_t count)
{
	if (object->kind != JSON_OBJECT) {
		lab_refuse(reading, object, "an object is expected");
		return false;
	}
	for (size_t i = 0; i < object->count; i++)
		check_member(reading, object->items[i], keys, count);
	for (size_t i = 0; i < count; i++)
		if (!keys[i].optional && !json_get(object, text_of(keys[i].name)))
			lab_refuse(reading, object, "the key \"%s\" is missing", keys[i].name);
	return true;
}

const struct json *lab_member(const struct json *object, const char *name, enum json_kind kind)
{
	const struct json *member = json_get(object, text_of(name));

	return member && member->kind == kind ? member : NULL;
}

struct text lab_keep(struct lab_reading *reading, struct text text)
{
	struct text copy = text_copy(reading->arena, text);

	reading->nomem = reading->nomem || !copy.ptr;
	return copy;
}

struct text lab_string(struct lab_reading *reading, const struct json *object, const char *name)
{
	const struct json *member = lab_member(object, name, JSON_STRING);

	return member ? lab_keep(reading, member->string) : (struct text){0};
}

bool lab_is_plain(struct text name, const char *others)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9') ||
			     text_find(text_of(others), text_slice(name, i, i + 1)) <
				     text_of(others).len;

		if (!plain)
			return false;
	}
	return name.len > 0 && name.len <= 64 && name.ptr[0] != '.';
}

bool lab_is_inside(struct text path)
{
	struct text rest = path;

	while (rest.len) {
		size_t slash = text_find(rest, TEXT("/"));
		struct text name = text_slice(rest, 0, slash);

		if (!lab_is_plain(name, "_-."))
			return false;
		rest = text_slice(rest, slash + 1, rest.len);
	}
	return path.len > 0 && !text_ends(path, TEXT("/"));
}

/* Is it the root folder, however it is spelled without ".."? There each lab's files are the
 * machine's own. */
static bool is_root(struct text path)
{
	for (size_t i = 0; i < path.len; i++)
		if (path.ptr[i] != '/' &&
			(path.ptr[i] != '.' || (i + 1 < path.len && path.ptr[i + 1] != '/')))
			return false;
	return true;
}

static void check_head(struct lab_reading *reading, const struct json *root)
{
	const struct json *version = lab_member(root, "version", JSON_NUMBER),
			  *name = lab_member(root, "name", JSON_STRING),
			  *folder = lab_member(root, "folder", JSON_STRING);
	int64_t number;

	if (version && (json_integer(version, &number) || number != 1))
		lab_refuse(reading, version, "this version of lab.json is not known; 1 is");
	if (name && !lab_is_plain(name->string, "_-"))
		lab_refuse(reading, name, "a lab's name is made of letters, digits, _ and -");
	if (folder && !text_starts(folder->string, TEXT("/")))
		lab_refuse(reading, folder, "the folder is an absolute path");
	else if (folder && is_root(folder->string))
		lab_refuse(reading, folder, "the root folder is no learner's");
}

static void read_lab(struct lab_reading *reading, const struct json *root, struct lab *lab)
{
	static const struct lab_key keys[] = {{"version", JSON_NUMBER, false},
		{"name", JSON_STRING, false}, {"languages", JSON_ARRAY, true},
		{"title", JSON_OBJECT, false}, {"folder", JSON_STRING, false},
		{"fixtures", JSON_ARRAY, false}, {"form", JSON_OBJECT, false},
		{"steps", JSON_ARRAY, false}};

	if (!LAB_CHECK_KEYS(reading, root, keys))
		return;
	lab->name = lab_string(reading, root, "name");
	lab->folder = lab_string(reading, root, "folder");
	check_head(reading, root);
	lab_read_languages(reading, root, lab);
	lab_read_texts(reading, root, "title", &lab->title);
	lab_read_fixtures(reading, root, lab);
	lab_read_steps(reading, root, lab);
}

int lab_parse_all(
	struct arena *arena, struct text source, struct lab *ret, struct lab_faults *faults)
{
	struct lab_reading reading = {.arena = arena};
	struct lab lab = {0};
	struct json root;
	struct json_repeats repeats = {0};
	struct diag diag = {0};
	struct arena scratch;
	int err;

	arena_init(&scratch, arena->limit);
	err = json_parse_first(&scratch, source, &root, &repeats, &diag);
	if (err == -EINVAL)
		add_diag(&reading, &diag);
	for (size_t i = 0; i < repeats.count; i++) {
		json_refuse_repeat(&repeats.items[i], &diag);
		add_diag(&reading, &diag);
	}
	if (err == 0)
		read_lab(&reading, &root, &lab);
	arena_finish(&scratch);
	if (reading.nomem || err == -ENOMEM)
		return -ENOMEM;
	*faults = reading.faults;
	if (reading.faults.count)
		return -EINVAL;
	*ret = lab;
	return 0;
}

int lab_parse(struct arena *arena, struct text source, struct lab *ret, struct diag *reterr)
{
	struct lab_faults faults;
	int err = lab_parse_all(arena, source, ret, &faults);

	if (err == -EINVAL)
		return diag_set(reterr, err, faults.items[0].line, faults.items[0].col, "%.*s",
			TEXT_ARG(faults.items[0].text));
	return err ? diag_nomem(reterr) : 0;
}

size_t lab_step(const struct lab *lab, struct text name)
{
	size_t i = 0;

	while (i < lab->step_count && !text_eq(lab->steps[i].id, name) &&
		!text_eq(lab->steps[i].file, name))
		i++;
	return i;
}

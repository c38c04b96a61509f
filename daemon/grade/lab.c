/* Reading lab.json: a table of keys for each object, so that what is missing, unknown or of the
 * wrong type is told with its place. */
#include <errno.h>

#include "daemon/grade/lab_read.h"
#include "parser/arena.h"
#include "parser/diag.h"

static const char *const kind_names[] = {
	"null", "false", "true", "a number", "a text", "a list", "an object"};

int lab_refuse(const struct json *at, struct diag *reterr, const char *what)
{
	return diag_set(reterr, -EINVAL, at->line, at->col, "%s", what);
}

static int check_member(
	const struct json *member, const struct lab_key *keys, size_t count, struct diag *reterr)
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

int lab_check_keys(
	const struct json *object, const struct lab_key *keys, size_t count, struct diag *reterr)
{
	if (object->kind != JSON_OBJECT)
		return lab_refuse(object, reterr, "an object is expected");
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

struct text lab_string(const struct json *object, const char *name)
{
	const struct json *member = json_get(object, text_of(name));

	return member ? member->string : (struct text){0};
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

static int check_head(const struct json *root, const struct lab *lab, struct diag *reterr)
{
	const struct json *version = json_get(root, TEXT("version"));
	int64_t number;

	if (json_integer(version, &number) || number != 1)
		return lab_refuse(version, reterr, "this version of lab.json is not known; 1 is");
	if (!lab_is_plain(lab->name, "_-"))
		return lab_refuse(json_get(root, TEXT("name")), reterr,
			"a lab's name is made of letters, digits, _ and -");
	if (!text_starts(lab->folder, TEXT("/")))
		return lab_refuse(
			json_get(root, TEXT("folder")), reterr, "the folder is an absolute path");
	return 0;
}

int lab_parse(struct arena *arena, struct text source, struct lab *ret, struct diag *reterr)
{
	static const struct lab_key keys[] = {{"version", JSON_NUMBER, false},
		{"name", JSON_STRING, false}, {"languages", JSON_ARRAY, true},
		{"title", JSON_OBJECT, false}, {"folder", JSON_STRING, false},
		{"fixtures", JSON_ARRAY, false}, {"form", JSON_OBJECT, false},
		{"steps", JSON_ARRAY, false}};
	struct lab lab = {0};
	struct json root;
	int err = json_parse(arena, source, &root, reterr);

	if (!err)
		err = LAB_CHECK_KEYS(&root, keys, reterr);
	if (err)
		return err;
	lab.name = lab_string(&root, "name");
	lab.folder = lab_string(&root, "folder");
	err = check_head(&root, &lab, reterr);
	if (!err)
		err = lab_read_languages(arena, &root, &lab, reterr);
	if (!err)
		err = lab_read_texts(arena, &root, "title", &lab.title, reterr);
	if (!err)
		err = lab_read_fixtures(arena, json_get(&root, TEXT("fixtures")), &lab, reterr);
	if (!err)
		err = lab_read_steps(arena, &root, &lab, reterr);
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

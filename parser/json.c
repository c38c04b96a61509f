/* The cJSON adapter. Reading: a strict scan, then cJSON builds the tree, then it is copied into the
 * arena and checked for what cJSON keeps silently: a key that stands twice. Writing: the tree is
 * handed to cJSON, integers as raw text, since cJSON would print large ones as doubles. */
#include "parser/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/json_scan.h"

struct reading {
	struct arena *arena;
	const struct json_scan *scan;
	size_t next; /* the mark of the next value, as the walk meets them in source order */
	struct diag *reterr;
};

static int copy_value(struct reading *r, const cJSON *from, struct json *to);

static int copy_string(struct reading *r, const char *from, struct text *to)
{
	*to = text_copy(r->arena, text_of(from));
	return to->ptr ? 0 : diag_nomem(r->reterr);
}

static int copy_members(struct reading *r, const cJSON *from, struct json *to)
{
	const cJSON *child;

	cJSON_ArrayForEach(child, from)
	{
		struct json *item = ARENA_NEW(r->arena, struct json);
		int err;

		if (!item || arena_grow(r->arena, &to->items, to->count, &to->room, sizeof(item)))
			return diag_nomem(r->reterr);
		if (child->string && (err = copy_string(r, child->string, &item->name)))
			return err;
		err = copy_value(r, child, item);
		if (err)
			return err;
		if (child->string && json_get(to, item->name))
			return diag_set(r->reterr, -EINVAL, item->line, item->col,
				"the key \"%.*s\" stands there twice", TEXT_ARG(item->name));
		to->items[to->count++] = item;
	}
	return 0;
}

static enum json_kind kind_of(const cJSON *from)
{
	switch (from->type & 0xff) {
	case cJSON_False: return JSON_FALSE;
	case cJSON_True: return JSON_TRUE;
	case cJSON_Number: return JSON_NUMBER;
	case cJSON_String: return JSON_STRING;
	case cJSON_Array: return JSON_ARRAY;
	case cJSON_Object: return JSON_OBJECT;
	default: return JSON_NULL;
	}
}

static int copy_value(struct reading *r, const cJSON *from, struct json *to)
{
	const struct json_mark *mark = &r->scan->marks[r->next++];

	to->kind = kind_of(from);
	to->line = mark->line;
	to->col = mark->col;
	if (to->kind == JSON_NUMBER && !isfinite(from->valuedouble))
		return diag_set(r->reterr, -EINVAL, to->line, to->col, "a number is too large");
	if (to->kind == JSON_NUMBER)
		to->string = mark->number;
	if (to->kind == JSON_STRING)
		return copy_string(r, from->valuestring, &to->string);
	return copy_members(r, from, to);
}

/* cJSON tells an error by a pointer into the text. */
static int refuse_at(struct text source, const char *end, struct diag *reterr)
{
	struct text before = text_slice(source, 0, end ? (size_t)(end - source.ptr) : 0);
	struct text line = before;
	int lines = 1, col = 1;

	for (size_t at; (at = text_find(line, TEXT("\n"))) < line.len; lines++)
		line = text_slice(line, at + 1, line.len);
	for (size_t i = 0; i < line.len; i++)
		col += ((unsigned char)line.ptr[i] & 0xc0) != 0x80;
	return diag_set(reterr, -EINVAL, lines, col, "this is no JSON");
}

int json_parse(struct arena *arena, struct text source, struct json *ret, struct diag *reterr)
{
	struct json_scan scan;
	struct json root = {0};
	struct reading reading = {.arena = arena, .scan = &scan, .reterr = reterr};
	struct text copy = text_copy(arena, source); /* cJSON wants the end to be a NUL */
	const char *end = NULL;
	cJSON *tree;
	int err;

	if (!copy.ptr)
		return diag_nomem(reterr);
	err = json_scan(arena, copy, &scan, reterr);
	if (err)
		return err;
	tree = cJSON_ParseWithLengthOpts(copy.ptr, copy.len + 1, &end, 1);
	if (!tree)
		return refuse_at(copy, end, reterr);
	err = copy_value(&reading, tree, &root);
	cJSON_Delete(tree);
	if (!err)
		*ret = root;
	return err;
}

const struct json *json_get(const struct json *object, struct text name)
{
	for (size_t i = 0; object->kind == JSON_OBJECT && i < object->count; i++)
		if (text_eq(object->items[i]->name, name))
			return object->items[i];
	return NULL;
}

int json_integer(const struct json *number, int64_t *ret)
{
	if (number->kind != JSON_NUMBER)
		return -EINVAL;
	return text_to_int64(number->string, ret) ? -EINVAL : 0;
}

struct json *json_add(
	struct arena *arena, struct json *parent, const char *name, enum json_kind kind)
{
	struct json *item = ARENA_NEW(arena, struct json);

	if (!item)
		return NULL;
	item->kind = kind;
	if (!parent)
		return item;
	if (parent->kind == JSON_OBJECT)
		item->name = text_copy(arena, text_of(name));
	if (arena_grow(arena, &parent->items, parent->count, &parent->room, sizeof(item)))
		return NULL;
	parent->items[parent->count++] = item;
	return item;
}

struct json *json_add_text(
	struct arena *arena, struct json *parent, const char *name, struct text string)
{
	struct json *item = parent ? json_add(arena, parent, name, JSON_STRING) : NULL;

	if (item)
		item->string = text_copy(arena, string);
	return item;
}

struct json *json_add_integer(
	struct arena *arena, struct json *parent, const char *name, int64_t number)
{
	struct json *item = parent ? json_add(arena, parent, name, JSON_NUMBER) : NULL;

	if (item)
		item->string = text_format(arena, "%lld", (long long)number);
	return item;
}

/* The text NUL-terminated and with nothing in it that JSON may not hold. */
static const char *clean(struct arena *arena, struct text t)
{
	char *buf = arena_array(arena, t.len + 1, 3), *out = buf;

	while (buf && t.len) {
		size_t len;
		bool bad = utf8_decode(t, &len) == 0xfffd || t.ptr[0] == '\0';

		memcpy(out, bad ? "\xef\xbf\xbd" : t.ptr, bad ? 3 : len);
		out += bad ? 3 : len;
		t = text_slice(t, len, t.len);
	}
	return buf;
}

static cJSON *build(struct arena *arena, const struct json *from);

static cJSON *build_members(struct arena *arena, const struct json *from)
{
	bool object = from->kind == JSON_OBJECT;
	cJSON *to = object ? cJSON_CreateObject() : cJSON_CreateArray();

	for (size_t i = 0; to && i < from->count; i++) {
		const char *name = clean(arena, from->items[i]->name);
		cJSON *item = name ? build(arena, from->items[i]) : NULL;

		if (!item || !(object ? cJSON_AddItemToObject(to, name, item)
				      : cJSON_AddItemToArray(to, item))) {
			cJSON_Delete(item);
			cJSON_Delete(to);
			return NULL;
		}
	}
	return to;
}

static cJSON *build(struct arena *arena, const struct json *from)
{
	const char *string;

	switch (from->kind) {
	case JSON_NULL: return cJSON_CreateNull();
	case JSON_FALSE: return cJSON_CreateFalse();
	case JSON_TRUE: return cJSON_CreateTrue();
	case JSON_NUMBER:
	case JSON_STRING:
		string = clean(arena, from->string);
		if (!string)
			return NULL;
		return from->kind == JSON_NUMBER ? cJSON_CreateRaw(string)
						 : cJSON_CreateString(string);
	case JSON_ARRAY:
	case JSON_OBJECT: return build_members(arena, from);
	}
	return NULL;
}

/* cJSON escapes C0 controls only: DEL and the C1 controls would reach a terminal as they are. */
static struct text escape_controls(struct arena *arena, struct text printed)
{
	static const char hex[] = "0123456789abcdef";
	char *buf = arena_array(arena, printed.len + 1, 6), *out = buf;

	while (buf && printed.len) {
		size_t len;
		uint32_t c = utf8_decode(printed, &len);

		if (c >= 0x7f && c < 0xa0) {
			memcpy(out, "\\u00", 4);
			out[4] = hex[c >> 4];
			out[5] = hex[c & 15];
			out += 6;
		} else {
			memcpy(out, printed.ptr, len);
			out += len;
		}
		printed = text_slice(printed, len, printed.len);
	}
	return (struct text){buf, buf ? (size_t)(out - buf) : 0};
}

int json_print(struct arena *arena, const struct json *root, bool indent, struct text *ret)
{
	cJSON *tree = root ? build(arena, root) : NULL;
	char *printed = tree ? (indent ? cJSON_Print(tree) : cJSON_PrintUnformatted(tree)) : NULL;
	struct text out = {0};

	if (printed)
		out = escape_controls(arena, text_of(printed));
	cJSON_free(printed);
	cJSON_Delete(tree);
	if (!out.ptr)
		return -ENOMEM;
	*ret = out;
	return 0;
}

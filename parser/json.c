/* The cJSON adapter: a strict scan, then cJSON builds the tree, then it is copied into the arena
 * and checked for what cJSON keeps silently: a key that stands twice. */
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
	struct json_repeats repeats;
	struct diag *reterr;
};

static int copy_value(struct reading *r, const cJSON *from, struct json *to);

static int copy_string(struct reading *r, const char *from, struct text *to)
{
	*to = text_copy(r->arena, text_of(from));
	return to->ptr ? 0 : diag_nomem(r->reterr);
}

static int compare_names(const void *left, const void *right)
{
	const struct json *a = *(struct json *const *)left, *b = *(struct json *const *)right;
	int order = text_cmp(a->name, b->name);

	return order ? order : a->line != b->line ? a->line - b->line : a->col - b->col;
}

static int take_out(struct reading *r, struct json *item)
{
	struct json_repeats *repeats = &r->repeats;

	if (arena_grow(r->arena, &repeats->items, repeats->count, &repeats->room,
		    sizeof(*repeats->items)))
		return diag_nomem(r->reterr);
	repeats->items[repeats->count++] = (struct json_repeat){item->line, item->col};
	item->name.ptr = NULL;
	return 0;
}

/* Keeps the first member of each key. Sorted, since a file of a megabyte has some 100,000. */
static int drop_repeats(struct reading *r, struct json *object)
{
	struct json **sorted = arena_array(r->arena, object->count, sizeof(*sorted));
	size_t first = 0, kept = 0;
	int err = sorted ? 0 : diag_nomem(r->reterr);

	if (err)
		return err;
	memcpy(sorted, object->items, object->count * sizeof(*sorted));
	qsort(sorted, object->count, sizeof(*sorted), compare_names);
	for (size_t i = 1; i < object->count && err == 0; i++)
		if (text_eq(sorted[i]->name, sorted[first]->name))
			err = take_out(r, sorted[i]);
		else
			first = i;
	for (size_t i = 0; i < object->count; i++)
		if (object->items[i]->name.ptr)
			object->items[kept++] = object->items[i];
	object->count = kept;
	return err;
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
		to->items[to->count++] = item;
	}
	return to->count && to->items[0]->name.ptr ? drop_repeats(r, to) : 0;
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

/* cJSON tells an error by a pointer into the text. Behind the last word of one whose brackets are
 * open nothing is wrong: something is missing. */
static int refuse_at(
	struct text source, const struct json_scan *scan, const char *end, struct diag *reterr)
{
	size_t from = end ? (size_t)(end - source.ptr) : 0;
	bool ended = scan->open && text_trim(text_slice(source, from, source.len)).len == 0;
	struct text line;
	int lines = 1, col = 1;

	while (ended && from > 0 && text_trim(text_slice(source, from - 1, from)).len == 0)
		from--;
	line = text_slice(source, 0, from);

	for (size_t at; (at = text_find(line, TEXT("\n"))) < line.len; lines++)
		line = text_slice(line, at + 1, line.len);
	for (size_t i = 0; i < line.len; i++)
		col += ((unsigned char)line.ptr[i] & 0xc0) != 0x80;
	if (ended)
		return diag_set(reterr, -EINVAL, lines, col, "it ends too early");
	return diag_set(reterr, -EINVAL, lines, col,
		"unexpected text; look for a wrong quote, comma or bracket");
}

int json_parse_first(struct arena *arena, struct text source, struct json *ret,
	struct json_repeats *repeats, struct diag *reterr)
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
		return refuse_at(copy, &scan, end, reterr);
	err = copy_value(&reading, tree, &root);
	cJSON_Delete(tree);
	if (err)
		return err;
	*ret = root;
	*repeats = reading.repeats;
	return 0;
}

int json_refuse_repeat(const struct json_repeat *repeat, struct diag *reterr)
{
	return diag_set(
		reterr, -EINVAL, repeat->line, repeat->col, "the same key stands there twice");
}

int json_parse(struct arena *arena, struct text source, struct json *ret, struct diag *reterr)
{
	struct json_repeats repeats;
	const struct json_repeat *first;
	struct json root;
	int err = json_parse_first(arena, source, &root, &repeats, reterr);

	if (err)
		return err;
	first = repeats.items;
	for (size_t i = 1; i < repeats.count; i++)
		if (repeats.items[i].line < first->line ||
			(repeats.items[i].line == first->line && repeats.items[i].col < first->col))
			first = &repeats.items[i];
	if (repeats.count)
		return json_refuse_repeat(first, reterr);
	*ret = root;
	return 0;
}

const struct json *json_get(const struct json *object, struct text name)
{
	for (size_t i = 0; object->kind == JSON_OBJECT && i < object->count; i++)
		if (text_eq(object->items[i]->name, name))
			return object->items[i];
	return NULL;
}

struct json *json_copy(struct arena *arena, const struct json *json)
{
	struct json *copy = ARENA_NEW(arena, struct json);

	if (!copy)
		return NULL;
	*copy = *json;
	copy->name = text_copy(arena, json->name);
	copy->string = text_copy(arena, json->string);
	copy->items = arena_array(arena, json->count, sizeof(*copy->items));
	copy->room = json->count;
	if (!copy->name.ptr || !copy->string.ptr || !copy->items)
		return NULL;
	for (size_t i = 0; i < json->count; i++) {
		copy->items[i] = json_copy(arena, json->items[i]);
		if (!copy->items[i])
			return NULL;
	}
	return copy;
}

int json_integer(const struct json *number, int64_t *ret)
{
	if (number->kind != JSON_NUMBER)
		return -EINVAL;
	return text_to_int64(number->string, ret) ? -EINVAL : 0;
}

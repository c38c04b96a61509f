/* Writing JSON: a tree is built in the arena, and written from its root on. Not by cJSON: it prints
 * large integers as doubles and lets DEL and C1 controls through to a terminal, and mending that
 * took two more passes and half of the time of publishing a status. */
#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/encoding.h"
#include "parser/json.h"

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
		item->name = text_of(name);
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

#define DIGITS 20

/* The number's digits, at the end of buf. */
static struct text digits(int64_t number, char buf[DIGITS])
{
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	size_t at = DIGITS;

	do {
		buf[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		buf[--at] = '-';
	return (struct text){buf + at, DIGITS - at};
}

struct json *json_add_integer(
	struct arena *arena, struct json *parent, const char *name, int64_t number)
{
	struct json *item = parent ? json_add(arena, parent, name, JSON_NUMBER) : NULL;
	char buf[DIGITS];

	if (item)
		item->string = text_copy(arena, digits(number, buf));
	return item;
}

/* Where the text goes. */
struct output {
	struct arena *arena;
	char *buf;
	size_t len, room;
	bool indent;
	bool nomem;
};

static void put(struct output *out, struct text t)
{
	while (!out->nomem && out->room - out->len < t.len)
		out->nomem = arena_grow(out->arena, &out->buf, out->room, &out->room, 1) < 0;
	if (out->nomem || !t.len)
		return;
	memcpy(out->buf + out->len, t.ptr, t.len);
	out->len += t.len;
}

static void put_unit(struct output *out, unsigned unit)
{
	static const char hex[] = "0123456789abcdef";
	const char code[] = {'\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15],
		hex[unit >> 4 & 15], hex[unit & 15]};

	put(out, (struct text){code, sizeof(code)});
}

/* A character that must not stand as it is: a quote, a backslash, what may not be shown. */
static void put_escape(struct output *out, uint32_t c)
{
	const char pair[] = {'\\', (char)c};

	if (c == '"' || c == '\\') {
		put(out, (struct text){pair, sizeof(pair)});
	} else if (c == '\n') {
		put(out, TEXT("\\n"));
	} else if (c < 0x10000) {
		put_unit(out, c);
	} else {
		put_unit(out, 0xd800 + ((c - 0x10000) >> 10));
		put_unit(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
	}
}

static bool is_mark(uint32_t c)
{
	return c == '"' || c == '\\';
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && !is_mark((uint32_t)c);
}

static void put_string(struct output *out, struct text t)
{
	put(out, TEXT("\""));
	while (t.len) {
		size_t len = 0;
		uint32_t c;

		while (len < t.len && is_plain(t.ptr[len]))
			len++;
		put(out, text_slice(t, 0, len));
		t = text_slice(t, len, t.len);
		if (t.len == 0)
			break;
		c = utf8_decode(t, &len);
		if (c == 0xfffd)
			put(out, TEXT("\xef\xbf\xbd"));
		else if (is_mark(c) || !clean_shows(c))
			put_escape(out, c);
		else
			put(out, text_slice(t, 0, len));
		t = text_slice(t, len, t.len);
	}
	put(out, TEXT("\""));
}

static void put_line(struct output *out, int depth)
{
	if (!out->indent)
		return;
	put(out, TEXT("\n"));
	while (depth-- > 0)
		put(out, TEXT("  "));
}

static void put_value(struct output *out, const struct json *value, int depth);

static void put_members(struct output *out, const struct json *value, int depth)
{
	bool object = value->kind == JSON_OBJECT;

	put(out, object ? TEXT("{") : TEXT("["));
	for (size_t i = 0; i < value->count; i++) {
		if (i)
			put(out, TEXT(","));
		put_line(out, depth + 1);
		if (object) {
			put_string(out, value->items[i]->name);
			put(out, out->indent ? TEXT(": ") : TEXT(":"));
		}
		put_value(out, value->items[i], depth + 1);
	}
	if (value->count)
		put_line(out, depth);
	put(out, object ? TEXT("}") : TEXT("]"));
}

static void put_value(struct output *out, const struct json *value, int depth)
{
	switch (value->kind) {
	case JSON_NULL: put(out, TEXT("null")); break;
	case JSON_FALSE: put(out, TEXT("false")); break;
	case JSON_TRUE: put(out, TEXT("true")); break;
	case JSON_NUMBER: put(out, value->string); break;
	case JSON_STRING: put_string(out, value->string); break;
	case JSON_ARRAY:
	case JSON_OBJECT: put_members(out, value, depth); break;
	}
}

int json_print(struct arena *arena, const struct json *root, bool indent, struct text *ret)
{
	struct output out = {.arena = arena, .indent = indent};

	if (!root)
		return -ENOMEM;
	put_value(&out, root, 0);
	if (out.nomem)
		return -ENOMEM;
	*ret = (struct text){out.buf, out.len};
	return 0;
}

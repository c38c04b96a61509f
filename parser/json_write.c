/* Writing JSON: value by value, or a tree that was built in the arena from its root on. Not by cJSON:
 * it prints large integers as doubles and lets DEL and C1 controls through to a terminal, and mending
 * that took two more passes and half of the time of publishing a status. */
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

static bool has_room(struct json_writer *out, size_t len)
{
	while (!out->nomem && out->room - out->len < len)
		out->nomem = arena_grow(out->arena, &out->buf, out->room, &out->room, 1) < 0;
	return !out->nomem;
}

static void put_char(struct json_writer *out, char c)
{
	if (has_room(out, 1))
		out->buf[out->len++] = c;
}

static void put(struct json_writer *out, struct text t)
{
	if (!has_room(out, t.len) || !t.len)
		return;
	memcpy(out->buf + out->len, t.ptr, t.len);
	out->len += t.len;
}

static void put_unit(struct json_writer *out, unsigned unit)
{
	static const char hex[] = "0123456789abcdef";
	const char code[] = {'\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15],
		hex[unit >> 4 & 15], hex[unit & 15]};

	put(out, (struct text){code, sizeof(code)});
}

/* A character that must not stand as it is: a quote, a backslash, what may not be shown. */
static void put_escape(struct json_writer *out, uint32_t c)
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

static void put_string(struct json_writer *out, struct text t)
{
	put_char(out, '"');
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
	put_char(out, '"');
}

static void put_line(struct json_writer *out)
{
	if (!out->indent)
		return;
	put_char(out, '\n');
	for (int i = 0; i < out->depth; i++)
		put(out, TEXT("  "));
}

/* What stands before a value; name.ptr is NULL in an array and at the root. */
static void begin(struct json_writer *out, struct text name)
{
	if (out->behind)
		put_char(out, ',');
	if (out->depth)
		put_line(out);
	out->behind = true;
	if (!name.ptr)
		return;
	put_string(out, name);
	put_char(out, ':');
	if (out->indent)
		put_char(out, ' ');
}

static void open_bracket(struct json_writer *out, struct text name, enum json_kind kind)
{
	begin(out, name);
	put_char(out, kind == JSON_OBJECT ? '{' : '[');
	out->behind = false;
	out->depth++;
}

void json_close(struct json_writer *out, enum json_kind kind)
{
	out->depth--;
	if (out->behind)
		put_line(out);
	put_char(out, kind == JSON_OBJECT ? '}' : ']');
	out->behind = true;
}

static struct text word_of(enum json_kind kind)
{
	return kind == JSON_TRUE ? TEXT("true") : kind == JSON_FALSE ? TEXT("false") : TEXT("null");
}

static struct text name_of(const char *name)
{
	return name ? text_of(name) : (struct text){0};
}

void json_open(struct json_writer *out, const char *name, enum json_kind kind)
{
	open_bracket(out, name_of(name), kind);
}

void json_word(struct json_writer *out, const char *name, enum json_kind kind)
{
	begin(out, name_of(name));
	put(out, word_of(kind));
}

void json_text(struct json_writer *out, const char *name, struct text string)
{
	begin(out, name_of(name));
	put_string(out, string);
}

void json_number(struct json_writer *out, const char *name, int64_t number)
{
	char buf[DIGITS];

	begin(out, name_of(name));
	put(out, digits(number, buf));
}

int json_written(struct json_writer *out, struct text *ret)
{
	if (out->nomem)
		return -ENOMEM;
	*ret = (struct text){out->buf, out->len};
	return 0;
}

static void put_tree(struct json_writer *out, struct text name, const struct json *value)
{
	bool object = value->kind == JSON_OBJECT;

	if (object || value->kind == JSON_ARRAY) {
		open_bracket(out, name, value->kind);
		for (size_t i = 0; i < value->count; i++)
			put_tree(out, object ? value->items[i]->name : (struct text){0},
				value->items[i]);
		json_close(out, value->kind);
		return;
	}
	begin(out, name);
	if (value->kind == JSON_STRING)
		put_string(out, value->string);
	else
		put(out, value->kind == JSON_NUMBER ? value->string : word_of(value->kind));
}

int json_print(struct arena *arena, const struct json *root, bool indent, struct text *ret)
{
	struct json_writer out = {.arena = arena, .indent = indent};

	if (!root)
		return -ENOMEM;
	put_tree(&out, (struct text){0}, root);
	return json_written(&out, ret);
}

/* JSON: read strictly, by cJSON without its leniency (RFC 8259), and written.
 * Integers keep their source text, so that none is squeezed through a double. */
#ifndef EWIN_PARSER_JSON_H
#define EWIN_PARSER_JSON_H

#include "parser/text.h"

struct arena;
struct diag;

enum json_kind {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

struct json {
	enum json_kind kind;
	struct text name;    /* its key, where it is a member of an object */
	struct text string;  /* JSON_STRING: decoded; JSON_NUMBER: as written */
	struct json **items; /* JSON_ARRAY, JSON_OBJECT: in the order of the source */
	size_t count;
	size_t room;   /* of items, while a tree is built */
	int line, col; /* where it starts, from 1; 0 in a tree that was built */
};

/* Keys that stand twice in one object: where each stands that is not the first. */
struct json_repeat {
	int line, col;
};

struct json_repeats {
	struct json_repeat *items;
	size_t count, room;
};

/* Reads a text that is one JSON value and nothing else. Refused as well: a key that stands twice in
 * one object, \u0000, numbers that are not finite, nesting over LIMIT_NESTING, bad UTF-8, a BOM
 * (decode first: parser/encoding.h). 0, -EINVAL with line and column, or -ENOMEM. */
int json_parse(struct arena *arena, struct text source, struct json *ret, struct diag *reterr);

/* The same, where a key that stands twice is no error: its first member is kept, and where the
 * others stand is told, in no order. */
int json_parse_first(struct arena *arena, struct text source, struct json *ret,
	struct json_repeats *repeats, struct diag *reterr);

/* Says that it is an error: -EINVAL. */
int json_refuse_repeat(const struct json_repeat *repeat, struct diag *reterr);

/* The member of an object with exactly this name, or NULL (also where it is no object). */
const struct json *json_get(const struct json *object, struct text name);

/* A copy of the whole tree, texts and places included; NULL: no memory. */
struct json *json_copy(struct arena *arena, const struct json *json);

/* A number written without fraction and exponent that fits 64 bits: 0, else -EINVAL. */
int json_integer(const struct json *number, int64_t *ret);

/* Building a tree to write. Each returns the new value, in the arena, put behind what `parent` (an
 * array, an object, or NULL for the root) holds; name, which must outlive the tree, is ignored
 * where the parent is no object. A NULL parent but for the root, or lack of memory, gives NULL:
 * check once, at json_print(). */
struct json *json_add(
	struct arena *arena, struct json *parent, const char *name, enum json_kind kind);
struct json *json_add_text(
	struct arena *arena, struct json *parent, const char *name, struct text string);
struct json *json_add_integer(
	struct arena *arena, struct json *parent, const char *name, int64_t number);

/* The tree as text, in the arena, without a final newline; indented or on one line. Bad UTF-8 in
 * strings is written as U+FFFD; what may not be shown (parser/clean.h) is escaped. Where an
 * earlier json_add() had no memory the text is whole JSON without what was lost. -ENOMEM where
 * there is no memory now. */
int json_print(struct arena *arena, const struct json *root, bool indent, struct text *ret);

/* Writing without a tree, each value behind the one before, as text at once: for what is long and
 * written often, since it takes a third of the time. `name` is its key, and NULL where it is no
 * member of an object. Strings are escaped as by json_print(). A writer starts with its arena set and
 * all else 0; whether memory was short is asked once, of json_written(). */
struct json_writer {
	struct arena *arena;
	char *buf;
	size_t len, room;
	bool indent;
	bool nomem;
	bool behind; /* something stands in the innermost bracket already */
	int depth;   /* brackets that are open */
};

/* A JSON_ARRAY or JSON_OBJECT, up to its json_close() with the same kind. */
void json_open(struct json_writer *out, const char *name, enum json_kind kind);
void json_close(struct json_writer *out, enum json_kind kind);

/* JSON_NULL, JSON_FALSE or JSON_TRUE. */
void json_word(struct json_writer *out, const char *name, enum json_kind kind);

void json_text(struct json_writer *out, const char *name, struct text string);
void json_number(struct json_writer *out, const char *name, int64_t number);

/* All that was written, once every bracket is closed. 0 or -ENOMEM. */
int json_written(struct json_writer *out, struct text *ret);

#endif

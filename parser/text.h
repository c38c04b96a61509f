/* Text: a view of bytes that somebody else owns. Not NUL-terminated; may hold any byte. */
#ifndef EWIN_PARSER_TEXT_H
#define EWIN_PARSER_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct text {
	const char *ptr;
	size_t len;
};

/* A text of a string literal. */
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

/* Arguments for a "%.*s" conversion. */
#define TEXT_ARG(t) (int)(t).len, (t).ptr

/* The text of a NUL-terminated string, which must outlive the result. */
struct text text_of(const char *str);

bool text_eq(struct text a, struct text b);

/* Equal but for the case of ASCII letters. */
bool text_ieq(struct text a, struct text b);

/* Order by unsigned bytes, a prefix first: <0, 0, >0. For UTF-8 this is the order of code
 * points. */
int text_cmp(struct text a, struct text b);

/* A letter or digit of ASCII, or an underscore. */
bool text_is_word(char c);

/* Is it made of these bytes alone, and of one at least? */
bool text_is_of(struct text t, const char *set);

bool text_starts(struct text t, struct text prefix);
bool text_ends(struct text t, struct text suffix);

/* The part of t in [from, to); both are cut to t's length. */
struct text text_slice(struct text t, size_t from, size_t to);

/* t without the bytes <= U+0020 at either end; _left and _right: at one end only. */
struct text text_trim(struct text t);
struct text text_trim_left(struct text t);
struct text text_trim_right(struct text t);

/* Cuts the character c off *rest. False, with *rest untouched, where it does not begin with it. */
bool text_cut_char(struct text *rest, char c);

/* Offset of needle in t, or t.len where it is not found. */
size_t text_find(struct text t, struct text needle);

/* Cuts the next line off *rest, without its newline. False, and *line untouched, at the end. */
bool text_next_line(struct text *rest, struct text *line);

/* Cuts off *rest what stands before its first blank, and the blank. Empty at the end. */
struct text text_next_word(struct text *rest);

/* Reads all of t as a decimal integer with an optional sign. 0, -EINVAL (not a number) or
 * -ERANGE (does not fit); *ret is untouched on failure. */
int text_to_int64(struct text t, int64_t *ret);

/* How often the byte is in it. */
size_t text_count(struct text t, char c);

/* A copy in the arena, NUL-terminated behind its end. On lack of memory its ptr is NULL. */
struct text text_copy(struct arena *arena, struct text t);

/* A printf-formatted text in the arena, NUL-terminated. On lack of memory its ptr is NULL. */
struct text text_format(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same with the arguments of a function like it. */
struct text text_vformat(struct arena *arena, const char *format, va_list args);

/* A duration in the largest unit that is exact, d, h, min, s or ms, with `gap` between number and
 * unit: "90s", "4999ms", "-5 s". In the arena; ptr is NULL on lack of memory. */
struct text text_duration(struct arena *arena, int64_t ms, const char *gap);

#endif

/* Text: comparing, cutting and reading views of bytes. */
#include "parser/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "parser/arena.h"

struct text text_of(const char *str)
{
	return (struct text){str, strlen(str)};
}

bool text_eq(struct text a, struct text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool text_ieq(struct text a, struct text b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (lower(a.ptr[i]) != lower(b.ptr[i]))
			return false;
	return true;
}

int text_cmp(struct text a, struct text b)
{
	size_t shorter = a.len < b.len ? a.len : b.len;
	int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;

	if (order)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

bool text_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

bool text_is_of(struct text t, const char *set)
{
	for (size_t i = 0; i < t.len; i++)
		if (!t.ptr[i] || !strchr(set, t.ptr[i]))
			return false;
	return t.len > 0;
}

bool text_starts(struct text t, struct text prefix)
{
	return t.len >= prefix.len && text_eq(text_slice(t, 0, prefix.len), prefix);
}

bool text_ends(struct text t, struct text suffix)
{
	return t.len >= suffix.len && text_eq(text_slice(t, t.len - suffix.len, t.len), suffix);
}

struct text text_slice(struct text t, size_t from, size_t to)
{
	if (to > t.len)
		to = t.len;
	if (from > to)
		from = to;
	return (struct text){t.ptr ? t.ptr + from : NULL, to - from};
}

struct text text_trim_left(struct text t)
{
	size_t i = 0;

	while (i < t.len && (unsigned char)t.ptr[i] <= ' ')
		i++;
	return text_slice(t, i, t.len);
}

struct text text_trim_right(struct text t)
{
	while (t.len && (unsigned char)t.ptr[t.len - 1] <= ' ')
		t.len--;
	return t;
}

struct text text_trim(struct text t)
{
	return text_trim_left(text_trim_right(t));
}

bool text_cut_char(struct text *rest, char c)
{
	if (!rest->len || rest->ptr[0] != c)
		return false;
	rest->ptr++;
	rest->len--;
	return true;
}

size_t text_find(struct text t, struct text needle)
{
	const char *found;

	if (needle.len == 0)
		return 0;
	if (t.len < needle.len)
		return t.len;
	found = memmem(t.ptr, t.len, needle.ptr, needle.len);
	return found ? (size_t)(found - t.ptr) : t.len;
}

size_t text_count(struct text t, char c)
{
	size_t count = 0;

	for (size_t i = 0; i < t.len; i++)
		count += t.ptr[i] == c;
	return count;
}

bool text_next_line(struct text *rest, struct text *line)
{
	const char *newline;
	size_t end;

	if (rest->len == 0)
		return false;
	newline = memchr(rest->ptr, '\n', rest->len);
	end = newline ? (size_t)(newline - rest->ptr) : rest->len;
	*line = text_slice(*rest, 0, end);
	*rest = text_slice(*rest, end + 1, rest->len);
	return true;
}

struct text text_next_word(struct text *rest)
{
	size_t len = text_find(*rest, TEXT(" "));
	struct text word = text_slice(*rest, 0, len);

	*rest = text_slice(*rest, len + 1, rest->len);
	return word;
}

int text_to_int64(struct text t, int64_t *ret)
{
	bool negative = t.len && t.ptr[0] == '-';
	int64_t sum = 0;
	size_t i = t.len && (t.ptr[0] == '-' || t.ptr[0] == '+');

	if (i == t.len)
		return -EINVAL;
	for (; i < t.len; i++) {
		int digit = t.ptr[i] - '0';

		if (digit < 0 || digit > 9)
			return -EINVAL;
		if (__builtin_mul_overflow(sum, 10, &sum) ||
			__builtin_add_overflow(sum, negative ? -digit : digit, &sum))
			return -ERANGE;
	}
	*ret = sum;
	return 0;
}

struct text text_copy(struct arena *arena, struct text t)
{
	char *copy = arena_alloc(arena, t.len + 1);

	if (copy && t.len)
		memcpy(copy, t.ptr, t.len);
	return (struct text){copy, copy ? t.len : 0};
}

struct text text_vformat(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	int len;
	char *buf;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	buf = len < 0 ? NULL : arena_alloc(arena, (size_t)len + 1);
	if (!buf)
		return (struct text){NULL, 0};
	vsnprintf(buf, (size_t)len + 1, format, args);
	return (struct text){buf, (size_t)len};
}

struct text text_format(struct arena *arena, const char *format, ...)
{
	struct text text;
	va_list args;

	va_start(args, format);
	text = text_vformat(arena, format, args);
	va_end(args);
	return text;
}

struct text text_duration(struct arena *arena, int64_t ms, const char *gap)
{
	static const struct {
		int64_t ms;
		const char *name;
	} units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}, {1, "ms"}};
	size_t i = 0;

	if (ms == 0)
		return text_format(arena, "0%ss", gap);
	while (ms % units[i].ms)
		i++;
	return text_format(arena, "%lld%s%s", (long long)(ms / units[i].ms), gap, units[i].name);
}
